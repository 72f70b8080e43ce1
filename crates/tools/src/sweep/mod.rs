//! `enroque-tools sweep`: evaluates every start position of a set.

mod arguments;
mod difficulty;
mod figures;
mod manifest;
mod merge;
mod outputs;
mod pack;
pub mod rows;
mod summary;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, ensure};

pub use self::arguments::Arguments;
use self::arguments::{RunArguments, SweepCommand};
use self::manifest::SweepManifest;
use self::rows::{DifficultyRow, PlainRow, SweepRow, ensure_position};
use crate::searcher::Searcher;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, FenStyle};
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::wdl::{WinDrawLoss, normalized, win_draw_loss};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::interrupt;
use enroque_runs::parallel::{in_order, thread_count};
use enroque_runs::progress::Progress;
use enroque_runs::rows::{Row as _, Rows};
use enroque_study::line::numbered;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    match (&arguments.command, &arguments.run.file) {
        (Some(SweepCommand::Merge { file, parts, anyway, outputs }), _) => {
            let first = parts.first().map(|part| SweepManifest::read(part)).transpose()?;
            let has_difficulty = first.is_some_and(|manifest| manifest.difficulty.is_some());
            let merge = if has_difficulty { merge::merge::<DifficultyRow> } else { merge::merge::<PlainRow> };
            let status = merge(file, parts, outputs)?;
            Ok(if *anyway { ExitStatus::Success } else { status })
        }
        (Some(SweepCommand::Pack { results, file }), _) => {
            pack::pack(results, file)?;
            Ok(ExitStatus::Success)
        }
        (None, Some(file)) => sweep(file, &arguments.run),
        (None, None) => unreachable!("the file is required without a subcommand"),
    }
}

/// Returns the results of a sweep without `--difficulty`, and how they were made: set, limits, program and network.
pub fn read(file: &Path) -> Result<(Vec<PlainRow>, String)> {
    let manifest = SweepManifest::read_kind(file, false)?;
    Ok((enroque_runs::rows::read(file)?, manifest.origin()))
}

fn sweep(file: &Path, arguments: &RunArguments) -> Result<ExitStatus> {
    let manifest = SweepManifest::new(arguments);
    let count = thread_count(arguments.threads);
    if let Some(difficulty) = &manifest.difficulty {
        let mut searchers = Searcher::several(count, &difficulty::settings(&manifest, difficulty))?;
        interrupt::stop_on_interrupt(searchers.iter().map(Searcher::control).collect());
        run_with(file, arguments, &manifest, &mut searchers, |searcher, number, board| {
            difficulty::measure(searcher, number, board, &manifest, difficulty)
        })
    } else {
        let start = || LocalSearcher::new(Network::embedded(), manifest.hash);
        let mut searchers: Vec<LocalSearcher> = (0..count).map(|_| start()).collect::<Result<_, _>>()?;
        interrupt::stop_on_interrupt(searchers.iter().map(LocalSearcher::control).collect());
        run_with(file, arguments, &manifest, &mut searchers, |searcher, number, board| {
            evaluate(searcher, number, board, &manifest)
        })
    }
}

