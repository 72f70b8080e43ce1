//! Formats what UCI prints: options, `info` lines, `bestmove`, the board.

use std::fmt::Write as _;

use crate::chess::notation::diagram;
use crate::chess::startpos::StartNumbers;
use crate::chess::{Board, CastlingNotation, Color, FenStyle};
use crate::engine::options::{OPTIONS, OptionKind, OptionValues};
use crate::nnue::Network;
use crate::search::report::{Info, Outcome};
use crate::search::score::{Bound, Score, moves_to_mate};
use crate::search::wdl::{WinDrawLoss, normalized, win_draw_loss};
use crate::simd;
use crate::util::version::{ABOUT, NAME};

/// Formats the answer to `uci`, including `uciok`.
pub fn identity(network: &Network) -> String {
    let mut text = format!("id name {NAME}\nid author the Enroque developers\n");
    for option in OPTIONS {
        let _ = write!(text, "option name {} type ", option.name);
        let _ = match &option.kind {
            OptionKind::Check { default, .. } => writeln!(text, "check default {default}"),
            OptionKind::Spin { default, range, .. } => {
                writeln!(text, "spin default {default} min {} max {}", range.start(), range.end())
            }
            OptionKind::Combo { default, words, .. } => {
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                writeln!(text, "combo default {default}{words}")
            }
            OptionKind::Button(_) => writeln!(text, "button"),
            OptionKind::String { default, .. } | OptionKind::Constant(default) => {
                writeln!(text, "string default {default}")
            }
        };
    }
    #[cfg(feature = "tune")]
    for parameter in crate::search::params::all() {
        let crate::search::params::Parameter { name, default, min, max, .. } = parameter;
        let _ = writeln!(text, "option name {name} type spin default {default} min {min} max {max}");
    }
    let _ = writeln!(text, "info string network {:08x}, kernels {}", network.checksum() as u32, simd::name());
    text + "uciok"
}

/// Returns the castling notation selected by `UCI_Chess960`.
pub fn notation(options: &OptionValues) -> CastlingNotation {
    if options.chess960 { CastlingNotation::KingTakesRook } else { CastlingNotation::KingDestination }
}

/// Formats a score as `cp 12` or `mate -3`.
pub fn score(score: Score) -> String {
    moves_to_mate(score).map_or_else(|| format!("cp {score}"), |moves| format!("mate {moves}"))
}

/// Formats a PV for the end of an `info` line, with a space before each move.
fn line(board: &Board, pv: &[crate::chess::Move], notation: CastlingNotation) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for &mv in pv {
        text.push(' ');
        text.push_str(&board.format_move(mv, notation));
        board.make_move(mv);
    }
    text
}

/// Formats an `info` line. `show_wdl` adds the win-draw-loss chances after the score; a draw counts as a win for
/// `draw_odds`.
pub fn info(info: &Info<'_>, notation: CastlingNotation, show_wdl: bool, draw_odds: Option<Color>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if show_wdl {
        let chances = win_draw_loss(info.score, info.board);
        let chances =
            draw_odds.map_or(chances, |winner| chances.with_odds(winner == info.board.side_to_move()));
        let WinDrawLoss { win, draw, loss } = chances;
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    let time = info.time.as_millis();
    let nps = (info.nodes as f64 / info.time.as_secs_f64().max(1e-6)) as u64;
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {nps} hashfull {} tbhits {} time {time} pv{}",
        info.depth,
        info.sel_depth,
        info.multi_pv,
        score(normalized(info.score, info.board)),
        info.nodes,
        info.hashfull,
        info.tb_hits,
        line(info.board, info.pv, notation),
    )
}

/// Formats the answer to `go`, such as `bestmove e2e4 ponder e7e5`.
pub fn best_move(board: &Board, outcome: &Outcome, notation: CastlingNotation) -> String {
    let Some(best) = outcome.best_move else { return "bestmove (none)".to_owned() };
    let mut text = format!("bestmove {}", board.format_move(best, notation));
    if let Some(reply) = outcome.ponder_move {
        let mut after = board.clone();
        after.make_move(best);
        let _ = write!(text, " ponder {}", after.format_move(reply, notation));
    }
    text
}

/// Formats the answer to `d`: the board, its FENs, start position number, key and checkers.
pub fn display(board: &Board) -> String {
    let mut text = diagram(board);
    // The package `stockfish` of PyPI reads the line that begins with `Fen: `.
    let _ = write!(text, "\n\nFen: {}", board.fen(FenStyle::XFen));
    let _ = write!(text, "\nX-FEN:       {}", board.fen(FenStyle::XFen));
    let _ = write!(text, "\nShredder:    {}", board.fen(FenStyle::Shredder));
    if let Some(numbers) = StartNumbers::of(board) {
        let _ = write!(text, "\nStart:       {}", numbers.name());
    }
    let checkers: Vec<String> = board.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = write!(text, "\nKey:         {:016X}", board.key());
    let _ = write!(text, "\nCheckers:    {}", checkers.join(" "));
    text
}

/// Formats the answer to `compiler`: how the program was built, and which kernels this CPU runs.
pub fn compiler() -> String {
    let features = [
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
    ];
    let present: Vec<&str> = features.into_iter().filter(|f| f.1).map(|f| f.0).collect();
    let assertions = if cfg!(debug_assertions) { ", debug assertions on" } else { "" };
    format!(
        "{ABOUT}\nBuilt for {}-{}, instructions: {}{assertions}\nThe network runs on {}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        if present.is_empty() { "baseline".to_owned() } else { present.join(" ") },
        simd::name(),
    )
}
