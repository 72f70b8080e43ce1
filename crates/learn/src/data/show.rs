//! `data show`: games in PGN.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, value_parser};

use crate::games::format::{Game, GameResult};
use crate::games::store::GameReader;
use enroque::chess::{Color, FenStyle};
use enroque::search::score::moves_to_mate;
use enroque::terminal::print_line;

/// Print games in PGN, with the score of each move
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-learn data show games.gz                the first ten
  enroque-learn data show games.gz --game 17 --count 1")]
pub struct Arguments {
    /// File of games
    file: PathBuf,
    /// Number of the first game, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    game: u64,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let first = arguments.game;
    let end = first.saturating_add(arguments.count);
    let mut games = 0;
    for game in GameReader::open(&arguments.file)? {
        games += 1;
        let game = game?;
        if (first..end).contains(&games) {
            print_line(&pgn(&game, games))?;
        }
        if games + 1 >= end {
            return Ok(());
        }
    }
    ensure!(games >= first, "{}: holds {games} games", arguments.file.display());
    Ok(())
}

/// Formats a game as PGN, with the score of each move for White in pawns.
fn pgn(game: &Game, number: u64) -> String {
    let result = match game.result {
        GameResult::Win => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::Loss => "0-1",
    };
    let fen = game.start.fen(FenStyle::XFen);
    let mut text = format!(
        "[Round \"{number}\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n"
    );
    let mut board = game.start.clone();
    for (index, ply) in game.plies.iter().enumerate() {
        let move_number = board.fullmove_number();
        text += &match board.side_to_move() {
            Color::White => format!("{move_number}. "),
            Color::Black if index == 0 => format!("{move_number}... "),
            Color::Black => String::new(),
        };
        let score = match moves_to_mate(ply.score.into()) {
            Some(moves) => format!("#{moves}"),
            None => format!("{:.2}", f64::from(ply.score) / 100.0),
        };
        text += &format!("{} {{ [%eval {score}] }}", board.san(ply.mv));
        text.push(if index % 4 == 3 { '\n' } else { ' ' });
        board.make_move(ply.mv);
    }
    text + result + "\n"
}
