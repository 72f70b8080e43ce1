//! Placement games: two players place back-rank pieces in turn to create a start position. The program can take the
//! part of one of them, and say what each placement is worth.

mod clock;
mod rules;
mod solver;

use std::io::BufRead;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use self::clock::Clock;
pub use self::rules::PlacementGame;
use self::rules::{Action, BACK_RANK, Filling, Partial, Rules};
use self::solver::{Solver, color_to_place};
use enroque::chess::startpos;
use enroque::chess::{Board, Color, File, PieceKind};
use enroque::terminal::OutputError;
use enroque::util::random::Random;
use enroque_study::castling::color_name;

// No doc comment here: clap would show it as the help of `place`.
#[derive(clap::Args, Debug, Default)]
pub struct Settings {
    /// Who places the first piece; default: Black in spanish and pairs, White in the others
    #[arg(long, value_name = "COLOR", value_parser = color())]
    first: Option<Color>,
    /// Let the program place the pieces of this player, as well as it can (shared, spanish, pairs)
    #[arg(long, value_name = "COLOR", value_parser = color())]
    program: Option<Color>,
    /// Show before each turn what each placement is worth, from the scores of the atlas (shared, spanish, pairs)
    #[arg(long = "advise")]
    has_advice: bool,
    /// Minutes that each player has; then lots place the rest of that player's pieces
    #[arg(long = "clock", value_name = "MINUTES", value_parser = minutes())]
    time: Option<Duration>,
}

fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"])
        .map(|name| if name == "white" { Color::White } else { Color::Black })
}

fn minutes() -> impl TypedValueParser<Value = Duration> {
    clap::value_parser!(u32).range(1..=60).map(|minutes| Duration::from_mins(minutes.into()))
}

/// Plays the game. `input` has placements such as `Nb` or `Nb1`, one per line; `print` shows a text to the players.
pub fn play(
    game: &'static PlacementGame,
    settings: &Settings,
    input: impl BufRead,
    print: impl Fn(&str) -> Result<(), OutputError>,
) -> Result<Board> {
    let rules = Rules::new(game);
    let first = settings.first.unwrap_or(game.first);
    let mut solver = Solver::new(&rules, first).filter(|_| settings.has_advice || settings.program.is_some());
    ensure!(
        solver.is_some() || !settings.has_advice && settings.program.is_none(),
        "{}: the program knows only what a back rank is worth that both sides share; choose shared, spanish or pairs",
        game.name
    );
    print(&introduction(game))?;
    if let Some(solver) = &mut solver {
        print(&who_should_begin(&rules, solver, first))?;
    }
    let mut table = Table { rules: &rules, first, ranks: [Filling::default(); 2] };
    let mut earlier: Vec<Table> = Vec::new();
    let mut clock = settings.time.map(Clock::new);
    let mut random = Random::from_entropy();
    let mut lines = input.lines();
    while table.placed() < game.piece_count() {
        let color = table.color();
        let filling = *table.filling(color);
        if clock.as_ref().is_some_and(|clock| clock.is_up(color)) {
            let actions: Vec<Action> =
                rules.actions(&filling, color).filter(|action| matches!(action, Action::Place(..))).collect();
            let action = chosen(&actions, &mut random)?;
            print(&format!("{}'s time is up; a lot places {action}.", color_name(color)))?;
            table.play(action);
            continue;
        }
        if let Some(solver) = solver.as_mut().filter(|_| settings.program == Some(color)) {
            let (actions, value) = solver.best(&filling);
            let action = chosen(&actions, &mut random)?;
            print(&format!(
                "\n{}\nThe program, {}: {action} ({value:+.2})",
                table.picture(),
                color_name(color)
            ))?;
            table.play(action);
            continue;
        }
        let left = clock.as_ref().map_or_else(String::new, |clock| format!(" ({} left)", clock.text(color)));
        print(&format!("\n{}\n{} places{left}:", table.picture(), color_name(color)))?;
        if let Some(solver) = solver.as_mut().filter(|_| settings.has_advice) {
            print(&advice(solver, &filling, color))?;
        }
        clock.iter_mut().for_each(Clock::start);
        let Some(line) = lines.next() else {
            bail!("the game ended with {} pieces still to be placed", game.piece_count() - table.placed());
        };
        let line = line.context("cannot read the placements")?;
        if clock.as_mut().is_some_and(|clock| !clock.stop(color)) {
            continue;
        }
        match line.trim() {
            "undo" => match earlier.pop() {
                Some(before) => table = before,
                None => print("There is nothing to take back.")?,
            },
            "?" => print(&legal_actions(&rules, &filling, color))?,
            text => match parse(text) {
                Some(action) if rules.is_legal(&filling, action, color) => {
                    earlier.push(table.clone());
                    table.play(action);
                }
                Some(action) => print(&format!("Illegal: {}", rules.reason(&filling, action, color)))?,
                None => print("Expected a piece and a file, such as Nb, or '?' or 'undo'.")?,
            },
        }
    }
    let [white, black] = Color::ALL.map(|color| table.filling(color).complete());
    let (white, black) = white.zip(black).context("the back ranks are incomplete")?;
    let settled = game.settled(white);
    if settled != white {
        print("The king isn't between the rooks: it swaps places with the nearest rook.")?;
    }
    Ok(startpos::board_from_back_ranks(&settled, &game.settled(black), game.castling))
}

