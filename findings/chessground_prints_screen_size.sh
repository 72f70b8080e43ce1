#!/usr/bin/env bash
# @lichess-org/chessground 10.1.1 (npm) in Chromium: a page has a board 600 pixels wide, and 300 when it is printed.
# Guess: the printed board is as wide as its print style says (296, as squares have whole pixels), since the library
#        watches the size of its box.
# Seen:  the printed board is as wide as on the screen, and runs over its box and what stands beside it. The library
#        writes the size in pixels into the page, and the browser tells it of the new size only after printing.
# Why it matters: whoever prints an analysis gets a board over the moves, although it looks right in the developer
#                 tools, which show print styles to a page that still runs.
# What helps: give the box its printed size and call `redrawAll` on the event `beforeprint`, and undo it on `afterprint`.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . @lichess-org/chessground@10.1.1 playwright-core@1.64.1 >/dev/null
cat >page.html <<'PAGE'
<!doctype html>
<link rel="stylesheet" href="node_modules/@lichess-org/chessground/assets/chessground.base.css">
<style>
  body { margin: 0 }
  #board { width: 600px; height: 600px }
  #board cg-board { background: #000 }
  @media print { #board { width: 300px; height: 300px } cg-board { print-color-adjust: exact } }
</style>
<div id="board"></div>
<script type="module">
  import { Chessground } from './node_modules/@lichess-org/chessground/dist/chessground.min.js'
  Chessground(document.getElementById('board'), { coordinates: false, fen: '8/8/8/8/8/8/8/8' })
</script>
PAGE
cat >try.mjs <<'CODE'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
const server = createServer(async (request, response) => {
  const body = await readFile(`.${request.url}`).catch(() => '')
  response.setHeader('Content-Type', types[request.url.split('.').pop()] ?? 'text/plain').end(body)
}).listen(0, '127.0.0.1')
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/page.html`)
await page.waitForSelector('cg-board')
const width = () => page.evaluate(() => document.querySelector('cg-board').getBoundingClientRect().width)
console.log('on the screen:', await width())
await page.pdf({ path: 'page.pdf', width: '800px', height: '800px' })
await page.emulateMedia({ media: 'print' })
await page.waitForTimeout(500)
console.log('with print styles on the screen:', await width())
await browser.close()
server.close()
CODE
node try.mjs >seen
# The picture of the sheet is 800 pixels wide; the board is black.
pdftoppm -r 96 -gray -singlefile page.pdf page
python3 - >>seen <<'CODE'
with open("page.pgm", "rb") as file:
    _, size, _ = file.readline(), file.readline(), file.readline()
    width, height = map(int, size.split())
    rows = [file.read(width) for _ in range(height)]
print("on paper:", sum(pixel < 128 for pixel in rows[2]))
CODE
cat seen
diff - seen <<'OUT'
on the screen: 600
with print styles on the screen: 296
on paper: 600
OUT
