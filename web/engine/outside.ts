/** What a worker sees of the thread that started it, in browsers and in Node. */

import { threads } from "./workers.js";

export interface Outside {
  print(line: string): void;
  /** Ends the worker. */
  close(): void;
  /** Takes a message that has arrived while the worker was busy; `undefined` if there is none. Only in Node. */
  take?(): { message: unknown } | undefined;
}

/** Calls `receive` with every message from outside. */
export function connect(receive: (data: unknown) => void): Outside {
  const port = threads?.parentPort;
  if (threads && port) {
    const { receiveMessageOnPort } = threads;
    port.on("message", receive);
    return {
      print: (line): void => port.postMessage(line),
      close: (): void => port.close(),
      take: (): { message: unknown } | undefined => receiveMessageOnPort(port),
    };
  }
  self.onmessage = ({ data }: MessageEvent<unknown>): void => receive(data);
  return { print: (line): void => self.postMessage(line), close: (): void => self.close() };
}
