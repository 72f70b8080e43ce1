//! Turns a preparation into what the page says about a start, as JSON and as text: facts, candidate moves, traps,
//! chances, advice.

use std::fmt::Write as _;

use serde::Serialize;

use super::advice;
use super::preparation::{Find, Plan, Preparation};
use super::survey::{Surprise, Survey};
use enroque::chess::notation::diagram;
use enroque::chess::{Bitboard, Board, Color, FenStyle, Move};
use enroque::search::wdl::WinDrawLoss;
use enroque::util::version::NAME;
use enroque_runs::wrap::fit;
use enroque_study::castling::square_names;
use enroque_study::facts::StartFacts;
use enroque_study::line::numbered;
use enroque_study::start::{block, rows, sides, title};

/// How many plies we show of the line that follows a trap or a hidden move.
const ANSWER: usize = 5;

/// What the page and `--json` show about a start position.
#[derive(Serialize)]
pub struct Sheet {
    pub name: String,
    /// Letters of White's back rank and, if it differs, Black's.
    pub pieces: String,
    /// In X-FEN.
    pub fen: String,
    pub mirror: String,
    /// Squares of pawns, White's and Black's, that nothing defends.
    pub undefended: Vec<String>,
    /// Squares of pawns, White's and Black's, that only their king defends.
    pub king_only: Vec<String>,
    /// One block if the facts are the same for both sides, otherwise one block for each side.
    pub facts: Vec<FactBlock>,
    /// Best first.
    pub candidates: Vec<FirstMove>,
    pub traps: Vec<Trap>,
    /// White's chances to win, draw and lose, in per cent; `None` without a candidate move.
    pub chances: Option<[u32; 3]>,
    pub sharpness: String,
    pub advice: Vec<String>,
    pub engine: &'static str,
    /// Says how deep the searches went.
    pub searched: String,
}

