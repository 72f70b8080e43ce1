//! The games in which we look for puzzles, from PGN files or weak self-play.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, ensure};

use crate::games::GameReader;
use crate::searcher::Searcher;
use enroque::chess::startpos::{self, StartNumbers};
use enroque::chess::{Board, CastlingRules, Move};
use enroque::search::limits::Limits;
use enroque::util::random::Random;
use enroque_runs::files::AtPath;
use enroque_study::encoding;
use enroque_study::line::Variation;
use enroque_study::pgn::{self, Section};

/// How many nodes self-play searches per move: few enough to make mistakes that lead to puzzles.
const PLAY_NODES: u64 = 100;
/// Self-play picks its move from at most this many MultiPV lines.
const PLAY_LINES: usize = 4;
/// Self-play may pick a move that is at most this many percentage points worse than the best.
const PLAYABLE_LOSS: f64 = 15.0;
/// Self-play stops when the side to move has less than this win percentage: the game is decided.
const LOST: f64 = 15.0;
/// Self-play stops after this many plies.
const MAX_PLIES: usize = 240;
/// Self-play gives up after this many games per puzzle asked for, because some starts are too dull to yield any.
const MAX_GAMES_PER_PUZZLE: u64 = 50;

const RULES: &str = "puzzles are made for chess and Chess960 only";

pub struct GameFile {
    name: String,
    pub text: String,
}

/// Reads PGN files. Fails if one of them has no game.
pub fn read_files(paths: &[PathBuf]) -> Result<Vec<GameFile>> {
    paths.iter().map(|path| read_file(path).at(path)).collect()
}

fn read_file(path: &Path) -> Result<GameFile> {
    let text = encoding::decode(&std::fs::read(path)?)?.text;
    ensure!(!pgn::sections(&text).is_empty(), "no games");
    Ok(GameFile { name: path.display().to_string(), text })
}

/// A game to search for puzzles.
pub struct Game {
    pub start: Board,
    pub moves: Vec<Move>,
    /// Where the game comes from: its players, or self-play and the name of the start.
    pub source: String,
}

/// Where the games come from: PGN files or self-play. Each game depends only on the settings and its index, so neither
/// the number of threads nor an interruption changes it.
pub struct Games<'a> {
    /// Each game of the files, with the reader of its file; empty for self-play.
    sections: Vec<(Arc<GameReader<'a>>, Section)>,
    /// Self-play takes these in turn, or random starts if there are none. PGN games without a start use the only one.
    starts: &'a [Board],
    /// Seed for self-play and its random starts.
    seed: u64,
}

impl<'a> Games<'a> {
    /// Takes the games from `files`, or from self-play if there are none.
    pub fn new(files: &'a [GameFile], starts: &'a [Board], seed: u64) -> Result<Self> {
        if files.is_empty() {
            ensure!(starts.iter().all(Board::has_fischer_castling), "--start: {RULES}");
        } else {
            let count = starts.len();
            ensure!(count <= 1, "--start: games that lack their start position can have one, found {count}");
        }
        let sections_of = |file: &'a GameFile| {
            let reader = Arc::new(GameReader::new(&file.name, CastlingRules::Fischer, starts.first()));
            pgn::sections(&file.text).into_iter().map(move |section| (reader.clone(), section))
        };
        Ok(Self { sections: files.iter().flat_map(sections_of).collect(), starts, seed })
    }

    /// Returns how many games we search at most to find `count` puzzles.
    pub fn len(&self, count: u64) -> u64 {
        match self.sections.len() as u64 {
            0 => count.saturating_mul(MAX_GAMES_PER_PUZZLE),
            games => games,
        }
    }

    /// Returns game number `index`. Reports a game that can't be read, and returns `None`.
    pub fn game(&self, index: u64, searcher: &mut Searcher) -> Result<Option<Game>> {
        if self.sections.is_empty() {
            let mut random = Random::new(Random::new(self.seed ^ index.rotate_left(u64::BITS / 2)).bits());
            let start = match self.starts.len() as u64 {
                0 => random_start(&mut random),
                count => self.starts[(index % count) as usize].clone(),
            };
            return self_play(start, searcher, &mut random).map(Some);
        }
        let Some((reader, section)) = self.sections.get(index as usize) else { return Ok(None) };
        Ok(read_game(reader, section))
    }
}

/// Reads a PGN game up to the first move that we can't parse. Says what we can't read.
fn read_game(reader: &GameReader<'_>, section: &Section) -> Option<Game> {
    let game = reader.read(section).inspect_err(|error| reader.report(section, error)).ok()?;
    game.errors.iter().for_each(|error| reader.report(section, error));
    if !game.start.has_fischer_castling() {
        reader.complain(section, RULES, section.line);
        return None;
    }
    let source = game.players();
    let moves = game.moves().map_while(|mv| mv).collect();
    Some(Game { start: game.start, moves, source })
}

fn random_start(random: &mut Random) -> Board {
    let number = random.below(u64::from(startpos::CHESS960_COUNT)) as u32;
    startpos::chess960(number).unwrap_or_default()
}

/// Lets the engine play itself, with short searches, until the game is over or decided.
fn self_play(start: Board, searcher: &mut Searcher, random: &mut Random) -> Result<Game> {
    searcher.new_game();
    let mut board = start.clone();
    let mut played = Vec::new();
    while played.len() < MAX_PLIES && board.outcome().is_none() {
        let Some(last) = searcher.search(&board, PLAY_LINES, Limits::nodes(PLAY_NODES))?.pop() else { break };
        let Some(mv) = playable_move(&last.lines, random) else { break };
        board.make_move(mv);
        played.push(mv);
    }
    let source = match StartNumbers::of(&start) {
        Some(numbers) => format!("self-play, {}", numbers.name()),
        None => "self-play".to_owned(),
    };
    Ok(Game { start, moves: played, source })
}

/// Picks at random one of the moves that are nearly as good as the best. Returns `None` if the game is decided.
fn playable_move(lines: &[Variation], random: &mut Random) -> Option<Move> {
    let best = lines.first().map(Variation::win_percent).filter(|&chance| chance >= LOST)?;
    let count = lines.iter().take_while(|line| best - line.win_percent() <= PLAYABLE_LOSS).count();
    lines.get(random.below(count as u64) as usize)?.pv.first().copied()
}
