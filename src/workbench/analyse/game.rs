//! Games: what each move cost, in annotated PGN.

use std::path::Path;

use serde::Serialize;

use super::judge::{Findings, Judged, Judgement, MARKS, Summary, judge};
use super::output::GameFile;
use super::variation::Variation;
use super::{AnalyseError, Analyst, Arguments, graph, json, page, search_in_order};
use crate::chess::Board;
use crate::search::limits::Limits;
use crate::terminal::progress::Progress;
use crate::terminal::{ExitStatus, eprint_line, interrupt};
use crate::util::files;
use crate::util::version::NAME;
use crate::workbench::pgn::{self, Line, Note, PgnGame, PgnMove, Section};

/// A game of a file, or what stands in its place.
enum Entry<'a> {
    Game(Box<PgnGame>),
    /// Nobody knows where it begins: it is written as it stands.
    Broken(&'a str, String),
}

impl Entry<'_> {
    /// Positions that are to be searched: one more than moves.
    fn positions(&self) -> usize {
        match self {
            Self::Game(game) => match game.moves().count() {
                0 => 0,
                moves => moves + 1,
            },
            Self::Broken(..) => 0,
        }
    }

    /// The positions, each as the game came to it.
    fn boards(&self) -> impl Iterator<Item = Board> + Send {
        let boards = match self {
            Self::Game(game) if self.positions() > 0 => game.boards(),
            _ => Vec::new(),
        };
        boards.into_iter()
    }
}

#[derive(Serialize)]
struct GameReport<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    /// Of White and of Black.
    players: [Summary; 2],
    moves: &'a [Judgement],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    faults: &'a [String],
}

#[derive(Serialize)]
struct BrokenReport<'a> {
    error: &'a str,
}

