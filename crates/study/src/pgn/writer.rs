//! Writes games as PGN that we read again without loss.

use super::export::{self, Notes};
use super::game::{Line, PgnGame, play, san};
use enroque::chess::{Board, Color};

/// The length of the longest line that we write, in characters.
const WIDTH: usize = 80;

/// Returns a game in PGN, with an empty line at the end. Other programs can read it, too: it tells the start position and
/// the variant, results that the standard doesn't know become `*` with a tag `Termination`, and a move has at most one
/// comment, which stands before its variations.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    let tags = export::tags(game);
    for (name, value) in &tags {
        // A tag must stay on one line.
        let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    if !tags.is_empty() {
        text.push('\n');
    }
    let mut movetext = WrappedText::default();
    movetext.push_line(&game.line, &game.start);
    movetext.push(export::marker(&game.result));
    text + &movetext.finish() + "\n"
}

/// Movetext wrapped to lines of at most [`WIDTH`] characters.
#[derive(Default)]
struct WrappedText {
    lines: Vec<String>,
    /// The words of the last line, which can still grow.
    words: Vec<String>,
    /// How many characters `words` take, with the blanks between them.
    width: usize,
    /// Whether the next word follows without a blank. It does after the parenthesis that opens a variation, because some
    /// programs don't read a comment after a blank there.
    joins_next: bool,
}

/// Whether this word of a comment must not begin a line, which would look like a tag, an escaped line or a comment.
fn is_unsafe_beginning(word: &str) -> bool {
    word.starts_with(['[', '%', ';'])
}

/// Returns the length in bytes of the first word of a comment. A command such as `[%eval 0.17]` counts as part of a
/// word, because it must stay on one line. No command ends after the byte offset `commands_end`.
fn word_length(comment: &str, commands_end: usize) -> usize {
    let next_blank =
        |from: usize| comment[from..].find(char::is_whitespace).map_or(comment.len(), |length| from + length);
    let (mut at, mut end) = (0, next_blank(0));
    while let Some(begin) = comment[at..end].find("[%") {
        let close = if at + begin < commands_end { comment[at + begin..].find(']') } else { None };
        let Some(length) = close else { break };
        at += begin + length + 1;
        if at > end {
            end = next_blank(at);
        }
    }
    end
}

impl WrappedText {
    fn push(&mut self, word: &str) {
        if std::mem::take(&mut self.joins_next) {
            return self.extend(word);
        }
        let width = word.chars().count();
        if self.width > 0 && self.width + 1 + width > WIDTH {
            self.break_line(is_unsafe_beginning(word));
        }
        self.width += width + usize::from(self.width > 0);
        self.words.push(word.to_owned());
    }

    /// Adds text to the last word.
    fn extend(&mut self, text: &str) {
        let Some(mut word) = self.words.pop() else { return self.push(text) };
        self.width = self.width.saturating_sub(word.chars().count() + 1);
        word += text;
        self.push(&word);
    }

    /// Ends the current line. With `keeps_last` its last word moves to the next line, because the word to be added is
    /// unsafe at the beginning of a line. If no place to break is safe, the current line grows instead.
    fn break_line(&mut self, keeps_last: bool) {
        let mut end = self.words.len() - usize::from(keeps_last);
        while keeps_last && end > 0 && is_unsafe_beginning(&self.words[end]) {
            end -= 1;
        }
        if end == 0 {
            return;
        }
        let rest = self.words.split_off(end);
        self.lines.push(std::mem::replace(&mut self.words, rest).join(" "));
        let widths = self.words.iter().map(|word| word.chars().count() + 1);
        self.width = widths.sum::<usize>().saturating_sub(1);
    }

    fn push_comment(&mut self, comment: &str) {
        let mut rest = comment;
        // Without this bound, a comment full of unclosed commands would take quadratic time.
        let commands_end = comment.rfind(']').unwrap_or(0);
        self.push("{");
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            let end = word_length(rest, commands_end.saturating_sub(comment.len() - rest.len()));
            let words: Vec<&str> = rest[..end].split_whitespace().collect();
            self.push(&words.join(" ").replace('}', ")"));
            rest = &rest[end..];
        }
        self.push("}");
    }

    fn push_line(&mut self, line: &Line, start: &Board) {
        let mut board = start.clone();
        let mut needs_number = true;
        let (before, mut nags) = Notes::of_beginning(line);
        self.push_notes(before, &board);
        for played in &line.moves {
            let number = board.fullmove_number();
            if board.side_to_move() == Color::White {
                self.push(&format!("{number}."));
            } else if needs_number {
                self.push(&format!("{number}..."));
            }
            let before = board.clone();
            self.push(&san(&board, played.mv));
            play(&mut board, played.mv);
            board.trim_history();
            let mut notes = Notes::of(&played.notes);
            notes.nags.splice(..0, nags.drain(..));
            needs_number = self.push_notes(notes, &before);
        }
    }

    /// Writes the annotations of a move made on `before`. Returns whether the next move needs its number again.
    fn push_notes(&mut self, notes: Notes<'_>, before: &Board) -> bool {
        let Notes { nags, comment, variations } = notes;
        nags.iter().for_each(|nag| self.push(&format!("${nag}")));
        let has_comment = !comment.trim().is_empty();
        if has_comment {
            self.push_comment(&comment);
        }
        for line in &variations {
            self.push("(");
            self.joins_next = true;
            self.push_line(line, before);
            self.extend(")");
        }
        has_comment || !variations.is_empty()
    }

    fn finish(mut self) -> String {
        self.lines.push(self.words.join(" "));
        self.lines.join("\n") + "\n"
    }
}
