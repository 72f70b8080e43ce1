/** What we use of workers, of a browser's and of Node's. */

/** What we use of a browser's `Worker`. */
export interface WebWorker {
  // The types of a browser's events may be missing where the types of this package are read.
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

export interface NodePort {
  on(event: "message", listener: (data: unknown) => void): void;
  postMessage(data: unknown): void;
  close(): void;
}

export interface NodeWorker extends NodePort {
  on(event: "message" | "error", listener: (data: unknown) => void): void;
  terminate(): Promise<number>;
}

interface WorkerThreads {
  /** `null` on the main thread. */
  parentPort: NodePort | null;
  /** Takes a message that has arrived, without the event loop. */
  receiveMessageOnPort(port: NodePort): { message: unknown } | undefined;
  Worker: new (source: string, options: { eval: boolean }) => NodeWorker;
}

interface Process {
  versions?: { node?: string };
  getBuiltinModule?(name: string): unknown;
}

/** Node's threads; `undefined` in a browser. An import would fail there. */
export const threads = ((): WorkerThreads | undefined => {
  const { process } = globalThis as { process?: Process };
  return process?.versions?.node ? (process.getBuiltinModule?.("node:worker_threads") as WorkerThreads) : undefined;
})();
