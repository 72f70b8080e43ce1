//! Reads what Enroque writes with the crates of other programs. Run by scripts/try_neighbours.sh.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use bulletformat::{BulletFormat, ChessBoard, DataLoader};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// Plays a game and returns its moves in UCI notation, in which a king takes its rook to castle.
struct Player;

impl Visitor for Player {
    type Tags = Chess;
    type Movetext = (Chess, Vec<String>);
    type Output = Option<Vec<String>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen: Option<Fen> = value.decode_utf8_lossy().parse().ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *start = position,
                None => return ControlFlow::Break(None),
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
        let Ok(mv) = san.san.to_move(position) else { return ControlFlow::Break(None) };
        moves.push(mv.to_uci(CastlingMode::Chess960).to_string());
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        Some(moves)
    }
}

fn row(program: &str, what: &str, passed: bool) {
    println!("{program}\t{what}\t{}", if passed { "yes" } else { "no" });
}

/// Returns the moves that our reader finds in a game.
fn ours(folder: &str, text: &[u8]) -> Vec<String> {
    let mut reader = Command::new(format!("{folder}/pgn_games"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("our reader");
    reader.stdin.take().expect("a pipe").write_all(text).expect("our reader reads");
    let mut out = String::new();
    reader.stdout.take().expect("a pipe").read_to_string(&mut out).expect("our reader writes");
    reader.wait().expect("our reader ends");
    let moves = out.lines().find_map(|line| line.strip_prefix("moves\t")).unwrap_or_default();
    moves.split_whitespace().map(str::to_owned).collect()
}

/// Reads all games and writes them again. Returns whether the bytes are the same.
fn viriformat_agrees(bytes: &[u8]) -> bool {
    let (mut reader, mut written) = (BufReader::new(bytes), Vec::new());
    while written.len() < bytes.len() {
        let Ok(game) = viriformat::dataformat::Game::deserialise_from(&mut reader, Vec::new()) else { return false };
        game.serialise_into(&mut written).expect("a vector");
    }
    written == bytes
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    for (name, what) in [
        ("orthodox", "annotated game"),
        ("inner", "Chess960 game, inner rooks"),
        ("double", "double Chess960 game"),
    ] {
        let text = fs::read(format!("{folder}/{name}.pgn")).expect("a game");
        let moves = Reader::build(&text[..]).finish().read_game(&mut Player).expect("a vector").flatten();
        row("shakmaty 0.30.1", &format!("reads our {what}"), moves == Some(ours(&folder, &text)));
    }
    let inner = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R2K1R1R w Fkq - 0 1";
    let fen: Fen = inner.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
    let again = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    row("shakmaty 0.30.1", "X-FEN of inner rooks, back as it was", again == inner);
    let games = fs::read(format!("{folder}/games.viri")).expect("games");
    row("viriformat 3.0.0", "reads self-play, writes the same bytes", viriformat_agrees(&games));
    let positions = DataLoader::<ChessBoard>::new(format!("{folder}/p.bullet"), 1).expect("positions");
    let (mut count, mut is_sound) = (0, true);
    let expected = fs::read_to_string(format!("{folder}/p.epd")).expect("positions").lines().count();
    positions.map_positions(|board| {
        count += 1;
        let kings = board.into_iter().filter(|(piece, _)| piece & 7 == 5).count();
        is_sound &= kings == 2 && board.result_idx() < 3;
    });
    row("bulletformat 1.8.0", "reads exported positions", is_sound && count == expected);
}