/// Calls `search` for each position that is not in the file yet, with one thread per worker, and writes the outputs.
fn run_with<R: SweepRow, W: Send>(
    file: &Path,
    arguments: &RunArguments,
    manifest: &SweepManifest,
    workers: &mut [W],
    search: impl Fn(&mut W, u64, &Board) -> R + Sync,
) -> Result<ExitStatus> {
    let numbers = manifest.numbers(arguments.set)?;
    outputs::check::<R>(file, &[], &arguments.outputs)?;
    // We accept the header of either kind of sweep here, because `agree` refuses the wrong kind with a better message.
    enroque_runs::rows::ensure_overwritable(file, &[PlainRow::ENCODING, DifficultyRow::ENCODING])?;
    enroque_runs::manifest::agree(file, manifest)?;
    let expected: HashSet<u64> = numbers.iter().copied().collect();
    let mut done = HashSet::new();
    let mut rows = Rows::open(file, |row: R| {
        ensure_position(&row, arguments.set, &expected)?;
        let is_new = done.insert(row.number());
        ensure!(is_new, "a position that an earlier line has; the file is left as it is");
        Ok(())
    })?;
    let remaining: Vec<u64> = numbers.iter().copied().filter(|number| !done.contains(number)).collect();

    let mut progress = Progress::new(numbers.len() as u64, "positions", done.len() as u64);
    let mut count = done.len() as u64;
    let boards = remaining.iter().filter_map(|&number| Some((number, arguments.set.position(number)?)));
    let search = |worker: &mut W, (number, board): (u64, Board)| search(worker, number, &board);
    in_order(workers, boards, search, |row: R| {
        count += 1;
        progress.set(count, || format!("{}: {:+.2}", manifest.name_of(row.number()), row.plain().pawns()));
        rows.add(&row)?;
        anyhow::Ok(ControlFlow::Continue(()))
    })?;
    progress.finish();
    if interrupt::happened() {
        eprint_line("interrupted; run the same command to resume");
        return Ok(ExitStatus::Interrupted);
    }
    let rows = rows.finish(R::number)?;
    outputs::write(&rows, manifest, &arguments.outputs)?;
    Ok(ExitStatus::Success)
}

fn evaluate(searcher: &mut LocalSearcher, number: u64, board: &Board, manifest: &SweepManifest) -> PlainRow {
    searcher.new_game();
    let outcome = searcher.search(board, manifest.limits());
    let Some(numbers) = StartNumbers::of(board) else { unreachable!("a set has only start positions") };
    let WinDrawLoss { win, draw, loss } = win_draw_loss(outcome.score, board);
    PlainRow {
        number,
        white: numbers.white(),
        black: numbers.black(),
        pieces: numbers.letters_joined(" "),
        fen: board.fen(FenStyle::XFen),
        depth: outcome.depth,
        score: normalized(outcome.score, board),
        win,
        draw,
        loss,
        nodes: outcome.nodes,
        line: numbered(board, &outcome.pv),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn sweep_of(file: &Path) -> Result<ExitStatus> {
        let line = ["sweep", file.to_str().unwrap(), "--range", "515..519", "--nodes", "50", "--hash", "1"];
        run(&Line::parse_from(line).arguments)
    }

    #[test]
    fn torn_results_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r.csv");
        sweep_of(&file).unwrap();
        let whole = std::fs::read(&file).unwrap();
        for length in (0..whole.len()).step_by(7) {
            std::fs::write(&file, &whole[..length]).unwrap();
            sweep_of(&file).unwrap();
            assert!(std::fs::read(&file).unwrap() == whole, "torn after {length} bytes");
        }
    }

    #[test]
    fn results_are_read_back_before_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r.csv");
        let good = DifficultyRow { score: rows::Samples(vec![1.5]), ..DifficultyRow::default() };
        let bad = DifficultyRow { score: rows::Samples(vec![f64::NAN]), ..good.clone() };
        enroque_runs::rows::write_sorted(&file, vec![good.clone()], DifficultyRow::number).unwrap();
        let written = std::fs::read(&file).unwrap();
        assert!(enroque_runs::rows::write_sorted(&file, vec![good, bad], DifficultyRow::number).is_err());
        assert_eq!(std::fs::read(&file).unwrap(), written);
    }

    #[test]
    fn foreign_results_are_refused_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r.csv");
        sweep_of(&file).unwrap();
        let ours = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = ours.lines().collect();
        let duplicate = format!("{ours}{}\n", lines[1]);
        let renumbered = ours.replace("\n516,", "\n517,");
        let outside = ours.replace("\n516,", "\n16,");
        let foreign = "dear diary\nnothing happened".to_owned();
        for (text, message) in [
            (duplicate, "line 7: a position that an earlier line has"),
            (renumbered, "line 3: not a position of this sweep"),
            (outside, "line 3: not a position of this sweep"),
            (foreign, "holds something else"),
        ] {
            std::fs::write(&file, &text).unwrap();
            let error = format!("{:#}", sweep_of(&file).unwrap_err());
            assert!(error.contains(message), "{error}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
