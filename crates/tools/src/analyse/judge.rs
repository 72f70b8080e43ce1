//! Judges the moves of a game by the search results, and adds the judgements to the game as comments and signs.

use serde::Serialize;

use super::findings::{Findings, white_centipawns};
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, FenStyle};
use enroque::util::version::NAME;
use enroque_study::judgement::{MARKS, Mark, Summary, losses, mark_of, rounded, summarize, win_percent};
use enroque_study::line::Variation;
use enroque_study::pgn::comment::{is_command, split_commands};
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove};

/// We show at most this many plies of a better line.
const BETTER_LINE_PLIES: usize = 10;

#[derive(Clone, Serialize)]
pub struct Judgement {
    pub san: String,
    /// The best line after the move; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Variation>,
    /// White's win percentage after the move.
    #[serde(serialize_with = "tenths")]
    pub win: f64,
    /// How many percentage points of winning chances the move costs the mover.
    #[serde(serialize_with = "tenths")]
    pub loss: f64,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "symbol")]
    pub mark: Option<&'static Mark>,
    /// If the move has a mark, the line that would have been better, in algebraic notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Vec<String>>,
}

impl Judgement {
    /// Returns the mark in words and the best move: `Blunder. Nf3 was best.`
    pub fn advice(&self) -> Option<String> {
        let best = self.better.as_ref()?.first()?;
        Some(format!("{}. {best} was best.", self.mark?.name))
    }
}

fn tenths<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

fn symbol<S: serde::Serializer>(mark: &Option<&'static Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(|mark| mark.symbol).serialize(serializer)
}

pub struct JudgedGame {
    /// The best line before the first move.
    pub first: Option<Variation>,
    pub moves: Vec<Judgement>,
    /// White's win percentage in each position.
    pub wins: Vec<f64>,
    /// White's statistics, then Black's.
    pub summaries: [Summary; 2],
}

pub fn judge(game: &PgnGame, findings: &Findings) -> JudgedGame {
    let lines = findings.settled_lines(game);
    let (mut scores, mut movers, mut sans) = (Vec::new(), Vec::new(), Vec::new());
    let mut moves = game.moves();
    for (board, line) in game.positions().zip(&lines) {
        scores.push(white_centipawns(&board, line.as_ref()));
        movers.push(board.side_to_move());
        sans.extend(moves.next().map(|mv| pgn::san(&board, mv)));
    }
    let wins: Vec<f64> = scores.iter().map(|&score| win_percent(score)).collect();
    let best = |ply: usize| lines[ply].as_ref().map_or(&[][..], |line| &line.san[..]);
    let played = sans.iter().zip(game.moves()).enumerate().map(|(ply, (san, mv))| {
        let is_best = mv.is_none() || best(ply).first() == Some(san);
        (movers[ply], is_best)
    });
    let losses = losses(&scores, played);
    let judged = sans.iter().zip(&losses).enumerate().map(|(ply, (san, loss))| {
        let mark = mark_of(loss.percent);
        let better = mark.map(|_| best(ply).iter().take(BETTER_LINE_PLIES).cloned().collect());
        let (after, win) = (lines[ply + 1].clone(), wins[ply + 1]);
        Judgement { san: san.clone(), after, win, loss: loss.percent, mark, better }
    });
    let moves = judged.collect();
    let summaries = summarize(&scores, &losses);
    JudgedGame { first: lines.first().cloned().flatten(), moves, wins, summaries }
}

/// Adds the judgements to a copy of the game. The first comment of each move gets the evaluation and the judgement in
/// words, before the text that it already has. A move that already has a sign such as `!` or `??` keeps that sign and
/// gets no other.
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
        // Evaluations in PGN have no plus sign: `[%eval 0.17]`, `[%eval #-3]`.
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