#[derive(Serialize)]
pub struct FactBlock {
    pub title: &'static str,
    /// Pairs of a label and its value.
    pub rows: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
pub struct FirstMove {
    pub san: String,
    /// White's score in pawns, or a mate such as `#3`.
    pub score: String,
    /// White's chances to win, draw and lose, in per cent.
    pub chances: [u32; 3],
    /// Moves of both sides in algebraic notation, with move numbers.
    pub plan: String,
}

/// A trap, which is a move that looks good but is bad, or a hidden move, which looks bad but is good.
#[derive(Serialize)]
pub struct Trap {
    /// The moves from the start position up to and including the trap or hidden move.
    pub moves: String,
    /// `true` if the move looks good but is bad; `false` if it looks bad but is good.
    pub is_trap: bool,
    pub text: String,
}

impl Sheet {
    pub fn of(preparation: &Preparation) -> Self {
        let Preparation { board, numbers, depth, plans, surveys } = preparation;
        let sides = sides(board);
        let both = Color::ALL.map(|color| StartFacts::of(board, color));
        let marks = |set: fn(&StartFacts) -> Bitboard| -> Vec<String> {
            both.iter().flat_map(|facts| square_names(set(facts))).collect()
        };
        Self {
            name: numbers.name(),
            pieces: numbers.letters_joined(" : "),
            fen: board.fen(FenStyle::XFen),
            mirror: numbers.mirror().name(),
            undefended: marks(|facts| facts.undefended),
            king_only: marks(|facts| facts.king_only),
            facts: sides
                .iter()
                .map(|side| FactBlock { title: title(&sides, side), rows: rows(board, side) })
                .collect(),
            candidates: plans.iter().map(|plan| first_move(board, plan)).collect(),
            chances: plans.first().map(|plan| per_cent(plan.line.evaluation.chances)),
            sharpness: sharpness(surveys),
            advice: advice::lines(preparation, &sides),
            traps: preparation.surprises().iter().map(|find| trap(board, find)).collect(),
            engine: NAME,
            searched: searched(*depth, surveys),
        }
    }
}

fn first_move(board: &Board, plan: &Plan) -> FirstMove {
    FirstMove {
        san: plan.moves.first().map(|&mv| board.san(mv)).unwrap_or_default(),
        score: plan.line.evaluation.own.for_white(board.side_to_move()).to_string(),
        chances: per_cent(plan.line.evaluation.chances),
        plan: numbered(board, &plan.moves),
    }
}

/// Converts chances from thousandths to per cent. The draw gets what is left of 100, but a draw chance of 0 stays 0.
fn per_cent(WinDrawLoss { win, draw, loss }: WinDrawLoss) -> [u32; 3] {
    let rounded = |thousandths: u32| (thousandths + 5) / 10;
    let (win, loss) = (rounded(win), rounded(loss));
    let draw = if draw == 0 { 0 } else { 100_u32.saturating_sub(win + loss) };
    [win, draw, loss]
}

/// Describes a trap or a hidden move.
fn trap(board: &Board, find: &Find<'_>) -> Trap {
    let Find { kind, survey, surveyed, .. } = find;
    let mut after = survey.board.clone();
    after.make_move(surveyed.mv);
    let answer: Vec<Move> = surveyed.pv.iter().skip(1).take(ANSWER).copied().collect();
    let answer = match &answer[..] {
        [] => String::new(),
        answer => format!(": {}", numbered(&after, answer)),
    };
    let text = match kind {
        Surprise::Trap => format!(
            "looks as good as the best at depth {}, loses {} at depth {}{answer}",
            survey.shallow_depth,
            loss(surveyed.deep_loss),
            survey.deep_depth
        ),
        Surprise::Hidden => format!(
            "seems to lose {} at depth {}, is as good as the best at depth {}{answer}",
            loss(surveyed.shallow_loss),
            survey.shallow_depth,
            survey.deep_depth
        ),
    };
    Trap { moves: numbered(board, &find.moves()), is_trap: *kind == Surprise::Trap, text }
}

/// If a move loses more centipawns than this, we say that it loses the game.
const MAX_SHOWN_LOSS: i32 = 2_000;

fn loss(centipawns: i32) -> String {
    if centipawns > MAX_SHOWN_LOSS {
        "the game".to_owned()
    } else {
        format!("{:.2}", f64::from(centipawns) / 100.0)
    }
}

/// We call a start quiet if at least this share of the surveyed moves is sound.
const QUIET_SHARE: f64 = 0.6;
/// We call a start sharp if less than this share of the surveyed moves is sound.
const SHARP_SHARE: f64 = 0.35;

/// Says how sharp a start is. The smaller the share of sound moves ([`Survey::sound`]), the sharper the start.
fn sharpness(surveys: &[(Vec<Move>, Survey)]) -> String {
    let count = |surveys: &[(Vec<Move>, Survey)]| {
        surveys
            .iter()
            .fold((0, 0), |(sound, all), (_, survey)| (sound + survey.sound(), all + survey.moves.len()))
    };
    let (first, replies) = surveys.split_at(1.min(surveys.len()));
    let ((first, all_first), (replies, all_replies)) = (count(first), count(replies));
    let share = (first + replies) as f64 / ((all_first + all_replies).max(1)) as f64;
    let word = if share >= QUIET_SHARE {
        "quiet"
    } else if share < SHARP_SHARE {
        "sharp"
    } else {
        "balanced"
    };
    let replies = if all_replies == 0 {
        String::new()
    } else {
        format!(" and {replies} of {all_replies} replies to the first candidates")
    };
    format!("{word}: {first} of {all_first} first moves{replies} lose at most 0.30")
}

fn searched(depth: i32, surveys: &[(Vec<Move>, Survey)]) -> String {
    let depths: Vec<i32> = surveys.iter().map(|(_, survey)| survey.deep_depth).collect();
    match (depths.iter().min(), depths.iter().max()) {
        (Some(least), Some(most)) if least != most => {
            format!("candidates to depth {depth}, all moves to depth {least} to {most}")
        }
        (Some(one), _) => format!("candidates to depth {depth}, all moves to depth {one}"),
        _ => format!("candidates to depth {depth}"),
    }
}

impl Sheet {
    /// Returns the sheet as text of at most 80 columns.
    pub fn text(&self, board: &Board) -> String {
        let Self { name, pieces, fen, mirror, engine, searched, .. } = self;
        let mut text = format!("{name}   {pieces}\n{fen}\n\n{}\n\nMirror  {mirror}\n", diagram(board));
        for FactBlock { title, rows } in &self.facts {
            let _ = writeln!(text, "\n{}", block(title, rows));
        }
        text.push_str("\nCandidate moves\n  score    W/  D/  L  plan\n");
        for candidate in &self.candidates {
            let [win, draw, loss] = candidate.chances;
            let FirstMove { score, plan, .. } = candidate;
            let _ = writeln!(text, "{score:>7}  {win:>3}/{draw:>3}/{loss:>3}  {plan}");
        }
        text.push_str("\nTraps and hidden moves\n");
        if self.traps.is_empty() {
            text.push_str("  none found: no move changes its value much with depth\n");
        }
        for Trap { moves, text: story, .. } in &self.traps {
            let _ = writeln!(text, "  {moves} {story}");
        }
        let _ = writeln!(text, "\nSharpness  {}\n\nIn your first five moves", self.sharpness);
        for line in &self.advice {
            let _ = writeln!(text, "  -  {line}");
        }
        let _ = write!(text, "\n{engine}, {searched}");
        fit(&text)
    }
}
