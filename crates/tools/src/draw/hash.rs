//! SHA-256 of texts: commitments, fingerprints, and the numbers that follow from them.

use sha2::{Digest, Sha256};

/// Hexadecimal digits of a hash that become a number: 32 bits.
const NUMBER_DIGITS: usize = 8;

/// Returns the SHA-256 hash of a text in hexadecimal, as `sha256sum` prints it.
pub fn sha256(text: &str) -> String {
    sha256_bytes(text.as_bytes())
}

/// Returns the SHA-256 hash of bytes in hexadecimal.
pub fn sha256_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns `true` if `text` has the form of a hash: 64 lower-case hexadecimal digits.
pub fn is_hash(text: &str) -> bool {
    const DIGITS: usize = 64;
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the share of a round: the hash of the secret and the round's number.
pub fn share(secret: &str, round: usize) -> String {
    sha256(&format!("{secret}\nround {round}\n"))
}

/// Returns the commitment to a share: the hash of its 64 digits.
pub fn commitment(share: &str) -> String {
    sha256(share)
}

/// Returns the number in 0..`size` that follows from `text`, or `None` if its hash must be rejected.
///
/// The first eight digits of the hash are a number of 32 bits. Numbers from the largest multiple of `size` on are
/// rejected, because the others are evenly distributed over the remainders.
pub fn number(text: &str, size: u64) -> Option<u64> {
    let digits = &sha256(text)[..NUMBER_DIGITS];
    unbiased(u64::from_str_radix(digits, 16).unwrap_or_else(|_| unreachable!("a hash has only digits")), size)
}

fn unbiased(bits: u64, size: u64) -> Option<u64> {
    let range = 1 << (4 * NUMBER_DIGITS);
    (bits < range / size * size).then_some(bits % size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_of_known_text() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(is_hash(&sha256("")) && !is_hash("ba78") && !is_hash(&sha256("").to_uppercase()));
    }

    #[test]
    fn incomplete_cycle_is_rejected() {
        let range: u64 = 1 << 32;
        for size in [1, 960, 921_600, 25_401_600] {
            let limit = range / size * size;
            assert_eq!(unbiased(limit - 1, size), Some(size - 1));
            assert_eq!(unbiased(0, size), Some(0));
            assert!(limit == range || unbiased(limit, size).is_none() && unbiased(range - 1, size).is_none());
        }
        // The accepted numbers of the last five cycles: the incomplete one is missing, the others are whole.
        let mut counts = [0; 960];
        let last_cycles = range / 960 * 960 - 960 * 5..range;
        last_cycles.filter_map(|bits| unbiased(bits, 960)).for_each(|number| counts[number as usize] += 1);
        assert_eq!(counts, [5; 960]);
    }
}
