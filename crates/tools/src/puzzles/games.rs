//! Games in which puzzles are looked for: from PGN files, or self-play at a low level.

use std::path::{Path, PathBuf};

use super::error::PuzzlesError;
use super::verdict::chance;
use crate::prep::PrepError;
use crate::prep::searcher::{Effort, Line, OwnEngine, Searcher};
use crate::text_file::{self, Text};
use enroque::chess::{Board, CastlingRules, Move, startpos};
use enroque::terminal::eprint_line;
use enroque::util::random::Random;
use enroque_study::pgn::{self, Section};

/// Nodes of each search of self-play, few enough for mistakes.
const PLAY_NODES: u64 = 100;
/// Moves among which self-play chooses.
const PLAY_LINES: usize = 4;
/// Loss of win percentage up to which self-play takes a move for good.
const PLAYABLE_LOSS: f64 = 6.0;
/// Win percentage of the side to move below which the game is decided and ends.
const LOST: f64 = 15.0;
/// Games of self-play for each puzzle, at most; starts without tactics end the search here.
const MAX_GAMES_PER_PUZZLE: u64 = 50;

/// Text of a PGN file.
pub struct GameFile {
    name: String,
    /// Content of the file.
    pub text: String,
}

/// Reads the PGN files.
///
/// # Errors
/// Returns an error if a file cannot be read or has no games.
pub fn read_files(paths: &[PathBuf]) -> Result<Vec<GameFile>, PuzzlesError> {
    paths.iter().map(|path| read_file(path)).collect()
}

fn read_file(path: &Path) -> Result<GameFile, PuzzlesError> {
    let at = |reason| PuzzlesError::File { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(at)?;
    let decoded = text_file::decode(bytes);
    let Text { text, .. } = decoded.map_err(|reason| PuzzlesError::Text { path: path.to_owned(), reason })?;
    if pgn::sections(&text).is_empty() {
        return Err(PuzzlesError::NoGames(path.to_owned()));
    }
    Ok(GameFile { name: path.display().to_string(), text })
}

/// Game as far as the opening goes.
pub struct Opening {
    /// Start position.
    pub start: Board,
    /// Moves.
    pub moves: Vec<Move>,
    /// Origin in words.
    pub source: String,
}

/// Source of games. A game is determined by its index.
pub enum Games<'a> {
    /// Games of PGN files, with the start of those that lack it.
    Files {
        /// Names of the files and texts of the games.
        sections: Vec<(&'a str, Section<'a>)>,
        /// Start of games without their own; none or one.
        starts: Vec<Board>,
    },
    /// Self-play.
    SelfPlay {
        /// Starts in turn; random ones if empty.
        starts: Vec<Board>,
        /// Seed of starts and moves.
        seed: u64,
    },
}

impl<'a> Games<'a> {
    /// Creates the source: the files if there are any, else self-play.
    ///
    /// # Errors
    /// Returns an error if there are several starts for the games of files, or one with other castling for self-play.
    pub fn new(files: &'a [GameFile], starts: &[Board], seed: u64) -> Result<Self, PuzzlesError> {
        if files.is_empty() {
            if !starts.iter().all(Board::has_fischer_castling) {
                return Err(PuzzlesError::Rules);
            }
            return Ok(Self::SelfPlay { starts: starts.to_vec(), seed });
        }
        if starts.len() > 1 {
            return Err(PuzzlesError::Starts(starts.len()));
        }
        let named = |file: &'a GameFile| {
            pgn::sections(&file.text).into_iter().map(|section| (file.name.as_str(), section))
        };
        Ok(Self::Files { sections: files.iter().flat_map(named).collect(), starts: starts.to_vec() })
    }

    /// Returns the largest number of games for `count` puzzles.
    pub fn len(&self, count: u64) -> u64 {
        match self {
            Self::Files { sections, .. } => sections.len() as u64,
            Self::SelfPlay { .. } => count.saturating_mul(MAX_GAMES_PER_PUZZLE),
        }
    }

    /// Returns the opening of a game, `moves` moves of both sides; `None` if it cannot be read, which is reported.
    ///
    /// # Errors
    /// Returns an error if the engine fails.
    pub fn opening(
        &self,
        index: u64,
        moves: u32,
        engine: &mut OwnEngine,
    ) -> Result<Option<Opening>, PrepError> {
        match self {
            Self::Files { sections, starts } => {
                let Some((file, section)) = sections.get(index as usize) else { return Ok(None) };
                let opening = read_game(section.text, starts.first(), moves);
                if let Err(error) = &opening {
                    let (game, line) = (index + 1, section.line);
                    eprint_line(&format!("enroque: {file}, line {line}, game {game}: {error}"));
                }
                Ok(opening.ok())
            }
            Self::SelfPlay { starts, seed } => {
                let mut random = Random::new(Random::new(*seed ^ index.rotate_left(u64::BITS / 2)).bits());
                let start = match starts.len() as u64 {
                    0 => random_start(&mut random),
                    count => starts[(index % count) as usize].clone(),
                };
                self_play(start, moves, engine, &mut random).map(Some)
            }
        }
    }
}

/// Reads the opening of a game, up to the first move that is not understood.
fn read_game(text: &str, start: Option<&Board>, moves: u32) -> Result<Opening, String> {
    let game = pgn::read(text, CastlingRules::Fischer, start)?;
    if !game.start.has_fischer_castling() {
        return Err("puzzles are made for chess and Chess960 only".to_owned());
    }
    let plies = plies_until(&game.start, moves);
    let source = game.players();
    let moves = game.moves().map_while(|mv| mv).take(plies).collect();
    Ok(Opening { start: game.start, moves, source })
}

/// Returns the plies from `start` to the end of a move of the game.
fn plies_until(start: &Board, moves: u32) -> usize {
    let before = start.fullmove_number().saturating_sub(1);
    2 * moves.saturating_sub(before) as usize
}

fn random_start(random: &mut Random) -> Board {
    let number = random.below(u64::from(startpos::CHESS960_COUNT)) as u32;
    startpos::chess960(number).unwrap_or_default()
}

/// Plays a game against itself by short searches until it is decided.
fn self_play(
    start: Board,
    moves: u32,
    engine: &mut OwnEngine,
    random: &mut Random,
) -> Result<Opening, PrepError> {
    engine.new_game()?;
    let effort = Effort { nodes: PLAY_NODES, move_time: None };
    let mut board = start.clone();
    let mut played = Vec::new();
    while played.len() < plies_until(&start, moves) {
        let Some(last) = engine.search(&board, PLAY_LINES, effort)?.pop() else { break };
        let Some(mv) = playable_move(&last.lines, random) else { break };
        board.make_move(mv);
        played.push(mv);
    }
    let source = match startpos::start_numbers(&start) {
        Some((white, black)) => format!("self-play, {}", startpos::name_of(white, black)),
        None => "self-play".to_owned(),
    };
    Ok(Opening { start, moves: played, source })
}

/// Returns one of the moves that lose little, at random; `None` if the game is decided.
fn playable_move(lines: &[Line], random: &mut Random) -> Option<Move> {
    let best = lines.first().map(chance).filter(|&chance| chance >= LOST)?;
    let count = lines.iter().take_while(|line| best - chance(line) <= PLAYABLE_LOSS).count();
    lines.get(random.below(count as u64) as usize)?.pv.first().copied()
}
