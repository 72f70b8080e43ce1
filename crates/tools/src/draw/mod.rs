//! `enroque-tools draw`: draws the starts of an event with dice, coins or a seed, so that everybody can verify them.

mod event;
mod exclusion;
mod report;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand};

use self::event::{Event, MAX_ROUNDS, VERSION, uniform_method};
use self::exclusion::Scores;
use crate::startpos::methods::{METHODS, Method};
use crate::text;
use enroque::chess::startpos::StartSet;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque::util::random::Random;
use enroque_runs::files::{self, AtPath};

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    match &arguments.command {
        DrawCommand::Init(arguments) => init(arguments)?,
        DrawCommand::Round(arguments) => return round(arguments),
        DrawCommand::Verify(arguments) => return verify(arguments),
        DrawCommand::Show { file } => text::print(&report::rounds(&read(file)?))?,
        DrawCommand::Hall(arguments) => report::hall(&read(&arguments.file)?, arguments)?,
        DrawCommand::Sheet(arguments) => report::sheet(&read(&arguments.file)?, arguments)?,
    }
    Ok(ExitStatus::Success)
}

fn init(arguments: &Init) -> Result<()> {
    let Init { file, event: name, set, .. } = arguments;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let exclude = arguments.exclude.iter().map(|text| exclusion::record(text, set, scores.as_ref()));
    let event = Event {
        version: VERSION,
        name: name.clone(),
        set,
        rounds: arguments.rounds as usize,
        repeats: arguments.repeats,
        exclude: exclude.collect::<Result<_>>()?,
        scores: scores.map(|scores| scores.source),
        drawn: Vec::new(),
        excluded: HashSet::new(),
    };
    let event = event.with_exclusions()?;
    let text = event.text()?;
    files::ensure_new(file)?;
    File::create_new(file).and_then(|mut new| new.write_all(text.as_bytes())).at(file)?;
    Ok(text::print(&report::announcement(&event, file))?)
}

fn read(file: &Path) -> Result<Event> {
    Event::parse(&fs::read(file).at(file)?).at(file)
}

fn round(arguments: &RoundArguments) -> Result<ExitStatus> {
    let RoundArguments { file, round: number, .. } = arguments;
    let mut event = read(file)?;
    let steps = if let Some(method) = arguments.method {
        let rolls = arguments.rolls.join(" ").replace(':', " : ");
        event.throw(*number, method, &rolls.split_whitespace().collect::<Vec<_>>().join(" "))?
    } else {
        event.draw_random(*number, arguments.seed.unwrap_or_else(|| Random::from_entropy().bits()))?;
        Vec::new()
    };
    files::replace(file, event.text()?.as_bytes()).at(file)?;
    let round = event.drawn.last().context("no round")?;
    text::print(&report::round(&event, round, &steps))?;
    Ok(ExitStatus::of_check(round.start().is_some()))
}

fn verify(arguments: &Verify) -> Result<ExitStatus> {
    let file = &arguments.file;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let event = Event::parse(&fs::read(file).at(file)?).and_then(|event| {
        if let Some(scores) = &scores {
            check_conditions(&event, scores)?;
        }
        Ok(event)
    });
    match event {
        Ok(event) => text::print(&report::verified(&event, file, scores.is_some()))?,
        Err(error) => {
            eprint_line(&format!("{}: refused: {error:#}", file.display()));
            return Ok(ExitStatus::CheckFailed);
        }
    }
    Ok(ExitStatus::Success)
}

/// Checks that each condition, applied to these scores, excludes exactly the starts that the event file lists.
fn check_conditions(event: &Event, scores: &Scores) -> Result<()> {
    for text in &event.exclude {
        let name = exclusion::name(text);
        let expected = exclusion::record(name, event.set, Some(scores))?;
        ensure!(expected == *text, "'{name}' excludes other starts by {}", scores.source);
    }
    Ok(())
}

/// Draw the starts of an event, so that anybody can verify them
///
/// Starts come from dice, coins or a random seed. The event file keeps every throw and seed, so that anybody can draw
/// the starts again. docs/events.md shows an event from the first command to the last.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open' --rounds 9
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --random   from a seed in the file
  enroque-tools draw hall spring.draw hall.html     diagram and countdown
  enroque-tools draw sheet spring.draw sheets.html  sheets to print
  enroque-tools draw verify spring.draw")]
pub struct Arguments {
    #[command(subcommand)]
    command: DrawCommand,
}

#[derive(Subcommand, Debug)]
pub enum DrawCommand {
    Init(Init),
    Round(RoundArguments),
    Verify(Verify),
    /// Print the throws, seeds and starts so far
    #[command(after_help = "\
Examples:
  enroque-tools draw show spring.draw
  enroque-tools draw show spring.draw >rounds.txt")]
    Show {
        /// Event file
        file: PathBuf,
    },
    Hall(Hall),
    Sheet(Sheet),
}

