/** A UCI session on one thread: executes lines in their order and passes some of them to the running search. */

import { canSuspend, Command, Instance } from "./instance";

/** Milliseconds between two looks for commands during a search. */
const POLL_INTERVAL = 8;

export class Session {
  private readonly queue: string[] = [];
  private readonly instance: Promise<Instance>;
  private readonly print: (line: string) => void;
  /** Yields to the event loop: unlike a timer it takes no four milliseconds. */
  private readonly channel = new MessageChannel();
  private isBusy = false;
  private lastPoll = 0;
  private wake: (() => void) | undefined;

  constructor(module: WebAssembly.Module, print: (line: string) => void) {
    this.print = print;
    this.instance = Instance.create(module, { print, poll: (wait) => this.poll(wait) }, canSuspend);
  }

  /** Executes a line after those before it. Resolves once no line is left. */
  async send(line: string): Promise<void> {
    this.queue.push(line);
    this.wake?.();
    if (this.isBusy) return;
    this.isBusy = true;
    const instance = await this.instance;
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      await instance.handle(next);
    }
    this.isBusy = false;
  }

  private poll(wait: boolean): Command | Promise<Command> {
    // Nobody can reach a search that does not suspend: it reports its result at its end.
    if (!canSuspend) return wait ? Command.Stop : Command.None;
    if (!wait && performance.now() - this.lastPoll < POLL_INTERVAL) return Command.None;
    return this.receive(wait);
  }

  private async receive(wait: boolean): Promise<Command> {
    if (wait && this.queue.length === 0) {
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    } else {
      await new Promise<void>((resolve) => {
        this.channel.port1.onmessage = (): void => resolve();
        this.channel.port2.postMessage(null);
      });
    }
    this.lastPoll = performance.now();
    while (this.queue[0] === "isready") {
      this.queue.shift();
      this.print("readyok");
    }
    const line = this.queue[0];
    if (line === undefined) return Command.None;
    if (line === "ponderhit") {
      this.queue.shift();
      return Command.PonderHit;
    }
    if (line === "stop") this.queue.shift();
    // Any other line ends the search and is executed after it.
    return Command.Stop;
  }

  /** Releases what keeps a process alive. */
  close(): void {
    this.channel.port1.close();
  }
}
