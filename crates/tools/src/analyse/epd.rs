//! Test suites in Extended Position Description (EPD): best moves, moves to avoid, mates, and moves that earn points.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;

use anyhow::Result;
use serde::Serialize;

use super::arguments::Arguments;
use super::epd_error::EpdError;
use super::json::{self, PositionView};
use crate::searcher::limits::compact;
use crate::searcher::{Analysis, Searcher};
use enroque::chess::{Board, CastlingRules, Move};
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque::util::text::shortened;
use enroque_runs::interrupt;
use enroque_runs::parallel::in_order;
use enroque_runs::program::complain;
use enroque_runs::progress::Progress;
use enroque_runs::wrap::fit;
use enroque_study::encoding::{Lines, TextError};
use enroque_study::evaluation::Shown;
use enroque_study::line::Variation;

/// An EPD line begins with this many fields: board, side to move, castling, en passant.
const POSITION_FIELDS: usize = 4;

/// The operations that stand for a FEN's halfmove clock and move number.
const COUNTERS: [&str; 2] = ["hmvc", "fmvn"];

/// Standard EPD operations that `apply` skips without a warning because they are not tests. It also skips the comments
/// `c1` to `c9` and `v0` to `v9`.
const OTHER_OPERATIONS: [&str; 21] = [
    "acd",
    "acn",
    "acs",
    "ce",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
];

const BOARD_RANKS: usize = 8;

/// Whether a text begins like an EPD file rather than a game.
pub fn looks_like(lines: &mut Lines<impl BufRead>) -> Result<bool, TextError> {
    let mut text = String::new();
    while lines.read_onto(&mut text)? {
        let line = text.trim();
        if !line.is_empty() && !line.starts_with('#') {
            // A game may begin with the tag FEN.
            return Ok(!line.starts_with('[') && line.split('/').count() == BOARD_RANKS);
        }
        text.clear();
    }
    Ok(false)
}

/// A position of a test suite, and what counts as solving it.
pub struct Entry {
    board: Board,
    id: String,
    /// The moves of `bm`. To solve the position, the search must choose one of these moves.
    best: Vec<Move>,
    avoid: Vec<Move>,
    /// To solve the position, the search must find a mate in at most this many moves. If the number is negative, it is
    /// the side to move that gets mated.
    mate: Option<i32>,
    /// Moves that earn points, each with its number of points.
    points: Vec<(Move, u32)>,
    /// Names of operations that are not in the standard. We warn about them, and they have no effect.
    ignored: Vec<String>,
}

