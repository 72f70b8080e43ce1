/** Runs the engine's WebAssembly module, which receives and prints lines. */

/** Commands for a running search, as the module's import `poll` returns them. */
export const enum Command {
  None = 0,
  Stop = 1,
  PonderHit = 2,
}

export interface Host {
  /** Receives an output line. */
  print(line: string): void;
  /** Returns the next command for the running search; with `wait` the search has ended and its result is held back. */
  poll(wait: boolean): Command | Promise<Command>;
}

interface Exports {
  memory: WebAssembly.Memory;
  buffer(length: number): number;
  handle(): void;
}

interface PromiseIntegration {
  Suspending: new (f: (wait: number) => number | Promise<number>) => WebAssembly.ImportValue;
  promising(f: () => void): () => Promise<void>;
}

/** JavaScript Promise Integration lets the module wait for a promise. `undefined` if the browser lacks it. */
const integration: PromiseIntegration | undefined =
  "Suspending" in WebAssembly && "promising" in WebAssembly
    ? (WebAssembly as unknown as PromiseIntegration)
    : undefined;

/** `true` if a running search can receive commands, because it can wait for them. */
export const canSuspend = integration !== undefined;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Instance whose lines are executed at once, on the calling thread. */
export class Instance {
  private readonly exports: Exports;
  private readonly run: () => void | Promise<void>;

  private constructor(exports: Exports, run: () => void | Promise<void>) {
    this.exports = exports;
    this.run = run;
  }

  /** With `suspends`, `handle` returns a promise, and `poll` may return one. */
  static async create(module: WebAssembly.Module, host: Host, suspends: boolean): Promise<Instance> {
    const poll = (wait: number): number | Promise<number> => host.poll(wait !== 0);
    let exports: Exports;
    const imports = {
      host: {
        print: (address: number, length: number): void => {
          const text = decoder.decode(new Uint8Array(exports.memory.buffer, address, length));
          for (const line of text.split("\n")) host.print(line);
        },
        now: (): number => performance.now(),
        random: (): number => Math.random(),
        poll: suspends && integration ? new integration.Suspending(poll) : poll,
      },
    };
    const instance = await WebAssembly.instantiate(module, imports as WebAssembly.Imports);
    exports = instance.exports as unknown as Exports;
    return new Instance(exports, suspends && integration ? integration.promising(exports.handle) : exports.handle);
  }

  handle(line: string): void | Promise<void> {
    const bytes = encoder.encode(line);
    const address = this.exports.buffer(bytes.length);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    return this.run();
  }
}
