//! `enroque-tools draw score`: adds up the points of a match in which games count differently, such as rapid and blitz.

use std::fs;

use anyhow::Result;

use super::arguments::ScoreArguments;
use enroque_runs::files::AtPath;
use enroque_runs::wrap;
use enroque_study::encoding::decode;
use enroque_study::pgn;

/// Tags that can say what kind of game it is.
const KIND_TAGS: [&str; 5] = ["Event", "Round", "Stage", "Section", "TimeControl"];

/// What a game counts if its tags contain a word.
#[derive(Clone, PartialEq, Debug)]
pub struct Weight {
    /// In lower case.
    word: String,
    points: f64,
}

/// Parses `rapid=2`.
pub fn weight(text: &str) -> Result<Weight, String> {
    let expected = "expected WORD=POINTS with points above 0, such as rapid=2";
    let (word, points) = text.split_once('=').ok_or(expected)?;
    let points =
        points.parse().ok().filter(|points: &f64| points.is_finite() && *points > 0.0).ok_or(expected)?;
    if word.is_empty() { Err(expected.to_owned()) } else { Ok(Weight { word: word.to_lowercase(), points }) }
}

/// What a player has scored.
#[derive(PartialEq, Debug)]
struct Standing {
    player: String,
    games: usize,
    points: f64,
    /// What the player would have with a win in every game.
    most: f64,
}

pub fn run(arguments: &ScoreArguments) -> Result<()> {
    let mut texts = Vec::new();
    for file in &arguments.files {
        texts.push(decode(&fs::read(file).at(file)?).at(file)?.text);
    }
    Ok(wrap::print(&table(&standings(&texts, &arguments.weights)))?)
}

/// Adds up the results of all finished games, the best player first.
fn standings(texts: &[String], weights: &[Weight]) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::new();
    for section in texts.iter().flat_map(|text| pgn::sections(text)) {
        let tags = pgn::tags(&section.text);
        let tag = |name: &str| tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value);
        let scores = match tag("Result") {
            "1-0" => [1.0, 0.0],
            "0-1" => [0.0, 1.0],
            "1/2-1/2" => [0.5, 0.5],
            _ => continue,
        };
        let kinds = KIND_TAGS.map(|name| tag(name).to_lowercase());
        let fits = |weight: &&Weight| kinds.iter().any(|kind| kind.contains(&weight.word));
        let points = weights.iter().find(fits).map_or(1.0, |weight| weight.points);
        for (name, score) in ["White", "Black"].into_iter().zip(scores) {
            let player = tag(name);
            let place =
                standings.iter().position(|standing| standing.player == player).unwrap_or_else(|| {
                    standings.push(Standing { player: player.to_owned(), games: 0, points: 0.0, most: 0.0 });
                    standings.len() - 1
                });
            let standing = &mut standings[place];
            standing.games += 1;
            standing.points += points * score;
            standing.most += points;
        }
    }
    standings.sort_by(|a, b| b.points.total_cmp(&a.points));
    standings
}

fn table(standings: &[Standing]) -> String {
    let mut lines = vec![format!("{:<30} {:>5} {:>7}  of", "player", "games", "points")];
    for Standing { player, games, points, most } in standings {
        lines.push(format!("{player:<30} {games:>5} {points:>7}  {most}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_by_their_weights() {
        let game = |event: &str, white: &str, black: &str, result: &str| {
            format!(
                "[Event \"{event}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n"
            )
        };
        let text = [
            game("Final, Rapid", "A", "B", "1-0"),
            game("Final, Rapid", "B", "A", "1/2-1/2"),
            game("Final, Blitz", "A", "B", "0-1"),
            game("Final, slow", "B", "A", "1-0"),
            game("Final, Blitz", "B", "A", "*"),
        ]
        .concat();
        let weights = ["rapid=2", "slow=4"].map(|text| weight(text).unwrap());
        let found = standings(&[text], &weights);
        let standing =
            |player: &str, points| Standing { player: player.to_owned(), games: 4, points, most: 9.0 };
        assert_eq!(found, [standing("B", 6.0), standing("A", 3.0)]);
        for text in ["rapid", "rapid=", "=2", "rapid=0", "rapid=-1", "rapid=inf"] {
            assert!(weight(text).is_err(), "{text}");
        }
    }
}
