#!/usr/bin/env bash
# node-uci 1.3.4 (npm): what a UCI engine says about its options and its search. A shell script plays the engine.
# Guess: an option whose default has a space in it is kept; an `info string` is only text; a score says that it is a bound.
# Seen:  that option is missing, without a word. The text "book left at depth 12" also counts as depth 12. `lowerbound`
#        is gone, so the score looks exact.
# Why it matters: a default path such as "my book.bin" hides the option from the program's user, and a log of depths and
#                 scores has lines that no search reached.
# What helps: engines should leave such words as depth, nodes and score out of their info strings.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . node-uci@1.3.4 2>/dev/null >&2
cat >engine <<'END'
#!/usr/bin/env bash
while read -r command _; do
    case $command in
    uci)
        echo 'id name Test'
        echo 'option name Hash type spin default 16 min 1 max 64'
        echo 'option name Book type string default my book.bin'
        echo uciok
        ;;
    isready) echo readyok ;;
    go)
        echo 'info string book left at depth 12'
        echo 'info depth 9 score cp 35 lowerbound nodes 100 pv e2e4 e7e5'
        echo 'bestmove e2e4'
        ;;
    quit) exit ;;
    esac
done
END
chmod +x engine
cat >try.cjs <<'END'
const { Engine } = require('node-uci')
const run = async () => {
  const engine = new Engine(process.cwd() + '/engine')
  await engine.init()
  console.log([...engine.options.keys()].join(' '))
  const { info } = await engine.go({ depth: 9 })
  for (const line of info) console.log(JSON.stringify(line))
  await engine.quit()
}
run()
END
node try.cjs >seen
cat seen
diff - seen <<'END'
Hash
{"depth":12,"string":"book left at depth 12"}
{"depth":9,"nodes":100,"score":{"unit":"cp","value":35},"pv":"e2e4 e7e5"}
END
