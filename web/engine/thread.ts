/** The thread of a search: receives the module, then lines; sends output lines. */

import { connect } from "./outside.js";
import { Session } from "./session.js";

let session: Session | undefined;

const outside = connect((data) => {
  if (typeof data === "string") void session?.send(data);
  else session = new Session(data as WebAssembly.Module, outside);
});
