//! Placement games: two players place back-rank pieces in turn, White first, to create a start position.
//!
//! Each game is a row of [`GAMES`]. A placement is legal if the rules still allow some way to complete the back rank.

use std::io::BufRead;

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use enroque::chess::startpos::{self, BackRank, CHESS960_COUNT, CHESS2880_COUNT, StartCastling};
use enroque::chess::{Board, CastlingRules, Color, File, PieceKind};
use enroque::terminal::OutputError;
use enroque_study::castling::color_name;

#[derive(Debug)]
pub struct PlacementGame {
    name: &'static str,
    /// One line for the help text.
    summary: &'static str,
    rules: &'static str,
    /// What the rules demand of a back rank, for error messages.
    condition: &'static str,
    /// Only back ranks whose Chess2880 number is below this limit are allowed. The first 960 have the king between the
    /// rooks.
    limit: u32,
    castling: StartCastling,
    /// `true` if both players fill a single back rank, which White and Black then share.
    is_shared: bool,
}

static GAMES: [PlacementGame; 3] = [
    PlacementGame {
        name: "chess960",
        summary: "Each player fills their own back rank with one of the 960 (double Chess960)",
        rules: "Each player fills their own back rank. The bishops stand on opposite colours, the king between the \
            rooks. Castling is as in Chess960.",
        condition: "bishops on opposite colours and the king between the rooks",
        limit: CHESS960_COUNT,
        castling: StartCastling::Rules(CastlingRules::Fischer),
        is_shared: false,
    },
    PlacementGame {
        name: "shared",
        summary: "Both players fill one back rank for both sides, one of the 960",
        rules: "Both players fill one back rank, which White and Black then share. The bishops stand on opposite \
            colours, the king between the rooks. Castling is as in Chess960.",
        condition: "bishops on opposite colours and the king between the rooks",
        limit: CHESS960_COUNT,
        castling: StartCastling::Rules(CastlingRules::Fischer),
        is_shared: true,
    },
    PlacementGame {
        name: "prechess",
        summary: "Benko's Pre-Chess: each player fills their own back rank; castling only from the orthodox squares",
        rules: "Pre-Chess, published by Benko, who credits Bronstein with the idea: each player fills their own \
            back rank. The bishops stand on opposite colours. Only a king on the e-file castles, with a rook in the corner.",
        condition: "bishops on opposite colours",
        limit: CHESS2880_COUNT,
        castling: StartCastling::OrthodoxSquares,
        is_shared: false,
    },
];

impl PlacementGame {
    fn by_name(name: &str) -> Option<&'static Self> {
        GAMES.iter().find(|game| game.name == name)
    }

    pub fn parser() -> impl TypedValueParser<Value = &'static Self> {
        let values = GAMES.iter().map(|game| PossibleValue::new(game.name).help(game.summary));
        PossibleValuesParser::new(values).map(|name| Self::by_name(&name).unwrap_or(&GAMES[0]))
    }

    fn piece_count(&self) -> usize {
        if self.is_shared { BACK_RANK } else { 2 * BACK_RANK }
    }

    /// Returns the index of the back rank that a player fills.
    fn rank_of(&self, color: Color) -> usize {
        if self.is_shared { 0 } else { color.index() }
    }
}

const BACK_RANK: usize = 8;

/// The pieces placed so far on a back rank, by file.
type Partial = [Option<PieceKind>; BACK_RANK];

/// Plays the game. `input` has placements such as `Nb` or `Nb1`, one per line; `print` shows a text to the players.
pub fn play(
    game: &PlacementGame,
    input: impl BufRead,
    print: impl Fn(&str) -> Result<(), OutputError>,
) -> Result<Board> {
    let mut ranks = vec![[None; BACK_RANK]; if game.is_shared { 1 } else { 2 }];
    let mut placed: Vec<(usize, usize)> = Vec::new();
    print(&format!(
        "{}\nTwo players place their pieces in turn: a piece and a file, such as Nb. 'undo' takes back the last \
         piece, '?' lists the legal placements.",
        game.rules
    ))?;
    let mut lines = input.lines();
    while placed.len() < game.piece_count() {
        let color = if placed.len().is_multiple_of(2) { Color::White } else { Color::Black };
        print(&format!("\n{}\n{} places:", picture(&ranks), color_name(color)))?;
        let Some(line) = lines.next() else {
            let left = game.piece_count() - placed.len();
            bail!("the game ended with {left} pieces still to be placed");
        };
        let rank = &mut ranks[game.rank_of(color)];
        match line.context("cannot read the placements")?.trim() {
            "undo" => match placed.pop() {
                Some((rank, file)) => ranks[rank][file] = None,
                None => print("There is nothing to take back.")?,
            },
            "?" => print(&legal_placements(game, rank))?,
            text => match placement(text) {
                Some((kind, file)) if is_legal(game, rank, kind, file) => {
                    rank[file] = Some(kind);
                    placed.push((game.rank_of(color), file));
                }
                Some((kind, file)) => {
                    print(&format!("Illegal: {}", illegal_reason(game, rank, kind, file)))?;
                }
                None => print("Expected a piece and a file, such as Nb, or '?' or 'undo'.")?,
            },
        }
    }
    let [white, black] = Color::ALL.map(|color| complete(&ranks[game.rank_of(color)]));
    let (white, black) = white.zip(black).context("the back ranks are incomplete")?;
    Ok(startpos::board_from_back_ranks(&white, &black, game.castling))
}

/// Parses `Nb`, `nb1` or `N b`.
fn placement(text: &str) -> Option<(PieceKind, usize)> {
    let mut letters = text.chars().filter(|c| !c.is_whitespace());
    let kind = PieceKind::from_letter(letters.next()?).filter(|&kind| kind != PieceKind::Pawn)?;
    let file = letters.next()?.to_ascii_lowercase();
    let file = ('a'..='h').position(|letter| letter == file)?;
    let rest: String = letters.collect();
    ["", "1", "8"].contains(&rest.as_str()).then_some((kind, file))
}

