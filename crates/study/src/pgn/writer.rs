//! Writes games as PGN that we read again without loss.

use super::game::{Line, Note, PgnGame, play, san};
use super::lexer::{self, DOUBLE_FORFEIT};
use enroque::chess::{Board, Color};

/// The length of the longest line that we write, in characters.
const WIDTH: usize = 80;

/// Returns a game in PGN, with an empty line at the end.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        // A tag must stay on one line.
        let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let mut movetext = WrappedText::default();
    movetext.push_line(&game.line, &game.start);
    // Unless the tag `Result` is `0-0`, too, the reader would take `0-0` for castling, so we write `0 - 0`.
    let is_castling =
        game.result == DOUBLE_FORFEIT && lexer::result(game.tag("Result")) != Some(DOUBLE_FORFEIT);
    movetext.push(if is_castling { "0 - 0" } else { &game.result });
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
        let width = word.chars().count();
        if self.width > 0 && self.width + 1 + width > WIDTH {
            self.break_line(is_unsafe_beginning(word));
        }
        self.width += width + usize::from(self.width > 0);
        self.words.push(word.to_owned());
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
        self.push_notes(&line.before, &board);
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
            needs_number = self.push_notes(&played.notes, &before);
        }
    }

    /// Writes the annotations of a move made on `before`. Returns whether the next move needs its number again.
    fn push_notes(&mut self, notes: &[Note], before: &Board) -> bool {
        for note in notes {
            match note {
                Note::Nag(nag) => self.push(&format!("${nag}")),
                Note::Comment(comment) => self.push_comment(comment),
                Note::Variation(line) => {
                    self.push("(");
                    self.push_line(line, before);
                    self.push(")");
                }
            }
        }
        notes.iter().any(|note| !matches!(note, Note::Nag(_)))
    }

    fn finish(mut self) -> String {
        self.lines.push(self.words.join(" "));
        self.lines.join("\n") + "\n"
    }
}
