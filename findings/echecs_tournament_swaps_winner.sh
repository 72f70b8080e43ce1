#!/usr/bin/env bash
# @echecs/tournament 3.3.0 (npm): the result of a game that was played with the colours reversed.
# Guess: `record` and `correct` give the point to the player whom the result names. The README says that a result is
#        changed for a pair of players in either order.
# Seen:  both put the players back as they were paired, and leave the word for the winner's colour. Alice was to have
#        White, but Bob had it and won: the point goes to Alice. No error is raised, and onWarning isn't called.
# Why it matters: once each has made ten moves, such a game counts (article 7 of FIDE's Laws of Chess). The loser gets
#                 the point, and the next round is paired by that.
# What helps: compare the colours with those of the pairing, and turn the result round where they differ.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @echecs/tournament@3.3.0 >/dev/null
cat >try.mjs <<'CODE'
import { Tournament } from '@echecs/tournament'
const pairingSystem = () => ({ games: [{ white: 'Alice', black: 'Bob' }], byes: [] })
const tournament = () => {
  const players = ['Alice', 'Bob'].map((id, place) => ({ id, points: 0, rank: place + 1 }))
  const data = { completedRounds: [], players, totalRounds: 1 }
  const started = new Tournament(data, { pairingSystem, onWarning: (text) => console.log(text) })
  started.pair()
  return started
}
const show = (what, { players, currentRound }) => {
  const [{ white, black, result }] = currentRound.games
  const points = players.map((player) => `${player.id} ${player.points}`).join(' ')
  console.log(`${what}: White ${white}, Black ${black}, winner ${result}; ${points}`)
}
const asPaired = { white: 'Alice', black: 'Bob', result: 'black' }
const swapped = { white: 'Bob', black: 'Alice', result: 'white' }

let event = tournament()
event.record(asPaired)
show('Bob wins, recorded as paired', event)
event.correct(1, swapped)
show('corrected: he had White', event)
event = tournament()
event.record(swapped)
show('Bob wins, recorded as played', event)
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
Bob wins, recorded as paired: White Alice, Black Bob, winner black; Alice 0 Bob 1
corrected: he had White: White Alice, Black Bob, winner white; Alice 1 Bob 0
Bob wins, recorded as played: White Alice, Black Bob, winner white; Alice 1 Bob 0
OUT
