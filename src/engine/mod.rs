//! The engine behind one interface: an [`Engine`] keeps position, options, tables and search threads from one search to
//! the next, and [`Engine::go`] turns them into a search job. The engine knows no protocol; [`crate::uci`] does.

pub mod lines;
pub mod local;
pub mod options;
mod overhead;
#[cfg_attr(target_family = "wasm", path = "pool_wasm.rs")]
mod pool;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use options::OptionValues;
use overhead::OverheadMeter;
use pool::Pool;
use thiserror::Error;

use crate::chess::Board;
use crate::nnue::{Network, NetworkError};
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Reporter};
use crate::search::tt::TranspositionTable;
use crate::search::{Control, JobOptions, Probing, Shared};
use crate::tablebase::{TablebaseError, Tablebases};
use crate::util::host::Instant;
use crate::util::random::Random;

/// Why the engine can't get the memory or the threads that it needs.
#[derive(Debug, Error)]
pub enum EngineError {
    /// There's no memory for a hash table of this many MiB.
    #[error("cannot allocate {0} MiB for the hash table")]
    Memory(usize),
    /// Only [`local::LocalSearcher`] returns this: it allocates histories of its own.
    #[error("cannot allocate the histories of the search")]
    Histories,
    /// The system cannot start that many search threads.
    #[error("cannot start {count} search thread{}: {reason}", if *.count == 1 { "" } else { "s" })]
    Threads { count: usize, reason: std::io::Error },
}

/// A chess engine: a position, options, tables and search threads.
///
/// Play the best move that a search to depth 6 finds:
/// ```
/// use enroque::engine::Engine;
/// use enroque::search::limits::Limits;
/// use enroque::search::report::Silent;
///
/// let mut engine = Engine::new()?;
/// let outcome = engine.search(Limits::depth(6), Box::new(Silent));
/// assert_eq!(outcome.depth, 6);
///
/// let mut board = engine.board().clone();
/// board.make_move(outcome.best_move.expect("a legal move"));
/// engine.set_board(board);
/// # Ok::<(), enroque::engine::EngineError>(())
/// ```
pub struct Engine {
    board: Board,
    options: OptionValues,
    shared: Shared,
    tablebases: Option<Arc<Tablebases>>,
    pool: Pool,
    /// The limits of the last search; `None` before the first.
    limits: Option<Arc<Limits>>,
    overhead: OverheadMeter,
    /// Seeds the random choice of moves at limited strength, so that no two games are alike.
    random: Random,
}

impl Engine {
    /// Returns an engine with default options and the orthodox start position.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the default hash table or the search thread cannot be started.
    pub fn new() -> Result<Self, EngineError> {
        let options = OptionValues::default();
        Ok(Self {
            board: Board::startpos(),
            shared: new_shared(Network::embedded(), options.hash)?,
            tablebases: None,
            pool: new_pool(options.threads)?,
            limits: None,
            overhead: OverheadMeter::default(),
            random: Random::from_entropy(),
            options,
        })
    }

    /// Returns the position that the next search starts from.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Sets the position that the next search starts from. A running search keeps its position.
    pub fn set_board(&mut self, board: Board) {
        self.board = board;
    }

    /// Returns the values of the options, which [`Self::set_option`] changes.
    pub fn options(&self) -> &OptionValues {
        &self.options
    }

    /// Clears the hash table and the histories. A running search is stopped first.
    pub fn new_game(&mut self) {
        self.stop_and_wait();
        self.clear_hash();
        self.pool.clear_histories();
        self.overhead = OverheadMeter::default();
    }

    /// Clears the hash table. A running search is stopped first.
    pub fn clear_hash(&mut self) {
        self.stop_and_wait();
        self.shared.tt.clear();
    }

