// The first script of the page. It unpacks the page's own script and adds it.

import { unpack } from "../../engine/unpack";

const script = document.createElement("script");
void (async () => {
  try {
    script.textContent = await unpack("script").text();
    document.head.append(script);
  } catch (error) {
    // The texts of the page are in its script.
    document.getElementById("title")!.textContent = `This browser is too old: ${(error as Error).message}`;
  }
})();
