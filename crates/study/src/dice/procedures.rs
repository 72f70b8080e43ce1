//! The drawing methods, step by step.

use super::rolls::{Faces, RollError, Rolls};
use enroque::chess::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use enroque::chess::square::File;
use enroque::chess::startpos::{BackRank, KNIGHTS, Placement, back_rank_letters};

/// A start, and the steps that led to it.
pub struct Drawn {
    /// The back rank of both sides.
    pub rank: BackRank,
    /// One line of text for each step of the draw.
    pub steps: Vec<String>,
}

type Result<T> = std::result::Result<T, RollError>;

const DARK_BISHOP: &str = "dark-squared bishop";
const LIGHT_BISHOP: &str = "light-squared bishop";

/// A back rank that is being filled, and the steps so far.
#[derive(Default)]
struct Drawing {
    placement: Placement,
    steps: Vec<String>,
}

/// On the first rank, a1 and every second square after it are dark.
fn is_dark(file: usize) -> bool {
    file.is_multiple_of(2)
}

impl Drawing {
    /// Returns the free files that `condition` accepts, from the left.
    fn free(&self, condition: impl Fn(usize) -> bool) -> Vec<usize> {
        self.placement.free().filter(|&file| condition(file)).collect()
    }

    /// Adds a step: what was rolled, and what it means.
    fn note(&mut self, rolled: &str, text: &str) {
        self.steps.push(format!("{rolled:<12} {text}").trim_end().to_owned());
    }

    fn place(&mut self, file: usize, kind: PieceKind, name: &str, rolled: &str) {
        self.placement.put(file, kind);
        self.note(rolled, &format!("{name} on {}1", File::ALL[file].letter()));
    }

    /// Builds the start with this Chess960 number by Scharnagl's method, and notes each of its divisions as a step.
    fn place_number(mut self, number: usize) -> Drawn {
        self.note("", "each remainder counts the free squares from the left, beginning with 0");
        let (rest, light) = self.divide(number, 4);
        self.place(2 * light + 1, Bishop, "  light-squared bishop", "");
        let (rest, dark) = self.divide(rest, 4);
        self.place(2 * dark, Bishop, "  dark-squared bishop", "");
        let (pair, queen) = self.divide(rest, 6);
        self.place(self.free(|_| true)[queen], Queen, "  queen", "");
        let pairs = KNIGHTS.map(|(first, second)| format!("{first}{second}"));
        self.note("", &format!("{pair}: pair {} of {}", pairs[pair], pairs.join(" ")));
        let (first, second) = KNIGHTS[pair];
        let free = self.free(|_| true);
        self.place(free[first], Knight, "  knight", "");
        self.place(free[second], Knight, "  knight", "");
        self.finish(&[Rook, King, Rook])
    }

    /// Returns quotient and remainder, and notes the division as a step.
    fn divide(&mut self, number: usize, divisor: usize) -> (usize, usize) {
        let (quotient, remainder) = (number / divisor, number % divisor);
        self.note("", &format!("{number} = {divisor} x {quotient} + {remainder}"));
        (quotient, remainder)
    }

    /// Puts `kinds` on the free squares from left to right, which completes the back rank.
    fn finish(mut self, kinds: &[PieceKind]) -> Drawn {
        let Some(rank) = self.placement.finish(kinds) else { unreachable!("a method places all pieces") };
        if !kinds.is_empty() {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            self.note("", &format!("{} on the remaining squares", names.join(", ")));
        }
        self.note("", &format!("start {}", back_rank_letters(&rank)));
        Drawn { rank, steps: self.steps }
    }
}

/// A step of [`one_die`]: which files it allows, which piece it places, and the name of that piece.
type Step = (fn(usize) -> bool, PieceKind, &'static str);

/// Rolls a d6 for one piece after another. A roll of 3 means the third free square from the left.
pub fn one_die(rolls: &mut Rolls<'_>) -> Result<Drawn> {
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
    Ok(drawing.finish(&[Rook, King, Rook]))
}

/// Places the bishops with a d8 and a d4, the queen with a d6, and both knights with a d20.
pub fn dice(rolls: &mut Rolls<'_>) -> Result<Drawn> {
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
    Ok(drawing.finish(&[Rook, King, Rook]))
}

/// Reads three dice as the number of the start. The first die has the highest place value.
pub fn numbered_dice(rolls: &mut Rolls<'_>, sides: [usize; 3]) -> Result<Drawn> {
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
    Ok(drawing.place_number(number))
}

/// Deals fourteen cards into three rows: dark squares, light squares, pieces.
pub fn cards(rolls: &mut Rolls<'_>) -> Result<Drawn> {
    let rows =
        rolls.deal(&[&["a", "c", "e", "g"], &["b", "d", "f", "h"], &["N1", "N2", "Q", "R1", "R2", "R3"]])?;
    let mut drawing = Drawing::default();
    for (name, row) in ["dark", "light", "pieces"].into_iter().zip(&rows) {
        drawing.note(name, &row.join(" "));
    }
    for (row, name) in rows.iter().zip([DARK_BISHOP, LIGHT_BISHOP]) {
        let file = File::ALL.iter().position(|file| row[0].starts_with(file.letter()));
        let Some(file) = file else { unreachable!("the cards of the first two rows are files") };
        drawing.place(file, Bishop, name, "");
    }
    let mut rooks = 0;
    for (square, card) in drawing.free(|_| true).into_iter().zip(&rows[2]) {
        let kind = card.chars().next().and_then(PieceKind::from_letter);
        let Some(kind) = kind else { unreachable!("the cards of the last row are pieces") };
        rooks += usize::from(kind == Rook);
        if kind == Rook && rooks == 2 {
            drawing.place(square, King, "king instead of the middle rook", card);
        } else {
            drawing.place(square, kind, kind.name(), card);
        }
    }
    Ok(drawing.finish(&[]))
}

/// Tosses coins for the bishops, the king, the rooks and the queen in turn.
pub fn coins(rolls: &mut Rolls<'_>) -> Result<Drawn> {
    let mut drawing = Drawing::default();
    let mut toss = |drawing: &mut Drawing, squares: &[usize], kind, name| {
        // The fewest coins that have an outcome for every square.
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
    Ok(drawing.finish(&[Knight, Knight]))
}

/// Reads ten coins as the number of the start in binary.
pub fn ten_coins(rolls: &mut Rolls<'_>) -> Result<Drawn> {
    const FIRST: usize = 4;
    const REST: usize = 6;
    let mut drawing = Drawing::default();
    // We reject four heads (15), because the number would be 960 or more.
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
    Ok(drawing.place_number(number))
}