    /// Replaces the hash table with an empty one of this many MiB.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated. The table then keeps its old size and is empty.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        self.stop_and_wait();
        // We free the old table first, because there may be no room for both.
        self.shared.tt = Arc::new(new_table(1)?);
        match new_table(mebibytes) {
            Ok(table) => {
                self.shared.tt = Arc::new(table);
                self.options.hash = mebibytes;
                Ok(())
            }
            Err(error) => {
                self.shared.tt = Arc::new(new_table(self.options.hash)?);
                Err(error)
            }
        }
    }

    /// Replaces the search threads with `threads` new ones, with empty histories. A running search is stopped first.
    ///
    /// # Errors
    /// Returns an error if the system cannot start the threads. The old threads then stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.stop_and_wait();
        self.pool = new_pool(threads)?;
        self.options.threads = threads;
        Ok(())
    }

    /// Sets how many PVs the next search looks for, from 1 to [`options::MAX_MULTI_PV`].
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.options.multi_pv = lines.clamp(1, options::MAX_MULTI_PV);
    }

    /// Sets whether the next search also searches a forced move, instead of playing it at once.
    pub fn set_analyse_mode(&mut self, is_on: bool) {
        self.options.analyse_mode = is_on;
    }

    /// Sets how many milliseconds per move the next search reserves for delays between the engine and the clock.
    pub fn set_move_overhead(&mut self, milliseconds: u64) {
        self.options.move_overhead = milliseconds;
    }

    /// Starts a search whose time counts from `start`, and returns at once. A running search is stopped first.
    pub fn go(&mut self, limits: Limits, start: Instant, reporter: Box<dyn Reporter>) {
        self.stop_and_wait();
        // `go mate` searches no longer lines than the mate, so other searches can't use the scores.
        if self.limits.as_ref().and_then(|last| last.mate) != limits.mate {
            self.shared.tt.clear();
        }
        self.overhead.turn(&self.board, &limits, self.shared.control.thinking_time());
        let limits = Arc::new(limits);
        self.limits = Some(limits.clone());
        let options = JobOptions {
            threads: self.pool.size(),
            multi_pv: self.options.multi_pv,
            time: TimeOptions {
                move_overhead: Duration::from_millis(self.options.move_overhead),
                measured_overhead: self.overhead.measured(),
                nodes_per_ms: self.options.nodes_time,
                ponder: self.options.ponder,
            },
            handicap: self.options.handicap(),
            seed: self.random.bits(),
            plays_forced_moves: !self.options.analyse_mode,
            probing: self.probing(),
            draw_odds: self.options.draw_odds,
        };
        self.pool.start(self.shared.begin(self.board.clone(), limits, start, options, reporter));
    }

    /// Returns a note for the user, once a game, if a move costs more time than the option `Move Overhead` says.
    pub fn overhead_note(&mut self) -> Option<String> {
        self.overhead.note(self.options.move_overhead)
    }

    /// Whether the search goes on until [`Self::stop`] or [`Self::ponder_hit`].
    pub fn is_endless(&self) -> bool {
        self.running_limits().is_some_and(|limits| limits.is_endless() || self.shared.control.is_pondering())
    }

    /// Whether the search ends only with [`Self::stop`] or a mate, which may not exist.
    pub fn seeks_only_mate(&self) -> bool {
        let is_endless_without = |limits: &Limits| Limits { mate: None, ..limits.clone() }.is_endless();
        !self.is_endless() && self.running_limits().is_some_and(is_endless_without)
    }

    /// Returns the limits of the search; `None` if none has been started, or if the last one has ended or been told to.
    fn running_limits(&self) -> Option<&Limits> {
        self.limits.as_deref().filter(|_| !self.shared.control.is_released())
    }

    /// Returns how the search probes the tablebases; `None` without tablebases or if `SyzygyProbeLimit` is 0.
    fn probing(&self) -> Option<Probing> {
        let tables = self.tablebases.clone()?;
        let max_pieces = tables.max_pieces().min(self.options.syzygy_probe_limit);
        (max_pieces > 0).then_some(Probing {
            tables,
            max_pieces,
            min_depth: self.options.syzygy_probe_depth,
            fifty_move_rule: self.options.syzygy_50_move_rule,
        })
    }

    /// Returns the network that the next search uses.
    pub fn network(&self) -> &Network {
        &self.shared.network
    }

    /// Loads a network from `file`, or goes back to the built-in one if that is `None`. Also clears the hash table and
    /// the histories. A running search is stopped first.
    ///
    /// # Errors
    /// Returns an error if the file is not a network for this program. The old network then stays.
    pub fn set_network(&mut self, file: Option<&Path>) -> Result<(), NetworkError> {
        self.stop_and_wait();
        self.shared.network = match file {
            Some(file) => Arc::new(Network::load(file)?),
            None => Network::embedded(),
        };
        // The hash table and the histories still hold evals and scores from the old network.
        self.new_game();
        Ok(())
    }

    /// Loads the tablebases in `folders`, separated by `:` (on Windows by `;`); an empty string unloads all tablebases.
    /// Returns a note for the user with the number of loaded files and the errors of those left out.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read or none has a tablebase. The old tablebases then stay.
    pub fn set_tablebases(&mut self, folders: &str) -> Result<Option<String>, TablebaseError> {
        self.stop_and_wait();
        if folders.is_empty() {
            self.tablebases = None;
            return Ok(None);
        }
        let (tables, damaged) = Tablebases::load(folders)?;
        let mut note = format!("{} tablebase files, up to {} pieces", tables.files(), tables.max_pieces());
        for error in damaged {
            let _ = write!(note, "; left out: {error}");
        }
        self.tablebases = Some(Arc::new(tables));
        Ok(Some(note))
    }

    /// Searches like [`Self::go`], but waits for the outcome. The outcome's `best_move` is `None` if there is no legal
    /// move.
    pub fn search(&mut self, limits: Limits, reporter: Box<dyn Reporter>) -> Outcome {
        self.go(limits, Instant::now(), reporter);
        self.wait().unwrap_or_default()
    }

    /// Returns the control through which another thread can stop searches.
    pub fn control(&self) -> Arc<Control> {
        self.shared.control.clone()
    }

    /// Stops the search without waiting for its end.
    pub fn stop(&self) {
        self.shared.control.stop();
    }

    /// Tells the search that the opponent has played the move that we ponder on: the limits apply from now on.
    pub fn ponder_hit(&self) {
        self.shared.control.ponder_hit();
    }

    /// Waits until no search is running. Returns the outcome of the last search; a second call returns `None`.
    pub fn wait(&self) -> Option<Outcome> {
        self.pool.wait()
    }

    /// Stops the search, waits for its end and drops the outcome.
    pub fn stop_and_wait(&self) {
        self.stop();
        self.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop_and_wait();
    }
}