/// The board, and whose turn it is.
#[derive(Clone)]
struct Table<'a> {
    rules: &'a Rules,
    first: Color,
    /// The back ranks of White and Black; if they share one, only the first counts.
    ranks: [Filling; 2],
}

impl Table<'_> {
    fn index(&self, color: Color) -> usize {
        if self.rules.game.is_shared { 0 } else { color.index() }
    }

    fn filling(&self, color: Color) -> &Filling {
        &self.ranks[self.index(color)]
    }

    fn placed(&self) -> usize {
        self.ranks.iter().map(Filling::placed).sum()
    }

    /// Returns who places the next piece.
    fn color(&self) -> Color {
        color_to_place(self.rules.game, self.first, self.placed())
    }

    fn play(&mut self, action: Action) {
        let color = self.color();
        self.ranks[self.index(color)] = self.filling(color).after(action, color);
    }

    fn picture(&self) -> String {
        let row = |rank: &Partial| -> String {
            rank.map(|placed| format!("{} ", placed.map_or('.', PieceKind::letter))).concat()
        };
        let [white, black] = self.ranks.each_ref().map(|filling| row(&filling.rank));
        let ranks = if self.rules.game.is_shared {
            format!("Both   {white}")
        } else {
            format!("Black  {}\nWhite  {white}", black.to_lowercase())
        };
        let left = self.filling(self.color()).left();
        format!("{ranks}\n       a b c d e f g h\nLeft   {left}")
    }
}

fn introduction(game: &PlacementGame) -> String {
    let moving = if game.has_move { ", 'move b d' moves a piece" } else { "" };
    format!(
        "{}\nType a piece and a file, such as Nb. 'undo' takes back what a player did last, '?' lists the legal \
         placements{moving}.",
        game.rules
    )
}

/// Says what the start will be worth with best play, whoever begins.
fn who_should_begin(rules: &Rules, solver: &mut Solver, first: Color) -> String {
    let empty = Filling::default();
    let own = solver.value(&empty);
    let other = Solver::new(rules, !first).map_or(own, |mut solver| solver.value(&empty));
    format!(
        "If both place as well as they can, White's score will be {own:+.2}; if {} began, {other:+.2}.",
        color_name(!first)
    )
}

