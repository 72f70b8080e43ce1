//! `match --tc`: the match on the clock, played by fastchess, which must be on the PATH.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use crate::datagen::load_network;
use crate::datagen::selfplay::opening;
use crate::matches::node_clock::TimeControl;
use crate::matches::{MatchError, Options};
use enroque::chess::FenStyle;
use enroque::engine::local::LocalSearcher;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::files::TemporaryFile;
use enroque_runs::interrupt;

/// The match runner.
const RUNNER: &str = "fastchess";
/// Maximum number of openings; longer matches repeat them.
const MAX_OPENINGS: u64 = 10_000;

/// Plays the match at time control `tc`.
pub(super) fn run(options: &Options, tc: TimeControl) -> Result<ExitStatus, MatchError> {
    let fail = |reason: io::Error| {
        if reason.kind() == io::ErrorKind::NotFound {
            MatchError::NoRunner
        } else {
            MatchError::Runner(reason.to_string())
        }
    };
    // The programs that fastchess starts report a network that they cannot load and keep their own.
    load_network(options.new.as_deref())?;
    Command::new(RUNNER).arg("--version").output().map_err(fail)?;
    interrupt::stop_on_interrupt(Vec::new());
    let book = write_openings(options)?;
    if interrupt::happened() {
        return Ok(ExitStatus::Interrupted);
    }
    let program = std::env::current_exe().map_err(fail)?;
    let engine = |name: &str, network: Option<&Path>| {
        let mut words =
            vec!["-engine".to_owned(), format!("cmd={}", program.display()), format!("name={name}")];
        words.extend(network.map(|network| format!("option.EvalFile={}", network.display())));
        words
    };
    let threads = options.threads();
    let mut command = Command::new(RUNNER);
    command
        .args(engine("new", options.new.as_deref()))
        .args(engine("old", options.old.as_deref()))
        .args(["-each", "proto=uci", &format!("tc={tc}"), "option.Hash=16"])
        .args(["-variant", "fischerandom", "-games", "2", "-repeat", "-recover"])
        .args(["-rounds", &options.pairs().to_string(), "-concurrency", &threads.to_string()])
        .args(["-openings", &format!("file={}", book.path().display()), "format=epd"])
        .args(["-report", "penta=true", "-ratinginterval", "50"]);
    if let Some(bounds) = options.sprt {
        let (low, high) = (format!("elo0={}", bounds.0), format!("elo1={}", bounds.1));
        command.args(["-sprt", &low, &high, "alpha=0.05", "beta=0.05", "model=logistic"]);
    }
    eprint_line(&format!("{threads} games at once at {tc}: nothing else should run meanwhile"));
    let ended = command.status().map_err(fail);
    drop(book);
    match ended? {
        status if status.success() => Ok(ExitStatus::Success),
        _ if interrupt::happened() => Ok(ExitStatus::Interrupted),
        status => Err(MatchError::Runner(status.to_string())),
    }
}

/// Writes balanced openings to a temporary file, one for each pair.
fn write_openings(options: &Options) -> Result<TemporaryFile, MatchError> {
    let settings = options.settings();
    let mut searcher = LocalSearcher::new(load_network(options.old.as_deref())?, settings.hash)?;
    let fens: Vec<String> = (0..options.pairs().min(MAX_OPENINGS))
        .take_while(|_| !interrupt::happened())
        .map(|number| opening(&settings, number, &mut searcher).fen(FenStyle::Shredder) + "\n")
        .collect();
    let folder = std::env::temp_dir();
    let written =
        TemporaryFile::create(&folder, OsStr::new("enroque-match-"), ".epd").and_then(|mut book| {
            book.write_all(fens.concat().as_bytes())?;
            Ok(book)
        });
    written.map_err(|reason| MatchError::Openings { folder, reason })
}