fn new_shared(network: Arc<Network>, mebibytes: usize) -> Result<Shared, EngineError> {
    Ok(Shared { network, tt: Arc::new(new_table(mebibytes)?), control: Arc::default() })
}

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    TranspositionTable::new(mebibytes).ok_or(EngineError::Memory(mebibytes))
}

fn new_pool(threads: usize) -> Result<Pool, EngineError> {
    Pool::new(threads).map_err(|reason| EngineError::Threads { count: threads, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::report::Silent;
    use crate::search::score::moves_to_mate;

    #[test]
    fn set_hash_frees_old_table() {
        let mut engine = Engine::new().unwrap();
        engine.set_threads(2).unwrap();
        for mebibytes in [2, 1, 4] {
            engine.search(Limits::depth(4), Box::new(Silent));
            let old = Arc::downgrade(&engine.shared.tt);
            engine.set_hash(mebibytes).unwrap();
            assert!(old.upgrade().is_none(), "the ended search still owns the table");
        }
    }

    #[test]
    fn set_hash_refuses_impossible_size() {
        let mut engine = Engine::new().unwrap();
        assert!(engine.set_hash(1 << 40).is_err());
        assert_eq!(engine.options().hash, 16);
        assert!(engine.search(Limits::depth(4), Box::new(Silent)).best_move.is_some());
    }

    #[test]
    fn mate_search_ends_at_the_mate_and_keeps_no_scores() {
        let mut engine = Engine::new().unwrap();
        let board: Board = "7k/8/5K2/8/8/8/8/R7 w - - 0 1".parse().unwrap(); // 1. Kf7 Kh7 2. Rh1#
        engine.set_board(board.clone());
        let search = |engine: &mut Engine, mate| {
            let outcome = engine.search(Limits { mate, ..Limits::nodes(20_000) }, Box::new(Silent));
            moves_to_mate(outcome.score)
        };
        assert_eq!([Some(1), Some(2), None].map(|mate| search(&mut engine, mate)), [None, Some(2), Some(2)]);
        assert_eq!(search(&mut engine, Some(2)), Some(2));
        assert!(engine.shared.tt.probe_move(board.key()).is_some());
        engine.set_board(Board::startpos());
        assert_eq!(search(&mut engine, None), None);
        assert!(
            engine.shared.tt.probe_move(board.key()).is_none(),
            "a score from `go mate` is still in the table"
        );
    }
}