/// Returns a table of White's scores after each placement, and the best actions of `color`.
fn advice(solver: &mut Solver, filling: &Filling, color: Color) -> String {
    let worths = solver.worths(filling);
    let cell = |kind, file| {
        let found = worths.iter().find(|(action, _)| *action == Action::Place(kind, file));
        found.map_or_else(|| format!("{:>7}", ""), |(_, value)| format!("{value:>+7.2}"))
    };
    let mut lines = vec![format!(
        "White's score after each placement\n   {}",
        File::ALL.map(|file| format!("{:>7}", file.letter())).concat()
    )];
    for kind in PieceKind::ALL {
        let cells: String = (0..BACK_RANK).map(|file| cell(kind, file)).collect();
        if !cells.trim().is_empty() {
            lines.push(format!("  {}{cells}", kind.letter()).trim_end().to_owned());
        }
    }
    let (actions, value) = solver.best(filling);
    let names: Vec<String> = actions.iter().map(ToString::to_string).collect();
    lines.push(format!("Best for {} ({value:+.2}): {}", color_name(color), names.join(", ")));
    lines.join("\n")
}

fn chosen(actions: &[Action], random: &mut Random) -> Result<Action> {
    let index = random.below(actions.len().max(1) as u64) as usize;
    actions.get(index).copied().context("no piece can be placed")
}

/// Parses `Nb`, `nb1`, `N b` or `move b d`.
fn parse(text: &str) -> Option<Action> {
    if let Some(files) = text.strip_prefix("move ") {
        let mut squares = files.split_whitespace();
        let action = Action::Move(square(squares.next()?)?, square(squares.next()?)?);
        return squares.next().is_none().then_some(action);
    }
    let letters: String = text.split_whitespace().collect();
    let mut rest = letters.chars();
    let kind = PieceKind::from_letter(rest.next()?).filter(|&kind| kind != PieceKind::Pawn)?;
    Some(Action::Place(kind, square(rest.as_str())?))
}

/// Parses a file, or a square of a back rank: `b`, `B1` or `b8`.
fn square(text: &str) -> Option<usize> {
    let mut letters = text.chars();
    let file = letters.next()?.to_ascii_lowercase();
    let file = ('a'..='h').position(|letter| letter == file)?;
    ["", "1", "8"].contains(&letters.as_str()).then_some(file)
}

