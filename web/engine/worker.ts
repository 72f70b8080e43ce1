/** Worker with a UCI session: receives the module, then lines; sends output lines. */

import { Session } from "./session";

let session: Session | undefined;

onmessage = ({ data }: MessageEvent<WebAssembly.Module | string>): void => {
  if (typeof data === "string") void session?.send(data);
  else session = new Session(data, (line) => postMessage(line));
};
