//! The search: iterative deepening, principal variation search, quiescence search, time management and their tables.
//!
//! A [`Worker`] searches in one thread. The search prints no text, has no options and starts no threads. Start reading at
//! `node`, which goes through a node step by step and names the four files with the conditions and numbers.

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
pub use job::{Probing, SearchJob};
pub use movepick::{MovePicker, QuietLimit};
pub use root_move::{RootLine, RootMove};
pub use worker::{NodeObserver, SearchedNode, ThreadData, Worker};

/// Stack size of a search thread, bytes. A ply takes about 8 KiB, so a search to the maximum ply needs over 2 MiB.
pub const THREAD_STACK_SIZE: usize = 32 << 20;
