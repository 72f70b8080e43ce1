/** A UCI session on one thread: executes lines in their order and passes some of them to the running search. */

import { canSuspend, Command, Instance } from "./instance";

/** During a search we look for commands only once in this many milliseconds. */
const POLL_INTERVAL = 8;

export class Session {
  private readonly queue: string[] = [];
  private readonly instance: Promise<Instance>;
  private readonly print: (line: string) => void;
  /** A message through this channel lets the event loop run; a timer could take four milliseconds for that. */
  private readonly channel = new MessageChannel();
  private isBusy = false;
  private lastPoll = 0;
  private wake: (() => void) | undefined;

  constructor(module: WebAssembly.Module, print: (line: string) => void) {
    this.print = print;
    this.instance = Instance.create(module, { print, poll: (wait) => this.poll(wait) }, canSuspend);
  }

  /** Queues a line, then executes all queued lines. Resolves at once if an earlier call is still doing that. */
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
    // No command can reach a search that does not suspend, so we never hold back its result.
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

  /** Closes the port, which would keep a Node process alive. */
  close(): void {
    this.channel.port1.close();
  }
}