impl Entry {
    /// Parses a line of an EPD file. As in a FEN, a halfmove clock and a move number may follow the position, or dashes
    /// in their place. The names of operations may be in capitals.
    pub fn parse(line: &str, rules: CastlingRules) -> Result<Self, EpdError> {
        let mut rest = line.trim();
        let mut fields = Vec::new();
        while fields.len() < POSITION_FIELDS {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if field.is_empty() {
                return Err(EpdError::Fields(fields.len()));
            }
            fields.push(field);
            rest = after.trim_start();
        }
        let mut counters = ["0", "1"];
        for counter in &mut counters {
            let length = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
            match &rest[..length] {
                "-" => {}
                digits if length > 0 && digits.bytes().all(|byte| byte.is_ascii_digit()) => *counter = digits,
                _ => break,
            }
            rest = rest[length..].trim_start();
        }
        let operations = operations(rest)?;
        for (code, counter) in COUNTERS.into_iter().zip(&mut counters) {
            let given = operations.iter().filter_map(|operation| operation.split_once(char::is_whitespace));
            let given = given.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(code));
            *counter = given.map_or(*counter, |(_, value)| value.trim());
        }
        fields.extend(counters);
        let board = Board::from_fen(&fields.join(" "), rules)?;
        let mut entry = Self {
            board,
            id: String::new(),
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
            points: Vec::new(),
            ignored: Vec::new(),
        };
        for operation in &operations {
            entry.apply(operation)?;
        }
        Ok(entry)
    }

    fn apply(&mut self, operation: &str) -> Result<(), EpdError> {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        if !code.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(EpdError::Operation(operation.to_owned()));
        }
        let (code, operand) = (code.to_ascii_lowercase(), operand.trim());
        let board = &self.board;
        let moves = || {
            let words = operand.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            let mut moves = Vec::new();
            for word in words {
                // Some suites write a castling twice: where the king lands, and which rook it takes.
                let mv = parse_move(board, &code, word)?;
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
            if moves.is_empty() { Err(EpdError::NoMoves { code: code.clone() }) } else { Ok(moves) }
        };
        match &*code {
            "id" => self.id = operand.trim_matches('"').to_owned(),
            // Some suites write `bm #5` for a mate in five moves.
            "bm" if operand.starts_with('#') => self.mate = Some(parse_mate(&code, &operand[1..])?),
            "dm" => self.mate = Some(parse_mate(&code, operand)?),
            "bm" => self.best = moves()?,
            "am" => self.avoid = moves()?,
            "c0" => self.points = parse_points(board, operand)?,
            code if is_comment(code) || OTHER_OPERATIONS.contains(&code) => {}
            _ => self.ignored.push(code),
        }
        Ok(())
    }

    fn is_test(&self) -> bool {
        self.mate.is_some() || !(self.best.is_empty() && self.avoid.is_empty())
    }

    fn is_solved(&self, best: Option<Move>, line: Option<&Variation>) -> bool {
        let is_expected =
            |mv: Move| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        let has_mate = |mate: i32| {
            line.is_some_and(|line| match line.evaluation.own {
                Shown::Mate(found) => {
                    found.signum() == mate.signum() && found.unsigned_abs() <= mate.unsigned_abs()
                }
                Shown::Centipawns(_) => false,
            })
        };
        best.is_some_and(is_expected) && self.mate.is_none_or(has_mate)
    }

    fn points_for(&self, best: Option<Move>) -> u32 {
        let found = self.points.iter().find(|(mv, _)| Some(*mv) == best);
        found.map_or(0, |&(_, points)| points)
    }

    /// Returns the nodes and the time that the search took to find a solution that it then kept to the end; `None` if
    /// the last iteration has no solution.
    fn solution(&self, iterations: &[Variation]) -> Option<Solution> {
        let is_right = |line: &&Variation| self.is_solved(line.first(), Some(line));
        let first = iterations.iter().rev().take_while(is_right).last()?;
        Some(Solution { nodes: first.nodes, time: first.time })
    }

    /// Says what solves the position: `Rxh7`, `not Ra2`, `#5`.
    fn expected(&self) -> String {
        let list =
            |moves: &[Move]| moves.iter().map(|&mv| self.board.san(mv)).collect::<Vec<_>>().join(" or ");
        let mate = self.mate.map_or_else(String::new, |mate| format!("#{mate}"));
        let avoid = if self.avoid.is_empty() { String::new() } else { format!("not {}", list(&self.avoid)) };
        let parts = [list(&self.best), avoid, mate];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Adds the analysis of this position to the totals, and returns the line of text to print about it.
    fn report(&self, arguments: &Arguments, analysis: &Analysis, totals: &mut Totals) -> String {
        let Analysis { lines, iterations } = analysis;
        let best = lines.first().and_then(|line| line.first());
        let solved = self.is_test().then(|| self.is_solved(best, lines.first()));
        let solution = if solved == Some(true) { self.solution(iterations) } else { None };
        let points = (!self.points.is_empty()).then(|| self.points_for(best));
        totals.positions += 1;
        totals.tests += u32::from(solved.is_some());
        totals.solved += u32::from(solved == Some(true));
        totals.points += u64::from(points.unwrap_or(0));
        totals.max_points += self.points.iter().map(|&(_, points)| u64::from(points)).max().unwrap_or(0);
        totals.nodes += solution.map_or(0, |solution| solution.nodes);
        totals.time += solution.map_or(0, |solution| solution.time);
        if arguments.json {
            return json::to_line(&EntryView {
                id: &self.id,
                position: PositionView::new(&self.board, lines),
                solved,
                expected: self.is_test().then(|| self.expected()),
                solution,
                points,
            });
        }
        let status = match solved {
            Some(true) => "solved  ",
            Some(false) => "unsolved",
            None => "        ",
        };
        let points = points.map_or_else(String::new, |points| points.to_string());
        let points = if totals.has_points { format!("{points:>4} ") } else { points };
        let side = self.board.side_to_move();
        let found = lines.first().map_or_else(
            || "no legal move".to_owned(),
            |line| {
                let san = line.first().map_or_else(String::new, |mv| self.board.san(mv));
                format!("{:>6} {san:<7}", line.evaluation.own.for_white(side))
            },
        );
        let details = match (solved, solution) {
            (Some(false), _) => format!("expected {}", self.expected()),
            (_, Some(Solution { nodes, time })) => {
                format!("{} nodes, {:.2} s", compact(nodes as f64), time as f64 / 1000.0)
            }
            _ => String::new(),
        };
        fit(format!("{status} {points}{:<28}  {found}  {details}", self.id).trim_end())
    }
}

fn parse_move(board: &Board, code: &str, san: &str) -> Result<Move, EpdError> {
    // Some suites give moves in coordinate notation, such as `e2e4`.
    let mv = board.parse_san(san).ok().or_else(|| board.parse_move(san));
    mv.ok_or_else(|| EpdError::IllegalMove { code: code.to_owned(), san: san.to_owned() })
}