/// Returns all back ranks that the rules allow and that agree with the pieces placed so far.
fn completions(game: &PlacementGame, rank: &Partial) -> impl Iterator<Item = BackRank> {
    (0..game.limit).filter_map(startpos::back_rank).filter(|full| {
        rank.iter().zip(full).all(|(placed, kind)| placed.is_none_or(|placed| placed == *kind))
    })
}

fn is_legal(game: &PlacementGame, rank: &Partial, kind: PieceKind, file: usize) -> bool {
    let mut next = *rank;
    rank[file].is_none() && {
        next[file] = Some(kind);
        completions(game, &next).next().is_some()
    }
}

fn complete(rank: &Partial) -> Option<BackRank> {
    let full: Vec<PieceKind> = rank.iter().copied().flatten().collect();
    full.try_into().ok()
}

fn legal_placements(game: &PlacementGame, rank: &Partial) -> String {
    let line = |kind: PieceKind| {
        let files: String = (0..8)
            .filter(|&file| is_legal(game, rank, kind, file))
            .map(|file| File::ALL[file].letter())
            .collect();
        if files.is_empty() { String::new() } else { format!("{} on {files}\n", kind.letter()) }
    };
    PieceKind::ALL.map(line).concat().trim_end().to_owned()
}

fn illegal_reason(game: &PlacementGame, rank: &Partial, kind: PieceKind, file: usize) -> String {
    let count = |kind| rank.iter().filter(|placed| **placed == Some(kind)).count();
    let most = if matches!(kind, PieceKind::King | PieceKind::Queen) { 1 } else { 2 };
    if rank[file].is_some() {
        format!("{}1 is occupied.", File::ALL[file].letter())
    } else if count(kind) == most {
        format!("no {} is left.", kind.name())
    } else {
        format!("it leaves no back rank with {}.", game.condition)
    }
}

fn picture(ranks: &[Partial]) -> String {
    let row = |rank: &Partial| -> String {
        rank.map(|placed| format!("{} ", placed.map_or('.', PieceKind::letter))).concat()
    };
    let files = "       a b c d e f g h";
    match ranks {
        [white, black] => format!("Black  {}\nWhite  {}\n{files}", row(black).to_lowercase(), row(white)),
        _ => format!("Both   {}\n{files}", row(&ranks[0])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::util::random::Random;

    #[test]
    fn legal_placements_complete_rank() {
        let mut random = Random::new(9);
        for game in GAMES.iter().cycle().take(30) {
            let mut rank: Partial = [None; BACK_RANK];
            for _ in 0..BACK_RANK {
                let choices: Vec<(PieceKind, usize)> = PieceKind::ALL
                    .into_iter()
                    .flat_map(|kind| (0..8).map(move |file| (kind, file)))
                    .filter(|&(kind, file)| is_legal(game, &rank, kind, file))
                    .collect();
                let (kind, file) = choices[random.below(choices.len() as u64) as usize];
                rank[file] = Some(kind);
            }
            assert!(startpos::scharnagl_number(&complete(&rank).unwrap()).unwrap() < game.limit);
        }
    }

    fn play_game(name: &str, input: &str) -> Result<Board> {
        play(PlacementGame::by_name(name).unwrap(), input.as_bytes(), |_| Ok(()))
    }

    #[test]
    fn game_builds_start_position() {
        let white = ["Ra", "Nb", "Bc", "Qd", "Ke", "Bf1", "Ng", "Rh"];
        let moves: String = white
            .iter()
            .map(|placed| format!("{placed}\n{placed}\n").replace("Bf1\nBf1", "Bf1\nbf8"))
            .collect();
        // Before `moves`, the players try an occupied square (`Ka`) and take back three placements.
        let input = format!("Ra\nRa\nKa\nundo\nBc\nundo\nundo\n{moves}");
        assert_eq!(play_game("chess960", &input).unwrap(), Board::startpos());
        assert_eq!(
            play_game("prechess", &moves).unwrap().castling_rights(),
            Board::startpos().castling_rights()
        );
        assert_eq!(play_game("shared", &white.join("\n")).unwrap(), Board::startpos());
        for (game, left) in [("chess960", "15 pieces"), ("shared", "7 pieces")] {
            assert!(play_game(game, "Ra\n").unwrap_err().to_string().contains(left), "{game}");
        }
        let rank = [Some(PieceKind::Bishop), None, None, None, None, None, None, None];
        let legal =
            |game: &str, kind, file| is_legal(PlacementGame::by_name(game).unwrap(), &rank, kind, file);
        for game in ["chess960", "shared", "prechess"] {
            assert!(!legal(game, PieceKind::Bishop, 2) && legal(game, PieceKind::Bishop, 3), "{game}");
            assert!(!legal(game, PieceKind::Knight, 0), "{game}");
            assert_eq!(legal(game, PieceKind::King, 7), game == "prechess");
        }
        assert_eq!(
            (placement("N b"), placement("x"), placement("Pa")),
            (Some((PieceKind::Knight, 1)), None, None)
        );
    }

    #[test]
    fn prechess_castles_from_orthodox_squares() {
        // With their kings on a1 and a8, neither side has castling rights.
        let pieces = ["K", "R", "R", "B", "B", "Q", "N", "N"].iter().zip('a'..='h');
        let input: String = pieces.map(|(piece, file)| format!("{piece}{file}\n{piece}{file}\n")).collect();
        assert!(play_game("prechess", &input).unwrap().castling_rights().is_empty());
    }
}