/// Analyses the games of a file one after the other, the positions of each at once.
pub(super) fn games(
    analysts: &mut [Analyst<'_>],
    arguments: &Arguments,
    file: &str,
    text: &str,
) -> Result<ExitStatus, AnalyseError> {
    let sections = pgn::sections(text);
    if sections.is_empty() {
        eprint_line(&format!("enroque: {file}: no games"));
        return Ok(ExitStatus::BadInput);
    }
    if let Some(path) = &arguments.graph {
        graph::check(path)?;
    }
    if let Some(path) = &arguments.page {
        files::ensure_overwritable(path, page::is_beginning).map_err(|reason| write_error(path, reason))?;
    }
    let (entries, status) = read_entries(arguments, file, &sections);
    let mut output = Output::open(arguments, (file, text.len()))?;
    let earlier = output.earlier.min(entries.len());
    if earlier > 0 {
        eprint_line(&format!("{earlier} of {} games are there already", entries.len()));
    }
    let positions = |entries: &[Entry<'_>]| entries.iter().map(Entry::positions).sum::<usize>() as u64;
    let done = positions(&entries[..earlier]);
    let mut report = Report {
        arguments,
        output: &mut output,
        progress: Progress::new(positions(&entries), "positions", done),
        done,
        graphs: 0,
        pages: Vec::new(),
    };
    for (index, entry) in entries.iter().enumerate().skip(earlier) {
        let title = match entry {
            Entry::Broken(text, error) => {
                report.write_broken(text, error)?;
                continue;
            }
            Entry::Game(game) => {
                format!("game {}/{}: {} - {}", index + 1, entries.len(), game.tag("White"), game.tag("Black"))
            }
        };
        let mut findings = Findings::default();
        let found = |line| {
            findings.lines.push(line);
            report.done += 1;
            report.progress.set(report.done, || title.clone());
            Ok(())
        };
        search_in_order(
            analysts,
            entry.boards(),
            |analyst, board| analyst.best_line(&board, arguments.limits()),
            found,
        )?;
        if let Entry::Game(game) = entry {
            look_closely(analysts, arguments, game, &mut findings)?;
            if interrupt::happened() {
                report.write_begun(game, &findings)?;
                break;
            }
            report.show(index + 1, game, &findings)?;
        }
    }
    report.progress.finish();
    if let Some(path) = &arguments.page {
        files::replace(path, page::html(&report.pages, &arguments.effort()).as_bytes())
            .map_err(|reason| write_error(path, reason))?;
    }
    Ok(if interrupt::happened() { ExitStatus::Interrupted } else { status })
}

/// Reads the games of a file, and tells what is wrong with them.
fn read_entries<'a>(
    arguments: &Arguments,
    file: &str,
    sections: &[Section<'a>],
) -> (Vec<Entry<'a>>, ExitStatus) {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
        let place = format!("{file}, game {} at line {}", index + 1, section.line);
        entries.push(match pgn::read(section.text, arguments.castling) {
            Ok(game) => {
                game.errors.iter().for_each(|fault| eprint_line(&format!("enroque: {place}: {fault}")));
                game.warnings.iter().for_each(|remark| eprint_line(&format!("{place}: {remark}")));
                if !game.errors.is_empty() {
                    status = status.max(ExitStatus::CheckFailed);
                }
                Entry::Game(Box::new(game))
            }
            Err(error) => {
                eprint_line(&format!("enroque: {place}: {error}"));
                status = status.max(ExitStatus::BadInput);
                Entry::Broken(section.text, error)
            }
        });
    }
    (entries, status)
}

/// How many times as long what comes of a move that seems bad, and of the best one, is searched: so long first, and the
/// next time where it still seems so.
const CLOSELY: [u32; 2] = [4, 16];

/// Searches longer what came of the moves that seem bad, and what would have come of the best ones, until none is left
/// that only seems so.
fn look_closely(
    analysts: &mut [Analyst<'_>],
    arguments: &Arguments,
    game: &PgnGame,
    findings: &mut Findings,
) -> Result<(), AnalyseError> {
    for times in CLOSELY {
        look_at_suspects(analysts, arguments, game, findings, times)?;
    }
    Ok(())
}

fn look_at_suspects(
    analysts: &mut [Analyst<'_>],
    arguments: &Arguments,
    game: &PgnGame,
    findings: &mut Findings,
    times: u32,
) -> Result<(), AnalyseError> {
    let limits = || {
        let Limits { nodes, depth, move_time, .. } = arguments.limits();
        Limits {
            nodes: nodes.map(|nodes| nodes.saturating_mul(times.into())),
            // A ply takes about twice as long.
            depth: depth.map(|depth| depth + times.ilog2() as i32 / 2),
            move_time: move_time.map(|time| time.saturating_mul(times.into())),
            ..Limits::default()
        }
    };
    loop {
        let suspects = findings.suspects(game, times);
        if suspects.is_empty() || interrupt::happened() {
            return Ok(());
        }
        let boards = game.boards();
        let after_best = |index: usize| {
            let mut board = boards[index].clone();
            let best = findings.lines[index].as_ref().and_then(|line| board.parse_move(line.uci.first()?));
            best.iter().for_each(|&mv| board.make_move(mv));
            board
        };
        let jobs: Vec<Board> =
            suspects.iter().flat_map(|&index| [after_best(index), boards[index + 1].clone()]).collect();
        let mut found = Vec::new();
        let take = |line| {
            found.push(line);
            Ok(())
        };
        search_in_order(
            analysts,
            jobs.into_iter(),
            |analyst, board| analyst.best_line(&board, limits()),
            take,
        )?;
        for (&index, pair) in suspects.iter().zip(found.chunks_exact(2)) {
            findings.rivals.insert(index, (times, pair[0].clone()));
            findings.lines[index + 1] = pair[1].clone();
        }
    }
}

/// Where games go, and how far it has come.
struct Report<'a> {
    arguments: &'a Arguments,
    output: &'a mut Output,
    progress: Progress,
    /// Positions searched.
    done: u64,
    /// Graphs drawn.
    graphs: usize,
    /// The games so far, as the page has them.
    pages: Vec<serde_json::Value>,
}

fn write_error(path: &Path, reason: std::io::Error) -> AnalyseError {
    AnalyseError::Write { path: path.to_owned(), reason }
}

impl Report<'_> {
    fn write_broken(&mut self, text: &str, error: &str) -> Result<(), AnalyseError> {
        if self.arguments.json {
            return self.output.write(&json(&BrokenReport { error }), &self.progress);
        }
        self.output.write(&format!("{}\n", text.trim()), &self.progress)
    }

    fn show(&mut self, number: usize, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        let judged = judge(game, findings);
        self.write_game(game, &judged)?;
        let Some(first) = findings.lines.first() else { return Ok(()) };
        self.progress.eprint_line(&summary(number, game, &judged));
        if self.arguments.page.is_some() {
            self.pages.push(page::game(game, &judged, first.as_ref()));
        }
        self.draw(game, &judged)
    }

    fn write_game(&mut self, game: &PgnGame, judged: &Judged) -> Result<(), AnalyseError> {
        if self.arguments.json {
            let report = GameReport {
                white: game.tag("White"),
                black: game.tag("Black"),
                result: &game.result,
                players: judged.summaries,
                moves: &judged.moves,
                faults: &game.errors,
            };
            return self.output.write(&json(&report), &self.progress);
        }
        let text = pgn::write(&annotated(game, judged));
        self.output.write(text.strip_suffix('\n').unwrap_or(&text), &self.progress)
    }

    /// After Ctrl-C: what is judged of the game that was being searched goes to standard output, where nothing goes on.
    fn write_begun(&mut self, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        if findings.lines.len() < 2 || self.output.file.is_some() {
            return Ok(());
        }
        self.write_game(game, &judge(game, findings))
    }

    fn draw(&mut self, game: &PgnGame, judged: &Judged) -> Result<(), AnalyseError> {
        let Some(path) = &self.arguments.graph else { return Ok(()) };
        self.graphs += 1;
        let path = files::numbered(path, self.graphs);
        graph::check(&path)?;
        files::replace(&path, graph::svg(game, &judged.wins).as_bytes())
            .map_err(|reason| write_error(&path, reason))
    }
}

/// A game in a line: who played, and how well.
fn summary(number: usize, game: &PgnGame, judged: &Judged) -> String {
    let players = judged.summaries.map(|player| {
        let accuracy = player.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1} %"));
        let loss = player.average_loss.unwrap_or(0.0);
        format!(
            "{accuracy:>7} {loss:>5.0} cp  {:>2} {:>2} {:>2}",
            player.inaccuracies, player.mistakes, player.blunders
        )
    });
    let title = format!("{} - {}", game.tag("White"), game.tag("Black"));
    format!("{number:>4}  {title:<36.36} {:<7}  {}  | {}", game.result, players[0], players[1])
}

