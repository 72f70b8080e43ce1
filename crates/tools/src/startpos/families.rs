//! `enroque-tools startpos families`: shows which starts transpose into each other, as text and as a page.

use anyhow::Result;
use serde_json::{Value, json};

use super::arguments::FamiliesArguments;
use crate::page;
use enroque::chess::startpos::{CHESS960_COUNT, back_rank, back_rank_letters};
use enroque::terminal::eprint_line;
use enroque_runs::wrap;
use enroque_study::families::Keeping;

const PAGE: &str = include_str!("families.html");

pub fn run(arguments: &FamiliesArguments) -> Result<()> {
    if let Some(path) = &arguments.page {
        page::write(path, PAGE, data())?;
        eprint_line(&format!("{}: written; open it in a browser", path.display()));
        return Ok(());
    }
    let families = if arguments.rights { Keeping::CastlingRights } else { Keeping::Bishops }.families();
    let lines = families.iter().map(|family| {
        let numbers: Vec<String> = family.iter().map(u32::to_string).collect();
        format!("{:>2}  {}", family.len(), numbers.join(" "))
    });
    Ok(wrap::print(&lines.collect::<Vec<_>>().join("\n"))?)
}

/// Returns the back ranks of all starts, and the families with and without castling rights.
fn data() -> Value {
    let ranks = (0..CHESS960_COUNT).filter_map(back_rank).map(|rank| back_rank_letters(&rank));
    json!({
        "ranks": ranks.collect::<Vec<_>>(),
        "kept": Keeping::CastlingRights.families(),
        "lost": Keeping::Bishops.families(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_every_start() {
        let data = data();
        assert_eq!(data["ranks"][518], "RNBQKBNR");
        let sizes = |name: &str| data[name].as_array().unwrap().len();
        assert_eq!((sizes("kept"), sizes("lost")), (708, 192));
        let page = page::fill(PAGE, &data);
        assert!(page.contains("[230,326,518,614]") && !page.contains("@DATA@"));
    }
}
