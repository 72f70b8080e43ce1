//! Stand-in for the thread pool on a host without threads: a search runs on the calling thread until it ends.

use std::cell::RefCell;

use crate::search::report::Outcome;
use crate::search::{SearchJob, ThreadData, Worker};

/// The only search thread, with the interface of the thread pool.
pub struct Pool {
    data: RefCell<ThreadData>,
    outcome: RefCell<Option<Outcome>>,
}

impl Pool {
    /// Returns a pool of one thread.
    ///
    /// # Errors
    /// Returns an error if more threads are requested or the memory is missing.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        if threads > 1 {
            return Err(std::io::ErrorKind::Unsupported.into());
        }
        let data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
        Ok(Self { data: RefCell::new(data), outcome: RefCell::default() })
    }

    /// Returns the number of threads.
    pub fn size(&self) -> usize {
        1
    }

    /// Searches to the end.
    pub fn start(&self, job: SearchJob) {
        let mut data = self.data.borrow_mut();
        let mut worker = Worker::new(0, &mut data, &job);
        worker.run();
        let outcome = worker.finish();
        job.reporter().finished(&job.board, &outcome);
        *self.outcome.borrow_mut() = Some(outcome);
    }

    /// Clears the histories.
    pub fn clear_histories(&self) {
        self.data.borrow_mut().clear_histories();
    }

    /// Returns the outcome of the last search, once.
    pub fn wait(&self) -> Option<Outcome> {
        self.outcome.borrow_mut().take()
    }
}