/// Where games go: standard output, or a file that is gone on with.
struct Output {
    file: Option<GameFile>,
    /// Games that an earlier run wrote.
    earlier: usize,
}

impl Output {
    fn open(arguments: &Arguments, source: (&str, usize)) -> Result<Self, AnalyseError> {
        let Some(path) = &arguments.output else { return Ok(Self { file: None, earlier: 0 }) };
        let (file, earlier) = GameFile::open(path, arguments, &arguments.limits(), source)?;
        Ok(Self { file: Some(file), earlier })
    }

    fn write(&mut self, text: &str, progress: &Progress) -> Result<(), AnalyseError> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => Ok(progress.print_line(text)?),
        }
    }
}

/// The game with evaluations, marks, words and better lines beside what its writers left.
fn annotated(game: &PgnGame, judged: &Judged) -> PgnGame {
    let mut game = game.clone();
    tag_players(&mut game.tags, judged);
    let mut board = game.start.clone();
    for (played, judgement) in game.line.moves.iter_mut().zip(&judged.moves) {
        let before = board.clone();
        if let Some(mv) = played.mv {
            board.make_move(mv);
        }
        drop_machine_words(played, &before);
        let mut ours = vec![];
        ours.extend(judgement.mark.map(|mark| Note::Nag(mark.nag)));
        let eval = judgement.after.as_ref().map(|line| eval(line, &board));
        let best = judgement.better.as_ref().and_then(|line| line.first());
        let words = judgement.mark.zip(best).map(|(mark, best)| format!("{}. {best} was best.", mark.name));
        let words: Vec<String> = eval.into_iter().chain(words).collect();
        if !words.is_empty() {
            ours.push(Note::Comment(words.join(" ")));
        }
        let ours_before = ours.len();
        ours.extend(judgement.better.as_ref().map(|line| Note::Variation(line_of(&before, line))));
        let variation = ours.split_off(ours_before);
        // Signs and words stand by the move, what could have been played after what others said of it.
        let nags = played.notes.iter().take_while(|note| matches!(note, Note::Nag(_))).count();
        ours.retain(|note| !matches!(note, Note::Nag(_)) || !played.notes.contains(note));
        let others = played.notes.split_off(nags);
        played.notes.extend(ours.into_iter().chain(others));
        let is_new = |note: &Note| !played.notes.contains(note);
        let variation: Vec<Note> = variation.into_iter().filter(is_new).collect();
        played.notes.extend(variation);
    }
    game
}

