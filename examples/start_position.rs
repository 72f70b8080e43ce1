//! From a number to a start position and back: `cargo run --release --example start_position -- 344:402`

use enroque::chess::FenStyle;
use enroque::chess::startpos::{StartNumber, name_of, start_numbers};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "334".to_owned());
    let number = StartNumber::single(&text).or_else(|_| StartNumber::double(&text))?;
    let board = number.board();
    println!("{}", board.fen(FenStyle::Shredder));
    if let Some((white, black)) = start_numbers(&board) {
        println!("{}", name_of(white, black));
    }
    Ok(())
}
