//! Helpers without chess: the host's services, memory, random numbers, the debug log.

pub mod debug_log;
pub mod file_size_limit;
pub mod host;
pub mod illegal_instruction;
pub mod memory;
pub mod parallel;
pub mod random;
pub mod version;

/// Returns ⌊`bits` · `limit` / 2⁶⁴⌋, which maps uniform bits to 0..`limit`.
#[inline]
pub const fn scale(bits: u64, limit: u64) -> u64 {
    // WebAssembly and processors of 32 bits have no 128-bit product.
    if cfg!(target_pointer_width = "32") && limit <= u32::MAX as u64 {
        return scale_by_halves(bits, limit);
    }
    ((bits as u128 * limit as u128) >> 64) as u64
}

/// Returns the same as [`scale`] by two 64-bit products, for a `limit` below 2³².
#[inline]
const fn scale_by_halves(bits: u64, limit: u64) -> u64 {
    let low = (bits & u32::MAX as u64) * limit;
    ((bits >> 32) * limit + (low >> 32)) >> 32
}

/// Returns the arithmetic mean of `values`, 0 for an empty slice.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the logistic function of `x`.
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