fn legal_actions(rules: &Rules, filling: &Filling, color: Color) -> String {
    let actions: Vec<Action> = rules.actions(filling, color).collect();
    let mut lines: Vec<String> = PieceKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let files: String = actions
                .iter()
                .filter_map(|action| match *action {
                    Action::Place(placed, file) if placed == kind => Some(File::ALL[file].letter()),
                    _ => None,
                })
                .collect();
            (!files.is_empty()).then(|| format!("{} on {files}", kind.letter()))
        })
        .collect();
    let moves = actions.iter().filter(|action| matches!(action, Action::Move(..)));
    let moves: Vec<String> = moves.map(ToString::to_string).collect();
    if !moves.is_empty() {
        lines.push(format!("or first {}", moves.join(", ")));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::rules::GAMES;
    use super::*;

    #[test]
    fn legal_placements_complete_rank() {
        let mut random = Random::new(9);
        for game in GAMES.iter().cycle().take(30) {
            let rules = Rules::new(game);
            let mut filling = Filling::default();
            while filling.placed() < BACK_RANK {
                let actions: Vec<Action> = rules.actions(&filling, Color::White).collect();
                filling = filling.after(actions[random.below(actions.len() as u64) as usize], Color::White);
            }
            let number = startpos::scharnagl_number(&game.settled(filling.complete().unwrap())).unwrap();
            assert!(number < if game.is_shared { startpos::CHESS960_COUNT } else { game.limit });
        }
    }

    fn play_with(name: &str, settings: Settings, input: &str) -> (Result<Board>, String) {
        let printed = RefCell::new(String::new());
        let print = |text: &str| {
            *printed.borrow_mut() += &format!("{text}\n");
            Ok(())
        };
        let game = PlacementGame::by_name(name).unwrap();
        let board = play(game, &settings, input.as_bytes(), print);
        (board, printed.into_inner())
    }

    fn play_game(name: &str, input: &str) -> Result<Board> {
        play_with(name, Settings::default(), input).0
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
        let bishop = Filling::default().after(Action::Place(PieceKind::Bishop, 0), Color::White);
        let legal = |game: &str, kind, file| {
            let rules = Rules::new(PlacementGame::by_name(game).unwrap());
            rules.is_legal(&bishop, Action::Place(kind, file), Color::Black)
        };
        for game in ["chess960", "shared", "prechess", "spanish", "pairs"] {
            assert!(!legal(game, PieceKind::Bishop, 2) && legal(game, PieceKind::Bishop, 3), "{game}");
            assert!(!legal(game, PieceKind::Knight, 0), "{game}");
            assert_eq!(legal(game, PieceKind::King, 7), !["chess960", "shared"].contains(&game));
        }
        assert!(!legal("pairs", PieceKind::King, 6), "the second piece goes on a light square");
        assert_eq!(parse("N b"), Some(Action::Place(PieceKind::Knight, 1)));
        assert_eq!(parse("move b1 d"), Some(Action::Move(1, 3)));
        for text in ["x", "Pa", "Nb2", "move b", "move b d e", ""] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn prechess_castles_from_orthodox_squares() {
        // With their kings on a1 and a8, neither side has castling rights.
        let pieces = ["K", "R", "R", "B", "B", "Q", "N", "N"].iter().zip('a'..='h');
        let input: String = pieces.map(|(piece, file)| format!("{piece}{file}\n{piece}{file}\n")).collect();
        assert!(play_game("prechess", &input).unwrap().castling_rights().is_empty());
    }

    #[test]
    fn spanish_king_swaps_and_pieces_move_once() {
        let letters = |board: &Board| startpos::StartNumbers::of(board).unwrap().letters_joined(":");
        let placed = "Ka\nRb\nRc\nBd\nBe\nQf\nNg\nNh\n";
        let (board, text) = play_with("spanish", Settings::default(), placed);
        assert_eq!(letters(&board.unwrap()), "RKRBBQNN");
        assert!(text.contains("Black places:") && text.contains("swaps places"), "{text}");
        let lefts: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Left   ")).collect();
        assert_eq!((lefts[0], lefts[3], lefts[7]), ("K Q R R B B N N", "Q B B N N", "N"));
        // Black begins; White moves the king from a to h and can't move a piece again; Black moves a rook from b to a.
        let moved = "Ka\nmove a h\nRb\nRc\nmove b a\nBd\nmove b a\nBe\nQf\nNg\nNb\n";
        let (board, text) = play_with("spanish", Settings::default(), moved);
        assert_eq!(letters(&board.unwrap()), "RNKBBQNR");
        assert_eq!(text.matches("you have moved a piece before").count(), 1, "{text}");
        assert!(play_game("pairs", "Ka\nRb\nRc\nBd\nBe\nQf\nNg\nNh\n").is_ok());
    }

    #[test]
    fn program_places_and_advises() {
        let (board, text) = play_with(
            "shared",
            Settings { program: Some(Color::Black), has_advice: true, ..Settings::default() },
            "Re\n?\nBh\nQh\nQd\nQc\nQb\nQa\nNa\nNb\nNc\nBa\nBb\nBc\nKc\nKb\nKd\nRa\nRb\n",
        );
        assert!(text.contains("White's score will be +0.28; if Black began, +0.26"), "{text}");
        assert!(
            text.contains("Best for White (+0.28): Re") && text.contains("The program, Black: "),
            "{text}"
        );
        // White's placements need not all be legal: the program answers at random among its best ones.
        if let Ok(board) = board {
            assert!(!startpos::StartNumbers::of(&board).unwrap().is_double());
        }
        for name in ["chess960", "prechess"] {
            let settings = Settings { has_advice: true, ..Settings::default() };
            assert!(play_with(name, settings, "").0.unwrap_err().to_string().contains("share"), "{name}");
        }
    }

    #[test]
    fn lots_place_when_time_is_up() {
        let settings = Settings { time: Some(Duration::ZERO), ..Settings::default() };
        let (board, text) = play_with("shared", settings, "");
        assert!(board.is_ok() && text.matches("time is up").count() == BACK_RANK, "{text}");
        let settings = Settings { time: Some(Duration::from_secs(3600)), ..Settings::default() };
        let (_, text) = play_with("shared", settings, "");
        assert!(text.contains("White places (60:00 left):"), "{text}");
    }
}
