//! The search: iterative deepening, alpha-beta, quiescence, and what they need. No text, no options, no
//! threads of its own: a [`Worker`] is what one thread runs.
//!
//! `node` reads from top to bottom; each technique that it names has a file of its own under `techniques`.

pub mod control;
pub mod evaluation;
pub mod history;
pub mod job;
pub mod limits;
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
pub use root_move::RootMove;
pub use worker::{NodeObserver, SearchedNode, ThreadData, Worker};

/// Stack that a thread needs to search to the deepest ply, bytes: a ply takes about 8 KiB, a whole search 2 MiB and more.
pub const THREAD_STACK_SIZE: usize = 32 << 20;
