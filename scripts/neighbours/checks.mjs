// Sends what Enroque writes through JavaScript libraries, and back. Run by scripts/try_neighbours.sh.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'

const [folder] = process.argv.slice(2)
const require = createRequire(path.join(folder, 'index.js'))
const modules = name => path.join(folder, 'node_modules', name)
const { Chess } = await import(modules('chess.js/dist/esm/chess.js'))
const cmChess = await import(modules('cm-chess/src/Chess.js'))
const chessops = Object.assign(
    {},
    ...(await Promise.all(['pgn', 'fen', 'san'].map(part => import(modules(`chessops/dist/esm/${part}.js`))))),
)
const kokopu = require('kokopu')
const version = name => `${name} ${JSON.parse(fs.readFileSync(modules(`${name}/package.json`))).version}`

const INNER = 'rk2r3/pppppppp/8/8/8/8/1PPPPPPP/R2K1R1R w Fkq - 0 1'
const games = { orthodox: 'annotated game', inner: 'Chess960 game, inner rooks', double: 'double Chess960 game' }
const read = name => fs.readFileSync(path.join(folder, `${name}.pgn`), 'utf8')

/** Runs a check and prints whether it returned true. */
function row(program, what, check) {
    let passed = false
    try {
        passed = check()
    } catch (error) {
        console.error(`    ${String(error?.message ?? error).split('\n')[0].slice(0, 100)}`)
    }
    console.log(`${version(program)}\t${what}\t${passed ? 'yes' : 'no'}`)
}

/** Returns the moves that our reader finds in a game. */
function ours(text) {
    const lines = execFileSync(path.join(folder, 'pgn_games'), { input: text }).toString().split('\n')
    if (lines.some(line => /^(error|refused)/.test(line))) throw new Error(lines.join('; '))
    return lines.find(line => line.startsWith('moves')).split('\t')[1]
}

/** Returns our game's moves in algebraic notation, as chessops reads them. */
function sans(text) {
    const [game] = chessops.parsePgn(text)
    const position = chessops.startingPosition(game.headers).unwrap()
    return [...game.moves.mainline()].map(({ san }) => {
        const move = chessops.parseSan(position, san)
        if (!move) throw new Error(`${san} is not legal`)
        return chessops.makeSanAndPlay(position, move)
    })
}

const count = text => ours(text).split(' ').length

for (const [name, what] of Object.entries(games)) {
    const text = read(name)
    row('chessops', `reads our ${what}`, () => sans(text).length === count(text))
    row('chessops', `we read its ${what}`, () => ours(chessops.makePgn(chessops.parsePgn(text)[0])) === ours(text))
    const kokopuGame = () => kokopu.pgnRead(text, 0)
    row('kokopu', `reads our ${what}`, () => kokopuGame().nodes().length === count(text))
    row('kokopu', `we read its ${what}`, () => ours(kokopu.pgnWrite(kokopuGame())) === ours(text))
    const chess = () => {
        const chess = new Chess()
        chess.loadPgn(text)
        return chess
    }
    row('chess.js', `reads our ${what}`, () => chess().history().length === count(text))
    if (name === 'orthodox') row('chess.js', `we read its ${what}`, () => ours(chess().pgn()) === ours(text))
    const cm = () => new cmChess.Chess({ pgn: text, gameVariant: name === 'orthodox' ? 'standard' : 'chess960' })
    row('cm-chess', `reads our ${what}`, () => cm().history().length === count(text))
}
row('chessops', 'X-FEN of inner rooks, back as it was', () => {
    const setup = chessops.parseFen(INNER).unwrap()
    return ours(`[FEN "${chessops.makeFen(setup)}"]\n\n1. O-O *`) === 'd1f1'
})
row('kokopu', 'X-FEN of inner rooks, back as it was', () => {
    const position = new kokopu.Position('chess960', INNER)
    return ours(`[FEN "${position.fen()}"]\n\n1. O-O *`) === 'd1f1'
})
row('cm-chess', 'X-FEN of inner rooks', () => Boolean(new cmChess.Chess({ fen: INNER, gameVariant: 'chess960' })))
const outer = 'rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1'
row('cm-chess', 'X-FEN of outer rooks', () => {
    const chess = new cmChess.Chess({ fen: outer, gameVariant: 'chess960' })
    return chess.move('O-O') && chess.fen().startsWith('rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b')
})