/// Start an event: write the event file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools draw init spring.draw --event 'Spring Open 2026' --rounds 9
  enroque-tools draw init cup.draw --event Cup --rounds 5 --exclude 518,chess90
  enroque-tools draw init fair.draw --event Fair --rounds 7 \\
      --exclude 'abs>0.4' --scores all.csv
  enroque-tools draw init double.draw --event Double --rounds 7 --set dfrc")]
pub struct Init {
    /// Event file to write; it must not exist yet
    pub file: PathBuf,
    /// Name of the event
    #[arg(long, value_name = "NAME")]
    pub event: String,
    /// Number of rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_ROUNDS as u64))]
    pub rounds: u64,
    /// Set of start positions to draw from; to list them: enroque-tools startpos sets
    #[arg(long, default_value = "chess960", value_parser = crate::start_set())]
    pub set: &'static StartSet,
    /// Starts to reject: numbers, sets, or conditions such as score>0.5 (on abs, score, win, draw or loss; > >= < <=)
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub exclude: Vec<String>,
    /// Sweep results that the conditions test: White's score in pawns, and White's win, draw and loss in per cent
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Allow the same start in more than one round
    #[arg(long)]
    pub repeats: bool,
}

/// Draw the next round and add it to the event file
#[derive(Args, Debug)]
#[command(after_help = "\
The file keeps a throw that gives an excluded start, or one of an earlier round. The exit code is 1; throw again and \
type the new rolls for the same round. With --random the generator goes on by itself.

Examples:
  enroque-tools draw round spring.draw 1 --method one-die --rolls 4 3 3 1 4
  enroque-tools draw round spring.draw 2 --method ten-coins --rolls THTHTTHHTT
  enroque-tools draw round spring.draw 3 --random
  enroque-tools draw round double.draw 1 --method dice-4-12-20 \\
      --rolls 3 2 19 : 1 7 20        White's rolls, a colon, Black's")]
#[command(
    group = ArgGroup::new("source").required(true).args(["method", "random"]),
    override_usage = "enroque-tools draw round <FILE> <ROUND> --method METHOD --rolls ROLL...\n       \
        enroque-tools draw round <FILE> <ROUND> --random [--seed N]"
)]
pub struct RoundArguments {
    /// Event file
    pub file: PathBuf,
    /// Number of the round to draw, which must be the next
    pub round: usize,
    /// Draw with dice, cards or coins thrown in the hall; enroque-tools startpos roll explains the methods
    #[arg(long, value_name = "METHOD", value_parser = method(), requires = "rolls")]
    pub method: Option<&'static Method>,
    /// What the dice, cards or coins showed, in order
    #[arg(long, value_name = "ROLL", num_args = 1.., requires = "method")]
    pub rolls: Vec<String>,
    /// Draw with the program's random generator
    #[arg(long)]
    pub random: bool,
    /// Seed of the generator, such as the result of a lottery draw agreed on before; default: random
    #[arg(long, value_name = "N", requires = "random")]
    pub seed: Option<u64>,
}

/// Check an event file: draw every round again from its throws or its seed
#[derive(Args, Debug)]
#[command(after_help = "\
Exit code 1 if a start differs, is excluded or comes twice; the message names the round.

Examples:
  enroque-tools draw verify spring.draw
  enroque-tools draw verify fair.draw --scores all.csv")]
pub struct Verify {
    /// Event file
    pub file: PathBuf,
    /// Sweep results that the conditions test, to check which starts the conditions exclude
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
}

/// Write a full-screen page for the hall: diagram, number, countdown to the start of play
#[derive(Args, Debug)]
#[command(after_help = "\
Keys on the page: Space starts and stops the countdown, R resets it, F is full screen.

Examples:
  enroque-tools draw hall spring.draw hall.html      the last round, 15 minutes
  enroque-tools draw hall spring.draw hall.html --round 2 --minutes 10")]
pub struct Hall {
    /// Event file
    pub file: PathBuf,
    /// HTML page to write
    pub page: PathBuf,
    /// Round to show; default: the last one drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
    /// Minutes from the draw to the start of the clocks
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=180))]
    pub minutes: u32,
}

/// Write printable sheets: diagram, where king and rook castle to, how to castle by hand, score sheet lines
#[derive(Args, Debug)]
#[command(after_help = "\
One A4 sheet for each round; print it from the browser.

Examples:
  enroque-tools draw sheet spring.draw sheets.html   every round drawn so far
  enroque-tools draw sheet spring.draw round3.html --round 3")]
pub struct Sheet {
    /// Event file
    pub file: PathBuf,
    /// HTML page to write
    pub page: PathBuf,
    /// Round to print; default: all that have been drawn
    #[arg(long, value_name = "N")]
    pub round: Option<usize>,
}

fn method() -> impl TypedValueParser<Value = &'static Method> {
    let names = METHODS.iter().map(|method| method.name).filter(|name| uniform_method(name).is_some());
    PossibleValuesParser::new(names).try_map(|name| uniform_method(&name).ok_or("not a uniform method"))
}