fn parse_mate(code: &str, operand: &str) -> Result<i32, EpdError> {
    let error = || EpdError::Mate { code: code.to_owned(), found: operand.to_owned() };
    operand.parse().map_err(|_| error())
}

/// Parses points as in the Strategic Test Suite: `"f5=100, Bf2=46"`. A comment in any other form gives no points.
fn parse_points(board: &Board, comment: &str) -> Result<Vec<(Move, u32)>, EpdError> {
    let split = |part| {
        let (san, points): (&str, &str) = str::rsplit_once(part, '=')?;
        Some((san.trim(), points.trim().parse().ok()?))
    };
    let scored: Option<Vec<(&str, u32)>> = comment.trim_matches('"').split(',').map(split).collect();
    scored
        .unwrap_or_default()
        .into_iter()
        .map(|(san, points)| Ok((parse_move(board, "c0", san)?, points)))
        .collect()
}

fn is_comment(code: &str) -> bool {
    matches!(code.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

/// Splits the operations of an EPD line at the semicolons that are outside quotation marks.
fn operations(text: &str) -> Result<Vec<String>, EpdError> {
    let mut operations = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        match operations.last_mut() {
            Some(last) if quoted || c != ';' => last.push(c),
            _ => operations.push(String::new()),
        }
    }
    if quoted {
        return Err(EpdError::Quotation);
    }
    let trimmed = operations.iter().map(|operation| operation.trim().to_owned());
    Ok(trimmed.filter(|operation| !operation.is_empty()).collect())
}

#[derive(Serialize)]
struct EntryView<'a> {
    id: &'a str,
    #[serde(flatten)]
    position: PositionView,
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
}

/// How much effort the search took to find the solution that it then kept to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Solution {
    nodes: u64,
    /// In milliseconds.
    time: u64,
}

#[derive(Default)]
struct Totals {
    /// `true` if any position of the suite gives points. Every printed row then has a column for points.
    has_points: bool,
    positions: u32,
    tests: u32,
    solved: u32,
    points: u64,
    max_points: u64,
    /// Nodes that the search took to find the solution, summed over all solved positions.
    nodes: u64,
    /// Milliseconds that the search took to find the solution, summed over all solved positions.
    time: u64,
}

impl Totals {
    fn text(&self) -> String {
        let mut text = format!("{} positions", self.positions);
        if self.tests > 0 {
            let percent = 100.0 * f64::from(self.solved) / f64::from(self.tests);
            text += &format!("; solved {} of {} ({percent:.1} %)", self.solved, self.tests);
        }
        if self.max_points > 0 {
            let percent = 100.0 * self.points as f64 / self.max_points as f64;
            text += &format!("; {} of {} points ({percent:.1} %)", self.points, self.max_points);
        }
        if self.solved > 0 {
            let mean = |sum: u64| sum as f64 / f64::from(self.solved);
            let (nodes, seconds) = (compact(mean(self.nodes)), mean(self.time) / 1000.0);
            text += &format!("\na solution took {nodes} nodes and {seconds:.2} s on average");
        }
        text
    }
}

