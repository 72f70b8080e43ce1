//! What `analyse` gets to analyse: positions, test suites and files of games.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};

use anyhow::{Context as _, Result, anyhow};

use super::arguments::Arguments;
use super::epd;
use crate::text::has_extension;
use enroque::chess::notation::position;
use enroque::chess::{Board, Color};
use enroque::nnue::network::Checksum;
use enroque::terminal::eprint_line;
use enroque_runs::shard::Shard;
use enroque_study::encoding::{self, Lines, TextError};
use enroque_study::pgn::{self, Section, Sections};

/// If no game has the `--me` player, we list at most this many players.
const MAX_NAMES: usize = 12;

/// This argument stands for standard input.
const STANDARD_INPUT: &str = "-";

pub enum Input {
    Position(Box<Board>),
    Suite { file: String, text: String },
    Games(GameFile),
}

impl Input {
    /// Reads an argument of the command. Files of games are only counted, because they may be large.
    pub fn read(path: &OsStr, arguments: &Arguments) -> Result<Self> {
        let input = &*path.to_string_lossy();
        let is_file = input == STANDARD_INPUT
            || std::fs::metadata(path).is_ok_and(|found| !found.is_dir())
            || !position::is_position(input) && input.contains('.');
        if !is_file {
            let board = position::parse(input, arguments.castling)
                .map_err(|error| anyhow!("{error}; a file must exist and end in .epd or .pgn"))?;
            return Ok(Self::Position(Box::new(board)));
        }
        let name = if input == STANDARD_INPUT { "standard input" } else { input };
        let source = Source::open(path).with_context(|| name.to_owned())?;
        Self::of_source(source, name, arguments).with_context(|| name.to_owned())
    }

    fn of_source(source: Source, name: &str, arguments: &Arguments) -> Result<Self> {
        let is_suite = has_extension(name, "epd")
            || !has_extension(name, "pgn") && epd::looks_like(&mut Lines::new(source.reader()?))?;
        if !is_suite {
            return Ok(Self::Games(GameFile::count(source, name, arguments.me.as_deref())?));
        }
        let mut bytes = Vec::new();
        source.reader()?.read_to_end(&mut bytes)?;
        let encoding::Text { text, was_latin1 } = encoding::decode(&bytes)?;
        report_encoding(name, was_latin1);
        Ok(Self::Suite { file: name.to_owned(), text })
    }
}

fn report_encoding(name: &str, was_latin1: bool) {
    if was_latin1 {
        eprint_line(&format!("{name}: some bytes are not UTF-8; read as Latin-1, written as UTF-8"));
    }
}

/// A file that we read more than once.
enum Source {
    File(File),
    /// The content of standard input or a pipe, which we can read only once.
    Memory(Vec<u8>),
}

impl Source {
    fn open(path: &OsStr) -> std::io::Result<Self> {
        let mut bytes = Vec::new();
        if path == STANDARD_INPUT {
            std::io::stdin().read_to_end(&mut bytes)?;
            return Ok(Self::Memory(bytes));
        }
        let mut file = File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(Self::File(file));
        }
        file.read_to_end(&mut bytes)?;
        Ok(Self::Memory(bytes))
    }

    /// Reads from the beginning. Only one reader at a time can read a file.
    fn reader(&self) -> std::io::Result<Box<dyn BufRead + '_>> {
        Ok(match self {
            Self::File(file) => {
                let mut file = file;
                file.rewind()?;
                Box::new(BufReader::new(file))
            }
            Self::Memory(bytes) => Box::new(&bytes[..]),
        })
    }
}

/// A PGN file. We hold only one of its games in memory at a time.
pub struct GameFile {
    pub name: String,
    source: Source,
    pub size: Size,
    /// How many positions each game seems to have; 0 if it has no moves. We count words, and don't look whether they are
    /// legal moves.
    pub positions: Vec<u32>,
    /// Empty without `--me`.
    pub players: Players,
}

/// All players, and how many games each has.
#[derive(Default)]
pub struct Players {
    games: HashMap<String, usize>,
    /// Whether a game has the `--me` player on one of its sides.
    pub has_own: bool,
}

/// How we recognise the text of a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    pub bytes: usize,
    pub checksum: Checksum,
}

impl Size {
    pub fn add(&mut self, text: &str) {
        self.bytes += text.len();
        self.checksum.add(text.as_bytes());
    }
}

impl GameFile {
    fn count(source: Source, name: &str, me: Option<&str>) -> Result<Self> {
        let mut file = Self {
            name: name.to_owned(),
            source,
            size: Size::default(),
            positions: Vec::new(),
            players: Players::default(),
        };
        let mut sections = Sections::new(file.source.reader()?);
        for section in &mut sections {
            let Section { text, moves, .. } = section?;
            file.size.add(&text);
            file.positions.push(if moves == 0 { 0 } else { moves as u32 + 1 });
            if let Some(me) = me {
                file.players.add(&pgn::tags(&text), me);
            }
        }
        let was_latin1 = sections.was_latin1();
        drop(sections);
        report_encoding(name, was_latin1);
        Ok(file)
    }

    /// Reads the games of a shard from the first to the last. `size` grows by every game that we pass, whether it belongs
    /// to the shard or not.
    pub fn sections<'a>(
        &'a self,
        shard: Shard,
        size: &'a mut Size,
    ) -> Result<impl Iterator<Item = Result<Section, TextError>> + 'a> {
        let is_own = move |section: &Result<Section, TextError>| {
            let Ok(section) = section else { return true };
            size.add(&section.text);
            shard.owns(section.number as u64 - 1)
        };
        Ok(Sections::new(self.source.reader()?).filter(is_own))
    }
}

impl Players {
    /// Adds the players whom these tags name.
    fn add(&mut self, tags: &[(String, String)], me: &str) {
        self.has_own |= side_of(tags, me).is_some();
        let names = tags.iter().filter(|(tag, _)| ["White", "Black"].contains(&&**tag));
        for (_, name) in names.filter(|(_, name)| !["", "?"].contains(&name.trim())) {
            *self.games.entry(name.clone()).or_default() += 1;
        }
    }

    /// Lists those players who have the most games, in a sentence.
    pub fn list(&self) -> String {
        let mut names: Vec<(&String, &usize)> = self.games.iter().collect();
        names.sort_by_key(|&(name, &games)| (Reverse(games), name));
        let shown: Vec<&str> = names.iter().take(MAX_NAMES).map(|(name, _)| name.as_str()).collect();
        let more = if names.len() > MAX_NAMES { ", …" } else { "" };
        match shown.is_empty() {
            true => "Its games have no names of players.".to_owned(),
            false => format!("The players are {}{more}.", shown.join("; ")),
        }
    }
}

/// Returns the side of the player whose name contains `me`, ignoring case; `None` if neither or both do.
pub fn side_of(tags: &[(String, String)], me: &str) -> Option<Color> {
    let plays = |name| {
        let player = tags.iter().find(|(tag, _)| tag == name);
        player.is_some_and(|(_, player)| player.to_lowercase().contains(&me.to_lowercase()))
    };
    match (plays("White"), plays("Black")) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}
