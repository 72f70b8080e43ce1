//! Engine with the options of an analysis, and the parallel search of many positions.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use super::arguments::Arguments;
use super::error::AnalyseError;
use super::live::{Analysis, LiveTable, SharedTable, Style};
use super::variation::Variation;
use enroque::chess::Board;
use enroque::engine::Engine;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::terminal::{OutputError, eprint_line};
use enroque_runs::interrupt;
use enroque_runs::parallel::in_order;

/// Engine that analyses positions.
pub struct Analyst {
    engine: Engine,
}

impl Analyst {
    /// Starts an engine with `hash` MiB. The tablebases found are reported on standard error if `reports_tablebases`.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be started or rejects an option.
    pub fn new(
        arguments: &Arguments,
        threads: usize,
        hash: usize,
        reports_tablebases: bool,
    ) -> Result<Self, AnalyseError> {
        let mut engine = Engine::new()?;
        let options = [
            ("Hash", hash.to_string()),
            ("Threads", threads.to_string()),
            ("MultiPV", arguments.multipv.to_string()),
            ("UCI_AnalyseMode", "true".to_owned()),
        ];
        for (name, value) in options {
            engine.set_option(name, &value)?;
        }
        if let Some(folders) = &arguments.syzygy
            && let Some(message) = engine.set_option("SyzygyPath", folders)?
            && reports_tablebases
        {
            eprint_line(&message);
        }
        Ok(Self { engine })
    }

    /// Returns the control that stops the search.
    pub fn control(&self) -> Arc<Control> {
        self.engine.control()
    }

    /// Searches a position, starting with an empty hash table, and prints it in the given style.
    ///
    /// # Errors
    /// Returns an error if standard output fails.
    pub fn analyse(&mut self, board: &Board, style: Style, limits: Limits) -> Result<Analysis, OutputError> {
        self.engine.new_game();
        let table = Arc::new(Mutex::new(LiveTable::new(board, style, self.engine.control())));
        self.engine.set_board(board.clone());
        self.engine.search(limits, Box::new(SharedTable(table.clone())));
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        table.finish()
    }

    /// Returns the best line of a position of a game, with its score in centipawns of chess sites, or `None` if there is no
    /// legal move.
    ///
    /// # Errors
    /// Returns an error if standard output fails.
    pub fn best_line(&mut self, board: &Board, limits: Limits) -> Result<Option<Variation>, OutputError> {
        let line = self.analyse(board, Style::Silent, limits)?.lines.into_iter().next();
        Ok(line.map(|line| line.in_site_centipawns(board)))
    }
}

/// Runs `search` on every job, one thread per analyst, and passes the results to `take` in job order. Ctrl-C ends it early.
///
/// # Errors
/// Returns an error if a thread cannot be started, or if `search` or `take` fails.
pub fn search_in_order<J: Send, R: Send>(
    analysts: &mut [Analyst],
    jobs: impl Iterator<Item = J> + Send,
    search: impl Fn(&mut Analyst, J) -> Result<R, OutputError> + Sync,
    mut take: impl FnMut(R) -> Result<(), AnalyseError>,
) -> Result<(), AnalyseError> {
    let work = |analyst: &mut Analyst, job: J| {
        let result = search(analyst, job);
        (!interrupt::happened()).then_some(result)
    };
    in_order(analysts, jobs, work, |result| {
        take(result?)?;
        Ok(ControlFlow::Continue(()))
    })
}
