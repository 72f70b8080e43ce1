//! Tests of the engine as a library and as a program, against independent implementations of the rules.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod commands;
mod common;
mod examples;
mod fuzz_seeds;
mod large_suites;
mod notation;
mod pages;
mod properties;
mod rules;
mod search;
mod tablebase;
mod uci;

const PROGRAM: &str = env!("CARGO_BIN_EXE_enroque");
