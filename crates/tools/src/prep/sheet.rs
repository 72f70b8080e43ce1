//! Contents of one page: facts, candidate moves, traps, chances and advice for a start position.

use serde::Serialize;

use super::advice;
use super::error::PrepError;
use super::plan::{Candidate, Plan, Trap, san_line};
use super::searcher::{Effort, LineScore, Searcher};
use super::survey::{Surprise, Survey, Surveyed};
use crate::analyse::variation::numbered;
use crate::explain::color_name;
use crate::startpos::facts;
use enroque::chess::position::back_rank_text;
use enroque::chess::startpos::{mirror_number, name_of, start_numbers};
use enroque::chess::{Bitboard, Board, Color, FenStyle, Move};
use enroque_study::facts::StartFacts;

/// Plies of the answer to a trap.
const ANSWER: usize = 5;
/// Candidate moves after which Black's replies are surveyed.
const SURVEYED_REPLIES: usize = 3;
/// Largest numbers of traps and of hidden moves on a page.
const MAX_TRAPS: usize = 3;
const MAX_HIDDEN: usize = 2;
/// Parts of the effort: survey of the first moves, survey of the replies to a candidate, continuation of a plan.
const FIRST_MOVES_DIVISOR: u64 = 2;
const REPLIES_DIVISOR: u64 = 3;
const CONTINUATION_DIVISOR: u64 = 64;

/// Contents of a page.
#[derive(Serialize)]
pub struct Sheet {
    /// Name of the start.
    pub name: String,
    /// Letters of the back rank, of both if they differ.
    pub pieces: String,
    /// X-FEN.
    pub fen: String,
    /// Name of the mirror start.
    pub mirror: String,
    /// Squares of the pawns without defence, of both sides.
    pub undefended: Vec<String>,
    /// Squares of the pawns that only a king defends, of both sides.
    pub king_only: Vec<String>,
    /// Facts of both sides, or of each.
    pub facts: Vec<FactBlock>,
    /// Candidate first moves, the best first.
    pub candidates: Vec<Candidate>,
    /// Moves that only look good or only look bad.
    pub traps: Vec<Trap>,
    /// White's chances of win, draw and loss in per cent, if the engine reports them.
    pub chances: Option<[u32; 3]>,
    /// Sharpness in words.
    pub sharpness: String,
    /// Advice for the first five moves.
    pub advice: Vec<String>,
    /// Name of the engine.
    pub engine: String,
    /// Depth and effort of the searches.
    pub searched: String,
}

