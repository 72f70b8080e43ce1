//! Balance of a start: two searches from an empty table, with exact node counts, so that they can be repeated.

use super::attempts::Scorer;
use super::error::DrawError;
use super::event::{Balance, Event};
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::limits::Limits;
use enroque::search::wdl::normalized;
use enroque::util::version;
use enroque_runs::progress::Progress;

/// Hash table size of the searches in MiB.
const HASH: usize = 16;

/// Returns the balance with this limit in centipawns, searched by this program.
pub fn of_this_program(limit: i32, nodes: u64) -> Balance {
    Balance {
        limit,
        nodes,
        hash: HASH,
        network: format!("{:016x}", Network::embedded().checksum()),
        generator: version::GENERATOR.to_owned(),
    }
}

/// Returns `true` if this program repeats the searches of the balance exactly.
pub fn is_repeatable(balance: &Balance) -> bool {
    of_this_program(balance.limit, balance.nodes) == *balance
}

/// Scorer that searches each start.
pub struct Searches {
    searcher: LocalSearcher,
    progress: Progress,
    count: u64,
}

impl Searches {
    /// Creates a scorer with an empty table.
    ///
    /// # Errors
    /// Returns an error if the program differs from that of the event, or if the memory cannot be allocated.
    pub fn new(balance: &Balance) -> Result<Self, DrawError> {
        if !is_repeatable(balance) {
            let own = of_this_program(balance.limit, balance.nodes);
            return Err(DrawError::OtherProgram {
                expected: format!("{}, network {}", balance.generator, balance.network),
                found: format!("{}, network {}", own.generator, own.network),
            });
        }
        let searcher = LocalSearcher::new(Network::embedded(), balance.hash)?;
        Ok(Self { searcher, progress: Progress::new(0, "starts searched", 0), count: 0 })
    }
}

impl Scorer for Searches {
    type Error = DrawError;

    fn scores(
        &mut self,
        event: &Event,
        balance: &Balance,
        _: usize,
        number: u64,
    ) -> Result<Vec<i32>, DrawError> {
        let Some(board) = event.set.position(number) else { unreachable!("the number is one of the set") };
        let mut scores = Vec::new();
        for nodes in balance.searches() {
            self.searcher.new_game();
            let outcome = self.searcher.search(&board, Limits::nodes(nodes));
            scores.push(normalized(outcome.score, &board));
            if !scores.iter().all(|&score| balance.accepts(score)) {
                break;
            }
        }
        self.count += 1;
        self.progress.set(self.count, || format!("last: {number}"));
        Ok(scores)
    }
}

impl Drop for Searches {
    fn drop(&mut self) {
        self.progress.finish();
    }
}

/// Scorer of an event without a balance, which has no scores.
pub struct NoScores;

impl Scorer for NoScores {
    type Error = DrawError;

    fn scores(&mut self, _: &Event, _: &Balance, _: usize, _: u64) -> Result<Vec<i32>, DrawError> {
        Ok(Vec::new())
    }
}
