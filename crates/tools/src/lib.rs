//! The commands of `enroque-tools` for players, coaches and arbiters. Each command has its own file or folder.
//!
//! A command consists of its arguments, a `run` that `main.rs` calls, and the code that writes its output. Rules and
//! search come from the engine, chess explained in words from `enroque-study`, safe files and long runs from
//! `enroque-runs`. To see how a command is built, read [`explain`], then [`prep`].

pub mod analyse;
pub mod draw;
pub mod explain;
mod games;
mod page;
pub mod prep;
pub mod puzzles;
pub mod quiz;
mod searcher;
pub mod startpos;
pub mod sweep;
mod text;
