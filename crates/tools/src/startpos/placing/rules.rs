//! The rules of the placement games. Each game is a row of [`GAMES`].

use std::fmt;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use enroque::chess::startpos::{self, BackRank, CHESS960_COUNT, CHESS2880_COUNT, StartCastling};
use enroque::chess::{CastlingRules, Color, File, PieceKind};

pub const BACK_RANK: usize = 8;

/// The pieces placed so far on a back rank, by file.
pub type Partial = [Option<PieceKind>; BACK_RANK];

#[derive(Debug)]
pub struct PlacementGame {
    pub name: &'static str,
    /// One line for the help text.
    pub summary: &'static str,
    pub rules: &'static str,
    /// What the rules demand of a back rank, for error messages.
    pub condition: &'static str,
    /// Only back ranks whose Chess2880 number is below this limit are allowed. The first 960 have the king between the
    /// rooks.
    pub limit: u32,
    pub castling: StartCastling,
    /// `true` if both players fill a single back rank, which White and Black then share.
    pub is_shared: bool,
    /// Who begins, unless the players choose otherwise.
    pub first: Color,
    /// How many pieces a player places in a turn. Of two, one goes on a light square and one on a dark square.
    pub per_turn: usize,
    /// `true` if each player may once, before placing a piece, move one that stands already.
    pub has_move: bool,
}

const OWN_RANK: PlacementGame = PlacementGame {
    name: "chess960",
    summary: "Each player fills their own back rank with one of the 960 (double Chess960)",
    rules: "Each player fills their own back rank. The bishops stand on opposite colours, the king between the rooks. \
        Castling is as in Chess960.",
    condition: "bishops on opposite colours and the king between the rooks",
    limit: CHESS960_COUNT,
    castling: StartCastling::Rules(CastlingRules::Fischer),
    is_shared: false,
    first: Color::White,
    per_turn: 1,
    has_move: false,
};

const SPANISH: PlacementGame = PlacementGame {
    name: "spanish",
    summary: "Both players fill one back rank; a king outside the rooks swaps with the nearest; each may move a piece once",
    rules: "Both players fill one back rank, which White and Black then share. The bishops stand on opposite colours. \
        Before placing a piece, each player may once move one that stands already: 'move b d'. A king that isn't \
        between the rooks at the end swaps places with the nearest rook. Castling is as in Chess960.",
    condition: "bishops on opposite colours",
    limit: CHESS2880_COUNT,
    is_shared: true,
    // The seventh piece decides where the eighth goes, so this player has the last word.
    first: Color::Black,
    has_move: true,
    ..OWN_RANK
};

pub static GAMES: [PlacementGame; 5] = [
    OWN_RANK,
    PlacementGame {
        name: "shared",
        summary: "Both players fill one back rank for both sides, one of the 960",
        rules: "Both players fill one back rank, which White and Black then share. The bishops stand on opposite \
            colours, the king between the rooks. Castling is as in Chess960.",
        is_shared: true,
        ..OWN_RANK
    },
    SPANISH,
    PlacementGame {
        name: "pairs",
        summary: "Both players fill one back rank; in each turn two pieces, one on a light and one on a dark square",
        rules: "Both players fill one back rank, which White and Black then share. In turn, each chooses two pieces and \
            puts one on a light square and one on a dark square. The bishops stand on opposite colours. A king that \
            isn't between the rooks at the end swaps places with the nearest rook. Castling is as in Chess960.",
        per_turn: 2,
        has_move: false,
        ..SPANISH
    },
    PlacementGame {
        name: "prechess",
        summary: "Benko's Pre-Chess: each player fills their own back rank; castling only from the orthodox squares",
        rules: "Pre-Chess, published by Benko, who credits Bronstein with the idea: each player fills their own \
            back rank. The bishops stand on opposite colours. Only a king on the e-file castles, with a rook in the corner.",
        condition: "bishops on opposite colours",
        limit: CHESS2880_COUNT,
        castling: StartCastling::OrthodoxSquares,
        ..OWN_RANK
    },
];

impl PlacementGame {
    pub fn by_name(name: &str) -> Option<&'static Self> {
        GAMES.iter().find(|game| game.name == name)
    }

    pub fn parser() -> impl TypedValueParser<Value = &'static Self> {
        let values = GAMES.iter().map(|game| PossibleValue::new(game.name).help(game.summary));
        PossibleValuesParser::new(values).map(|name| Self::by_name(&name).unwrap_or(&GAMES[0]))
    }

    pub fn piece_count(&self) -> usize {
        if self.is_shared { BACK_RANK } else { 2 * BACK_RANK }
    }

    /// Returns the back rank that the players get in the end. If the king isn't between the rooks of a shared rank, it
    /// swaps places with the nearest rook; in Pre-Chess it stays.
    pub fn settled(&self, mut rank: BackRank) -> BackRank {
        let files = |kind| (0..BACK_RANK).filter(|&file| rank[file] == kind).collect::<Vec<usize>>();
        if let ([king], [left, right]) = (&files(PieceKind::King)[..], &files(PieceKind::Rook)[..])
            && self.is_shared
        {
            if king < left {
                rank.swap(*king, *left);
            } else if king > right {
                rank.swap(*king, *right);
            }
        }
        rank
    }
}

/// What a player does: put a piece on the board, or move one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Place(PieceKind, usize),
    Move(usize, usize),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |file: usize| File::ALL[file].letter();
        match *self {
            Self::Place(kind, file) => write!(f, "{}{}", kind.letter(), letter(file)),
            Self::Move(from, to) => write!(f, "move {} {}", letter(from), letter(to)),
        }
    }
}

/// A back rank that is being filled, and who has used the right to move a piece, by [`Color::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Filling {
    pub rank: Partial,
    pub has_moved: [bool; 2],
}

