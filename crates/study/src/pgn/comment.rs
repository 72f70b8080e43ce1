//! Finds commands within comments, such as `[%clk 0:01:02]`.

const COMMAND_START: &str = "[%";

/// Splits a comment into its commands, brackets included, and all other words, joined by single spaces. A command
/// without a closing bracket ends with the comment.
pub fn split_commands(comment: &str) -> (Vec<&str>, String) {
    let (mut commands, mut words) = (Vec::new(), Vec::new());
    let mut rest = comment;
    while let Some(begin) = rest.find(COMMAND_START) {
        let end = rest[begin..].find(']').map_or(rest.len(), |length| begin + length + 1);
        words.extend(rest[..begin].split_whitespace());
        commands.push(&rest[begin..end]);
        rest = &rest[end..];
    }
    words.extend(rest.split_whitespace());
    (commands, words.join(" "))
}

/// Whether `command` has this name: `[%eval 0.17]` is `eval`, but `[%evaluated x]` is not.
pub fn is_command(command: &str, name: &str) -> bool {
    let rest = command.strip_prefix(COMMAND_START).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Returns the words of a comment, joined by single spaces, without its commands.
pub fn without_commands(comment: &str) -> String {
    split_commands(comment).1
}

/// Returns the clock time that a comment records: `0:01:02` for `[%clk 0:01:02]`.
pub fn clock(comment: &str) -> Option<String> {
    let (commands, _) = split_commands(comment);
    let command = commands.into_iter().find(|command| is_command(command, "clk"))?;
    let value = command.split_once(char::is_whitespace)?.1;
    Some(value.trim_end_matches(']').trim().to_owned()).filter(|time| !time.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split() {
        let comment = "[%eval 0.17] good [%clk 0:01:02]move [%csl Gd4,Re5] [%evaluated x] [%open";
        let (commands, words) = split_commands(comment);
        assert_eq!(words, "good move");
        assert_eq!(commands.len(), 5);
        assert_eq!(commands.iter().filter(|command| is_command(command, "eval")).count(), 1);
        assert_eq!(clock(comment).as_deref(), Some("0:01:02"));
        assert_eq!((clock("[%clk]"), clock("0:01:02")), (None, None));
    }
}
