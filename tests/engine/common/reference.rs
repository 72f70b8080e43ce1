//! A second implementation of the rules: slow, simple, and independent of the engine's code. It moves one piece one
//! step at a time, and detects check by testing whether the king can be captured.

/// `squares` holds FEN letters or blanks, from 0 (a1) to 63 (h8).
#[derive(Clone)]
pub struct Position {
    pub squares: [char; 64],
    pub white_to_move: bool,
    pub castlings: Vec<Castling>,
    /// The square that a double pawn push has just passed.
    pub passed: Option<usize>,
}

/// A castling right, given by the squares of king and rook before and after castling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Castling {
    pub king: usize,
    pub rook: usize,
    pub king_to: usize,
    pub rook_to: usize,
}

/// From, to, and the letter of the promotion piece or a blank. Castling goes to the square of the rook.
pub type Move = (usize, usize, char);

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Returns the square one step away; `None` beyond the edge of the board.
fn step(square: usize, (file, rank): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + file, square as i32 / 8 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

/// Returns the squares from `a` to `b`, two squares of one rank, both included.
fn path(a: usize, b: usize) -> std::ops::RangeInclusive<usize> {
    a.min(b)..=a.max(b)
}

impl Position {
    /// Returns a start position with these back ranks. `destinations` tells the files of king and rook after castling.
    /// Its arguments are `true` for the h-side, and their files before castling.
    pub fn start(
        white: &str,
        black: &str,
        destinations: impl Fn(bool, usize, usize) -> (usize, usize),
    ) -> Self {
        let mut squares = [' '; 64];
        let mut castlings = Vec::new();
        for (rank, letters) in [(0, white.to_uppercase()), (7, black.to_lowercase())] {
            for (file, letter) in letters.chars().enumerate() {
                squares[rank * 8 + file] = letter;
                squares[if rank == 0 { 8 } else { 48 } + file] = if rank == 0 { 'P' } else { 'p' };
            }
            let upper = letters.to_uppercase();
            let king = upper.find('K').unwrap();
            for (h_side, rook) in [(false, upper.find('R').unwrap()), (true, upper.rfind('R').unwrap())] {
                let (king_to, rook_to) = destinations(h_side, king, rook);
                let at = |file| rank * 8 + file;
                castlings.push(Castling {
                    king: at(king),
                    rook: at(rook),
                    king_to: at(king_to),
                    rook_to: at(rook_to),
                });
            }
        }
        Self { squares, white_to_move: true, castlings, passed: None }
    }

    fn is_own(&self, square: usize, white: bool) -> bool {
        let letter = self.squares[square];
        letter != ' ' && letter.is_uppercase() == white
    }

    /// Returns whether White, or Black if `white` is `false`, attacks `target`.
    fn attacks(&self, target: usize, white: bool) -> bool {
        (0..64).filter(|&from| self.is_own(from, white)).any(|from| self.reaches(from, target))
    }

    fn reaches(&self, from: usize, target: usize) -> bool {
        let slides = |directions: &[(i32, i32)]| {
            directions.iter().any(|&direction| {
                let mut at = from;
                while let Some(next) = step(at, direction) {
                    if next == target {
                        return true;
                    }
                    if self.squares[next] != ' ' {
                        return false;
                    }
                    at = next;
                }
                false
            })
        };
        let steps = |directions: &[(i32, i32)]| directions.iter().any(|&d| step(from, d) == Some(target));
        match self.squares[from] {
            'P' => steps(&[(-1, 1), (1, 1)]),
            'p' => steps(&[(-1, -1), (1, -1)]),
            'N' | 'n' => steps(&KNIGHT),
            'B' | 'b' => slides(&DIAGONAL),
            'R' | 'r' => slides(&STRAIGHT),
            'Q' | 'q' => slides(&DIAGONAL) || slides(&STRAIGHT),
            'K' | 'k' => steps(&DIAGONAL) || steps(&STRAIGHT),
            _ => false,
        }
    }

    fn king_can_be_taken(&self, white_king: bool) -> bool {
        let letter = if white_king { 'K' } else { 'k' };
        let king = self.squares.iter().position(|&square| square == letter).unwrap();
        self.attacks(king, !white_king)
    }

    fn is_castling(&self, mv: Move) -> Option<Castling> {
        self.castlings.iter().copied().find(|castling| {
            (castling.king, castling.rook) == (mv.0, mv.1) && self.is_own(castling.rook, self.white_to_move)
        })
    }

    pub fn play(&self, mv: Move) -> Self {
        let mut next = self.clone();
        let (from, to, promotion) = mv;
        let piece = self.squares[from];
        if let Some(castling) = self.is_castling(mv) {
            let rook = self.squares[castling.rook];
            next.squares[castling.king] = ' ';
            next.squares[castling.rook] = ' ';
            next.squares[castling.king_to] = piece;
            next.squares[castling.rook_to] = rook;
        } else {
            next.squares[from] = ' ';
            next.squares[to] = if promotion == ' ' { piece } else { promotion };
            if piece.eq_ignore_ascii_case(&'p') && Some(to) == self.passed {
                next.squares[if self.white_to_move { to - 8 } else { to + 8 }] = ' ';
            }
        }
        next.passed =
            (piece.eq_ignore_ascii_case(&'p') && from.abs_diff(to) == 16).then_some(from.midpoint(to));
        // A right is lost when its king or rook moves, or when its rook is captured.
        next.castlings
            .retain(|castling| ![castling.king, castling.rook].iter().any(|s| [from, to].contains(s)));
        next.white_to_move = !self.white_to_move;
        next
    }

    fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let white = self.white_to_move;
        for from in (0..64).filter(|&square| self.is_own(square, white)) {
            if self.squares[from].eq_ignore_ascii_case(&'p') {
                self.pawn_candidates(from, &mut moves);
                continue;
            }
            for to in (0..64).filter(|&to| to != from && !self.is_own(to, white) && self.reaches(from, to)) {
                moves.push((from, to, ' '));
            }
        }
        moves
    }

    fn pawn_candidates(&self, from: usize, moves: &mut Vec<Move>) {
        let white = self.white_to_move;
        let ahead = if white { 1 } else { -1 };
        let mut targets = Vec::new();
        if let Some(once) = step(from, (0, ahead)).filter(|&to| self.squares[to] == ' ') {
            targets.push(once);
            let at_home = from / 8 == if white { 1 } else { 6 };
            targets.extend(step(once, (0, ahead)).filter(|&to| at_home && self.squares[to] == ' '));
        }
        for side in [-1, 1] {
            let takes = |&to: &usize| self.is_own(to, !white) || self.passed == Some(to);
            targets.extend(step(from, (side, ahead)).filter(takes));
        }
        for to in targets {
            if to / 8 == 0 || to / 8 == 7 {
                let pieces = if white { "QRBN" } else { "qrbn" };
                moves.extend(pieces.chars().map(|piece| (from, to, piece)));
            } else {
                moves.push((from, to, ' '));
            }
        }
    }

    fn castling_is_allowed(&self, castling: &Castling) -> bool {
        let mut paths = path(castling.king, castling.king_to).chain(path(castling.rook, castling.rook_to));
        let free = paths.all(|s| self.squares[s] == ' ' || s == castling.king || s == castling.rook);
        let safe = path(castling.king, castling.king_to).all(|s| !self.attacks(s, !self.white_to_move));
        free && safe
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let white = self.white_to_move;
        let mut moves = self.candidates();
        for castling in &self.castlings {
            if self.is_own(castling.king, white) && self.castling_is_allowed(castling) {
                moves.push((castling.king, castling.rook, ' '));
            }
        }
        moves.retain(|&mv| !self.play(mv).king_can_be_taken(white));
        moves.sort_unstable();
        moves
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().into_iter().map(|mv| self.play(mv).perft(depth - 1)).sum()
    }
}

/// Castling in Chess960 and Chess2880 ends on the c- and d-files, or on the g- and f-files.
pub fn fischer(h_side: bool, _king: usize, _rook: usize) -> (usize, usize) {
    if h_side { (6, 5) } else { (2, 3) }
}

/// In Chess480 the king moves two squares towards the rook, and the rook to the square that the king crossed. If they
/// stand next to each other in a corner, they swap.
pub fn two_squares(_h_side: bool, king: usize, rook: usize) -> (usize, usize) {
    match (king, rook) {
        (1, 0) => (0, 1),
        (6, 7) => (7, 6),
        _ if rook > king => (king + 2, king + 1),
        _ => (king - 2, king - 1),
    }
}
