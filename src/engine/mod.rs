//! The engine: a position, options, and the pool that searches. It knows no protocol.

pub mod local;
mod numa;
mod option_values;
pub mod options;
mod pool;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use options::OptionValues;
use pool::Pool;
use thiserror::Error;

use crate::chess::Board;
use crate::chess::moves::MoveList;
use crate::nnue::{Network, NetworkError};
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Reporter};
use crate::search::score::score_of;
use crate::search::strength::Handicap;
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, Probing, SearchJob};
use crate::tablebase::{TablebaseError, Tablebases, Wdl};
use crate::util::random::Random;

/// Why the engine could not do what it was asked.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The machine has not that much memory.
    #[error("cannot allocate {0} MiB for the hash table; it keeps its old size")]
    Memory(usize),
    /// The memory of a game that is searched alone.
    #[error("no memory for what a search remembers of moves")]
    Histories,
    /// The machine cannot run so many threads.
    #[error("cannot start {count} threads: {reason}; the old ones stay")]
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system said.
        reason: std::io::Error,
    },
}

/// A position, options and the threads that search.
pub struct Engine {
    board: Board,
    options: OptionValues,
    network: Arc<Network>,
    tt: Arc<TranspositionTable>,
    tablebases: Option<Arc<Tablebases>>,
    control: Arc<Control>,
    pool: Pool,
    /// For play below full strength.
    random: Random,
}

impl Engine {
    /// An engine with default options, set up for an orthodox game.
    ///
    /// # Errors
    /// When the machine cannot give the default table or a thread.
    pub fn new() -> Result<Self, EngineError> {
        let options = OptionValues::default();
        Ok(Self {
            board: Board::startpos(),
            network: Network::embedded(),
            tt: Arc::new(new_table(options.hash)?),
            tablebases: None,
            control: Arc::new(Control::default()),
            pool: new_pool(options.threads)?,
            random: Random::from_entropy(),
            options,
        })
    }

    /// The position that the next search starts from.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Sets the position that the next search starts from.
    pub fn set_board(&mut self, mut board: Board) {
        board.trim_history();
        self.board = board;
    }

    /// The options' values.
    pub fn options(&self) -> &OptionValues {
        &self.options
    }

    /// Forgets everything learnt from earlier searches.
    pub fn new_game(&mut self) {
        self.stop_and_wait();
        self.clear_hash();
        self.pool.clear_histories();
    }

    /// Forgets the table.
    pub fn clear_hash(&mut self) {
        self.stop_and_wait();
        self.tt.clear();
    }

