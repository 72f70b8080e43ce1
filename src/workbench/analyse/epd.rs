//! Test suites: Extended Position Description with `bm`, `am` and scored moves.

use std::str::FromStr;

use serde::Serialize;

use super::live::Style;
use super::variation::{Variation, short};
use super::{AnalyseError, Analyst, Arguments, json, search_in_order};
use crate::chess::{Board, CastlingRules, Move};
use crate::terminal::progress::Progress;
use crate::terminal::{ExitStatus, OutputError, eprint_line, interrupt, print_line};

/// Fields of a position before its operations.
const POSITION_FIELDS: usize = 4;

/// `true` when `text` begins like an EPD file rather than a game.
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.split('/').count() == 8)
}

/// A position and what is expected of it.
pub struct Entry {
    board: Board,
    id: String,
    /// One of these is right.
    best: Vec<Move>,
    /// None of these.
    avoid: Vec<Move>,
    /// A mate in so many moves is right.
    mate: Option<i32>,
    /// Points for moves.
    points: Vec<(Move, u32)>,
}

impl Entry {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(line: &str, rules: CastlingRules) -> Result<Self, String> {
        let mut rest = line.trim();
        let mut fields = Vec::new();
        while fields.len() < POSITION_FIELDS {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if field.is_empty() {
                return Err(format!(
                    "expected board, side, castling and en passant, found {} fields",
                    fields.len()
                ));
            }
            fields.push(field);
            rest = after.trim_start();
        }
        let board = Board::from_fen(&fields.join(" "), rules).map_err(|error| error.to_string())?;
        let mut entry = Self {
            board,
            id: String::new(),
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
            points: Vec::new(),
        };
        for operation in operations(rest)? {
            entry.take(&operation)?;
        }
        Ok(entry)
    }

    fn take(&mut self, operation: &str) -> Result<(), String> {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        let board = &self.board;
        let moves = || {
            operand
                .split_whitespace()
                .map(|san| move_of(board, code, san))
                .collect::<Result<Vec<Move>, String>>()
        };
        match code {
            "id" => self.id = operand.trim_matches('"').to_owned(),
            // Suites of mates write `bm #5`.
            "bm" if operand.starts_with('#') => {
                let number = i32::from_str(&operand[1..])
                    .map_err(|_| format!("bm: expected #N, found '{operand}'"))?;
                self.mate = Some(number);
            }
            "dm" => {
                let number =
                    operand.parse().map_err(|_| format!("dm: expected a number, found '{operand}'"))?;
                self.mate = Some(number);
            }
            "bm" => self.best = moves()?,
            "am" => self.avoid = moves()?,
            // The Strategic Test Suite: `c0 "f5=100, Bf2=46"`. Other comments are left alone.
            "c0" if operand.contains('=') => {
                let scored = operand.trim_matches('"').split(',');
                let points: Option<Vec<_>> = scored
                    .map(|part| {
                        let (san, points) = part.rsplit_once('=')?;
                        Some((board.parse_san(san.trim()).ok()?, points.trim().parse().ok()?))
                    })
                    .collect();
                self.points = points.unwrap_or_default();
            }
            _ => {}
        }
        Ok(())
    }

    fn is_test(&self) -> bool {
        self.mate.is_some() || !(self.best.is_empty() && self.avoid.is_empty())
    }

    fn is_solved(&self, best: Option<Move>, line: Option<&Variation>) -> bool {
        let right = |mv: Move| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        let mates = |mate: i32| {
            let found = line.and_then(|line| line.mate);
            found.is_some_and(|found| found.signum() == mate.signum() && found.abs() <= mate.abs())
        };
        best.is_some_and(right) && self.mate.is_none_or(mates)
    }

    fn points_for(&self, best: Option<Move>) -> u32 {
        let found = self.points.iter().find(|(mv, _)| Some(*mv) == best);
        found.map_or(0, |&(_, points)| points)
    }
}

fn move_of(board: &Board, code: &str, san: &str) -> Result<Move, String> {
    // Some suites write coordinates.
    let found = board.parse_san(san).ok().or_else(|| board.parse_move(san));
    found.ok_or_else(|| format!("{code}: '{san}' is no legal move"))
}

/// Splits operations at the semicolons that are in no quotes.
fn operations(text: &str) -> Result<Vec<String>, String> {
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
        return Err("a quotation mark is missing".to_owned());
    }
    let trimmed = operations.iter().map(|operation| operation.trim().to_owned());
    Ok(trimmed.filter(|operation| !operation.is_empty()).collect())
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a str,
    #[serde(flatten)]
    report: super::Report<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<bool>,
    /// What is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// What it took to find it for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
}

/// What it took until the answer was right and stayed so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
struct Solution {
    nodes: u64,
    /// Milliseconds.
    time: u64,
}

/// What a suite has come to.
#[derive(Default)]
struct Totals {
    positions: u32,
    tests: u32,
    solved: u32,
    points: u32,
    most_points: u32,
    /// Until the solutions.
    nodes: u64,
    /// Milliseconds.
    time: u64,
}

