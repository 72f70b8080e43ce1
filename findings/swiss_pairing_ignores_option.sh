#!/usr/bin/env bash
# swiss-pairing 1.4.3 (npm): the option maxPointsPerRound, for events that count 2 for a win and 1 for a draw.
# Guess: with it the modified median tells who has more than half of the points: such players lose their worst opponent
#        from the sum, players with less than half their best one, players with exactly half none.
# Seen:  the README's option does nothing; the code reads another name, maxPerRound. So 3 points of 6 count as more than
#        half, and A and B lose an opponent from the sum: 8 instead of 9. No error is raised.
# Why it matters: whoever avoids half points by counting double gets other tiebreaks, and no hint.
# What helps: set maxPerRound as well, or count 1, 0.5 and 0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . swiss-pairing@1.4.3 >/dev/null
cat >try.cjs <<'CODE'
const swiss = require('swiss-pairing')

const participants = ['A', 'B', 'C', 'D'].map((id, index) => ({ id, seed: index + 1 }))
const results = ['1 A2 D0', '1 B1 C1', '2 A1 B1', '2 C2 D0', '3 A0 C2', '3 B1 D1']
const side = ([id, points]) => ({ id, points: Number(points) })
const matches = results.map((result) => {
  const [round, home, away] = result.split(' ')
  return { round: Number(round), home: side(home), away: side(away) }
})
for (const options of ['{}', '{"maxPointsPerRound":2}', '{"maxPerRound":2}']) {
  const medians = swiss(JSON.parse(options)).getModifiedMedianScores(4, participants, matches)
  console.log(`${options}: ${JSON.stringify(medians)}`)
}
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
{}: {"A":8,"B":8,"C":6,"D":6}
{"maxPointsPerRound":2}: {"A":8,"B":8,"C":6,"D":6}
{"maxPerRound":2}: {"A":9,"B":9,"C":6,"D":6}
OUT
