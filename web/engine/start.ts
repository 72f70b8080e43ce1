/** Starts UCI sessions in workers. */

import source from "worker:./thread.ts";

import { canSuspend } from "./instance.js";
import { type Remote, ReplacedSession } from "./replaced.js";
import { Rules } from "./rules.js";
import { threads, type WebWorker } from "./workers.js";

type Print = (line: string) => void;

/** Starts a session in a worker whose source is part of ours. */
function startWorker(module: WebAssembly.Module, print: Print): Remote {
  if (threads) {
    const worker = new threads.Worker(source, { eval: true });
    worker.on("message", (line) => print(line as string));
    worker.postMessage(module);
    return { send: (line) => worker.postMessage(line), close: () => void worker.terminate() };
  }
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage(module);
  return ofWorker(worker, print);
}

/** Talks to a worker that takes and returns lines. */
export function ofWorker(worker: WebWorker, print: Print): Remote {
  worker.onmessage = ({ data }: { data: string }): void => print(data);
  return { send: (line) => worker.postMessage(line), close: () => worker.terminate() };
}

/** Whether every command reaches a running search. If not, we stop a search by ending its worker. */
export const isReachable = canSuspend || threads !== undefined;

/** Starts a session in a worker. */
export async function startSession(module: WebAssembly.Module, print: Print): Promise<Remote> {
  const start = (own: Print): Remote => startWorker(module, own);
  return isReachable ? start(print) : new ReplacedSession(start, await Rules.of(module), print);
}
