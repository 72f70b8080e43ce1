//! The techniques of the search node, one file each: the idea, when it is wrong, parameters, condition and tests.
//!
//! The numbered steps of `node` apply them. A new technique is a file here, its line below and its place in a step.

// The window of the node.
pub(super) mod mate_distance;
pub(super) mod tablebase_probe;
pub(super) mod upcoming_repetition;

// The depth of the node.
pub(super) mod hindsight;
pub(super) mod internal_iterative_reduction;

// Pruning of the node.
pub(super) mod null_move;
pub(super) mod probcut;
pub(super) mod razoring;
pub(super) mod reverse_futility;

// Pruning of a move.
pub(super) mod futility;
pub(super) mod history_pruning;
pub(super) mod late_move_pruning;
pub(super) mod see_pruning;

// The depth of a move.
pub(super) mod late_move_reductions;
pub(super) mod singular_extension;
