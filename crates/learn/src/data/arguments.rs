//! The arguments of `enroque-learn data` and its subcommands.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

/// Inspect, join and export game files
#[derive(Subcommand, Debug)]
#[command(after_help = "\
Examples:
  enroque-learn data info games.gz
  enroque-learn data show games.gz --game 17
  enroque-learn data merge all.gz g1.gz g2.gz
  enroque-learn data export games.gz positions.bullet")]
pub enum Arguments {
    Info(InfoArguments),
    Show(ShowArguments),
    Merge(MergeArguments),
    Export(ExportArguments),
}

/// Count games, results and usable positions, and fit the scale of the scores
#[derive(Args, Debug)]
#[command(after_help = "\
The scale is the score in centipawns at which a side got 73 % of the points. Pass it to train as --scale.

Examples:
  enroque-learn data info games.gz
  enroque-learn data info part*.gz           each file, and all together")]
pub struct InfoArguments {
    /// Game files to read
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Print games in PGN, with the score of each move
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-learn data show games.gz                      the first ten
  enroque-learn data show games.gz --game 17 --count 1")]
pub struct ShowArguments {
    /// Game file to read
    pub file: PathBuf,
    /// First game to print, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub game: u64,
    /// How many games to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: u64,
}

/// Join game files into one, checking every move
#[derive(Args, Debug)]
#[command(after_help = "\
The exit code is 1 if games of a run are missing or duplicated; the file is written anyway.

Examples:
  enroque-learn data merge all.gz g1.gz g2.gz
  enroque-learn data merge all.gz part*.gz       the shards of a run")]
pub struct MergeArguments {
    /// File to write
    pub file: PathBuf,
    /// Files to join
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
    /// Exit with 0 even if games of a run are missing or duplicated
    #[arg(long)]
    pub anyway: bool,
}

/// Write the positions that training would use, for other programs
#[derive(Args, Debug)]
#[command(after_help = "\
The name chooses the format. A .bullet file has 32 bytes a position, the ChessBoard of the crate bulletformat. An .epd \
file has a line 'FEN | SCORE | RESULT' a position, with the score in centipawns and the result, 0 to 1, for White.

Examples:
  enroque-learn data export games.gz positions.bullet
  enroque-learn data export games.gz positions.epd")]
pub struct ExportArguments {
    /// Game file to read
    pub file: PathBuf,
    /// File to write, .bullet or .epd
    pub to: PathBuf,
}
