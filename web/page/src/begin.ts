// The first script of the page. It unpacks the main script and runs it.

import { unpack } from "../../engine/unpack";

const script = document.createElement("script");
void (async () => {
  try {
    script.textContent = await unpack(document.getElementById("script")!.textContent!).text();
    document.head.append(script);
  } catch (error) {
    // We can't use the texts of the page here, because they are in the main script.
    document.getElementById("title")!.textContent = `This browser is too old: ${(error as Error).message}`;
  }
})();
