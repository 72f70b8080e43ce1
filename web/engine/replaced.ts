/** A UCI session for browsers in which no command reaches a running search. */

import type { Rules } from "./rules.js";

/** A session that runs elsewhere, such as in a worker. */
export interface Remote {
  send(line: string): void;
  /** Ends the session at once. */
  close(): void;
}

interface Search {
  go: string;
  /** `true` for `go infinite` and `go ponder`, whose `bestmove` has to wait for a command. */
  isEndless: boolean;
  /** The best line so far, in coordinates. */
  pv: string[];
  /** The `bestmove` of an endless search that has ended by itself. */
  held?: string;
}

/**
 * Ends a search by ending the session in which it runs, and goes on with a new one that has the same options and
 * position; only the hash table is lost.
 */
export class ReplacedSession implements Remote {
  private remote: Remote;
  private readonly options = new Map<string, string>();
  private position = "position startpos";
  private search: Search | undefined;

  constructor(
    /** Starts a session that prints its lines through the function. */
    private readonly start: (print: (line: string) => void) => Remote,
    private readonly rules: Rules,
    private readonly print: (line: string) => void,
  ) {
    this.remote = this.begin();
  }

  send(line: string): void {
    const text = line.trim();
    const [word = ""] = text.split(/\s+/);
    if (this.search) {
      if (word === "isready") return this.print("readyok");
      if (word === "ponderhit") return this.hit(this.search);
      // As in `Session`, any other line ends the search.
      this.end(this.search);
      if (word === "stop") return;
    }
    if (word === "setoption") this.options.set(text.split(" value ")[0] ?? text, text);
    else if (word === "position") this.position = text;
    else if (word === "go" && !/\bperft\b/.test(text)) {
      this.search = { go: text, isEndless: /\b(infinite|ponder)\b/.test(text), pv: [] };
    }
    this.remote.send(text);
  }

  close(): void {
    this.remote.close();
  }

  private begin(): Remote {
    const remote: Remote = this.start((line) => {
      // What a session printed before we ended it may still arrive.
      if (remote === this.remote) this.receive(line);
    });
    return remote;
  }

  private receive(line: string): void {
    const { search } = this;
    if (!search) return this.print(line);
    if (line.startsWith("bestmove")) {
      if (search.isEndless) search.held = line;
      else this.finish(line);
      return;
    }
    const pv = /^info (?!.*\bmultipv (?!1 )).*\bpv (.+)$/.exec(line)?.[1];
    if (pv !== undefined) search.pv = pv.split(" ");
    this.print(line);
  }

  private finish(bestMove: string): void {
    this.search = undefined;
    this.print(bestMove);
  }

  private replace(): void {
    this.remote.close();
    this.remote = this.begin();
    for (const line of [...this.options.values(), this.position]) this.remote.send(line);
  }

  private end({ held, pv: [best, reply] }: Search): void {
    if (held === undefined) this.replace();
    this.finish(held ?? `bestmove ${best ?? this.anyMove()}${reply === undefined ? "" : ` ponder ${reply}`}`);
  }

  /** Goes on with a search on our own time. */
  private hit(search: Search): void {
    if (!/\bponder\b/.test(search.go)) return;
    if (search.held !== undefined) return this.finish(search.held);
    this.replace();
    this.search = undefined;
    this.send(search.go.replace(/\s*\bponder\b/, ""));
  }

  /** Returns a legal move for a search that was stopped before it reported a line. */
  private anyMove(): string {
    const moves = this.rules.moves(this.position.replace(/^position\s+/, ""));
    // Castling has two notations; other moves have only one.
    return (moves.find(({ castling }) => !castling) ?? moves[0])?.uci ?? "(none)";
  }
}
