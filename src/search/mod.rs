//! The search: iterative deepening, principal variation search and quiescence search, with the transposition table, the
//! histories and the time management that they need.
//!
//! One [`Worker`] searches in each thread, and all of them share a [`SearchJob`]. The search prints nothing and starts
//! no threads: a [`report::Reporter`] receives what it finds, and [`crate::engine`] owns options and threads. Start
//! reading at `node.rs`, which goes through a node in numbered steps and names the files with the conditions and
//! margins.

mod control;
pub mod evaluation;
mod extensions;
pub mod history;
mod job;
mod limited;
pub mod limits;
mod move_list;
mod move_pruning;
mod move_scoring;
mod movepick;
mod node;
mod node_pruning;
mod node_state;
pub mod params;
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
pub mod wdl;
mod worker;

pub use control::Control;
pub use job::{JobOptions, Probing, SearchJob, Shared};
pub use move_list::MoveStack;
pub use movepick::{MovePicker, QuietLimit};
pub use root_move::{RootLine, RootMove};
pub use worker::{NodeObserver, SearchedNode, ThreadData, Worker};

/// Stack size of a search thread, bytes. A ply takes about 1 KiB in a release build.
pub const THREAD_STACK_SIZE: usize = 32 << 20;
