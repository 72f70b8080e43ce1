#!/usr/bin/env bash
# stockfish 19.0.0 (npm, the lite single-threaded build): a Chess960 position while UCI_Chess960 is off, as it is at first.
# Guess: king on f1, rook on h1 with the right to castle: the engine drops the right, or writes castling in a way of its own.
# Seen:  it writes castling as f1g1, the same as the king's step to g1, so one list of moves has f1g1 twice. When it is
#        sent f1g1, the rook stays on h1.
# Why it matters: a page that forgets the option plays another game than the engine thinks it plays.
# What helps: `setoption name UCI_Chess960 value true` before the first position; then castling is f1h1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . stockfish@19.0.0 2>/dev/null >&2
fen='4k3/8/8/8/8/8/8/5K1R w H - 0 1'
for option in false true; do
    echo "UCI_Chess960 $option"
    : >answers
    {
        printf '%s\n' "setoption name UCI_Chess960 value $option" "position fen $fen" 'go perft 1' \
            "position fen $fen moves f1g1" d
        # The engine stops at the end of its input, so that must stay open until it has answered `d`.
        for _ in {1..60}; do
            if grep -q '^Key' answers; then break; fi
            sleep 1
        done
        echo quit
    } | node node_modules/stockfish/bin/stockfish-19-lite-single.js >answers 2>&1
    tr -d '\r' <answers | grep -E '^f1[gh]1|^Fen' | sort
done >seen
cat seen
diff - seen <<'END'
UCI_Chess960 false
Fen: 4k3/8/8/8/8/8/8/6KR b - - 1 1
f1g1: 1
f1g1: 1
UCI_Chess960 true
Fen: 4k3/8/8/8/8/8/8/6KR b - - 1 1
f1g1: 1
f1h1: 1
END
