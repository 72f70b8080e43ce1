//! Page of the puzzles for the browser and the printer.

use serde::Serialize;
use serde_json::json;

use super::line::{numbered_solution, opponent_move};
use super::puzzle::{MAX_GRADE, Played, Puzzle};
use crate::explain::color_name;
use crate::page;
use enroque::chess::{Board, CastlingNotation, Color, FenStyle, Move};
use enroque::util::version::GENERATOR;

const TEMPLATE: &str = include_str!("page.html");

/// Question of the page.
#[derive(Serialize)]
struct Question {
    fen: String,
    grade: u32,
    /// Board shown from Black's side.
    turned: bool,
    ask: String,
    /// First move.
    answer: String,
    why: String,
    /// Answer on the printed sheet.
    key: String,
    /// Positions in which the solver moves.
    steps: Vec<Step>,
    /// Position after the solution.
    end: Picture,
}

/// Position with the squares of its last move.
#[derive(Serialize)]
struct Picture {
    fen: String,
    last: [String; 2],
}

/// Position in which the solver moves.
#[derive(Serialize)]
struct Step {
    #[serde(flatten)]
    picture: Picture,
    /// Legal moves in algebraic and in UCI notation.
    moves: Vec<[String; 2]>,
    /// Right move in UCI notation.
    #[serde(rename = "move")]
    mv: String,
    /// Sentence on the opponent's move before this position.
    reply: String,
}

impl Picture {
    fn of(board: &Board, last: Move) -> Self {
        Self {
            fen: board.fen(FenStyle::XFen),
            last: [last.from(), last.to()].map(|square| square.to_string()),
        }
    }
}

impl Question {
    fn new(puzzle: &Puzzle, played: &Played) -> Self {
        let color = played.board.side_to_move();
        let solution = numbered_solution(played);
        let [best, second] = puzzle.chances;
        let (steps, end) = steps(played);
        Self {
            fen: played.board.fen(FenStyle::XFen),
            grade: puzzle.grade(),
            turned: color == Color::Black,
            ask: format!(
                "{} to move after {}.",
                color_name(color),
                opponent_move(&played.before, played.last)
            ),
            answer: played.board.san(played.moves[0]),
            why: format!(
                "{solution}\n\nChance to win {best} %, with any other move at most {second} %.\n\
                 Found after {} nodes. From {}.",
                puzzle.nodes, puzzle.source
            ),
            key: solution,
            steps,
            end,
        }
    }
}

/// Returns the positions in which the solver moves, and the last position.
fn steps(played: &Played) -> (Vec<Step>, Picture) {
    let mut board = played.board.clone();
    let mut before = played.before.clone();
    let mut last = played.last;
    let mut steps = Vec::new();
    for (index, &mv) in played.moves.iter().enumerate() {
        if index % 2 == 0 {
            let uci = |mv| board.format_move(mv, CastlingNotation::KingTakesRook);
            steps.push(Step {
                picture: Picture::of(&board, last),
                moves: board.legal_moves().iter().map(|&mv| [board.san(mv), uci(mv)]).collect(),
                mv: uci(mv),
                reply: format!("The answer is {}.", opponent_move(&before, last)),
            });
        }
        before = board.clone();
        board.make_move(mv);
        last = mv;
    }
    (steps, Picture::of(&board, last))
}

/// Returns the page of these puzzles.
pub fn html(puzzles: &[(Puzzle, Played)]) -> String {
    let questions: Vec<Question> =
        puzzles.iter().map(|(puzzle, played)| Question::new(puzzle, played)).collect();
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "grades": MAX_GRADE, "puzzles": questions }))
}

/// `true` if `bytes` are the beginning of such a page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