impl Totals {
    fn text(&self) -> String {
        let mut text = format!("{} positions", self.positions);
        if self.tests > 0 {
            let percent = 100.0 * f64::from(self.solved) / f64::from(self.tests);
            text += &format!(", solved {} of {} ({percent:.1} %)", self.solved, self.tests);
        }
        if self.most_points > 0 {
            let percent = 100.0 * f64::from(self.points) / f64::from(self.most_points);
            text += &format!(", points {} of {} ({percent:.1} %)", self.points, self.most_points);
        }
        if self.solved > 0 {
            let mean = |sum: u64| sum as f64 / f64::from(self.solved);
            let (nodes, seconds) = (short(mean(self.nodes)), mean(self.time) / 1000.0);
            text += &format!(", a solution after {nodes} nodes and {seconds:.2} s on average");
        }
        text
    }
}

/// What was found of an entry.
struct Found {
    lines: Vec<Variation>,
    iterations: Vec<Variation>,
}

impl Entry {
    fn best_of(&self, line: Option<&Variation>) -> Option<Move> {
        self.board.parse_move(line?.uci.first()?)
    }

    /// The iteration from which on the answer was right.
    fn solution(&self, iterations: &[Variation]) -> Option<Solution> {
        let right = |line: &&Variation| self.is_solved(self.best_of(Some(line)), Some(line));
        let first = iterations.iter().rev().take_while(right).last()?;
        Some(Solution { nodes: first.nodes, time: first.time })
    }

    /// What is right, in words: `Rxh7`, `not Ra2`, `#5`.
    fn expected(&self) -> String {
        let list =
            |moves: &[Move]| moves.iter().map(|&mv| self.board.san(mv)).collect::<Vec<_>>().join(" or ");
        let mate = self.mate.map_or_else(String::new, |mate| format!("#{mate}"));
        let avoid = if self.avoid.is_empty() { String::new() } else { format!("not {}", list(&self.avoid)) };
        let parts = [list(&self.best), avoid, mate];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    fn report(
        &self,
        arguments: &Arguments,
        found: &Found,
        totals: &mut Totals,
    ) -> Result<String, OutputError> {
        let Found { lines, iterations } = found;
        let best = self.best_of(lines.first());
        let solved = self.is_test().then(|| self.is_solved(best, lines.first()));
        let solution = if solved == Some(true) { self.solution(iterations) } else { None };
        let points = (!self.points.is_empty()).then(|| self.points_for(best));
        totals.positions += 1;
        totals.tests += u32::from(solved.is_some());
        totals.solved += u32::from(solved == Some(true));
        totals.points += points.unwrap_or(0);
        totals.most_points += self.points.iter().map(|&(_, points)| points).max().unwrap_or(0);
        totals.nodes += solution.map_or(0, |solution| solution.nodes);
        totals.time += solution.map_or(0, |solution| solution.time);
        if arguments.json {
            return Ok(json(&Answer {
                id: &self.id,
                report: super::Report::new(&self.board, lines),
                solved,
                expected: self.is_test().then(|| self.expected()),
                solution,
                points,
            }));
        }
        let mark = match solved {
            Some(true) => "solved  ",
            Some(false) => "unsolved",
            None => "        ",
        };
        let points = points.map_or_else(String::new, |points| format!("{points:>4} "));
        let more = match (solved, solution) {
            (Some(false), _) => format!("expected {}", self.expected()),
            (_, Some(Solution { nodes, time })) => {
                format!("after {:>6} {:>7.2} s", short(nodes as f64), time as f64 / 1000.0)
            }
            _ => String::new(),
        };
        let row = lines.first().map_or_else(|| "no legal move".to_owned(), |line| line.row(&self.board));
        Ok(format!("{mark} {points}{:<24} {more:<22} {row}", self.id))
    }
}

/// Analyses the positions of a suite, all at once.
pub(super) fn suite(
    analysts: &mut [Analyst<'_>],
    arguments: &Arguments,
    file: &str,
    text: &str,
) -> Result<ExitStatus, AnalyseError> {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Entry::parse(line, arguments.castling) {
            Ok(entry) => entries.push(entry),
            Err(error) => {
                eprint_line(&format!("enroque: {file}, line {}: {error}", index + 1));
                status = ExitStatus::BadInput;
            }
        }
    }
    let mut totals = Totals::default();
    let mut progress = Progress::new(entries.len() as u64, "positions", 0);
    let search = |analyst: &mut Analyst<'_>, entry: &Entry| {
        analyst.engine.new_game();
        let (lines, iterations) =
            analyst.search_with_history(&entry.board, Style::Silent, arguments.limits())?;
        Ok(Found { lines, iterations })
    };
    let mut left = entries.iter();
    search_in_order(analysts, entries.iter(), search, |found| {
        let Some(entry) = left.next() else { return Ok(()) };
        let report = entry.report(arguments, &found, &mut totals)?;
        progress.print_line(&report)?;
        progress.set(totals.positions.into(), || format!("solved {}", totals.solved));
        Ok(())
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
        Entry::parse(line, CastlingRules::Fischer)
    }

    #[test]
    fn operations_are_read() {
        let read =
            entry("4k3/8/8/8/8/8/8/R3K3 w A - bm O-O-O Ra8+; am Ra1b2; id \"a; b\"; c0 \"O-O-O=100, Ra7=5\"");
        // `Ra1b2` is no such move: said so.
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
        for wrong in ["4k3/8/8 w - -", "4k3/8/8/8/8/8/8/R3K3 w", "4k3/8/8/8/8/8/8/R3K3 w - - id \"x"] {
            assert!(entry(wrong).is_err(), "{wrong}");
        }
    }
}
