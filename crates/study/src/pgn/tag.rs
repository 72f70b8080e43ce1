//! Reads tags, in their standard form and as people write them.

/// A tag, `[Name "value"]`.
#[derive(Debug)]
pub struct Tag<'a> {
    /// Empty if the tag cannot be read.
    pub name: &'a str,
    /// The value without its quotation marks, but with its escapes.
    pub value: &'a str,
    /// How many bytes the tag takes, with its brackets.
    pub length: usize,
}

/// Quotation marks that word processors put around a value.
const TYPOGRAPHIC_QUOTES: [char; 7] = ['“', '”', '„', '«', '»', '‘', '’'];

impl<'a> Tag<'a> {
    /// Reads a tag in its standard form at the start of `text`, which may be in the middle of a line.
    pub fn read(text: &'a str) -> Option<Self> {
        let inside = text.strip_prefix('[')?;
        let (name, value) = inside.split_at(inside.find(['"', '[', ']', '{', '}'])?);
        let (name, value) = (name.trim(), value.strip_prefix('"')?);
        let (value, after) = standard_value(value)?;
        let is_name = is_tag_name(name) && !name.contains(char::is_whitespace);
        is_name.then_some(Self { name, value, length: text.len() - after.len() })
    }

    /// Reads a tag at the start of a line, or after other tags. Quotation marks in the value need not be escaped, and
    /// with `may_lack_quotes` the value needs none around it. If we cannot read the tag, we return an empty name and
    /// the length of the line.
    pub fn read_line(line: &'a str, may_lack_quotes: bool) -> Option<Self> {
        // A command that is not in a comment, such as `[%clk 0:01:02]`, is not a tag.
        let inside = line.strip_prefix('[').filter(|inside| !inside.starts_with('%'))?;
        let begin = inside.find(['"', ']'])?;
        let (name, value) = (inside[..begin].trim(), &inside[begin + 1..]);
        if inside[begin..].starts_with(']') {
            let (name, value) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
            let value = value.trim().trim_matches(TYPOGRAPHIC_QUOTES).trim();
            let is_tag = may_lack_quotes && is_tag_name(name);
            return is_tag.then_some(Self { name, value, length: begin + 2 });
        }
        let tag = standard_value(value).or_else(|| loose_value(value)).filter(|_| is_tag_name(name));
        let unread = Self { name: "", value: "", length: line.len() };
        Some(tag.map_or(unread, |(value, after)| Self { name, value, length: line.len() - after.len() }))
    }
}

/// Returns the value of a tag, and the text after the tag. The first quotation mark that is not escaped ends the value.
fn standard_value(text: &str) -> Option<(&str, &str)> {
    let is_unescaped = |at: usize| (at - text[..at].trim_end_matches('\\').len()).is_multiple_of(2);
    let (end, _) = text.match_indices('"').find(|&(at, _)| is_unescaped(at))?;
    Some((&text[..end], text[end + 1..].trim_start().strip_prefix(']')?))
}

/// Like [`standard_value`], but the value may contain quotation marks: only a mark before a closing bracket ends it.
fn loose_value(text: &str) -> Option<(&str, &str)> {
    let ends = text.match_indices(']').map(|(at, _)| (text[..at].trim_end(), &text[at + 1..]));
    ends.into_iter().find_map(|(value, after)| Some((value.strip_suffix('"')?, after)))
}

/// Whether a tag that we write with this name can be read again.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['[', ']', '{', '}'])
}
