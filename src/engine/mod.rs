//! The engine: a position, options, and the pool that searches. It knows no protocol.

pub mod options;
mod pool;
pub mod solo;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use options::Settings;
use pool::Pool;
use thiserror::Error;

use crate::chess::Board;
use crate::chess::random::Random;
use crate::nnue::{Network, NetworkError};
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Reporter};
use crate::search::score::score_of;
use crate::search::strength::Handicap;
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, Counters, Job, Probing, RootMove};
use crate::tablebase::{TablebaseError, Tablebases, Verdict};

/// Why the engine could not do what it was asked.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The machine has not that much memory.
    #[error("cannot allocate {0} MiB for the hash table; the old one stays")]
    Memory(usize),
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
    settings: Settings,
    network: Arc<Network>,
    table: Arc<TranspositionTable>,
    tablebases: Option<Arc<Tablebases>>,
    control: Arc<Control>,
    pool: Pool,
    /// For play below full strength.
    chance: Random,
}

impl Engine {
    /// An engine with default options, set up for an orthodox game.
    ///
    /// # Errors
    /// When the machine cannot give the default table or a thread.
    pub fn new() -> Result<Self, EngineError> {
        let settings = Settings::default();
        Ok(Self {
            board: Board::startpos(),
            network: Network::embedded(),
            table: Arc::new(new_table(settings.hash)?),
            tablebases: None,
            control: Arc::new(Control::default()),
            pool: new_pool(settings.threads)?,
            chance: Random::new(RandomState::new().build_hasher().finish()),
            settings,
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
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes options that take effect with the next search.
    pub(crate) fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Forgets everything learnt from earlier searches.
    pub fn new_game(&mut self) {
        self.halt();
        self.clear_hash();
        self.pool.forget();
    }

    /// Forgets the table.
    pub fn clear_hash(&mut self) {
        self.halt();
        self.table.clear(self.pool.size());
    }

    /// Replaces the table by an empty one.
    ///
    /// # Errors
    /// When the machine has not so much memory; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), EngineError> {
        self.halt();
        self.table = Arc::new(new_table(mebibytes)?);
        self.settings.hash = mebibytes;
        Ok(())
    }

    /// Sets the number of search threads.
    ///
    /// # Errors
    /// When the system cannot start so many; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        self.halt();
        self.pool = new_pool(threads)?;
        self.settings.threads = threads;
        Ok(())
    }

    /// Starts a search, counted from `start`, and returns at once. A search that is running is stopped and
    /// finished first.
    pub fn go(&mut self, mut limits: Limits, start: Instant, reporter: Box<dyn Reporter>) {
        self.halt();
        self.control.arm(&limits);
        self.table.new_search();
        let handicap = self.settings.handicap();
        if let Some(Handicap { nodes, .. }) = handicap {
            limits.soft_nodes = Some(limits.soft_nodes.map_or(nodes, |limit| limit.min(nodes)));
        }
        let chosen = |mv: &_| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let legal = self.board.legal_moves();
        let mut root_moves: Vec<RootMove> = legal.iter().copied().filter(chosen).map(RootMove::new).collect();
        if root_moves.is_empty() {
            // None of the moves asked for is legal: look at all rather than at none.
            root_moves.extend(legal.into_iter().map(RootMove::new));
        }
        let probing = self.probing();
        let known_score = probing.as_ref().and_then(|probing| {
            let verdict = keep_best_by_tablebase(&self.board, &mut root_moves, probing)?;
            Some(score_of(verdict, 0))
        });
        let options = TimeOptions {
            move_overhead: Duration::from_millis(self.settings.move_overhead),
            nodes_per_ms: self.settings.nodes_time,
            ponder: self.settings.ponder,
        };
        let time = TimeManager::new(&limits, options, self.board.side_to_move(), start);
        let job = Arc::new(Job {
            board: self.board.clone(),
            root_moves,
            limits,
            time,
            multi_pv: self.settings.multi_pv,
            handicap,
            seed: self.chance.bits(),
            network: self.network.clone(),
            table: self.table.clone(),
            control: self.control.clone(),
            plays_forced_moves: !self.settings.analyse_mode,
            probing,
            known_score,
            counters: (0..self.pool.size()).map(|_| Counters::default()).collect(),
            findings: Mutex::default(),
            reporter: Mutex::new(reporter),
        });
        self.pool.start(&job);
    }

    /// How the tree asks the tablebases; `None` when there are none to ask.
    fn probing(&self) -> Option<Probing> {
        let tables = self.tablebases.clone()?;
        let most_men = tables.max_men().min(self.settings.syzygy_probe_limit);
        (most_men > 0).then(|| Probing {
            tables,
            most_men,
            least_depth: self.settings.syzygy_probe_depth,
            fifty_move_rule: self.settings.syzygy_50_move_rule,
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
        self.halt();
        self.network = match file {
            Some(file) => Arc::new(Network::load(file)?),
            None => Network::embedded(),
        };
        // What was learnt with the other network is of no use with this.
        self.new_game();
        Ok(())
    }

    /// Uses the tablebases in `folders`, joined by the system's path separator; none when it is empty. Gives
    /// what was found, in words, and what is wrong with files and folders.
    pub fn set_tablebases(&mut self, folders: &str) -> (String, Vec<TablebaseError>) {
        self.halt();
        self.tablebases = None;
        if folders.is_empty() {
            return ("no tablebases".to_owned(), Vec::new());
        }
        let (tables, errors) = Tablebases::load(folders);
        let found = format!("{} tablebase files, up to {} men", tables.files(), tables.max_men());
        self.tablebases = Some(Arc::new(tables));
        (found, errors)
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
    pub fn halt(&self) {
        self.stop();
        self.wait();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.halt();
    }
}

/// Leaves only the root moves that keep the outcome, where tablebases know it, and gives that. Once a position
/// has occurred before, or nothing has happened for long, winning moves must also make progress.
fn keep_best_by_tablebase(
    board: &Board,
    root_moves: &mut Vec<RootMove>,
    probing: &Probing,
) -> Option<Verdict> {
    if board.occupied().count() > probing.most_men || !board.castling_rights().is_empty() {
        return None;
    }
    let must_progress = board.is_repetition(usize::MAX) || board.halfmove_clock() > PATIENT_PLIES;
    let (verdict, moves) = probing.tables.best_moves(board, probing.fifty_move_rule, must_progress)?;
    let keeps = |root: &RootMove| moves.contains(&root.mv);
    if !root_moves.iter().any(keeps) {
        // The user wants other moves looked at.
        return None;
    }
    root_moves.retain(keeps);
    Some(verdict)
}

/// Plies without progress in a won ending before the shortest way is taken.
const PATIENT_PLIES: u16 = 20;

fn new_table(mebibytes: usize) -> Result<TranspositionTable, EngineError> {
    TranspositionTable::new(mebibytes).ok_or(EngineError::Memory(mebibytes))
}

fn new_pool(threads: usize) -> Result<Pool, EngineError> {
    Pool::new(threads).map_err(|reason| EngineError::Threads { count: threads, reason })
}
