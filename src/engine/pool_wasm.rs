//! Stand-in for the thread pool in a browser, which has no threads: `start` searches to the end before it returns.

use std::cell::RefCell;

use crate::search::report::Outcome;
use crate::search::{SearchJob, ThreadData, Worker};

pub struct Pool {
    data: RefCell<ThreadData>,
    outcome: RefCell<Option<Outcome>>,
}

impl Pool {
    pub fn new(threads: usize) -> std::io::Result<Self> {
        if threads > 1 {
            return Err(std::io::ErrorKind::Unsupported.into());
        }
        let data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
        Ok(Self { data: RefCell::new(data), outcome: RefCell::default() })
    }

    pub fn size(&self) -> usize {
        1
    }

    pub fn start(&self, job: SearchJob) {
        let mut data = self.data.borrow_mut();
        let mut worker = Worker::new(0, &mut data, &job);
        worker.run();
        let outcome = worker.finish();
        job.reporter().finished(&job.board, &outcome);
        *self.outcome.borrow_mut() = Some(outcome);
    }

    pub fn clear_histories(&self) {
        self.data.borrow_mut().clear_histories();
    }

    pub fn wait(&self) -> Option<Outcome> {
        self.outcome.borrow_mut().take()
    }
}
