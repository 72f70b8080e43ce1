//! Many positions on all cores: one searcher each, results in the order of the positions, whichever is found first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use super::Analyst;
use crate::terminal::{OutputError, interrupt};

/// What a search found; `None` when Ctrl-C cut it short.
type Found<R> = Option<Result<R, OutputError>>;

/// Does `work` on every job, by as many threads as there are analysts, and gives the results to `take` in order. Ends
/// early when `take` fails or Ctrl-C was pressed: then what comes before the cut was taken.
///
/// # Errors
/// Those of `work` and `take`.
pub fn in_order<'a, J: Send, R: Send, E: From<OutputError>>(
    analysts: &mut [Analyst<'a>],
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(&mut Analyst<'a>, J) -> Result<R, OutputError> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = Mutex::new(jobs.enumerate());
    let done = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel::<(usize, Found<R>)>();
    std::thread::scope(|scope| {
        for analyst in analysts {
            let (sender, jobs, is_done, work) = (sender.clone(), &jobs, &done, &work);
            scope.spawn(move || {
                while !is_done.load(Ordering::Relaxed) {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, job)) = job else { break };
                    let result = work(analyst, job);
                    let found = (!interrupt::happened()).then_some(result);
                    let is_cut = found.is_none();
                    if sender.send((index, found)).is_err() || is_cut {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let take_in_order = || -> Result<(), E> {
            for (index, found) in receiver {
                waiting.insert(index, found);
                while let Some(found) = waiting.remove(&next) {
                    let Some(result) = found else { return Ok(()) };
                    take(result?)?;
                    next += 1;
                }
            }
            Ok(())
        };
        let taken = take_in_order();
        done.store(true, Ordering::Relaxed);
        taken
    })
}
