//! Reads PGN from standard input and prints its games as lines of tab-separated words. `scripts/compare_pgn.py`
//! compares these lines with what python-chess reads.

use std::io::{self, Read, Write};

use enroque::chess::CastlingRules;
use enroque_study::pgn;

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for section in pgn::sections(&text) {
        writeln!(out, "game\t{}", section.line)?;
        for (name, value) in pgn::tags(&section.text) {
            writeln!(out, "tag\t{name}\t{value}")?;
        }
        match pgn::read(&section.text, CastlingRules::Fischer, None) {
            Ok(game) => {
                let moves = game.moves().map(|mv| mv.map_or_else(|| "0000".to_owned(), |mv| mv.to_string()));
                writeln!(out, "moves\t{}", moves.collect::<Vec<_>>().join(" "))?;
                writeln!(out, "result\t{}", game.result)?;
                game.errors.iter().try_for_each(|error| writeln!(out, "error\t{error}"))?;
            }
            Err(error) => writeln!(out, "refused\t{error}")?,
        }
    }
    out.flush()
}
