//! Words in printed command lines.

/// Quotes a word for the shell if it needs that.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+-.,:@_".contains(c) || std::path::is_separator(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_stay_one_word() {
        for (word, expected) in [
            ("0..5,518", "0..5,518"),
            ("ab cd", "'ab cd'"),
            ("abs>1", "'abs>1'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
            assert_eq!(shlex::split(&quoted(word)), Some(vec![word.to_owned()]));
        }
    }
}
