//! Sends what Enroque writes through Rust crates, and back. Run by `scripts/try_neighbours.sh`, which builds it.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use bulletformat::{ChessBoard, DataLoader};
use pgn_reader::shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use viriformat::dataformat::Game;

type Checked<T> = Result<T, Box<dyn Error>>;

const SHAKMATY: &str = "shakmaty 0.30.1";
const VIRIFORMAT: &str = "viriformat 3.0.0";
const INNER: &str = "rk2r3/pppppppp/8/8/8/8/1PPPPPPP/R2K1R1R w Fkq - 0 1";

fn row(program: &str, what: &str, check: impl FnOnce() -> Checked<bool>) {
    let passed = check().unwrap_or_else(|error| {
        eprintln!("    {error}");
        false
    });
    println!("{program}\t{what}\t{}", if passed { "yes" } else { "no" });
}

/// Plays a game's moves, and notes them as UCI moves; a king takes its rook to castle.
struct Replay;

impl Visitor for Replay {
    type Tags = Chess;
    type Movetext = (Chess, Vec<String>);
    type Output = Checked<Vec<String>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            match position(&value.decode_utf8_lossy()) {
                Ok(position) => *start = position,
                Err(error) => return ControlFlow::Break(Err(error)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((start, Vec::new()))
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (position, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(mv) => {
                moves.push(mv.to_uci(CastlingMode::Chess960).to_string());
                position.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.into())),
        }
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        Ok(moves)
    }
}

fn position(fen: &str) -> Checked<Chess> {
    Ok(fen.parse::<Fen>()?.into_position(CastlingMode::Chess960)?)
}

/// Returns the moves that our reader finds in a file's only game.
fn ours(folder: &Path, file: &Path) -> Checked<Vec<String>> {
    let output = Command::new(folder.join("pgn_games")).stdin(File::open(file)?).output()?;
    let text = String::from_utf8(output.stdout)?;
    let moves = text.lines().find_map(|line| line.strip_prefix("moves\t")).ok_or("no game")?;
    Ok(moves.split(' ').map(str::to_owned).collect())
}

fn games(folder: &Path) {
    let named = [
        ("orthodox", "annotated game"),
        ("inner", "Chess960 game, inner rooks"),
        ("double", "double Chess960 game"),
    ];
    for (name, what) in named {
        row(SHAKMATY, &format!("reads our {what}"), || {
            let file = folder.join(format!("{name}.pgn"));
            let theirs = Reader::new(File::open(&file)?).read_game(&mut Replay)?.ok_or("no game")??;
            Ok(theirs == ours(folder, &file)?)
        });
    }
    row(SHAKMATY, "X-FEN of inner rooks, back as it was", || {
        let fen = Fen::from_position(&position(INNER)?, EnPassantMode::Legal).to_string();
        let file = folder.join("shakmaty.pgn");
        fs::write(&file, format!("[FEN \"{fen}\"]\n\n1. O-O *\n"))?;
        Ok(ours(folder, &file)? == ["d1f1"])
    });
    row(SHAKMATY, "reads a Chess960 castling of the engine", || {
        Ok("d1f1".parse::<UciMove>()?.to_move(&position(INNER)?)?.is_castle())
    });
}

/// Exports the usable positions of a game file as lines of `FEN | SCORE | RESULT`, or in bullet's format.
fn export(learn: &str, games: &Path, to: &Path) -> Checked<()> {
    let status =
        Command::new(learn).args(["data", "export"]).args([games, to]).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("data export {}: {status}", to.display()).into()) }
}

/// Reads all games of a file. A debug build of viriformat checks that each move is legal.
fn read_games(file: &Path) -> Checked<Vec<Game>> {
    let mut input = BufReader::new(File::open(file)?);
    let mut games = Vec::new();
    while !std::io::BufRead::fill_buf(&mut input)?.is_empty() {
        games.push(Game::deserialise_from(&mut input, Vec::new())?);
    }
    Ok(games)
}

fn training(folder: &Path, learn: &str) {
    let (own, theirs) = (folder.join("games.vf"), folder.join("theirs.vf"));
    row(VIRIFORMAT, "reads our double Chess960 self-play games", || {
        let games = read_games(&own)?;
        let castlings = games.iter().flat_map(Game::moves).filter(|mv| mv.is_castle()).count();
        if castlings == 0 {
            return Err("no game has a castling".into());
        }
        let mut bytes = Vec::new();
        games.iter().try_for_each(|game| game.serialise_into(&mut bytes))?;
        fs::write(&theirs, bytes)?;
        Ok(true)
    });
    let (own_lines, their_lines) = (folder.join("own.epd"), folder.join("theirs.epd"));
    row(VIRIFORMAT, "we read its games", || {
        export(learn, &own, &own_lines)?;
        export(learn, &theirs, &their_lines)?;
        Ok(fs::read(&own_lines)? == fs::read(&their_lines)?)
    });
    row("bulletformat 1.8.0", "reads our positions with score and result", || {
        let file = folder.join("own.bullet");
        export(learn, &own, &file)?;
        let lines = fs::read_to_string(&own_lines)?;
        let parsed = lines.lines().map(str::parse).collect::<Result<Vec<ChessBoard>, _>>()?;
        let mut read: Vec<ChessBoard> = Vec::new();
        DataLoader::new(&file, 1)?.map_positions(|&position| read.push(position));
        Ok(!read.is_empty() && read == parsed)
    });
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, learn] = &arguments[..] else { panic!("expected a folder and enroque-learn") };
    games(Path::new(folder));
    training(Path::new(folder), learn);
}
