//! The search: iterative deepening, principal variation search, quiescence search, time management and their tables.
//!
//! A [`Worker`] searches in one thread. The search prints no text, has no options and starts no threads. Start reading at
//! `node`, which has the steps of a node in order; the conditions and numbers of pruning, reductions and extensions are in
//! the four files that it names.

mod control;
pub mod evaluation;
mod extensions;
pub mod history;
mod job;
pub mod limits;
mod move_list;
mod move_pruning;
mod movepick;
mod node;
mod node_pruning;
mod node_state;
pub mod params;
mod pv;
mod qsearch;
mod reductions;
pub mod report;
mod root;
mod root_move;
pub mod score;
mod stack;
pub mod stats;
pub mod strength;
pub mod time;
pub mod tt;
mod vote;
pub mod wdl;
mod worker;

pub use control::Control;
pub use job::{Probing, SearchJob};
pub use movepick::{MovePicker, QuietLimit};
pub use root_move::{RootLine, RootMove};
pub use worker::{NodeObserver, SearchedNode, ThreadData, Worker};

/// Stack of a search thread, bytes. A ply takes about 8 KiB, a search to the maximum ply over 2 MiB.
pub const THREAD_STACK_SIZE: usize = 32 << 20;
