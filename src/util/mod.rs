//! Helpers without chess: memory, files, random numbers, the debug log.

pub mod debug_log;
pub mod file_size_limit;
pub mod files;
pub mod illegal_instruction;
pub mod memory;
pub mod random;
pub mod version;

/// Returns the arithmetic mean of `values`, 0 for an empty slice.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the logistic function of `x`.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
