/** Starts UCI sessions in workers. */

import source from "worker:./thread.ts";

import { canSuspend } from "./instance.js";
import { type Remote, ReplacedSession } from "./replaced.js";
import { Rules } from "./rules.js";
import { threads, type WebWorker } from "./workers.js";

type Print = (line: string) => void;
/** Is called if the worker can't start or breaks down. */
type Fail = (error: Error) => void;

/** Starts a session in a worker whose source is part of ours. */
function startWorker(module: WebAssembly.Module, print: Print, fail: Fail): Remote {
  if (threads) {
    const worker = new threads.Worker(source, { eval: true });
    worker.on("message", (line) => print(line as string));
    worker.on("error", (error) => fail(error as Error));
    worker.postMessage(module);
    return { send: (line) => worker.postMessage(line), close: () => void worker.terminate() };
  }
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage(module);
  return ofWorker(worker, print, fail);
}

/** Talks to a worker that takes and returns lines. */
export function ofWorker(worker: WebWorker, print: Print, fail: Fail): Remote {
  worker.onerror = ({ message }: { message?: string }): void =>
    fail(new Error(message ?? "the worker can't start: its address or the content security policy is wrong"));
  worker.onmessage = ({ data }: { data: string }): void => print(data);
  return { send: (line) => worker.postMessage(line), close: () => worker.terminate() };
}

/** Whether every command reaches a running search. If not, we stop a search by ending its worker. */
export const isReachable = canSuspend || threads !== undefined;

/** Starts a session in a worker. */
export async function startSession(module: WebAssembly.Module, print: Print, fail: Fail): Promise<Remote> {
  const start = (own: Print): Remote => startWorker(module, own, fail);
  return isReachable ? start(print) : new ReplacedSession(start, await Rules.of(module), print);
}
