#!/usr/bin/env bash
# tournament-organizer 4.1.1 (npm): the Sonneborn-Berger score in a double round robin.
# Guess: it adds the opponent's points for each game won and half of them for each draw, so both games of a pair count.
# Seen:  only the first game of each pair counts. Four players beat each other once: all have 3 points of 6 and should
#        have a score of 9. The library says 9, 6, 3 and 0, by who won the first games, and ranks them so.
# Why it matters: double round robins are the usual form for few players, where ties are common; this breaks them by an
#        accident of the schedule.
# What helps: compute the tiebreak from the list of games (FIDE Handbook C.07), or put another one first.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . tournament-organizer@4.1.1 >/dev/null
cat >try.mjs <<'CODE'
import Manager from 'tournament-organizer'

const players = ['A', 'B', 'C', 'D']
const tournament = new Manager().createTournament('double', {
  stageOne: { format: 'double-round-robin' },
  scoring: { win: 1, draw: 0.5, loss: 0, bye: 0, tiebreaks: ['sonneborn berger'] },
})
players.forEach((name) => tournament.createPlayer(name, name))
tournament.startTournament()
// The player who comes first in the alphabet wins the first game of a pair, the other one the second game.
const games = {}
for (let active; (active = tournament.getMatches().filter((match) => match.isActive())).length > 0; ) {
  for (const match of active) {
    const [one, two] = [match.getPlayer1().id, match.getPlayer2().id]
    const pair = [one, two].sort().join(' ')
    games[pair] = (games[pair] ?? 0) + 1
    const oneWins = one < two === (games[pair] === 1)
    tournament.enterResult(match.getId(), oneWins ? 1 : 0, oneWins ? 0 : 1, 0)
  }
  if (tournament.getMatches().some((match) => match.getRoundNumber() > tournament.getRoundNumber())) tournament.nextRound()
}
console.log('games of each pair:', ...new Set(Object.values(games)))
for (const { player, matchPoints, tiebreaks } of tournament.getStandings()) {
  console.log(player.getId(), 'points', matchPoints, 'Sonneborn-Berger', tiebreaks.sonnebornBerger)
}
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
games of each pair: 2
A points 3 Sonneborn-Berger 9
B points 3 Sonneborn-Berger 6
C points 3 Sonneborn-Berger 3
D points 3 Sonneborn-Berger 0
OUT