    /// Replaces the table by an empty one.
    ///
    /// # Errors
    /// When the machine has not so much memory; the table then has its old size.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        self.stop_and_wait();
        // The old table goes before the new one comes, so that both never count together.
        self.tt = Arc::new(new_table(1)?);
        match new_table(mebibytes) {
            Ok(table) => {
                self.tt = Arc::new(table);
                self.options.hash = mebibytes;
                Ok(())
            }
            Err(error) => {
                self.tt = Arc::new(new_table(self.options.hash)?);
                Err(error)
            }
        }
    }

    /// Sets the number of search threads.
    ///
    /// # Errors
    /// When the system cannot start so many; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.stop_and_wait();
        self.pool = new_pool(threads)?;
        self.options.threads = threads;
        Ok(())
    }

    /// Starts a search, counted from `start`, and returns at once. A search that is running is stopped and
    /// finished first.
    pub fn go(&mut self, mut limits: Limits, start: Instant, reporter: Box<dyn Reporter>) {
        self.stop_and_wait();
        self.control.reset(&limits);
        self.tt.new_search();
        let handicap = self.options.handicap();
        if let Some(Handicap { nodes, .. }) = handicap {
            limits.soft_nodes = Some(limits.soft_nodes.map_or(nodes, |limit| limit.min(nodes)));
        }
        let time_options = TimeOptions {
            move_overhead: Duration::from_millis(self.options.move_overhead),
            nodes_per_ms: self.options.nodes_time,
            ponder: self.options.ponder,
        };
        let time = TimeManager::new(&limits, time_options, self.board.side_to_move(), start);
        let shared = (self.network.clone(), self.tt.clone(), self.control.clone());
        let mut job = SearchJob::new(self.board.clone(), limits, time, self.pool.size(), shared, reporter);
        job.multi_pv = self.options.multi_pv;
        job.handicap = handicap;
        job.seed = self.random.bits();
        job.plays_forced_moves = !self.options.analyse_mode;
        job.probing = self.probing();
        job.tablebase_score = job.probing.as_ref().and_then(|probing| {
            let wdl = keep_best_by_tablebase(&job.board, &mut job.root_moves, probing)?;
            Some(score_of(wdl, 0))
        });
        self.pool.start(job);
    }

    /// How the tree asks the tablebases; `None` when there are none to ask.
    fn probing(&self) -> Option<Probing> {
        let tables = self.tablebases.clone()?;
        let max_pieces = tables.max_pieces().min(self.options.syzygy_probe_limit);
        (max_pieces > 0).then(|| Probing {
            tables,
            max_pieces,
            min_depth: self.options.syzygy_probe_depth,
            fifty_move_rule: self.options.syzygy_50_move_rule,
        })
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Evaluates with the network in a file, or with the one that the program was built with.
    ///
    /// # Errors
    /// When the file is no network for this program; the old one stays.
    pub fn set_network(&mut self, file: Option<&Path>) -> Result<(), NetworkError> {
        self.stop_and_wait();
        self.network = match file {
            Some(file) => Arc::new(Network::load(file)?),
            None => Network::embedded(),
        };
        // What was learnt with the other network is of no use with this.
        self.new_game();
        Ok(())
    }

    /// Uses the tablebases in `folders`, joined by the system's path separator; none when it is empty. Gives
    /// what was found, in words, and which files are left out.
    ///
    /// # Errors
    /// When a folder cannot be read or none of them has a table; no tables are used then.
    pub fn set_tablebases(&mut self, folders: &str) -> Result<Option<String>, TablebaseError> {
        self.stop_and_wait();
        self.tablebases = None;
        if folders.is_empty() {
            return Ok(None);
        }
        let (tables, damaged) = Tablebases::load(folders)?;
        let mut found = format!("{} tablebase files, up to {} pieces", tables.files(), tables.max_pieces());
        for error in damaged {
            let _ = write!(found, "; left out: {error}");
        }
        self.tablebases = Some(Arc::new(tables));
        Ok(Some(found))
    }

    /// Searches and waits for the outcome.
    pub fn search(&mut self, limits: Limits, reporter: Box<dyn Reporter>) -> Outcome {
        self.go(limits, Instant::now(), reporter);
        self.wait().unwrap_or_default()
    }

    /// Stops searches from outside, also from another thread.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Asks the search to end; its answer comes soon.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent played the expected move.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits until no search is running; the outcome of the last one, if it is not taken yet.
    pub fn wait(&self) -> Option<Outcome> {
        self.pool.wait()
    }

    /// Stops the search, if one is running, and waits for its end.
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

/// Leaves only the root moves that keep the outcome, where tablebases know it, and gives that. Once a position
/// has occurred before, or nothing has happened for long, winning moves must also make progress.
fn keep_best_by_tablebase(board: &Board, root_moves: &mut MoveList, probing: &Probing) -> Option<Wdl> {
    if board.occupied().count() > probing.max_pieces || !board.castling_rights().is_empty() {
        return None;
    }
    let must_progress = board.is_repetition(usize::MAX) || board.halfmove_clock() > PATIENT_PLIES;
    let (wdl, moves) = probing.tables.best_moves(board, probing.fifty_move_rule, must_progress)?;
    if !root_moves.iter().any(|mv| moves.contains(mv)) {
        // The user wants other moves looked at.
        return None;
    }
    root_moves.retain(|mv| moves.contains(mv));
    Some(wdl)
}

/// Plies without progress in a won ending before the shortest way is taken.
const PATIENT_PLIES: u16 = 20;

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

    #[test]
    fn a_changed_hash_frees_the_old_table() {
        let mut engine = Engine::new().unwrap();
        engine.set_threads(2).unwrap();
        for mebibytes in [2, 1, 4] {
            engine.search(Limits::depth(4), Box::new(Silent));
            let old = Arc::downgrade(&engine.tt);
            engine.set_hash(mebibytes).unwrap();
            assert!(old.upgrade().is_none(), "a search that has ended holds the table");
        }
    }

    #[test]
    fn a_table_that_the_machine_cannot_give_is_refused() {
        let mut engine = Engine::new().unwrap();
        assert!(engine.set_hash(1 << 40).is_err());
        assert_eq!(engine.options().hash, 16);
        assert!(engine.search(Limits::depth(4), Box::new(Silent)).best_move.is_some());
    }
}
