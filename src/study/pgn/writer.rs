//! Writer for games in PGN.

use super::game::{Line, Note, PgnGame, play, san};
use crate::chess::{Board, Color};

/// Maximum length of a line in characters.
const WIDTH: usize = 80;

/// Returns a game in PGN, with an empty line at the end.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let mut movetext = WrappedText::default();
    movetext.push_line(&game.line, &game.start);
    movetext.push(&game.result);
    text + &movetext.finish() + "\n"
}

/// Movetext wrapped to lines of at most [`WIDTH`] characters.
#[derive(Default)]
struct WrappedText {
    lines: Vec<String>,
    /// Words of the current line.
    words: Vec<String>,
    /// Characters of the current line.
    width: usize,
}

/// Returns `true` if a line that begins with this word of a comment could be read as a tag, an escaped line or a comment.
fn is_unsafe_beginning(word: &str) -> bool {
    word.starts_with(['[', '%', ';'])
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

    /// Ends the line. Words that must not be separated from the next one move to the next line; a line without a place to
    /// break becomes longer.
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
        self.push("{");
        while !rest.trim_start().is_empty() {
            rest = rest.trim_start();
            // An embedded command such as `[%eval 0.17]` must stay on one line.
            let end = if rest.starts_with("[%") { rest.find(']').map(|at| at + 1) } else { None };
            let end = end.or_else(|| rest.find(char::is_whitespace)).unwrap_or(rest.len());
            self.push(&rest[..end].replace('}', ")"));
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

    /// Writes the annotations of a move made on `before`. Returns `true` if the next move needs its number again.
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
