//! The threads that search: started once, fed with jobs.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::numa::{Nodes, bind_thread};
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
        Self::on(&Nodes::detect(), threads)
    }

    fn on(nodes: &Nodes, threads: usize) -> std::io::Result<Self> {
        let progress = Arc::new(Progress::default());
        let threads = threads.max(1);
        let start = |id| {
            // Reserved here, where it can be refused; its pages come with the first touch, from where the thread is.
            let mut data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
            let (tasks, inbox) = channel();
            let progress = progress.clone();
            let home = nodes.of_thread(id, threads).map(<[usize]>::to_vec);
            let handle = std::thread::Builder::new()
                .name(format!("search {id}"))
                .stack_size(THREAD_STACK_SIZE)
                .spawn(move || {
                    if let Some(processors) = home {
                        bind_thread(&processors);
                    }
                    serve(id, &mut data, &inbox, &progress);
                })?;
            Ok(Thread { tasks, handle: Some(handle) })
        };
        let threads = (0..threads).map(start).collect::<std::io::Result<_>>()?;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::numa::{allowed_processors, tests::machine};
    use super::*;

    /// The processors that threads of this process with that name may run on.
    fn places(name: &str) -> Vec<String> {
        let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        std::fs::read_dir("/proc/self/task")
            .unwrap()
            .map(|task| task.unwrap().path())
            .filter(|task| read(task.join("comm")).trim() == name)
            .filter_map(|task| {
                let status = read(task.join("status"));
                Some(
                    status
                        .lines()
                        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?
                        .trim()
                        .to_string(),
                )
            })
            .collect()
    }

    #[test]
    fn threads_that_do_not_fit_into_one_node_stay_on_theirs() {
        let processors = allowed_processors().unwrap();
        // Two nodes of one processor each; a machine with a single one has nothing to show.
        let [first, second, ..] = processors[..] else { return };
        let nodes = machine(&[("node0", &first.to_string()), ("node1", &second.to_string())]);
        // Of many threads, so that no other test has one of these names.
        let pool = Pool::on(&nodes, 40).unwrap();
        pool.clear_histories();
        assert_eq!(
            [38, 39].map(|id| places(&format!("search {id}"))),
            [[first.to_string()], [second.to_string()]]
        );
        drop(pool);
        let pool = Pool::on(&machine(&[("node0", &format!("{first}-{second}"))]), 40).unwrap();
        pool.clear_histories();
        let everywhere = places("search 39");
        assert!(everywhere[0] != first.to_string() && everywhere[0] != second.to_string(), "{everywhere:?}");
    }
}