/// Analyses the positions of a suite in parallel, and prints a verdict on each position and then the totals.
pub(super) fn analyse_suite(
    searchers: &mut [Searcher],
    arguments: &Arguments,
    file: &str,
    text: &str,
) -> Result<ExitStatus> {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::new();
    let mut ignored = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Entry::parse(line, arguments.castling) {
            Ok(entry) => {
                for operation in &entry.ignored {
                    *ignored.entry(operation.clone()).or_insert(0) += 1;
                }
                entries.push(entry);
            }
            Err(error) => {
                complain(&format!("{file}, line {}: {error}", index + 1));
                status = ExitStatus::BadInput;
            }
        }
    }
    for (operation, count) in ignored {
        complain(&format!(
            "{file}: the operation '{}' is unknown and has no effect; lines: {count}",
            shortened(&operation)
        ));
    }
    let has_points = entries.iter().any(|entry| !entry.points.is_empty());
    let mut totals = Totals { has_points, ..Totals::default() };
    let mut progress = Progress::new(entries.len() as u64, "positions", 0);
    let search = |searcher: &mut Searcher, entry: &Entry| {
        searcher.analyse(&entry.board, arguments.limits(), |_, _| {})
    };
    let mut remaining = entries.iter();
    in_order(searchers, entries.iter(), search, |analysis| {
        let Some(entry) = remaining.next() else { return Ok(ControlFlow::Break(())) };
        let report = entry.report(arguments, &analysis, &mut totals);
        progress.print_line(&report)?;
        progress.set(totals.positions.into(), || format!("solved {}", totals.solved));
        Ok(ControlFlow::Continue(()))
    })?;
    progress.finish();
    if interrupt::happened() {
        status = ExitStatus::Interrupted;
    }
    if arguments.json {
        eprint_line(&totals.text());
    } else {
        print_line(&totals.text())?;
    }
    Ok(if totals.solved < totals.tests { status.max(ExitStatus::CheckFailed) } else { status })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(line: &str) -> Result<Entry, String> {
        Entry::parse(line, CastlingRules::Fischer).map_err(|error| error.to_string())
    }

    #[test]
    fn operations_are_read() {
        let read =
            entry("4k3/8/8/8/8/8/8/R3K3 w A - bm O-O-O Ra8+; am Ra1b2; id \"a; b\"; c0 \"O-O-O=100, Ra7=5\"");
        // The rook cannot go from a1 to b2, so the error names this move.
        assert!(read.is_err_and(|error| error.contains("am: 'Ra1b2'")));
        let read =
            entry("4k3/8/8/8/8/8/8/R3K3 w A - bm O-O-O Ra8+; am Ra2; id \"a; b\"; c0 \"O-O-O=100, Ra7=5\";")
                .unwrap();
        assert_eq!((read.best.len(), read.avoid.len(), read.id.as_str()), (2, 1, "a; b"));
        assert!(read.best[0].is_castle());
        assert_eq!(read.points_for(Some(read.best[0])), 100);
        assert_eq!(read.points_for(None), 0);
        assert!(read.is_solved(Some(read.best[1]), None) && !read.is_solved(Some(read.avoid[0]), None));
        assert_eq!(entry("4k3/8/8/8/8/8/8/R3K3 w - - bm #-7;").unwrap().mate, Some(-7));
        let castling = entry("4k3/8/8/8/8/8/8/R3K3 w A - bm e1c1 O-O-O e1a1;").unwrap();
        assert_eq!(castling.expected(), "O-O-O");
        let counters = |line: &str| {
            let read = entry(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {line}")).unwrap();
            (read.board.halfmove_clock(), read.board.fullmove_number(), read.best.len())
        };
        assert_eq!(counters("3 40 bm Ra8+; id \"x\";"), (3, 40, 1));
        assert_eq!(counters("bm Ra8+; hmvc 4; fmvn 41;"), (4, 41, 1));
        assert_eq!(counters("7 50"), (7, 50, 0));
        assert_eq!(counters("bm Ra8+;"), (0, 1, 1));
        for wrong in ["dm 2147483648", "bm #2147483648"] {
            assert!(entry(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {wrong};")).is_err(), "{wrong}");
        }
        // The parser accepts dashes as counters, operations in capitals, and commas between moves.
        for line in
            ["- bm Ra8+;", "- - bm Ra8+;", "- 7 BM Ra8+;", "Bm Ra8+, Ra7;", "BM Ra8+; HMVC 4; Id \"x\";"]
        {
            let read = entry(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {line}")).unwrap();
            assert!(read.is_test() && read.best[0] == read.board.parse_san("Ra8+").unwrap(), "{line}");
        }
        assert_eq!(
            (counters("- 7 BM Ra8+;"), counters("bm Ra8+; HMVC 4; FMVN 41;")),
            ((0, 7, 1), (4, 41, 1))
        );
        let ignored = |line: &str| entry(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {line}")).unwrap().ignored;
        assert_eq!(ignored("bm Ra8+; ce 10; c3 \"x\"; Best Ra8+; hmvc 4; D1 20;"), ["best", "d1"]);
        assert_eq!(ignored("c0 \"after e8=Q\";"), [""; 0]);
        // The error message quotes the text that the parser can't read.
        for (wrong, named) in [
            ("- - - bm Ra8+;", "'- bm Ra8+'"),
            ("bm;", "bm: expected moves"),
            ("bm \"\";", "bm: '\"\"'"),
            ("= bm Ra8+;", "'= bm Ra8+'"),
            ("c0 \"Ra8=10, Rb7=5\";", "c0: 'Rb7'"),
            ("DM x;", "dm: expected"),
        ] {
            let error = entry(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {wrong}")).err().unwrap_or_default();
            assert!(error.contains(named), "{wrong}: {error}");
        }
        let error = |line: &str| Entry::parse(line, CastlingRules::Fischer).err();
        assert!(matches!(error("4k3/8/8 w - -"), Some(EpdError::Position(_))));
        assert_eq!(error("4k3/8/8/8/8/8/8/R3K3 w"), Some(EpdError::Fields(2)));
        assert_eq!(error("4k3/8/8/8/8/8/8/R3K3 w - - id \"x"), Some(EpdError::Quotation));
    }
}
