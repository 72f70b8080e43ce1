//! The threads that search: started once, fed with jobs.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::search::report::Outcome;
use crate::search::{SearchJob, THREAD_STACK_SIZE, ThreadData, Worker};

enum Task {
    Search(Arc<SearchJob>),
    ClearHistories,
}

/// Counts the threads still busy, and keeps the outcome of the last search.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    busy: usize,
    outcome: Option<Outcome>,
}

impl Progress {
    fn begin(&self, tasks: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).busy += tasks;
    }

    fn end(&self, outcome: Option<Outcome>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.busy -= 1;
        if outcome.is_some() {
            state.outcome = outcome;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until at most `max` tasks are unfinished; gives the outcome left by the last search.
    fn wait(&self, max: usize) -> Option<Outcome> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.busy > max {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if max == 0 { state.outcome.take() } else { None }
    }

    fn is_busy(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).busy > 0
    }
}

struct Thread {
    tasks: Sender<Task>,
    handle: Option<JoinHandle<()>>,
}

/// The persistent search threads. Thread 0 reports the outcome once all have finished.
pub struct Pool {
    threads: Vec<Thread>,
    progress: Arc<Progress>,
}

impl Pool {
    /// A pool of `threads` threads, at least one.
    ///
    /// # Errors
    /// When the system cannot start so many.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let progress = Arc::new(Progress::default());
        let start = |id| {
            let mut data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
            let (tasks, inbox) = channel();
            let progress = progress.clone();
            let handle = std::thread::Builder::new()
                .name(format!("search {id}"))
                .stack_size(THREAD_STACK_SIZE)
                .spawn(move || serve(id, &mut data, &inbox, &progress))?;
            Ok(Thread { tasks, handle: Some(handle) })
        };
        let threads = (0..threads.max(1)).map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { threads, progress })
    }

    /// Number of threads.
    pub fn size(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search; the pool must be idle.
    pub fn start(&self, job: SearchJob) {
        let job = Arc::new(job);
        self.send_all(|| Task::Search(job.clone()));
    }

    /// Sets the histories of every thread to zero, and waits for it.
    pub fn clear_histories(&self) {
        self.send_all(|| Task::ClearHistories);
        self.wait();
    }

    fn send_all(&self, task: impl Fn() -> Task) {
        debug_assert!(!self.is_busy());
        self.progress.begin(self.threads.len());
        for thread in &self.threads {
            if thread.tasks.send(task()).is_err() {
                self.progress.end(None);
            }
        }
    }

    /// Waits until every thread is idle; the outcome of the search that has ended, if it is not taken yet.
    pub fn wait(&self) -> Option<Outcome> {
        self.progress.wait(0)
    }

    /// `true` while a search is running or waits to answer.
    pub fn is_busy(&self) -> bool {
        self.progress.is_busy()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            // Without a sender the thread's loop ends.
            thread.tasks = channel().0;
            if let Some(handle) = thread.handle.take() {
                // A thread that panicked has said so already.
                let _ = handle.join();
            }
        }
    }
}

fn serve(id: usize, data: &mut ThreadData, inbox: &Receiver<Task>, progress: &Progress) {
    for task in inbox {
        match task {
            Task::ClearHistories => {
                data.clear_histories();
                progress.end(None);
            }
            Task::Search(job) => {
                let mut worker = Worker::new(id, data, &job);
                worker.run();
                let outcome = (id == 0).then(|| {
                    // Thread 0 answers, when all others are done.
                    progress.wait(1);
                    let outcome = worker.finish();
                    job.reporter().finished(&job.board, &outcome);
                    outcome
                });
                // Let go before the search counts as ended: whoever waits for that may want the memory.
                drop(job);
                progress.end(outcome);
            }
        }
    }
}
