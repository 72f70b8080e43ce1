//! Procedures of the drawing methods, step by step.

use super::drawing::{Drawing, is_dark};
use super::rolls::{Faces, Row};
use super::{Drawn, MethodError, Rolls};
use enroque::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use enroque::chess::square::File;

const DARK_BISHOP: &str = "dark-squared bishop";
const LIGHT_BISHOP: &str = "light-squared bishop";

/// Condition on the files, piece and its name.
type Step = (fn(usize) -> bool, PieceKind, &'static str);

/// One die for each piece among its free squares.
pub fn one_die(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    const SIDES: usize = 6;
    const STEPS: [Step; 5] = [
        (is_dark, Bishop, DARK_BISHOP),
        (|file| !is_dark(file), Bishop, LIGHT_BISHOP),
        (|_| true, Queen, "queen"),
        (|_| true, Knight, "first knight"),
        (|_| true, Knight, "second knight"),
    ];
    let mut drawing = Drawing::default();
    for (condition, kind, name) in STEPS {
        let squares = drawing.free(condition);
        let roll = rolls.choose(Faces::Die(SIDES), 1, squares.len(), name)?;
        drawing.place(squares[roll.index], kind, name, &roll.text);
    }
    drawing.finish(&[Rook, King, Rook])
}

/// Four dice of different sizes.
pub fn dice(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut drawing = Drawing::default();
    let mut die = |sides, piece| rolls.choose(Faces::Die(sides), 1, sides, piece);
    let d8 = die(8, "first bishop")?;
    drawing.place(d8.index, Bishop, "first bishop", &format!("d8 = {}", d8.text));
    let d4 = die(4, "second bishop")?;
    let other_color = drawing.free(|file| is_dark(file) != is_dark(d8.index));
    drawing.place(other_color[d4.index], Bishop, "second bishop", &format!("d4 = {}", d4.text));
    let d6 = die(6, "queen")?;
    drawing.place(drawing.free(|_| true)[d6.index], Queen, "queen", &format!("d6 = {}", d6.text));
    let d20 = die(20, "knights")?;
    let (first, second) = (d20.index / 4, d20.index % 4);
    drawing.note(
        &format!("d20 = {}", d20.text),
        &format!("{} = 4 x {first} + {second}, squares counted from 0", d20.index),
    );
    drawing.place(drawing.free(|_| true)[first], Knight, "first knight", "");
    drawing.place(drawing.free(|_| true)[second], Knight, "second knight", "");
    drawing.finish(&[Rook, King, Rook])
}

/// Three dice that give the number of the start, the first with the highest place value.
pub fn numbered_dice(rolls: &mut Rolls, sides: [usize; 3]) -> Result<Drawn, MethodError> {
    let mut drawing = Drawing::default();
    let mut number = 0;
    let mut terms = Vec::new();
    for (place, sides_here) in sides.into_iter().enumerate() {
        let roll = rolls.choose(Faces::Die(sides_here), 1, sides_here, "number")?;
        number = number * sides_here + roll.index;
        let value: usize = sides[place + 1..].iter().product();
        terms.push(format!("{} x {value}", roll.index));
        drawing.note(&format!("d{sides_here} = {}", roll.text), &format!("counts {}", roll.index));
    }
    drawing.note("", &format!("number {} = {number}", terms.join(" + ")));
    drawing.place_number(number)
}

/// Fourteen cards in three rows.
pub fn cards(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    const DARK: Row<'_> = Row { cards: &["a", "c", "e", "g"], needed: 1 };
    const LIGHT: Row<'_> = Row { cards: &["b", "d", "f", "h"], needed: 1 };
    const PIECES: Row<'_> = Row { cards: &["N1", "N2", "Q", "R1", "R2", "R3"], needed: 5 };
    let rows = rolls.deal(&[DARK, LIGHT, PIECES], "last piece")?;
    let mut drawing = Drawing::default();
    for (name, row) in ["dark", "light", "pieces"].into_iter().zip(&rows) {
        drawing.note(name, &row.join(" "));
    }
    let file = |card: &str| File::ALL.iter().position(|file| card.starts_with(file.letter()));
    for (row, name) in rows.iter().zip([DARK_BISHOP, LIGHT_BISHOP]) {
        let square = row.first().and_then(|card| file(card)).ok_or(MethodError::TooFew(name))?;
        drawing.place(square, Bishop, name, "");
    }
    let mut rooks = 0;
    for (square, card) in drawing.free(|_| true).into_iter().zip(&rows[2]) {
        let kind = match card.chars().next().and_then(PieceKind::from_letter) {
            Some(Rook) => {
                rooks += 1;
                if rooks == 2 { King } else { Rook }
            }
            other => other.ok_or(MethodError::TooFew("last piece"))?,
        };
        let name = if kind == King { "king instead of the middle rook" } else { kind.name() };
        drawing.place(square, kind, name, card);
    }
    drawing.finish(&[])
}

/// Coins for one piece after another: bishops, king, rooks, queen.
pub fn coins(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    let mut drawing = Drawing::default();
    let mut toss = |drawing: &mut Drawing, squares: &[usize], kind, name| {
        // The fewest coins with an outcome for each square.
        let count = squares.len().next_power_of_two().ilog2() as usize;
        let tossed = rolls.choose(Faces::HeadsFirst, count, squares.len(), name)?;
        drawing.place(squares[tossed.index], kind, name, &tossed.text);
        Ok(squares[tossed.index])
    };
    let dark = drawing.free(is_dark);
    toss(&mut drawing, &dark, Bishop, DARK_BISHOP)?;
    let light = drawing.free(|file| !is_dark(file));
    toss(&mut drawing, &light, Bishop, LIGHT_BISHOP)?;
    let six = drawing.free(|_| true);
    let king = toss(&mut drawing, &six[1..5], King, "king among the inner squares")?;
    let left = drawing.free(|file| file < king);
    toss(&mut drawing, &left, Rook, "rook to the left")?;
    let right = drawing.free(|file| file > king);
    toss(&mut drawing, &right, Rook, "rook to the right")?;
    let three = drawing.free(|_| true);
    toss(&mut drawing, &three, Queen, "queen")?;
    drawing.finish(&[Knight, Knight])
}

/// Ten coins that give the number of the start in binary.
pub fn ten_coins(rolls: &mut Rolls) -> Result<Drawn, MethodError> {
    const FIRST: usize = 4;
    const REST: usize = 6;
    let mut drawing = Drawing::default();
    // Four heads would be 15 and the number 960 or more.
    let first = rolls.choose(Faces::TailsFirst, FIRST, (1 << FIRST) - 1, "number")?;
    let rest = rolls.choose(Faces::TailsFirst, REST, 1 << REST, "number")?;
    let number = first.index << REST | rest.index;
    let values: Vec<String> = (0..FIRST + REST)
        .rev()
        .map(|bit| 1 << bit)
        .filter(|value| number & value != 0)
        .map(|value: usize| value.to_string())
        .collect();
    let sum = if values.len() < 2 { String::new() } else { format!("{} = ", values.join(" + ")) };
    drawing.note(&format!("{} {}", first.text, rest.text), &format!("number {sum}{number}"));
    drawing.place_number(number)
}
