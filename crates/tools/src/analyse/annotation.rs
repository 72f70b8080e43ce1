//! Annotation of analysed games: evaluations, marks, comments and better variations.

use super::judge::JudgedGame;
use enroque::chess::startpos::start_numbers;
use enroque::chess::{Board, FenStyle};
use enroque::util::version::NAME;
use enroque_study::judgement::{MARKS, Summary};
use enroque_study::pgn::comment::{is_command, split_commands};
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};

/// Returns the game with the judgements added to its existing annotations. Each move gets one comment with its evaluation
/// and the judgement in words, together with its first existing comment. Existing glyphs are kept: a move with a mark gets
/// no other.
pub fn annotated(game: &PgnGame, judged: &JudgedGame) -> PgnGame {
    let mut game = game.clone();
    tag_start(&mut game.tags, &game.start);
    tag_players(&mut game.tags, judged);
    let mut board = game.start.clone();
    for (played, judgement) in game.line.moves.iter_mut().zip(&judged.moves) {
        let before = board.clone();
        pgn::play(&mut board, played.mv);
        board.trim_history();
        remove_earlier_analysis(played, &before);
        let notes = &mut played.notes;
        let is_marked =
            notes.iter().any(|note| matches!(note, Note::Nag(nag) if pgn::move_symbol(*nag).is_some()));
        let mark = judgement.mark.filter(|_| !is_marked).map(|mark| Note::Nag(mark.nag));
        // `[%eval 0.17]` or `[%eval #-3]`
        let score = judgement.after.as_ref().map(|line| line.score_for_white(board.side_to_move()));
        let eval = score.map(|score| format!("[%eval {}]", score.trim_start_matches('+')));
        let variation = judgement.better.as_ref().map(|line| Note::Variation(variation(&before, line)));
        let glyphs = notes.iter().take_while(|note| matches!(note, Note::Nag(_))).count();
        let mut later_notes = notes.split_off(glyphs);
        let existing = match later_notes.first() {
            Some(Note::Comment(_)) => later_notes.remove(0),
            _ => Note::Comment(String::new()),
        };
        let Note::Comment(existing) = existing else { continue };
        let (commands, words) = split_commands(&existing);
        let commands = commands.into_iter().map(str::to_owned);
        let words = Some(words).filter(|words| !words.is_empty());
        let parts: Vec<String> =
            eval.into_iter().chain(commands).chain(judgement.advice()).chain(words).collect();
        let comment = (!parts.is_empty()).then(|| Note::Comment(parts.join(" ")));
        notes.extend(mark.into_iter().chain(comment).chain(later_notes).chain(variation));
    }
    game
}

