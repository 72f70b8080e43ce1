//! An ordered worker pool: jobs run in parallel, and results arrive in job order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use crate::interrupt;
use enroque::engine::options::MAX_THREADS;
use enroque::search::THREAD_STACK_SIZE;
use enroque::util::parallel::available_threads;

/// How many finished results per worker can wait for the caller before the workers pause.
const QUEUED_PER_WORKER: usize = 4;

/// For clap's `value_parser`: clap's own error would not say which range is allowed.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a number of threads from 1 to {MAX_THREADS}"))
}

/// Returns how many threads to use: as many as the user gave, or one for each core.
pub fn thread_count(given: Option<usize>) -> usize {
    given.unwrap_or_else(available_threads).max(1)
}

/// Runs `work` on every job, one thread per worker, and passes the results to `take` in job order, so that the outcome
/// does not depend on the number of workers.
///
/// After Ctrl-C all workers end, and we drop the results that they were working on. `take` ends the run if it returns
/// [`ControlFlow::Break`] or an error.
pub fn in_order<W: Send, J: Send, R: Send>(
    workers: &mut [W],
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(&mut W, J) -> R + Sync,
    take: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let count = workers.len();
    let jobs = Mutex::new(jobs.enumerate());
    let is_finished = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(count * QUEUED_PER_WORKER);
    std::thread::scope(|scope| {
        for worker in workers {
            let (sender, jobs, is_finished, work) = (sender.clone(), &jobs, &is_finished, &work);
            let run_jobs = move || {
                while !is_finished.load(Ordering::Relaxed) {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, job)) = job else { break };
                    let result = work(worker, job);
                    let is_interrupted = interrupt::happened();
                    let result = (!is_interrupted).then_some(result);
                    if sender.send((index, result)).is_err() || is_interrupted {
                        break;
                    }
                }
            };
            let thread =
                std::thread::Builder::new().stack_size(THREAD_STACK_SIZE).spawn_scoped(scope, run_jobs);
            if thread.is_err() {
                is_finished.store(true, Ordering::Relaxed);
            }
            thread.with_context(|| format!("cannot start {count} threads"))?;
        }
        drop(sender);
        let taken = take_in_order(&receiver, take);
        is_finished.store(true, Ordering::Relaxed);
        // This frees workers that wait for room in the channel.
        drop(receiver);
        taken
    })
}

/// Ends before the first result that is missing because its work was interrupted.
fn take_in_order<R>(
    results: &Receiver<(usize, Option<R>)>,
    mut take: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, result) in results {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&next) {
            let Some(result) = result else { return Ok(()) };
            if take(result)?.is_break() {
                return Ok(());
            }
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    fn squares(workers: usize, stop_at: Option<u64>) -> Vec<u64> {
        let mut taken = Vec::new();
        let work = |_: &mut (), job: u64| {
            // Odd jobs take longer, so that jobs don't finish in order.
            std::thread::sleep(Duration::from_millis(2 * (job % 2)));
            job * job
        };
        in_order(&mut vec![(); workers], 0..20, work, |square| {
            taken.push(square);
            Ok(if Some(square) == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .unwrap();
        taken
    }

    #[test]
    fn results_arrive_in_job_order() {
        for workers in [1, 2, 5] {
            assert_eq!(squares(workers, None), (0..20).map(|n| n * n).collect::<Vec<_>>());
            assert_eq!(squares(workers, Some(49)), (0..=7).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn interrupted_work_ends_the_run() {
        let (sender, receiver) = sync_channel(4);
        for result in [(3, Some(3)), (2, None), (1, Some(1)), (0, Some(0))] {
            sender.send(result).unwrap();
        }
        drop(sender);
        let mut taken = Vec::new();
        take_in_order(&receiver, |result: u64| {
            taken.push(result);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!(taken, [0, 1]);
    }

    #[test]
    fn error_ends_the_run() {
        let fail = |job| if job == 3 { bail!("job {job}") } else { Ok(ControlFlow::Continue(())) };
        let result = in_order(&mut [(); 2], 0.., |(), job: u64| job, fail);
        assert_eq!(result.unwrap_err().to_string(), "job 3");
    }
}