/// Adds the FEN of the start position to the tags unless they have one. If only a number in the tags or on our command
/// line gives the start, other programs can't set it up.
fn tag_start(tags: &mut Vec<(String, String)>, start: &Board) {
    if pgn::fen(tags).is_some() || *start == Board::startpos() {
        return;
    }
    let has_variant = tags.iter().any(|(tag, name)| tag == "Variant" && !["", "?"].contains(&name.trim()));
    let is_chess960 = start.has_fischer_castling() && StartNumbers::of(start).is_some();
    let variant = (is_chess960 && !has_variant).then(|| ("Variant", "Chess960".to_owned()));
    let fen = [("SetUp", "1".to_owned()), ("FEN", start.fen(FenStyle::XFen))];
    for (name, value) in variant.into_iter().chain(fen) {
        tags.retain(|(tag, _)| tag != name);
        tags.push((name.to_owned(), value));
    }
}

/// Adds our name as annotator and the statistics of both players to the tags.
fn tag_players(tags: &mut Vec<(String, String)>, judged: &JudgedGame) {
    match tags.iter_mut().find(|(tag, _)| tag == "Annotator") {
        Some((_, annotator)) if annotator.contains(NAME) => {}
        Some((_, annotator)) if !annotator.trim().is_empty() => *annotator += &format!(", {NAME}"),
        Some((_, annotator)) => NAME.clone_into(annotator),
        None => tags.push(("Annotator".to_owned(), NAME.to_owned())),
    }
    for (color, player) in ["White", "Black"].into_iter().zip(&judged.summaries) {
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
    // Variations that we added begin with our name. If there is none, we assume that the earlier analysis added the
    // variation that begins with the move which its comment calls best.
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

/// Parses a comment such as `Inaccuracy. c5 was best.`, with or without `(0.10 → -0.60)` before it. Returns the NAG for
/// the mark, the best move, and the rest of the comment.
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

/// Returns the comment with which we begin our variations.
fn engine_name() -> Note {
    // We leave out the version, so that later versions recognise the comment.
    Note::Comment(NAME.split(' ').next().unwrap_or(NAME).to_owned())
}

/// Makes a variation from moves in algebraic notation. It begins with our name, as all our variations do.
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
    use super::super::analyst::test_line;
    use super::super::findings::Findings;
    use super::*;
    use enroque::chess::CastlingRules;

    #[test]
    fn losses_follow_win_percentage() {
        // Losing 100 centipawns costs 9 percentage points in a level position, but only 5 for a side five pawns up.
        assert!((win_percent(0.0) - win_percent(-100.0) - 9.1).abs() < 0.05);
        assert!((win_percent(500.0) - win_percent(400.0) - 4.95).abs() < 0.1);
        let game = pgn::read("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", CastlingRules::Fischer, None).unwrap();
        let mut findings = Findings::default();
        for (cp, mate, san) in [
            (20, None, "e4"),
            (-20, None, "c5"),
            (25, None, "Nf3"),
            (35, None, "Nc6"),
            (60, None, "Qxe5+"),
            (-300, Some(-3), "Be7"),
        ] {
            findings.push(Some(test_line(cp, mate, san)));
        }
        let judged = judge(&game, &findings);
        let marks: Vec<_> =
            judged.moves.iter().map(|judgement| judgement.mark.map(|mark| mark.symbol)).collect();
        // White's Qh5 loses 60 centipawns, Black's Nf6 loses 95.
        assert_eq!(marks, [None, None, Some("?!"), Some("?!"), None]);
        assert_eq!(judged.moves[2].better.as_deref(), Some(&["Nf3".to_owned()][..]));
        assert_eq!((judged.summaries[0].inaccuracies, judged.summaries[1].inaccuracies), (1, 1));
        assert_eq!(judged.summaries[0].average_loss, Some(20.0));
        assert!((judged.wins[5] - win_percent(1000.0)).abs() < 1e-9, "a mate counts as ten pawns");
    }

    /// Annotates a game with made-up findings, and returns the moves on one line.
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
                        { [%eval 0.00] x } { y } *";
        assert_eq!(text, expected);
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