/// Adds the start position to the tags if they lack its FEN. A number of a start position, in the tags or on the command
/// line, says nothing to other programs.
fn tag_start(tags: &mut Vec<(String, String)>, start: &Board) {
    if pgn::fen(tags).is_some() || *start == Board::startpos() {
        return;
    }
    let has_variant = tags.iter().any(|(tag, name)| tag == "Variant" && !["", "?"].contains(&name.trim()));
    let is_chess960 = start.has_fischer_castling() && start_numbers(start).is_some();
    let variant = (is_chess960 && !has_variant).then(|| ("Variant", "Chess960".to_owned()));
    let fen = [("SetUp", "1".to_owned()), ("FEN", start.fen(FenStyle::XFen))];
    for (name, value) in variant.into_iter().chain(fen) {
        tags.retain(|(tag, _)| tag != name);
        tags.push((name.to_owned(), value));
    }
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
        let Some((accuracy, loss)) = player.figures() else { continue };
        let values = [
            ("Accuracy", accuracy),
            ("AverageLoss", loss),
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

/// Removes the annotations of an earlier analysis by this program or lichess, which might contradict the new one, and the
/// evaluations of any program.
fn remove_earlier_analysis(played: &mut PgnMove, before: &Board) {
    let mut earlier_advice: Option<(u8, String)> = None;
    for note in &mut played.notes {
        let Note::Comment(comment) = note else { continue };
        let (mut commands, words) = split_commands(comment);
        commands.retain(|command| !is_command(command, "eval"));
        let words = match parse_advice(&words) {
            Some((nag, best, rest)) => {
                earlier_advice = Some((nag, best.to_owned()));
                rest
            }
            None => &words,
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
    // Only analyses without marked lines need a guess at the line that they added.
    let has_engine_line =
        played.notes.iter().any(|note| matches!(note, Note::Variation(line) if is_engine_line(line)));
    played.notes.retain(|note| match (note, &earlier_advice) {
        (Note::Comment(comment), _) => !comment.is_empty(),
        (Note::Nag(nag), Some((earlier, _))) => nag != earlier,
        (Note::Variation(line), _) if is_engine_line(line) => false,
        (Note::Variation(line), Some((_, best))) => has_engine_line || !is_better_line(line, best),
        _ => true,
    });
}

/// Parses `Inaccuracy. c5 was best.`, optionally after `(0.10 → -0.60)`, into the glyph, the best move and the words that
/// follow.
fn parse_advice(comment: &str) -> Option<(u8, &str, &str)> {
    let text = match comment.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => comment,
    };
    MARKS.iter().find_map(|mark| {
        let rest = text.strip_prefix(mark.name)?.strip_prefix(". ")?;
        let (best, rest) = rest.split_once(" was best.")?;
        (!best.contains(' ')).then(|| (mark.nag, best, rest.trim_start()))
    })
}

/// Returns the comment that begins the variations of this program.
fn engine_name() -> Note {
    // Without the version, so that later versions recognise it.
    Note::Comment(NAME.split(' ').next().unwrap_or(NAME).to_owned())
}

/// Returns a variation of this program, its moves given in algebraic notation.
fn variation(start: &Board, san: &[String]) -> Line {
    let mut board = start.clone();
    let moves = san.iter().map_while(|san| {
        let mv = board.parse_san(san).ok()?;
        board.make_move(mv);
        Some(PgnMove { mv: Some(mv), notes: Vec::new() })
    });
    Line { before: vec![engine_name()], moves: moves.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::findings::Findings;
    use super::super::judge::judge;
    use super::super::variation::test_line;
    use super::*;
    use enroque::chess::CastlingRules;

    /// Returns the game, annotated with the findings of a shallow search, as flowing text.
    fn annotate(text: &str) -> String {
        let game = pgn::read(text, CastlingRules::Fischer, None).unwrap();
        assert_eq!(game.errors, [""; 0]);
        let mut findings = Findings::default();
        for (cp, san) in [(20, "e4"), (-20, "e5"), (25, "Nf3"), (60, "Nf6"), (0, "Nf3")] {
            findings.push(Some(test_line(cp, None, san)));
        }
        let written = pgn::write(&annotated(&game, &judge(&game, &findings)));
        let movetext = written.split_once("\n\n").unwrap().1;
        movetext.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn move_has_one_comment() {
        let text = annotate(
            "1. e4 {[%eval 0.5] [%clk 0:01:00]} e5 2. Ke2 { odd [%clk 0:00:59] } (2. Nf3) Nf6 {x} {y} *",
        );
        let expected = "1. e4 { [%eval 0.20] [%clk 0:01:00] } 1... e5 { [%eval 0.25] } 2. Ke2 $6 \
                        { [%eval -0.60] [%clk 0:00:59] Inaccuracy. Nf3 was best. odd } ( 2. Nf3 ) ( { Enroque } 2. Nf3 ) 2... Nf6 \
                        { [%eval 0.00] Inaccuracy. Nf6 was best. x } { y }";
        // The second move for Black is the best one in this search.
        let expected = expected.replace(" Inaccuracy. Nf6 was best.", "");
        assert_eq!(text, format!("{expected} *"));
        assert_eq!(annotate(&text), text, "a second analysis changes nothing");
    }

    #[test]
    fn human_signs_are_kept() {
        let text = annotate("1. e4 e5 2. Ke2! Nf6?? *");
        assert!(text.contains("2. Ke2 $1 { [%eval -0.60] Inaccuracy. Nf3 was best. } ("), "{text}");
        assert!(text.contains("Nf6 $4 { [%eval 0.00] } *"), "{text}");
        assert_eq!(annotate(&text), text);
    }
}