impl Filling {
    pub fn placed(&self) -> usize {
        self.rank.iter().flatten().count()
    }

    pub fn after(mut self, action: Action, color: Color) -> Self {
        match action {
            Action::Place(kind, file) => self.rank[file] = Some(kind),
            Action::Move(from, to) => {
                self.rank.swap(from, to);
                self.has_moved[color.index()] = true;
            }
        }
        self
    }

    /// Returns the letters of the pieces that are still to be placed.
    pub fn left(&self) -> String {
        let left = PIECES.into_iter().rev().flat_map(|kind| {
            let count = most(kind) - self.rank.iter().filter(|&&placed| placed == Some(kind)).count();
            std::iter::repeat_n(kind.letter().to_string(), count)
        });
        left.collect::<Vec<_>>().join(" ")
    }

    pub fn complete(&self) -> Option<BackRank> {
        let full: Vec<PieceKind> = self.rank.iter().copied().flatten().collect();
        full.try_into().ok()
    }
}

/// A game with a table of the partial back ranks that its rules still allow to complete.
pub struct Rules {
    pub game: &'static PlacementGame,
    is_allowed: Vec<bool>,
}

/// The pieces of a back rank.
const PIECES: [PieceKind; 5] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King];

/// How many contents a square can have: nothing, or one of five kinds of pieces.
const CONTENTS: usize = 6;
/// How many codes partial back ranks have.
pub const CODES: usize = CONTENTS.pow(BACK_RANK as u32);

/// Returns a number below [`CODES`] for each partial back rank.
pub fn code(rank: &Partial) -> usize {
    // Pawns come first among the kinds and never stand on a back rank, so their number stands for an empty square.
    rank.iter().rev().fold(0, |code, placed| CONTENTS * code + placed.map_or(0, |kind| kind as usize))
}

/// Returns what a piece on `file` adds to the code.
const fn share(kind: PieceKind, file: usize) -> usize {
    kind as usize * CONTENTS.pow(file as u32)
}

impl Rules {
    pub fn new(game: &'static PlacementGame) -> Self {
        let mut is_allowed = vec![false; CODES];
        for full in (0..game.limit).filter_map(startpos::back_rank) {
            for chosen in 0..1 << BACK_RANK {
                let mut rank: Partial = full.map(Some);
                for (file, placed) in rank.iter_mut().enumerate() {
                    *placed = placed.filter(|_| chosen >> file & 1 == 1);
                }
                is_allowed[code(&rank)] = true;
            }
        }
        Self { game, is_allowed }
    }

    /// Returns how many partial back ranks are allowed, from the empty one to the full ones.
    #[cfg(test)]
    pub fn allowed(&self) -> usize {
        self.is_allowed.iter().filter(|&&is_allowed| is_allowed).count()
    }

    pub fn is_legal(&self, filling: &Filling, action: Action, color: Color) -> bool {
        self.actions(filling, color).any(|legal| legal == action)
    }

    /// Whether a piece may go on a square of this colour: in the middle of a turn, only on the other colour.
    fn is_color_free(&self, rank: &Partial, file: usize) -> bool {
        let count = |parity| rank.iter().skip(parity).step_by(2).flatten().count();
        let (dark, light) = (count(0), count(1));
        self.game.per_turn == 1 || dark == light || file.is_multiple_of(2) == (dark < light)
    }

    /// Returns everything that `color` may do.
    pub fn actions(&self, filling: &Filling, color: Color) -> impl Iterator<Item = Action> {
        let (rank, code) = (&filling.rank, code(&filling.rank));
        let free = move || (0..BACK_RANK).filter(move |&file| rank[file].is_none());
        let places = PIECES.into_iter().flat_map(move |kind| {
            free()
                .filter(move |&file| {
                    self.is_allowed[code + share(kind, file)] && self.is_color_free(rank, file)
                })
                .map(move |file| Action::Place(kind, file))
        });
        let may_move = self.game.has_move && !filling.has_moved[color.index()];
        let standing =
            (0..BACK_RANK).filter(move |_| may_move).filter_map(move |file| Some((file, rank[file]?)));
        let moves = standing.flat_map(move |(from, kind)| {
            let lifted = code - share(kind, from);
            free()
                .filter(move |&to| self.is_allowed[lifted + share(kind, to)])
                .map(move |to| Action::Move(from, to))
        });
        places.chain(moves)
    }

    /// Says why an action is illegal.
    pub fn reason(&self, filling: &Filling, action: Action, color: Color) -> String {
        let letter = |file: usize| File::ALL[file].letter();
        let rank = &filling.rank;
        match action {
            Action::Move(..) if !self.game.has_move => "in this game nobody moves a piece.".to_owned(),
            Action::Move(..) if filling.has_moved[color.index()] => {
                "you have moved a piece before.".to_owned()
            }
            Action::Move(from, _) if rank[from].is_none() => format!("{}1 is empty.", letter(from)),
            Action::Place(_, file) | Action::Move(_, file) if rank[file].is_some() => {
                format!("{}1 is occupied.", letter(file))
            }
            Action::Place(_, file) if !self.is_color_free(rank, file) => {
                "the second piece goes on a square of the other colour.".to_owned()
            }
            Action::Place(kind, _)
                if rank.iter().filter(|placed| **placed == Some(kind)).count() == most(kind) =>
            {
                format!("no {} is left.", kind.name())
            }
            _ => format!("it leaves no back rank with {}.", self.game.condition),
        }
    }
}

/// Returns how many pieces of a kind a player has.
fn most(kind: PieceKind) -> usize {
    if matches!(kind, PieceKind::King | PieceKind::Queen) { 1 } else { 2 }
}
