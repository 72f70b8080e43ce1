//! Annotation of analysed games: evaluations, marks, comments and better variations.

use super::judge::{JudgedGame, MARKS, Summary};
use super::variation::Variation;
use crate::chess::Board;
use crate::util::version::NAME;
use crate::workbench::pgn::{Line, Note, PgnGame, PgnMove};

/// Returns the game with the judgements added to its existing annotations: evaluations, marks, comments and better lines.
pub fn annotated(game: &PgnGame, judged: &JudgedGame) -> PgnGame {
    let mut game = game.clone();
    tag_players(&mut game.tags, judged);
    let mut board = game.start.clone();
    for (played, judgement) in game.line.moves.iter_mut().zip(&judged.moves) {
        let before = board.clone();
        if let Some(mv) = played.mv {
            board.make_move(mv);
        }
        remove_earlier_analysis(played, &before);
        let mark = judgement.mark.map(|mark| Note::Nag(mark.nag));
        let eval = judgement.after.as_ref().map(|line| eval(line, &board));
        let texts: Vec<String> = eval.into_iter().chain(judgement.advice()).collect();
        let comment = (!texts.is_empty()).then(|| Note::Comment(texts.join(" ")));
        let variation = judgement.better.as_ref().map(|line| Note::Variation(variation(&before, line)));
        // The mark and the comment follow the existing glyphs, the variation follows all existing notes.
        let mark = mark.filter(|mark| !played.notes.contains(mark));
        let glyphs = played.notes.iter().take_while(|note| matches!(note, Note::Nag(_))).count();
        let later_notes = played.notes.split_off(glyphs);
        played.notes.extend(mark.into_iter().chain(comment).chain(later_notes));
        let variation = variation.filter(|variation| !played.notes.contains(variation));
        played.notes.extend(variation);
    }
    game
}

/// Adds the annotator and the accuracy of both players to the tags.
fn tag_players(tags: &mut Vec<(String, String)>, judged: &JudgedGame) {
    match tags.iter_mut().find(|(tag, _)| tag == "Annotator") {
        Some((_, annotator)) if annotator.contains(NAME) => {}
        Some((_, annotator)) if !annotator.trim().is_empty() => *annotator += &format!(", {NAME}"),
        Some((_, annotator)) => NAME.clone_into(annotator),
        None => tags.push(("Annotator".to_owned(), NAME.to_owned())),
    }
    let counted = |count: usize, singular: &str, plural: &str| {
        format!("{count} {}", if count == 1 { singular } else { plural })
    };
    for (color, player) in ["White", "Black"].into_iter().zip(&judged.summaries) {
        let Summary { inaccuracies, mistakes, blunders, .. } = *player;
        let Some((accuracy, loss)) = player.accuracy.zip(player.average_loss) else { continue };
        let values = [
            ("Accuracy", format!("{accuracy:.1}")),
            ("AverageLoss", format!("{loss:.0}")),
            (
                "Mistakes",
                [
                    counted(inaccuracies, "inaccuracy", "inaccuracies"),
                    counted(mistakes, "mistake", "mistakes"),
                    counted(blunders, "blunder", "blunders"),
                ]
                .join(", "),
            ),
        ];
        for (suffix, value) in values {
            let name = format!("{color}{suffix}");
            tags.retain(|(tag, _)| *tag != name);
            tags.push((name, value));
        }
    }
}

/// Removes the annotations of an earlier analysis by this program or lichess, which might contradict the new one.
fn remove_earlier_analysis(played: &mut PgnMove, before: &Board) {
    let mut earlier_advice: Option<(u8, String)> = None;
    for note in &mut played.notes {
        let Note::Comment(comment) = note else { continue };
        let text = without_evals(comment);
        *comment = match parse_advice(&text) {
            Some((nag, best)) => {
                earlier_advice = Some((nag, best.to_owned()));
                String::new()
            }
            None => text,
        };
    }
    let is_better_line = |line: &Line, best: &str| {
        let first = line.moves.first().and_then(|first| first.mv);
        first.is_some_and(|mv| before.san(mv) == best)
            && line.before.is_empty()
            && line.moves.iter().all(|played| played.notes.is_empty())
    };
    played.notes.retain(|note| match (note, &earlier_advice) {
        (Note::Comment(comment), _) => !comment.is_empty(),
        (Note::Nag(nag), Some((earlier, _))) => nag != earlier,
        (Note::Variation(line), Some((_, best))) => !is_better_line(line, best),
        _ => true,
    });
}

/// Parses `Inaccuracy. c5 was best.`, optionally after `(0.10 → -0.60)`, into the glyph and the best move.
fn parse_advice(comment: &str) -> Option<(u8, &str)> {
    let text = match comment.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => comment,
    };
    MARKS.iter().find_map(|mark| {
        let rest = text.strip_prefix(mark.name)?.strip_prefix(". ")?;
        Some((mark.nag, rest.strip_suffix(" was best.")?))
    })
}

/// Returns a comment without its `[%eval …]` commands.
fn without_evals(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(begin) = text.find("[%eval") {
        let end = text[begin..].find(']').map_or(text.len(), |length| begin + length + 1);
        text.replace_range(begin..end, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a variation of moves given in algebraic notation.
fn variation(start: &Board, san: &[String]) -> Line {
    let mut board = start.clone();
    let moves = san.iter().map_while(|san| {
        let mv = board.parse_san(san).ok()?;
        board.make_move(mv);
        Some(PgnMove { mv: Some(mv), notes: Vec::new() })
    });
    Line { before: Vec::new(), moves: moves.collect() }
}

/// Returns the evaluation of a line for White as a PGN command, `[%eval 0.17]` or `[%eval #-3]`.
fn eval(line: &Variation, board: &Board) -> String {
    format!("[%eval {}]", line.score_for_white(board.side_to_move()).trim_start_matches('+'))
}
