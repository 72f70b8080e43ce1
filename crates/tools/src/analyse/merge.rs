//! `analyse merge` joins the games that several shards analysed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use super::arguments::run_file;
use super::page;
use super::store::{FinishedGame, Settings, write_page};
use crate::text::has_extension;
use enroque::terminal::ExitStatus;
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;
use enroque_runs::rows::{self, Row as _};
use enroque_runs::shard;

/// Joins the games of several shards into `file`, an HTML page or annotated PGN, and reports missing and duplicate games.
/// `parts` are the outputs of the shards; we read the lines of JSON next to them.
pub fn merge(file: &Path, parts: &[PathBuf]) -> Result<ExitStatus> {
    let is_page = has_extension(&file.to_string_lossy(), "html");
    let inputs: Vec<PathBuf> = parts.iter().flat_map(|part| [part.clone(), run_file(part)]).collect();
    files::ensure_distinct(&inputs, &[file.to_owned(), run_file(file), manifest::path(file)])?;
    if is_page {
        files::ensure_overwritable(file, page::is_beginning).at(file)?;
    } else {
        files::ensure_new(file)?;
    }
    rows::ensure_overwritable(&run_file(file), &[FinishedGame::ENCODING])?;
    manifest::ensure_overwritable(file)?;
    let mut common: Option<(Settings, usize, &PathBuf)> = None;
    let mut all: BTreeMap<usize, FinishedGame> = BTreeMap::new();
    let mut duplicate = Vec::new();
    for part in parts {
        let missing = || format!("{}: {} is missing", part.display(), manifest::path(part).display());
        let mut settings: Settings = manifest::read(part)?.with_context(missing)?;
        let whole = || format!("{}: the whole analysis; expected a part that --shard wrote", part.display());
        let (_, games) = settings.part.take().with_context(whole)?;
        if let Some((first, first_games, path)) = &common {
            let [first_path, part] = [path, &part].map(|path| path.display());
            ensure!(
                *first == settings && *first_games == games,
                "{first_path} and {part} were made in different ways; see the .json files next to them"
            );
        }
        common = Some((settings, games, part));
        rows::read_each(&run_file(part), |game: FinishedGame| {
            let number = game.number;
            ensure!((1..=games).contains(&number), "expected a game from 1 to {games}, found {number}");
            match all.get(&number) {
                None => drop(all.insert(number, game)),
                Some(old) if *old == game => duplicate.push(number as u64),
                Some(_) => bail!("game {number} has another result in an earlier file"),
            }
            Ok(())
        })?;
    }
    let Some((settings, total, _)) = common else { return Ok(ExitStatus::Success) };
    let missing: Vec<u64> =
        (1..=total).filter(|number| !all.contains_key(number)).map(|number| number as u64).collect();
    let games = rows::write_sorted(&run_file(file), all.into_values().collect(), |game| game.number)?;
    manifest::write(file, &settings)?;
    if is_page {
        write_page(file, &settings.head(total as u64), |writer| {
            games.iter().try_for_each(|game| Ok(writer.add(game)?))
        })?;
    } else {
        let texts: Vec<String> = games.iter().map(|game| format!("{}\n", game.text())).collect();
        files::replace(file, texts.concat().as_bytes()).at(file)?;
    }
    Ok(shard::report(file, "games", &missing, &duplicate))
}
