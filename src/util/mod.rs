//! Helpers that know nothing of chess: the host's services, memory, random numbers, text, the debug log.

pub mod debug_log;
#[cfg(unix)]
pub mod file_size_limit;
pub mod host;
pub mod illegal_instruction;
pub mod memory;
pub mod other_programs;
pub mod parallel;
pub mod random;
pub mod text;
pub mod version;

/// Maps uniform bits to 0..`limit`: ⌊`bits` · `limit` / 2⁶⁴⌋.
#[inline]
pub const fn scale(bits: u64, limit: u64) -> u64 {
    // WebAssembly and 32-bit CPUs have no instruction for 128-bit products, so two 64-bit products are faster.
    if cfg!(target_pointer_width = "32") && limit <= u32::MAX as u64 {
        return scale_by_halves(bits, limit);
    }
    ((bits as u128 * limit as u128) >> 64) as u64
}

/// Computes [`scale`] with two 64-bit products, for a `limit` below 2³².
#[inline]
const fn scale_by_halves(bits: u64, limit: u64) -> u64 {
    let low = (bits & u32::MAX as u64) * limit;
    ((bits >> 32) * limit + (low >> 32)) >> 32
}

/// Returns the arithmetic mean, 0 for an empty slice.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::random::Random;
    use super::*;

    #[test]
    fn halves_scale_exactly() {
        let mut random = Random::new(1);
        for limit in [1, 3, 960, 1 << 20, 4_194_303, u64::from(u32::MAX)] {
            for bits in
                [0, 1, u64::MAX].into_iter().chain(std::iter::repeat_with(|| random.bits()).take(1000))
            {
                let exact = ((u128::from(bits) * u128::from(limit)) >> 64) as u64;
                assert_eq!(
                    (scale(bits, limit), scale_by_halves(bits, limit)),
                    (exact, exact),
                    "{bits} {limit}"
                );
            }
        }
    }
}