/// Tags that say how well each played, and by whose judgement.
fn tag_players(tags: &mut Vec<(String, String)>, judged: &Judged) {
    match tags.iter_mut().find(|(tag, _)| tag == "Annotator") {
        Some((_, annotator)) if annotator.contains(NAME) => {}
        Some((_, annotator)) if !annotator.trim().is_empty() => *annotator += &format!(", {NAME}"),
        Some((_, annotator)) => NAME.clone_into(annotator),
        None => tags.push(("Annotator".to_owned(), NAME.to_owned())),
    }
    let counted =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
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
        for (what, value) in values {
            let name = format!("{color}{what}");
            tags.retain(|(tag, _)| *tag != name);
            tags.push((name, value));
        }
    }
}

/// Takes out what an earlier analysis of this kind, ours or lichess's, said of a move: it would contradict the new one.
fn drop_machine_words(played: &mut PgnMove, before: &Board) {
    let mut dropped: Option<(u8, String)> = None;
    for note in &mut played.notes {
        let Note::Comment(comment) = note else { continue };
        let text = without_evals(comment);
        *comment = match verdict(&text) {
            Some((nag, best)) => {
                dropped = Some((nag, best.to_owned()));
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
    played.notes.retain(|note| match (note, &dropped) {
        (Note::Comment(comment), _) => !comment.is_empty(),
        (Note::Nag(nag), Some((dropped, _))) => nag != dropped,
        (Note::Variation(line), Some((_, best))) => !is_better_line(line, best),
        _ => true,
    });
}

/// `Inaccuracy. c5 was best.`, perhaps after `(0.10 → -0.60)`: the glyph's number and the move.
fn verdict(comment: &str) -> Option<(u8, &str)> {
    let text = match comment.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => comment,
    };
    MARKS.iter().find_map(|mark| {
        let rest = text.strip_prefix(mark.name)?.strip_prefix(". ")?;
        Some((mark.nag, rest.strip_suffix(" was best.")?))
    })
}

/// A comment without the evaluations of an earlier analysis.
fn without_evals(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(begin) = text.find("[%eval") {
        let end = text[begin..].find(']').map_or(text.len(), |length| begin + length + 1);
        text.replace_range(begin..end, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line in algebraic notation as moves.
fn line_of(start: &Board, san: &[String]) -> Line {
    let mut board = start.clone();
    let moves = san.iter().map_while(|san| {
        let mv = board.parse_san(san).ok()?;
        board.make_move(mv);
        Some(PgnMove { mv: Some(mv), notes: Vec::new() })
    });
    Line { before: Vec::new(), moves: moves.collect() }
}

/// `[%eval 0.17]` or `[%eval #-3]`, for White.
fn eval(line: &Variation, board: &Board) -> String {
    format!("[%eval {}]", line.score_for_white(board.side_to_move()).trim_start_matches('+'))
}
