//! `data export` and `data import`: exchange of positions with other programs.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use crate::AtPath;
use crate::data::ensure_new;
use crate::data::new_games::{NewGames, Origin};
use crate::data::positions::{Format, bullet_bytes, epd_line, read_games};
use crate::games::sample::is_usable;
use crate::games::store::GameReader;
use enroque::terminal::eprint_line;
use enroque_runs::files;
use enroque_runs::manifest;
use enroque_runs::progress::Progress;

/// Write the usable positions for other programs: .bullet for the bullet trainer, .epd for text
#[derive(Args, Debug)]
#[command(after_help = "\
A .bullet file holds 32 bytes a position, the ChessBoard of the crate bulletformat. An .epd file holds a line \
'FEN | SCORE | RESULT' a position, with score and result for White, the result from 0 to 1. Without --all only \
positions that `train` would use are written.

Examples:
  enroque-learn data export games.gz positions.bullet
  enroque-learn data export games.gz positions.epd --all")]
pub struct ExportArguments {
    /// File of games
    file: PathBuf,
    /// File to write
    to: PathBuf,
    /// Write all positions, including those after captures, in check and of the opening; .epd only
    #[arg(long)]
    all: bool,
}

/// Make a file of games from positions of another program, .bullet or .epd, for `train`
#[derive(Args, Debug)]
#[command(after_help = "\
Each position becomes a game of one move, its first quiet move. Positions without a quiet move are reported and skipped. \
An .epd line is 'FEN | SCORE | RESULT' or 'FEN ... ce SCORE;', whose score is for the side to move.

Examples:
  enroque-learn data import games.gz positions.bullet
  enroque-learn data import games.gz positions.epd")]
pub struct ImportArguments {
    /// File of games to write
    file: PathBuf,
    /// File of positions
    from: PathBuf,
}

pub fn export(arguments: &ExportArguments) -> Result<()> {
    let &ExportArguments { ref file, ref to, all } = arguments;
    let format = Format::of(to)?;
    let is_possible = !all || format == Format::Epd;
    ensure!(is_possible, "{}: --all requires .epd; trainers need quiet positions", to.display());
    let games = GameReader::open(file)?;
    ensure_new(to)?;
    let mut progress = Progress::new(0, "games", 0);
    let (mut count, mut number) = (0_u64, 0);
    files::replace_with(to, |out| {
        for game in games {
            let game = game?;
            let mut written = Ok(());
            game.replay(|board, ply| {
                let is_exported = all || is_usable(board, ply.mv, ply.score);
                if is_exported && written.is_ok() {
                    count += 1;
                    written = match format {
                        Format::Bullet => out.write_all(&bullet_bytes(board, ply.score, game.result)),
                        Format::Epd => writeln!(out, "{}", epd_line(board, ply.score, game.result)),
                    };
                }
            });
            written?;
            number += 1;
            progress.set(number, String::new);
        }
        anyhow::Ok(())
    })
    .at(to)?;
    progress.finish();
    eprint_line(&format!("{}: {count} positions of {number} games", to.display()));
    Ok(())
}

/// Returns `false` if positions were skipped; reports the first ones.
pub fn import(arguments: &ImportArguments) -> Result<bool> {
    const MAX_REPORTS: u64 = 10;
    let ImportArguments { file, from } = arguments;
    let format = Format::of(from)?;
    files::ensure_distinct(&[from], &[file.clone(), manifest::path(file)])?;
    NewGames::check(file, false)?;
    let input = File::open(from).at(from)?;
    let mut writer = NewGames::create(file, false)?;
    let mut progress = Progress::new(0, "positions", 0);
    let mut skipped = 0_u64;
    read_games(input, format, |number, game| {
        match game {
            Ok(game) => writer.add(&game, &[])?,
            Err(reason) => {
                skipped += 1;
                if skipped <= MAX_REPORTS {
                    eprint_line(&format!("enroque: {}, position {number}: {reason}", from.display()));
                }
            }
        }
        progress.set(writer.count() + skipped, String::new);
        anyhow::Ok(())
    })
    .at(from)?;
    progress.finish();
    let imported = writer.count();
    let origin = Origin::Imported { imported_from: from.display().to_string() };
    let manifest = writer.derived(origin);
    writer.publish(&manifest)?;
    eprint_line(&format!("{}: {imported} positions, {skipped} skipped", file.display()));
    Ok(skipped == 0)
}
