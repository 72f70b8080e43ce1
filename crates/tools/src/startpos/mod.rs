//! `enroque-tools startpos`: start positions by number, by hand, at random, or all of a set, and the number of a position.

mod arguments;
pub(crate) mod facts;
pub(crate) mod lookup;
pub(crate) mod methods;
mod placing;
mod sheet;

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use self::arguments::BoardStyle;
use self::methods::{METHODS, Method, Rolls};
use super::explain::fens;
use super::sample;
use super::shell::quoted;
use enroque::chess::position::back_rank_text;
use enroque::chess::startpos::{self, START_SETS, StartCastling, StartSet};
use enroque::chess::{Board, CastlingRules, FenStyle};
use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque::util::random::Random;

pub use self::arguments::Arguments;

/// Random seeds stay below this limit, so that people can write them down.
const SEED_LIMIT: u64 = 1_000_000_000;
/// How many positions we write at once: enough to be fast, few enough to fit in memory.
const CHUNK: usize = 4096;

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments name no start position, or if input or output fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    let set = arguments.set;
    if arguments.sets {
        for set in &START_SETS {
            print_line(&format!("{:<18} {:>10}  {}", set.name, set.count(), set.description))?;
        }
        return Ok(());
    }
    if arguments.methods {
        let text = |method: &Method| format!("{}\n{}\n{}", method.name, method.rules, method.note());
        return Ok(print_line(&METHODS.each_ref().map(text).join("\n\n"))?);
    }
    if arguments.all {
        return print_all(set, arguments.fen.unwrap_or(FenStyle::Shredder));
    }
    if arguments.is_random() {
        return draw(arguments);
    }
    if let Some(method) = arguments.method {
        return print_position(&draw_by_method(method, arguments)?, arguments);
    }
    if let Some(game) = arguments.place {
        let board = placing::play(game, std::io::stdin().lock(), |text| tell(text, arguments))?;
        return print_position(&board, arguments);
    }
    let boards = if arguments.positions.is_empty() {
        let orthodox = u64::from(startpos::ORTHODOX);
        vec![lookup::by_number(set, if set.count() > orthodox { orthodox } else { 0 })?]
    } else {
        arguments.positions.iter().map(|text| lookup::by_text(set, text)).collect::<Result<_>>()?
    };
    if let Some(path) = &arguments.sheet {
        let words = arguments.positions.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(" ");
        let command = format!("enroque-tools startpos --set {} {words}", set.name);
        return sheet::write(path, arguments, &boards, &[command]);
    }
    for (index, board) in boards.iter().enumerate() {
        if index > 0 && !arguments.prints_data() {
            print_line("\n")?;
        }
        print_position(board, arguments)?;
    }
    Ok(())
}

/// Prints a text for people, on standard error if another program reads the data on standard output.
fn tell(text: &str, arguments: &Arguments) -> Result<(), OutputError> {
    if arguments.prints_data() {
        eprint_line(text);
        return Ok(());
    }
    print_line(text)
}

/// Prints the board, numbers, FENs and facts of a position, or only what the arguments ask for.
fn print_position(board: &Board, arguments: &Arguments) -> Result<()> {
    if let Some(style) = arguments.fen {
        return Ok(print_line(&board.fen(style))?);
    }
    if arguments.json {
        return Ok(print_line(&facts::json(board).to_string())?);
    }
    let mut text = arguments.board.draw(board);
    if let Some((white, black)) =
        startpos::start_numbers(board).filter(|_| arguments.board != BoardStyle::Svg)
    {
        let set = arguments.set;
        let _ = write!(text, "\n\nNumber    {}", startpos::name_of(white, black));
        if let Some(index) = set.index_of((white, black)).filter(|_| set.name != "chess960") {
            let _ = write!(text, "\nSet       {}:{index}, of {}", set.name, set.count());
        }
        if let Some((white, black)) = startpos::mirror_number(white).zip(startpos::mirror_number(black)) {
            let _ = write!(text, "\nMirror    {}", startpos::name_of(white, black));
        }
        let _ = write!(text, "\nWhite     {}", back_rank_text(white));
        let _ = write!(text, "\nBlack     {}", back_rank_text(black));
        let _ = write!(text, "\n{}\n\n{}", fens(board), facts::text(board));
    }
    Ok(print_line(&text)?)
}

/// Prints every position of a set, one FEN a line.
fn print_all(set: &'static StartSet, style: FenStyle) -> Result<()> {
    let ranks = set.ranks();
    let pairs: Box<dyn Iterator<Item = (u32, u32)>> = if set.double {
        Box::new(ranks.iter().flat_map(|&white| ranks.iter().map(move |&black| (white, black))))
    } else {
        Box::new(ranks.iter().map(|&number| (number, number)))
    };
    let mut lines = pairs.filter_map(|(white, black)| {
        let (white, black) = startpos::back_rank(white).zip(startpos::back_rank(black))?;
        Some(startpos::board_from_back_ranks(&white, &black, set.castling).fen(style))
    });
    loop {
        let chunk: Vec<String> = lines.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return Ok(());
        }
        print_line(&chunk.join("\n"))?;
    }
}

/// Draws positions at random and prints them, or the sheet with them.
fn draw(arguments: &Arguments) -> Result<()> {
    let Arguments { set, count, .. } = *arguments;
    let mut excluded = HashSet::new();
    for text in &arguments.exclude {
        excluded.extend(lookup::numbers_by_text(set, text)?);
    }
    let most = set.count() - excluded.len() as u64;
    let wanted = count.unwrap_or(1);
    ensure!(wanted <= most, "--count: the set {} has {most} positions without those excluded", set.name);
    let seed = arguments.seed.unwrap_or_else(|| Random::from_entropy().below(SEED_LIMIT));
    let drawn = sample::distinct(set.count(), wanted, seed, &excluded);
    let boards =
        drawn.iter().map(|&number| lookup::by_number(set, number)).collect::<Result<Vec<Board>>>()?;
    // The command that repeats the draw.
    let mut command =
        format!("enroque-tools startpos --random --set {} --count {wanted} --seed {seed}", set.name);
    if !arguments.exclude.is_empty() {
        let _ = write!(command, " --exclude {}", quoted(&arguments.exclude.join(",")));
    }
    if let Some(path) = &arguments.sheet {
        sheet::write(path, arguments, &boards, &[format!("Seed {seed}"), command.clone()])?;
    } else if let (None, None, [board]) = (count, arguments.seed, &boards[..]) {
        return print_position(board, arguments);
    }
    print_line(&format!("# {command}"))?;
    for (index, (number, board)) in drawn.iter().zip(&boards).enumerate() {
        let fen = board.fen(arguments.fen.unwrap_or(FenStyle::Shredder));
        print_line(&format!("{:>4}  {number:>10}  {fen}", index + 1))?;
    }
    Ok(())
}

/// Draws a start and prints the rules, each step and the probabilities.
fn draw_by_method(method: &Method, arguments: &Arguments) -> Result<Board> {
    let rolls = if arguments.rolls.is_empty() {
        Rolls::random(Random::from_entropy())
    } else {
        Rolls::given(arguments.rolls.iter().cloned())
    };
    let drawn = method.draw(rolls).context("--rolls")?;
    let (rules, steps) = (method.rules.replace(". ", ".\n"), drawn.steps.join("\n  "));
    tell(&format!("{rules}\n  {steps}\n{}\n", method.note()), arguments)?;
    Ok(startpos::board_from_back_ranks(
        &drawn.rank,
        &drawn.rank,
        StartCastling::Rules(CastlingRules::Fischer),
    ))
}
