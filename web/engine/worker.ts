/** A worker that takes and returns lines of UCI as messages, with the module inside. */

import { loadModule } from "./load.js";
import { connect } from "./outside.js";
import type { Remote } from "./replaced.js";
import { Session } from "./session.js";
import { isReachable, startSession } from "./start.js";

const isEnd = (line: string): boolean => /^\s*(quit|exit)\s*$/.test(line);

const outside = connect((data) => {
  if (typeof data !== "string") return;
  session.then((running) => {
    void running.send(data);
    // A session on this thread ends the worker itself, after the lines before.
    if (!isReachable && isEnd(data)) outside.close();
  }, fail);
});

async function start(): Promise<Remote | Session> {
  const module = await loadModule();
  return isReachable ? new Session(module, outside) : startSession(module, outside.print, fail);
}

/** Throws an error where the browser reports it to whoever started the worker. */
function fail(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

const session = start();
session.catch(fail);