/// Facts of a side.
#[derive(Serialize)]
pub struct FactBlock {
    /// Side, or both.
    pub title: &'static str,
    /// Labels and values.
    pub rows: Vec<(&'static str, String)>,
}

/// Number of searches of a page, for the progress bar.
pub const SEARCHES: u64 = 2 + SURVEYED_REPLIES as u64;

/// Results of all searches of a page.
struct Findings {
    /// Depth of the candidate moves in plies.
    depth: i32,
    plans: Vec<Plan>,
    /// Surveys of the first moves, and of the replies to candidate moves, each with the moves before it.
    surveys: Vec<(Vec<Move>, Survey)>,
}

/// Searches a start position and returns the contents of its page. `done` is called after each search.
///
/// # Errors
/// Returns an error if the engine fails.
pub fn prepare(
    searcher: &mut dyn Searcher,
    board: &Board,
    lines: usize,
    effort: Effort,
    done: impl FnMut(),
) -> Result<Sheet, PrepError> {
    let findings = search(searcher, board, lines, effort, done)?;
    Ok(sheet(board, &findings, searcher.name()))
}

fn search(
    searcher: &mut dyn Searcher,
    board: &Board,
    lines: usize,
    effort: Effort,
    mut done: impl FnMut(),
) -> Result<Findings, PrepError> {
    searcher.new_game()?;
    let lines = lines.min(board.legal_moves().len());
    let iteration = searcher.search(board, lines, effort)?.pop();
    let (depth, best) = iteration.map_or((0, Vec::new()), |found| (found.depth, found.lines));
    let mut plans = Vec::new();
    for line in best.into_iter().take(lines) {
        plans.push(Plan::continued(searcher, board, line, effort.share(CONTINUATION_DIVISOR))?);
    }
    done();
    let mut surveys = vec![(Vec::new(), Survey::of(searcher, board, effort.share(FIRST_MOVES_DIVISOR))?)];
    done();
    for plan in plans.iter().take(SURVEYED_REPLIES) {
        let Some(&first) = plan.moves.first() else { continue };
        let mut after = board.clone();
        after.make_move(first);
        let survey = Survey::of(searcher, &after, effort.share(REPLIES_DIVISOR))?;
        surveys.push((vec![first], survey));
        done();
    }
    Ok(Findings { depth, plans, surveys })
}

fn sheet(board: &Board, findings: &Findings, engine: &str) -> Sheet {
    let Findings { depth, plans, surveys } = findings;
    let sides = facts::sides(board);
    let traps = traps(board, surveys);
    let (white, black) = start_numbers(board).unwrap_or_default();
    let mirror = mirror_number(white).zip(mirror_number(black));
    let ranks = if white == black { vec![white] } else { vec![white, black] };
    let both = Color::ALL.map(|color| StartFacts::of(board, color));
    let marks = |set: fn(&StartFacts) -> Bitboard| -> Vec<String> {
        both.iter().flat_map(|facts| set(facts).into_iter().map(|square| square.to_string())).collect()
    };
    Sheet {
        name: name_of(white, black),
        pieces: ranks.into_iter().map(back_rank_text).collect::<Vec<_>>().join(" : "),
        fen: board.fen(FenStyle::XFen),
        mirror: mirror.map_or_else(String::new, |(white, black)| name_of(white, black)),
        undefended: marks(|facts| facts.undefended),
        king_only: marks(|facts| facts.king_only),
        facts: sides.iter().map(|facts| fact_block(board, facts, sides.len() == 1)).collect(),
        candidates: plans.iter().map(|plan| candidate(board, plan)).collect(),
        chances: plans.first().and_then(|plan| plan.line.wdl).map(per_cent),
        sharpness: sharpness(surveys),
        advice: advice::lines(board, &sides, plans, &traps),
        traps,
        engine: engine.to_owned(),
        searched: searched(*depth, surveys),
    }
}

fn fact_block(board: &Board, facts: &StartFacts, is_of_both: bool) -> FactBlock {
    let title = if is_of_both { "Facts, with the squares of White" } else { color_name(facts.color) };
    FactBlock { title, rows: facts::rows(board, facts) }
}

fn candidate(board: &Board, plan: &Plan) -> Candidate {
    let san = san_line(board, &plan.moves);
    Candidate {
        san: san.first().cloned().unwrap_or_default(),
        score: match plan.line.score {
            LineScore::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
            LineScore::Mate(moves) => format!("#{moves}"),
        },
        chances: plan.line.wdl.map(per_cent),
        plan: numbered(board, &san),
    }
}

/// Returns thousandths as per cent that sum to 100.
fn per_cent([win, draw, loss]: [u32; 3]) -> [u32; 3] {
    let rounded = |thousandths: u32| (thousandths + 5) / 10;
    let (win, loss) = (rounded(win), rounded(loss));
    let draw = if draw == 0 { 0 } else { 100_u32.saturating_sub(win + loss) };
    [win, draw, loss]
}

/// Returns the most surprising moves of all surveys.
fn traps(board: &Board, surveys: &[(Vec<Move>, Survey)]) -> Vec<Trap> {
    let mut found: Vec<(&[Move], &Survey, Surprise, &Surveyed)> = Vec::new();
    for (path, survey) in surveys {
        found.extend(survey.surprises().into_iter().map(|(kind, each)| (&path[..], survey, kind, each)));
    }
    found.sort_by_key(|(.., each)| -each.swing());
    let describe = |(path, survey, kind, each): (&[Move], &Survey, Surprise, &Surveyed)| {
        let moves = [path, &[each.mv]].concat();
        let mut after = survey.board.clone();
        after.make_move(each.mv);
        let answer: Vec<Move> = each.pv.iter().skip(1).take(ANSWER).copied().collect();
        let answer = match &san_line(&after, &answer)[..] {
            [] => String::new(),
            answer => format!(": {}", numbered(&after, answer)),
        };
        let text = match kind {
            Surprise::Trap => format!(
                "looks as good as the best at depth {}, loses {} at depth {}{answer}",
                survey.shallow_depth,
                loss(each.deep_loss),
                survey.deep_depth
            ),
            Surprise::Hidden => format!(
                "seems to lose {} at depth {}, is as good as the best at depth {}{answer}",
                loss(each.shallow_loss),
                survey.shallow_depth,
                survey.deep_depth
            ),
        };
        Trap { moves: numbered(board, &san_line(board, &moves)), is_trap: kind == Surprise::Trap, text }
    };
    let (traps, hidden): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, _, kind, _)| *kind == Surprise::Trap);
    traps.into_iter().take(MAX_TRAPS).chain(hidden.into_iter().take(MAX_HIDDEN)).map(describe).collect()
}

/// Largest loss in centipawns shown as a number.
const MAX_SHOWN_LOSS: i32 = 2_000;

fn loss(centipawns: i32) -> String {
    if centipawns > MAX_SHOWN_LOSS {
        "the game".to_owned()
    } else {
        format!("{:.2}", f64::from(centipawns) / 100.0)
    }
}

/// Shares of sound moves above which a start is quiet, and below which it is sharp.
const QUIET_SHARE: f64 = 0.6;
const SHARP_SHARE: f64 = 0.35;

/// Returns the sharpness by the share of sound moves.
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
