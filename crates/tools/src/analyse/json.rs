//! Lines of JSON for positions and games, as `--json` prints them.

use enroque::chess::{Board, FenStyle};
use enroque::search::wdl::WinDrawLoss;
use enroque_study::evaluation::Shown;
use enroque_study::judgement::{Summary, rounded};
use enroque_study::line::{Variation, san_line};
use serde::Serialize;

use super::ply::AnalysedGame;

/// A line with the score of its first move. Scores and chances are those of the side to move.
#[derive(Serialize)]
struct LineView {
    multipv: usize,
    depth: i32,
    seldepth: usize,
    #[serde(flatten)]
    score: Shown,
    /// Probabilities of win, draw and loss in thousandths.
    wdl: [u32; 3],
    nodes: u64,
    time: u64,
    san: Vec<String>,
    /// The same moves in UCI notation, with castling as king takes rook.
    uci: Vec<String>,
}

impl LineView {
    /// `score` is on one of the two scales.
    fn new(board: &Board, line: &Variation, score: Shown) -> Self {
        let WinDrawLoss { win, draw, loss } = line.evaluation.chances;
        Self {
            multipv: line.multipv,
            depth: line.depth,
            seldepth: line.seldepth,
            score,
            wdl: [win, draw, loss],
            nodes: line.nodes,
            time: line.time,
            san: san_line(board, &line.pv),
            uci: line.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A position and its lines.
#[derive(Serialize)]
pub struct PositionView {
    /// In X-FEN.
    fen: String,
    /// Best first; empty if there is no legal move. The scores are on our own scale.
    lines: Vec<LineView>,
}

impl PositionView {
    pub fn new(board: &Board, lines: &[Variation]) -> Self {
        let lines = lines.iter().map(|line| LineView::new(board, line, line.evaluation.own));
        Self { fen: board.fen(FenStyle::XFen), lines: lines.collect() }
    }
}

#[derive(Serialize)]
struct GameView<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    /// White's statistics, then Black's.
    players: [Summary; 2],
    moves: Vec<MoveView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
}

#[derive(Serialize)]
struct MoveView<'a> {
    san: &'a str,
    /// The best line after the move, with its score on the scale of chess sites; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<LineView>,
    /// White's win percentage after the move.
    win: f64,
    /// How many percentage points of winning chances the move costs the mover.
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    /// If the move has a mark, the line that would have been better.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<Vec<String>>,
    /// If the move has a mark, why it is bad, as far as the searches prove it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// What stands out about a move without a mark: the only good move, or a mate that was missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
}

/// Returns an analysed game as one line of JSON.
pub fn game_line(analysed: &AnalysedGame<'_>) -> String {
    let moves = analysed.steps().zip(analysed.wins().into_iter().skip(1)).map(|(step, win)| {
        let line = step.after.line.as_ref();
        MoveView {
            san: &step.played.san,
            after: line.map(|line| LineView::new(&step.after.board, line, line.evaluation.site)),
            win: rounded(win),
            loss: rounded(step.played.loss),
            mark: step.played.mark.map(|mark| mark.symbol),
            better: step.better().map(|line| san_line(&step.before.board, line)),
            reason: step.played.reason.as_deref(),
            remark: step.played.remark.as_ref().map(|remark| &*remark.text),
        }
    });
    let game = analysed.game;
    to_line(&GameView {
        white: game.tag("White"),
        black: game.tag("Black"),
        result: &game.result,
        players: analysed.players,
        moves: moves.collect(),
        faults: game.errors.iter().map(ToString::to_string).collect(),
    })
}

/// Returns a value as one line of JSON.
pub fn to_line(value: &impl Serialize) -> String {
    // Serialising fails only for types that JSON cannot represent, and our views contain none.
    serde_json::to_string(value).unwrap_or_default()
}
