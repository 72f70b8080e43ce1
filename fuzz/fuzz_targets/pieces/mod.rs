//! Makes texts that are likely to confuse the format under test, for several fuzz targets.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Joins at most `limit` parts to a text. About half of them are from `pieces`, the others are arbitrary characters.
pub fn words(input: &mut Unstructured<'_>, pieces: &[&str], limit: usize) -> Result<String> {
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=limit)? {
        match pieces.get(input.int_in_range(0..=2 * pieces.len())?) {
            Some(piece) => text += piece,
            None => text.push(input.arbitrary()?),
        }
    }
    Ok(text)
}
