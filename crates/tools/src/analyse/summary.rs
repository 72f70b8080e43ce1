//! Summary of analysed games on the console: a table of at most 80 columns.

use console::{pad_str, truncate_str};

use super::judge::{JudgedGame, Summary};
use enroque_study::pgn::PgnGame;

/// Columns for the names of both players.
const NAMES_WIDTH: usize = 25;

/// Returns the two lines above the table.
pub fn header() -> [String; 2] {
    let player = " acc. loss ?!  ? ??";
    [
        format!("{:4} {:NAMES_WIDTH$} {:7}  {:19}  Black", "", "", "", "White"),
        format!("{:>4} {:NAMES_WIDTH$} {:7} {player}  {player}", "game", "players", "result"),
    ]
}

/// Returns the row of a game: number, players, result; of both players accuracy in per cent, average loss in centipawns, and
/// numbers of inaccuracies, mistakes and blunders.
pub fn row(number: usize, game: &PgnGame, judged: &JudgedGame) -> String {
    let [white, black] = judged.summaries.map(|player| player_columns(&player));
    let title = game.players();
    let title = truncate_str(&title, NAMES_WIDTH, "…");
    let title = pad_str(&title, NAMES_WIDTH, console::Alignment::Left, None);
    format!("{number:>4} {title} {:7} {white}  {black}", game.result)
}

fn player_columns(player: &Summary) -> String {
    let Some((accuracy, loss)) = player.figures() else {
        return format!("{:>5} {:>4} {:>2} {:>2} {:>2}", "-", "-", "-", "-", "-");
    };
    let Summary { inaccuracies, mistakes, blunders, .. } = player;
    format!("{accuracy:>5} {loss:>4} {inaccuracies:>2} {mistakes:>2} {blunders:>2}")
}

#[cfg(test)]
mod tests {
    use super::super::findings::Findings;
    use super::super::judge::judge;
    use super::*;
    use enroque::chess::CastlingRules;
    use enroque_study::pgn;

    #[test]
    fn rows_fit_eighty_columns() {
        let read = |text: &str| pgn::read(text, CastlingRules::Fischer, None).unwrap();
        let long = read("[White \"A very long name of a player\"]\n[Black \"Another, B.\"]\n\n1. e4 1/2-1/2");
        let wide = read("[White \"\u{202e}王王王王王王王王王王王王王王王王王\"]\n\n1. e4 *");
        let mut findings = Findings::default();
        findings.push(None);
        findings.push(None);
        for game in [&long, &wide] {
            let row = row(1234, game, &judge(game, &findings));
            assert_eq!(console::measure_text_width(&row), 79, "{row}");
            assert!(!row.contains('\u{202e}'), "{row}");
        }
        assert!(header().iter().all(|line| line.len() <= 79));
    }
}
