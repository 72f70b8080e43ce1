//! Adds the judgements of an analysed game to its PGN, as comments, signs and variations.

use super::ply::{AnalysedGame, Step};
use enroque::chess::{Board, Move};
use enroque::util::version::NAME;
use enroque_study::judgement::MARKS;
use enroque_study::pgn::comment::{is_command, split_commands};
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};
use enroque_study::reason::BEGINNINGS;
use enroque_study::remark::Remark;

/// Adds the judgements to a copy of the game. The first comment of each move gets the evaluation and the judgement in
/// words, before the text that it already has. A move that already has a sign such as `!` or `??` keeps that sign and
/// gets no other.
pub fn annotated(analysed: &AnalysedGame<'_>) -> PgnGame {
    let mut game = analysed.game.clone();
    tag_players(&mut game.tags, analysed);
    remove_evals(&mut game.line.before);
    let mut refutation = None;
    for (played, step) in game.line.moves.iter_mut().zip(analysed.steps()) {
        remove_earlier_analysis(played, &step.before.board);
        annotate(&mut played.notes, step);
        // What refutes a move is a variation on the next one.
        played.notes.extend(refutation.map(|line| Note::Variation(variation(line))));
        refutation = step.refutation();
    }
    game
}

fn annotate(notes: &mut Vec<Note>, step: Step<'_>) {
    let is_marked =
        notes.iter().any(|note| matches!(note, Note::Nag(nag) if pgn::move_symbol(*nag).is_some()));
    let remarked = step.played.remark.as_ref().and_then(|remark| remark.kind.nag());
    let nag = step.played.mark.map(|mark| mark.nag).or(remarked).filter(|_| !is_marked);
    let mark = nag.map(Note::Nag).filter(|nag| !notes.contains(nag));
    // Evaluations in PGN have no plus sign: `[%eval 0.17]`, `[%eval #-3]`.
    let eval = step.after.score().map(|score| format!("[%eval {}]", score.trim_start_matches('+')));
    let variation = step.better().map(|line| Note::Variation(variation(line)));
    let glyphs = notes.iter().take_while(|note| matches!(note, Note::Nag(_))).count();
    let mut later_notes = notes.split_off(glyphs);
    let existing = match later_notes.first() {
        Some(Note::Comment(_)) => later_notes.remove(0),
        _ => Note::Comment(String::new()),
    };
    let Note::Comment(existing) = existing else { return };
    let (commands, words) = split_commands(&existing);
    let commands = commands.into_iter().map(str::to_owned);
    let words = Some(words).filter(|words| !words.is_empty());
    let parts: Vec<String> = eval.into_iter().chain(commands).chain(step.advice()).chain(words).collect();
    let comment = (!parts.is_empty()).then(|| Note::Comment(parts.join(" ")));
    notes.extend(mark.into_iter().chain(comment).chain(later_notes).chain(variation));
}

/// Adds our name as annotator and the statistics of both players to the tags.
fn tag_players(tags: &mut Vec<(String, String)>, analysed: &AnalysedGame<'_>) {
    match tags.iter_mut().find(|(tag, _)| tag == "Annotator") {
        Some((_, annotator)) if annotator.contains(NAME) => {}
        Some((_, annotator)) if !annotator.trim().is_empty() => *annotator += &format!(", {NAME}"),
        Some((_, annotator)) => NAME.clone_into(annotator),
        None => tags.push(("Annotator".to_owned(), NAME.to_owned())),
    }
    for (color, player) in ["White", "Black"].into_iter().zip(&analysed.players) {
        let Some((accuracy, loss)) = player.figures() else { continue };
        let values = [("Accuracy", accuracy), ("AverageLoss", loss), ("Mistakes", player.marks())];
        for (suffix, value) in values {
            let name = format!("{color}{suffix}");
            tags.retain(|(tag, _)| *tag != name);
            tags.push((name, value));
        }
    }
}

/// Removes evaluations by any program, and everything else that an earlier analysis by us or lichess added, because it
/// might contradict the new analysis.
fn remove_earlier_analysis(played: &mut PgnMove, before: &Board) {
    let mut earlier_advice: Option<(u8, String)> = None;
    let mut earlier_remark = None;
    remove_evals(&mut played.notes);
    for note in &mut played.notes {
        let Note::Comment(comment) = note else { continue };
        let (commands, words) = split_commands(comment);
        let words = match parse_advice(&words) {
            Some((nag, best, rest)) => {
                earlier_advice = Some((nag, best.to_owned()));
                rest
            }
            None => match Remark::parse(&words) {
                Some((kind, rest)) => {
                    earlier_remark = kind.nag();
                    rest
                }
                None => &words,
            },
        };
        let parts = commands.into_iter().chain(Some(words).filter(|words| !words.is_empty()));
        *comment = parts.collect::<Vec<_>>().join(" ");
    }
    let is_better_line = |line: &Line, best: &str| {
        let first = line.moves.first().and_then(|first| first.mv);
        first.is_some_and(|mv| before.san(mv) == best)
            && line.before.is_empty()
            && line.moves.iter().all(|played| played.notes.is_empty())
    };
    let is_engine_line = |line: &Line| line.before == [engine_name()];
    // Variations that we added begin with our name. If there is none, we assume that the earlier analysis added the
    // variation that begins with the move which its comment calls best.
    let has_engine_line =
        played.notes.iter().any(|note| matches!(note, Note::Variation(line) if is_engine_line(line)));
    played.notes.retain(|note| match (note, &earlier_advice) {
        (Note::Comment(comment), _) => !comment.is_empty(),
        (Note::Nag(nag), _) if earlier_remark == Some(*nag) => false,
        (Note::Nag(nag), Some((earlier, _))) => nag != earlier,
        (Note::Variation(line), _) if is_engine_line(line) => false,
        (Note::Variation(line), Some((_, best))) => has_engine_line || !is_better_line(line, best),
        _ => true,
    });
}

