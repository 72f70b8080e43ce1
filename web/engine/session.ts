/** A UCI session on one thread: executes lines in their order and passes some of them to the running search. */

import { canSuspend, Command, Instance } from "./instance.js";
import type { Outside } from "./outside.js";

/** During a search we look for commands only once in this many milliseconds. */
const POLL_INTERVAL = 8;
/** How long we sleep, in milliseconds, before we look again for the command that a finished search waits for. */
const NAP = 2;

export class Session {
  private readonly queue: string[] = [];
  private readonly instance: Promise<Instance>;
  /** A message through this channel lets the event loop run; a timer could take four milliseconds for that. */
  private readonly channel = new MessageChannel();
  private isBusy = false;
  private lastPoll = 0;
  private wake: (() => void) | undefined;

  constructor(
    module: WebAssembly.Module,
    private readonly outside: Outside,
  ) {
    const host = { print: outside.print, poll: (wait: boolean): Command | Promise<Command> => this.poll(wait) };
    this.instance = Instance.create(module, host, canSuspend && !outside.take);
  }

  /** Queues a line, then executes all queued lines. Resolves at once if an earlier call is still doing that. */
  async send(line: string): Promise<void> {
    this.queue.push(line.trim());
    this.wake?.();
    if (this.isBusy) return;
    this.isBusy = true;
    const instance = await this.instance;
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      if (next === "quit" || next === "exit") {
        this.channel.port1.close();
        this.outside.close();
        return;
      }
      await instance.handle(next);
    }
    this.isBusy = false;
  }

  private poll(wait: boolean): Command | Promise<Command> {
    if (!wait && performance.now() - this.lastPoll < POLL_INTERVAL) return Command.None;
    if (this.outside.take) return this.take(wait);
    // No command can reach a search that does not suspend, so we never hold back its result.
    if (!canSuspend) return wait ? Command.Stop : Command.None;
    return this.receive(wait);
  }

  /** Looks for a command without the event loop. */
  private take(wait: boolean): Command {
    for (;;) {
      for (let taken = this.outside.take?.(); taken; taken = this.outside.take?.()) {
        if (typeof taken.message === "string") this.queue.push(taken.message.trim());
      }
      const command = this.next();
      if (command !== Command.None || !wait) return command;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, NAP);
    }
  }

  /** Looks for a command after the event loop has run. */
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
    return this.next();
  }

  /** Returns the command for the running search that is next in the queue. */
  private next(): Command {
    this.lastPoll = performance.now();
    while (this.queue[0] === "isready" || this.queue[0] === "") {
      if (this.queue.shift() === "isready") this.outside.print("readyok");
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
}
