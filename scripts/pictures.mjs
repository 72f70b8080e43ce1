// Makes the pictures in docs again: docs/sweep.png and docs/analysis.png.
//
//   node scripts/pictures.mjs [FOLDER]      FOLDER has our programs; default: target/release
//
// Needs Chromium (CHROMIUM names its program; default: /usr/bin/chromium) and the packages of web/ (run `npm ci` there).

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const programs = resolve(process.argv[2] ?? fileURLToPath(new URL('../target/release', import.meta.url)))
const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('playwright-core')
const WIDTH = 1180

const GAME = `[Event "IBM Man-Machine"]
[Site "New York USA"]
[Date "1997.05.03"]
[Round "1"]
[White "Garry Kasparov"]
[Black "Deep Blue"]
[Result "1-0"]

1. Nf3 d5 2. g3 Bg4 3. b3 Nd7 4. Bb2 e6 5. Bg2 Ngf6 6. O-O c6 7. d3 Bd6 8. Nbd2 O-O 9. h3 Bh5 10. e3 h6 11. Qe1 Qa5
12. a3 Bc7 13. Nh4 g5 14. Nhf3 e5 15. e4 Rfe8 16. Nh2 Qb6 17. Qc1 a5 18. Re1 Bd6 19. Ndf1 dxe4 20. dxe4 Bc5 21. Ne3 Rad8
22. Nhf1 g4 23. hxg4 Nxg4 24. f3 Nxe3 25. Nxe3 Be7 26. Kh1 Bg5 27. Re2 a4 28. b4 f5 29. exf5 e4 30. f4 Bxe2 31. fxg5 Ne5
32. g6 Bf3 33. Bc3 Qb5 34. Qf1 Qxf1+ 35. Rxf1 h5 36. Kg1 Kf8 37. Bh3 b5 38. Kf2 Kg7 39. g4 Kh6 40. Rg1 hxg4 41. Bxg4 Bxg4
42. Nxg4+ Nxg4+ 43. Rxg4 Rd5 44. f6 Rd1 45. g7 1-0
`

const folder = mkdtempSync(join(tmpdir(), 'enroque-pictures-'))
const run = (...words) => execFileSync(join(programs, 'enroque-tools'), words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })

/** Opens a page, lets `prepare` choose what it shows, and takes a picture down to the end of the element `last`. */
async function picture(name, address, last, prepare) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1600 }, colorScheme: 'light' })
    await page.goto(pathToFileURL(join(folder, address)).href)
    await prepare(page)
    const bottoms = await page.locator(last).evaluateAll(all => all.map(element => element.getBoundingClientRect().bottom))
    const clip = { x: 0, y: 0, width: WIDTH, height: Math.ceil(Math.max(...bottoms)) + 16 }
    await page.screenshot({ path: join(docs, name), clip, fullPage: true })
    await page.close()
}

try {
    run('sweep', 'all.csv', '--page', 'all.html')
    await picture('sweep.png', 'all.html', '#map', page => page.click('.cell:nth-child(335)'))
    writeFileSync(join(folder, 'game.pgn'), GAME)
    run('analyse', 'game.pgn', '--page', 'game.html')
    await picture('analysis.png', 'game.html', '#moves, .card', page => page.locator('.Blunder, .Mistake').last().click())
} finally {
    await browser.close()
    rmSync(folder, { recursive: true })
}
