//! Random draws of start positions that their seed repeats.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::arguments::Arguments;
use super::error::StartposError;
use super::{lookup, sheet, show};
use crate::sample;
use crate::shell::quoted;
use enroque::chess::startpos::StartSet;
use enroque::chess::{Board, FenStyle};
use enroque::terminal::{OutputError, print_line};
use enroque::util::random::Random;

/// Upper limit of random seeds, short enough to write down.
const SEED_LIMIT: u64 = 1_000_000_000;

/// Draws positions and prints them.
///
/// # Errors
/// Returns an error if the set has too few positions or the sheet cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), StartposError> {
    let Arguments { set, count, seed, .. } = *arguments;
    let mut excluded = HashSet::new();
    for text in &arguments.exclude {
        excluded.extend(lookup::numbers_by_text(set, text)?);
    }
    let seed = seed.unwrap_or_else(|| Random::from_entropy().below(SEED_LIMIT));
    let drawn = draw(set, count.unwrap_or(1), seed, &excluded)?;
    let boards =
        drawn.iter().map(|&number| lookup::by_number(set, number)).collect::<Result<Vec<Board>, _>>()?;
    if let Some(path) = &arguments.sheet {
        let origin = [format!("Seed {seed}"), command(arguments, seed)];
        sheet::write(path, arguments, &boards, &origin)?;
    }
    if let (None, None, None, [board]) = (count, arguments.seed, &arguments.sheet, &boards[..]) {
        return Ok(show::position(board, arguments)?);
    }
    Ok(print_draw(arguments, seed, &drawn, &boards)?)
}

/// Returns different numbers of the set in the order of their draw, without the excluded ones.
fn draw(
    set: &'static StartSet,
    count: u64,
    seed: u64,
    excluded: &HashSet<u64>,
) -> Result<Vec<u64>, StartposError> {
    let size = set.count();
    let most = size - excluded.len() as u64;
    if count > most {
        return Err(StartposError::Count { set: set.name, most });
    }
    Ok(sample::distinct(size, count, seed, excluded))
}

/// Returns the command that repeats the draw.
fn command(arguments: &Arguments, seed: u64) -> String {
    let Arguments { set, count, ref exclude, .. } = *arguments;
    let mut command = format!(
        "enroque-tools startpos --random --set {} --count {} --seed {seed}",
        set.name,
        count.unwrap_or(1)
    );
    if !exclude.is_empty() {
        let _ = write!(command, " --exclude {}", quoted(&exclude.join(",")));
    }
    command
}

/// Prints the command that repeats the draw, then one line for each position.
fn print_draw(arguments: &Arguments, seed: u64, drawn: &[u64], boards: &[Board]) -> Result<(), OutputError> {
    print_line(&format!("# {}", command(arguments, seed)))?;
    for (index, (number, board)) in drawn.iter().zip(boards).enumerate() {
        let fen = board.fen(arguments.fen.unwrap_or(FenStyle::Shredder));
        print_line(&format!("{:>4}  {:>10}  {fen}", index + 1, number))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_beyond_set_is_refused() {
        let set = StartSet::by_name("chess960").unwrap();
        let excluded = HashSet::from([518]);
        assert!(draw(set, 959, 7, &excluded).is_ok());
        assert!(draw(set, 960, 7, &excluded).is_err());
    }
}
