#!/usr/bin/env bash
# chess-to-sqlite 0.1.0 (PyPI): two games that two players play at one place on one day.
# Guess: two games in, two rows out; a tag pair that tells them apart (Round) is enough.
# Seen:  "2 games imported", and the table has one row: the second game has replaced the first.
# Why it matters: an engine match is hundreds of games with the same players, site and date. One row is left of them.
# What helps: a tag GameId with a number for each game, or a Site for each game.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess-to-sqlite==0.1.0 chess==1.11.2
game() {
    printf '[Event "Match"]\n[Site "Town Hall"]\n[Date "2024.05.01"]\n[Round "%s"]\n' "$1"
    printf '[White "Alpha"]\n[Black "Beta"]\n[Result "%s"]\n\n%s %s\n\n' "$2" "$3" "$2"
}
{ game 1 1-0 '1. e4 e5'; game 2 0-1 '1. d4 d5'; } >match.pgn
{
    python3 lib/bin/chess-to-sqlite match.pgn match.db | grep -o '[0-9]* games imported'
    python3 lib/bin/sqlite-utils match.db 'select count(*), result from games' --csv --no-headers | tr -d '\r'
} >seen
cat seen
diff - seen <<'END'
2 games imported
1,0-1
END
