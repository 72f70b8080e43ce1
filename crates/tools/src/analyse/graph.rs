//! Draws White's chance to win in a game, as an SVG graph.

use std::path::Path;

use anyhow::Result;

use crate::text::escaped;
use enroque_runs::files::{self, AtPath};
use enroque_study::pgn::PgnGame;

/// Our graphs begin with this tag and then their size. By both we recognise an older graph, which we may overwrite.
const SVG_TAG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg""#;
/// Size of the picture and its margins, in SVG units.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 180.0;
const MARGIN: f64 = 24.0;
/// The y coordinates of the baselines of the text above and below the graph.
const TITLE_BASELINE: f64 = 16.0;
const CAPTION_BASELINE: f64 = HEIGHT - 8.0;

/// Fails if `path` is a file that is neither empty nor an earlier graph of ours.
pub fn ensure_overwritable(path: &Path) -> Result<()> {
    let beginning = format!("{SVG_TAG} viewBox=\"0 0 {WIDTH} {HEIGHT}\"");
    files::ensure_overwritable(path, |bytes| bytes.starts_with(beginning.as_bytes())).at(path)
}

/// `wins` has White's win percentage in each position of the game, from 0 to 100.
pub fn svg(game: &PgnGame, wins: &[f64]) -> String {
    let last = (wins.len().max(2) - 1) as f64;
    let x = |index: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * index as f64 / last;
    let y = |win: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (1.0 - win / 100.0);
    let (left, right, top, middle, bottom) = (MARGIN, WIDTH - MARGIN, y(100.0), y(50.0), y(0.0));
    let points: Vec<String> =
        wins.iter().enumerate().map(|(index, &win)| format!("{:.1},{:.1}", x(index), y(win))).collect();
    let points = points.join(" ");
    let [white, black] = ["White", "Black"].map(|color| match game.tag(color) {
        "" | "?" => color.to_owned(),
        name => escaped(name),
    });
    let result = escaped(&game.result);
    format!(
        r##"{SVG_TAG} viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<title>{white} - {black}, {result}</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<rect x="{left}" y="{top}" width="{w}" height="{h}" fill="#3b3b3b"/>
<polygon points="{left},{bottom} {points} {right},{bottom}" fill="#ececec"/>
<polyline points="{points}" fill="none" stroke="#c2410c" stroke-width="1.5"/>
<line x1="{left}" y1="{middle}" x2="{right}" y2="{middle}" stroke="#888" stroke-dasharray="4 3"/>
<text x="{left}" y="{TITLE_BASELINE}">{white} - {black}  {result}</text>
<text x="{right}" y="{CAPTION_BASELINE}" text-anchor="end">{moves} plies; {white}'s chance to win, 0 to 100 %</text>
</svg>
"##,
        w = right - left,
        h = bottom - top,
        moves = wins.len() - 1,
    )
}
