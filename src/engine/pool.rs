//! The search threads. They wait between searches and keep their histories, and run one job at a time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::search::report::Outcome;
use crate::search::{SearchJob, THREAD_STACK_SIZE, ThreadData, Worker};

enum Task {
    Search(Arc<SearchJob>),
    ClearHistories,
}

#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// How many threads have not finished their task.
    busy: usize,
    /// The last search's outcome; `None` once [`Progress::wait`] has taken it.
    outcome: Option<Outcome>,
}

impl Progress {
    fn begin(&self, tasks: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        debug_assert_eq!(state.busy, 0, "the pool must be idle");
        state.busy = tasks;
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

    /// Waits until at most `max` tasks are unfinished. If `max` is 0, also takes the outcome of the last search.
    fn wait(&self, max: usize) -> Option<Outcome> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.busy > max {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if max == 0 { state.outcome.take() } else { None }
    }
}

struct Thread {
    tasks: Sender<Task>,
    handle: Option<JoinHandle<()>>,
}

/// Persistent search threads. Thread 0 reports the outcome after all others have finished.
pub struct Pool {
    threads: Vec<Thread>,
    progress: Arc<Progress>,
}

impl Pool {
    /// Starts `threads` search threads, but at least one.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let progress = Arc::new(Progress::default());
        let start = |id| {
            // We allocate the histories before the thread starts, while we can still return an error.
            let mut data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
            let (tasks, inbox) = channel();
            let (running, is_running) = channel();
            let progress = progress.clone();
            let handle = std::thread::Builder::new()
                .name(format!("search {id}"))
                .stack_size(THREAD_STACK_SIZE)
                .spawn(move || {
                    let _ = running.send(());
                    run_tasks(id, &mut data, &inbox, &progress);
                })?;
            // The standard library aborts if a starting thread finds no memory for its signal stack, so we allocate
            // nothing else until the thread runs.
            let _ = is_running.recv();
            Ok(Thread { tasks, handle: Some(handle) })
        };
        let threads = (0..threads.max(1)).map(start).collect::<std::io::Result<_>>()?;
        Ok(Self { threads, progress })
    }

    pub fn size(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search; the pool must be idle.
    pub fn start(&self, job: SearchJob) {
        let job = Arc::new(job);
        self.send_all(|| Task::Search(job.clone()));
    }

    /// Makes every thread clear its histories, and waits until all have done so.
    pub fn clear_histories(&self) {
        self.send_all(|| Task::ClearHistories);
        self.wait();
    }

    fn send_all(&self, task: impl Fn() -> Task) {
        self.progress.begin(self.threads.len());
        for thread in &self.threads {
            if thread.tasks.send(task()).is_err() {
                self.progress.end(None);
            }
        }
    }

    /// Waits until every thread is idle. Returns the outcome of the last search; a second call returns `None`.
    pub fn wait(&self) -> Option<Outcome> {
        self.progress.wait(0)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            // This drops the old sender, which ends the thread's loop.
            thread.tasks = channel().0;
            if let Some(handle) = thread.handle.take() {
                // If the thread panicked, the panic has already been printed.
                let _ = handle.join();
            }
        }
    }
}

fn run_tasks(id: usize, data: &mut ThreadData, inbox: &Receiver<Task>, progress: &Progress) {
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
                    // All threads vote on the best move, so we wait until the others have finished their searches.
                    progress.wait(1);
                    let outcome = worker.finish();
                    job.reporter().finished(&job.board, &outcome);
                    outcome
                });
                // The job keeps the hash table in memory. The engine may replace the table as soon as we call `end`,
                // so we drop the job first.
                drop(job);
                progress.end(outcome);
            }
        }
    }
}
