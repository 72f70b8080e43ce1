#!/usr/bin/env bash
# kokopu 4.13.4 (npm) writes a game that pgn-extract 19.04 (Debian) reads.
# Guess: kokopu names an inner rook by its file, as X-FEN asks, and pgn-extract takes each letter for the rook on that file,
#        in whatever order the letters come.
# Seen:  kokopu writes White's letters from a to h, `BG`. pgn-extract takes the first letter for the rook on the king's
#        side, so it forbids O-O and prints no game. With `GB` it replays the same game.
# Why it matters: a Chess960 game that leaves kokopu with both rights and an inner rook doesn't get past pgn-extract.
#                 Programs that write FENs should put the letter of the rook nearer the h-file first.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . kokopu@4.13.4 >/dev/null
apt-get download -qq pgn-extract=19.04-1 >/dev/null 2>&1
dpkg -x pgn-extract_*.deb .
cat >try.mjs <<'END'
import { pgnRead, pgnWrite } from 'kokopu'
const fen = '4k3/8/8/8/8/8/8/RR1K2R1 w GB - 0 1'
process.stdout.write(pgnWrite(pgnRead(`[Variant "Chess960"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n1. O-O *\n`, 0)))
END
node try.mjs >kokopu.pgn
sed 's/ BG / GB /' kokopu.pgn >swapped.pgn
{
    grep FEN kokopu.pgn
    for game in kokopu swapped; do
        echo "$game:"
        usr/games/pgn-extract -s $game.pgn 2>&1 | grep -E '^Kingside|^1\.'
    done
} >seen
cat seen
diff - seen <<'END'
[FEN "4k3/8/8/8/8/8/8/RR1K2R1 w BG - 0 1"]
kokopu:
Kingside castling is forbidden to White.
swapped:
1. O-O *
END
