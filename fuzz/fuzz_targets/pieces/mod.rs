//! Texts for fuzz targets, made of pieces that have a meaning where the text is written.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Returns a text of at most `limit` parts: about one half of `pieces`, the rest any characters.
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