/// Removes evaluations from comments, and from the variations among the notes.
fn remove_evals(notes: &mut Vec<Note>) {
    for note in notes.iter_mut() {
        match note {
            Note::Comment(comment) => {
                let (mut commands, words) = split_commands(comment);
                if commands.iter().any(|command| is_command(command, "eval")) {
                    commands.retain(|command| !is_command(command, "eval"));
                    let parts = commands.into_iter().chain(Some(&*words).filter(|words| !words.is_empty()));
                    *comment = parts.collect::<Vec<_>>().join(" ");
                }
            }
            Note::Variation(line) => {
                remove_evals(&mut line.before);
                line.moves.iter_mut().for_each(|played| remove_evals(&mut played.notes));
            }
            Note::Nag(_) => {}
        }
    }
    notes.retain(|note| !matches!(note, Note::Comment(comment) if comment.is_empty()));
}

/// Parses a comment such as `Inaccuracy. c5 was best.`, with or without `(0.10 → -0.60)` before it and a reason in it. Returns the NAG for
/// the mark, the best move, and the rest of the comment.
fn parse_advice(comment: &str) -> Option<(u8, &str, &str)> {
    let text = match comment.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => comment,
    };
    MARKS.iter().find_map(|mark| {
        let rest = text.strip_prefix(mark.name)?.strip_prefix(". ")?;
        let (words, rest) = rest.split_once(" was best.")?;
        let is_reason = |words: &str| BEGINNINGS.iter().any(|beginning| words.starts_with(beginning));
        let (reason, best) = words.rsplit_once(". ").unwrap_or(("", words));
        if !reason.is_empty() && (!is_reason(reason) || reason.contains(". ")) {
            return None;
        }
        (!best.contains(' ')).then(|| (mark.nag, best, rest.trim_start()))
    })
}

/// Returns the comment with which we begin our variations.
fn engine_name() -> Note {
    // We leave out the version, so that later versions recognise the comment.
    Note::Comment(NAME.split(' ').next().unwrap_or(NAME).to_owned())
}

/// Makes a variation that begins with our name, as all our variations do.
fn variation(moves: &[Move]) -> Line {
    let moves = moves.iter().map(|&mv| PgnMove { mv: Some(mv), notes: Vec::new() });
    Line { before: vec![engine_name()], moves: moves.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::ply::tests::analysed;
    use super::*;
    use enroque::chess::CastlingRules;

    /// Annotates a game with made-up findings, and returns the moves on one line.
    fn annotate(text: &str) -> String {
        let game = pgn::read(text, CastlingRules::Fischer, None).unwrap();
        let scores = [(20, "e4"), (-20, "e5"), (25, "Nf3"), (60, "Nf6"), (0, "Nf3")];
        assert!(game.errors.is_empty());
        let written = pgn::write(&annotated(&analysed(&game, &scores)));
        let movetext = written.split_once("\n\n").unwrap().1;
        movetext.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn move_has_one_comment() {
        let text = annotate(
            "1. e4 {[%eval 0.5] [%clk 0:01:00]} e5 2. Ke2 { odd [%clk 0:00:59] } (2. Nf3) Nf6 {x} {y} *",
        );
        let expected = "1. e4 { [%eval 0.20] [%clk 0:01:00] } 1... e5 { [%eval 0.25] } 2. Ke2 $6 \
                        { [%eval -0.60] [%clk 0:00:59] Inaccuracy. Nf3 was best. odd } (2. Nf3) ({ Enroque } 2. Nf3) 2... Nf6 \
                        { [%eval 0.00] x y } *";
        assert_eq!(text, expected);
        assert_eq!(annotate(&text), text, "a second analysis changes nothing");
    }

    #[test]
    fn evaluations_go_wherever_they_stand() {
        let text = annotate(
            "{[%eval 0.3] The start.} 1. e4 e5 {x} {[%eval 2.1]} 2. Ke2 (2. Nf3 {[%eval 0.4,20] good} Nc6 ({[%eval 1]} 2... d6 {[%eval 3]})) Nf6 *",
        );
        let evals: Vec<&str> =
            text.split("[%eval ").skip(1).filter_map(|rest| rest.split(']').next()).collect();
        assert_eq!(evals, ["0.20", "0.25", "-0.60", "0.00"], "{text}");
        assert!(
            text.starts_with("{ The start. }") && text.contains("(2. Nf3 { good } 2... Nc6 (2... d6))"),
            "{text}"
        );
    }

    #[test]
    fn human_signs_are_kept() {
        let text = annotate("1. e4 e5 2. Ke2! Nf6?? *");
        assert!(
            text.contains("2. Ke2 $1 { [%eval -0.60] Inaccuracy. Nf3 was best. } ({ Enroque } "),
            "{text}"
        );
        assert!(text.contains("Nf6 $4 { [%eval 0.00] } *"), "{text}");
        assert_eq!(annotate(&text), text);
    }
}
