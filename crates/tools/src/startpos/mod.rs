//! `enroque-tools startpos`: looks up start positions, draws them at random or by hand, and lists whole sets.

mod arguments;
mod counts;
mod description;
mod families;
mod placing;
mod sheet;

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

pub use self::arguments::Arguments;
use self::arguments::{
    BoardStyle, PlaceArguments, RandomArguments, RollArguments, ShowArguments, StartposCommand,
    StyleArguments,
};
use crate::text::quoted;
use enroque::chess::startpos::{self, START_SETS, StartCastling, StartNumbers, StartSet};
use enroque::chess::{Board, CastlingRules, FenStyle};
use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque::util::random::Random;
use enroque_runs::wrap::{self, fit};
use enroque_study::dice::{METHODS, Method, Rolls};
use enroque_study::start_text::{by_text, numbers_by_text};

/// We draw seeds below this limit, so that they're short enough to write down.
const SEED_LIMIT: u64 = 1_000_000_000;
/// How many positions we write at once: enough to be fast, few enough to fit in memory.
const CHUNK: usize = 4096;

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => show(&arguments.show),
        Some(StartposCommand::Random(arguments)) => draw(arguments),
        Some(StartposCommand::Roll(arguments)) => roll(arguments),
        Some(StartposCommand::Place(arguments)) => {
            let PlaceArguments { game, settings, style } = arguments;
            let input = std::io::stdin().lock();
            let board = placing::play(game, settings, input, |text| tell(text, style))?;
            print_position(&board, None, style)
        }
        Some(StartposCommand::Sets(arguments)) => match arguments.set {
            Some(set) => print_all(set, arguments.fen),
            None => START_SETS.iter().try_for_each(|set| {
                let (name, count) = (set.name, set.count());
                Ok(wrap::print(&format!("{name:<18} {count:>10}  {}", set.description))?)
            }),
        },
        Some(StartposCommand::Families(arguments)) => families::run(arguments),
        Some(StartposCommand::Counts) => Ok(print_line(&counts::table())?),
    }
}

fn show(arguments: &ShowArguments) -> Result<()> {
    let ShowArguments { positions, set, style, sheet } = arguments;
    let boards: Vec<Board> = if positions.is_empty() {
        let orthodox = u64::from(startpos::ORTHODOX);
        set.position(orthodox).or_else(|| set.position(0)).into_iter().collect()
    } else {
        positions.iter().map(|text| by_text(set, text)).collect::<Result<_, _>>()?
    };
    if let Some(path) = &sheet.path {
        let words = positions.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(" ");
        let command = format!("enroque-tools startpos --set {} {words}", set.name);
        return sheet::write(path, sheet, set, &boards, &[command]);
    }
    for (index, board) in boards.iter().enumerate() {
        if index > 0 && !style.is_data() {
            print_line("\n")?;
        }
        print_position(board, Some(set), style)?;
    }
    Ok(())
}

/// Prints text for people, on standard error if standard output carries data for another program.
fn tell(text: &str, style: &StyleArguments) -> Result<(), OutputError> {
    if style.is_data() {
        eprint_line(&fit(text));
        return Ok(());
    }
    wrap::print(text)
}

/// Prints the board, numbers, FEN and facts of a position, or only the part that `style` asks for.
fn print_position(board: &Board, set: Option<&StartSet>, style: &StyleArguments) -> Result<()> {
    if let Some(style) = style.fen {
        return Ok(print_line(&board.fen(style))?);
    }
    if style.board == BoardStyle::Svg {
        return Ok(print_line(&style.board.draw(board))?);
    }
    let numbers = StartNumbers::of(board).context("not a start position")?;
    if style.json {
        return Ok(print_line(&description::json(board, numbers).to_string())?);
    }
    let mut text = format!("{}\n\nNumber    {}", style.board.draw(board), numbers.name());
    if let Some(set) = set.filter(|set| set.name != "chess960")
        && let Some(index) = set.index_of(numbers)
    {
        let _ = write!(text, "\nSet       {}:{index}, of {}", set.name, set.count());
    }
    let [white, black] = numbers.letters();
    let _ = write!(text, "\nMirror    {}", numbers.mirror().name());
    let _ = write!(text, "\nWhite     {white}\nBlack     {black}");
    let _ = write!(text, "\nFEN       {}\n\n{}", board.fen(FenStyle::XFen), description::text(board));
    Ok(wrap::print(&text)?)
}

/// Prints a whole set, one FEN per line.
fn print_all(set: &'static StartSet, style: FenStyle) -> Result<()> {
    let mut lines = set.all_numbers().map(|numbers| numbers.board(set.castling).fen(style));
    loop {
        let chunk: Vec<String> = lines.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return Ok(());
        }
        print_line(&chunk.join("\n"))?;
    }
}

/// Prints the command that repeats the draw, then the start in full or, with `--count` or `--sheet`, a list of starts.
fn draw(arguments: &RandomArguments) -> Result<()> {
    let RandomArguments { set, count, style, sheet, .. } = arguments;
    let mut excluded = HashSet::new();
    for text in &arguments.exclude {
        excluded.extend(numbers_by_text(set, text).context("--exclude")?);
    }
    let most = set.count() - excluded.len() as u64;
    let wanted = count.unwrap_or(1);
    ensure!(wanted <= most, "--count: the set {} has {most} positions without those excluded", set.name);
    let seed = arguments.seed.unwrap_or_else(|| Random::from_entropy().below(SEED_LIMIT));
    let drawn = set.sample(wanted, seed, &excluded);
    let boards: Vec<Board> = drawn.iter().filter_map(|&number| set.position(number)).collect();
    let mut command = format!("enroque-tools startpos random --set {} --seed {seed}", set.name);
    if let Some(count) = count {
        let _ = write!(command, " --count {count}");
    }
    if !arguments.exclude.is_empty() {
        let _ = write!(command, " --exclude {}", quoted(&arguments.exclude.join(",")));
    }
    if let Some(path) = &sheet.path {
        sheet::write(path, sheet, set, &boards, &[format!("Seed {seed}"), command.clone()])?;
    } else if let (None, [board]) = (count, &boards[..]) {
        tell(&format!("# {command}\n"), style)?;
        return print_position(board, Some(set), style);
    }
    print_line(&format!("# {command}"))?;
    for (index, (number, board)) in drawn.iter().zip(&boards).enumerate() {
        let fen = board.fen(style.fen.unwrap_or(FenStyle::XFen));
        print_line(&format!("{:>4}  {number:>10}  {fen}", index + 1))?;
    }
    Ok(())
}

/// Prints the rules of the method, each step of the draw, the probabilities and the start. Without a method, prints the
/// rules of all methods.
fn roll(arguments: &RollArguments) -> Result<()> {
    let Some(method) = arguments.method else {
        let text = |method: &Method| format!("{}\n{}\n{}", method.name, method.rules, method.note());
        return Ok(wrap::print(&METHODS.each_ref().map(text).join("\n\n"))?);
    };
    let rolls = if arguments.rolls.is_empty() {
        Rolls::random(Random::from_entropy())
    } else {
        Rolls::given(arguments.rolls.iter().cloned())
    };
    let drawn = method.draw(rolls).context("--rolls")?;
    let (rules, steps) = (method.rules.replace(". ", ".\n"), drawn.steps.join("\n  "));
    tell(&format!("{rules}\n  {steps}\n{}\n", method.note()), &arguments.style)?;
    let castling = StartCastling::Rules(CastlingRules::Fischer);
    let board = startpos::board_from_back_ranks(&drawn.rank, &drawn.rank, castling);
    print_position(&board, None, &arguments.style)
}
