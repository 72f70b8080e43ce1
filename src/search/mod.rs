//! The search: iterative deepening, principal variation search, quiescence search, time management and their tables.
//!
//! A [`Worker`] searches in one thread. The search prints no text, has no options and starts no threads. `node` lists the
//! steps of a node in order; each technique in it has a file under `techniques`.

pub mod control;
pub mod evaluation;
pub mod history;
pub mod job;
pub mod limits;
mod move_list;
mod movepick;
mod node;
mod node_state;
pub mod params;
mod pv;
mod qsearch;
pub mod report;
mod root;
mod root_move;
pub mod score;
mod stack;
pub mod stats;
pub mod strength;
mod techniques;
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

/// Stack size of a search thread, bytes. A ply takes about 8 KiB, a search to the maximum ply over 2 MiB.
pub const THREAD_STACK_SIZE: usize = 32 << 20;
