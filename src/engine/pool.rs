//! The search threads. They wait between searches and keep their histories, and run one job at a time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::numa::{NumaNodes, bind_thread};
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
    /// Starts `threads` search threads, but at least one, and spreads them over NUMA nodes if no node has enough CPUs.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        Self::new_on(&NumaNodes::detect(), threads)
    }

    fn new_on(nodes: &NumaNodes, threads: usize) -> std::io::Result<Self> {
        let progress = Arc::new(Progress::default());
        let threads = threads.max(1);
        let start = |id| {
            // We allocate the histories before the thread starts, while we can still return an error. The memory ends
            // up on the new thread's NUMA node all the same, because that thread touches it first.
            let mut data = ThreadData::new().ok_or(std::io::ErrorKind::OutOfMemory)?;
            let (tasks, inbox) = channel();
            let (running, is_running) = channel();
            let progress = progress.clone();
            let processors = nodes.processors_for(id, threads).map(<[usize]>::to_vec);
            let handle = std::thread::Builder::new()
                .name(format!("search {id}"))
                .stack_size(THREAD_STACK_SIZE)
                .spawn(move || {
                    let _ = running.send(());
                    if let Some(processors) = processors {
                        bind_thread(&processors);
                    }
                    run_tasks(id, &mut data, &inbox, &progress);
                })?;
            // The standard library aborts if a starting thread finds no memory for its signal stack, so we allocate
            // nothing else until the thread runs.
            let _ = is_running.recv();
            Ok(Thread { tasks, handle: Some(handle) })
        };
        let threads = (0..threads).map(start).collect::<std::io::Result<_>>()?;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::numa::{allowed_processors, tests::nodes_from_lists};
    use super::*;

    /// Returns, for each thread called `name`, the list of CPUs that it is bound to.
    fn processor_lists(name: &str) -> Vec<String> {
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
    fn threads_are_bound_to_their_node() {
        let processors = allowed_processors().unwrap();
        // We simulate two nodes with one CPU each. With a single CPU there is nothing to test.
        let [first, second, ..] = processors[..] else { return };
        let nodes = nodes_from_lists(&[("node0", &first.to_string()), ("node1", &second.to_string())]);
        // We start many threads, because no other test has threads called `search 38` or `search 39`.
        let pool = Pool::new_on(&nodes, 40).unwrap();
        pool.clear_histories();
        assert_eq!(
            [38, 39].map(|id| processor_lists(&format!("search {id}"))),
            [[first.to_string()], [second.to_string()]]
        );
        drop(pool);
        let pool = Pool::new_on(&nodes_from_lists(&[("node0", &format!("{first}-{second}"))]), 40).unwrap();
        pool.clear_histories();
        let unbound = processor_lists("search 39");
        assert!(unbound[0] != first.to_string() && unbound[0] != second.to_string(), "{unbound:?}");
    }
}
