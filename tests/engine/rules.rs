//! Compares the rules with independent implementations: cozy-chess and shakmaty for Chess960 and double Chess960, a
//! simple one of our own for Chess480 and Chess2880. Also compares the incremental board state with a recomputed one.

use crate::common::{choose, parallel_perft, reference};
use enroque::chess::board::draws::FIFTY_MOVES;
use enroque::chess::board::makemove::Observer;
use enroque::chess::notation::fen::START_FEN;
use enroque::chess::perft::perft;
use enroque::chess::square::Rank;
use enroque::chess::startpos::{self, StartNumbers, StartSet, back_rank, back_rank_letters, double_chess960};
use enroque::chess::{
    Board, CastlingRules, Color, FenStyle, GenType, Move, MoveList, Piece, PieceKind, Square,
};
use enroque::engine::Engine;
use enroque::search::limits::Limits;
use enroque::search::report::Silent;
use enroque::util::random::Random;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// Plays random games of Chess960 and double Chess960, and calls `visit` with every position and the move played there.
fn random_games(seed: u64, positions: usize, mut visit: impl FnMut(&Board, Move)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    while seen < positions {
        let white = random.below(960) as u32;
        let black = if random.below(4) == 0 { white } else { random.below(960) as u32 };
        let mut board = double_chess960(white, black).unwrap();
        for _ in 0..160 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Random moves rarely castle, so we castle half of the time when it is possible.
            let castling = moves.iter().copied().find(|mv| mv.is_castle() && random.below(2) == 0);
            let mv = castling.unwrap_or_else(|| choose(&mut random, &moves));
            visit(&board, mv);
            board.make_move(mv);
            seen += 1;
        }
    }
}

fn sorted(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort_unstable();
    texts
}

/// A move as numbers for from, to and promotion, which we can compare between libraries.
type Plain = (u8, u8, u8);

fn plain(mv: Move) -> Plain {
    (mv.from().index() as u8, mv.to().index() as u8, mv.promotion().map_or(0, |kind| kind as u8))
}

#[test]
fn moves_and_fens_match_cozy_chess() {
    let mut cozy = cozy_chess::Board::default();
    let (mut count, mut castlings) = (0, 0);
    random_games(1, 1_000_000, |board, mv| {
        let fen = board.fen(FenStyle::Shredder);
        if board.fullmove_number() == 1 && board.side_to_move() == Color::White {
            cozy = cozy_chess::Board::from_fen(&fen, true).unwrap();
        }
        // cozy-chess writes the en passant square after every double pawn push, not only if a capture is legal, and its
        // halfmove clock stops at the fifty-move rule.
        let comparable = |fen: &str| {
            let fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
            let [pieces, side, castling, _, clock, number] = fields.try_into().unwrap();
            let clock = clock.parse::<u16>().unwrap().min(FIFTY_MOVES);
            (pieces, side, castling, clock, number)
        };
        assert_eq!(comparable(&fen), comparable(&format!("{cozy:#}")));

        let mut ours: Vec<Plain> = board.legal_moves().into_iter().map(plain).collect();
        let mut theirs: Vec<Plain> = Vec::with_capacity(ours.len());
        cozy.generate_moves(|moves| {
            theirs.extend(
                moves
                    .into_iter()
                    .map(|mv| (mv.from as u8, mv.to as u8, mv.promotion.map_or(0, |piece| piece as u8))),
            );
            false
        });
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{fen}");

        let (from, to, promotion) = plain(mv);
        cozy.play(cozy_chess::Move {
            from: cozy_chess::Square::index(from.into()),
            to: cozy_chess::Square::index(to.into()),
            promotion: (promotion > 0).then(|| cozy_chess::Piece::index(promotion.into())),
        });
        assert_eq!(cozy.checkers().is_empty(), {
            let mut after = board.clone();
            after.make_move(mv);
            !after.in_check()
        });
        count += 1;
        castlings += usize::from(mv.is_castle());
    });
    assert!(count >= 1_000_000 && castlings > 1000, "{count} positions, {castlings} castlings");
}

#[test]
fn moves_and_notation_match_shakmaty() {
    let mut theirs = Chess::default();
    let mut count = 0;
    random_games(2, 400_000, |board, mv| {
        let fen = board.fen(FenStyle::XFen);
        if board.fullmove_number() == 1 && board.side_to_move() == Color::White {
            theirs = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        }
        assert_eq!(fen, Fen::from_position(&theirs, EnPassantMode::Legal).to_string());

        let ours = sorted(board.legal_moves().into_iter().map(|mv| format!("{mv:?}")));
        let legal = theirs.legal_moves();
        let name = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Chess960).to_string();
        assert_eq!(ours, sorted(legal.iter().map(name)), "{fen}");

        let their_move = *legal.iter().find(|other| name(other) == format!("{mv:?}")).unwrap();
        let san = shakmaty::san::SanPlus::from_move(theirs.clone(), their_move).to_string();
        assert_eq!(board.san(mv), san, "{fen}");
        assert_eq!(board.parse_san(&san), Ok(mv), "{fen}");
        theirs.play_unchecked(their_move);
        count += 1;
    });
    assert!(count >= 400_000);
}

/// Returns the same start position for the engine and for the reference implementation.
fn start_pair(set: &'static StartSet, index: u64) -> (Board, reference::Position) {
    let [white, black] = set.numbers(index).unwrap().letters();
    let board = set.position(index).unwrap();
    let destinations = match set.castling.rules() {
        CastlingRules::Orthodox480 => reference::two_squares,
        _ => reference::fischer,
    };
    (board, reference::Position::start(&white, &black, destinations))
}

fn reference_move(mv: Move, color: Color) -> reference::Move {
    let letter = mv.promotion().map_or(' ', |kind| Piece::new(color, kind).letter());
    (mv.from().index(), mv.to().index(), letter)
}

/// Returns the engine's move, after checking that the reference implementation allows every move of its PV.
fn engine_move(engine: &mut Engine, board: &Board, other: &reference::Position) -> Move {
    engine.set_board(board.clone());
    let outcome = engine.search(Limits::nodes(100), Box::new(Silent));
    let mut line = other.clone();
    let mut side = board.side_to_move();
    for &mv in &outcome.pv {
        let mv = reference_move(mv, side);
        assert!(
            line.legal_moves().contains(&mv),
            "{mv:?} of {:?}: {}",
            outcome.pv,
            board.fen(FenStyle::XFen)
        );
        line = line.play(mv);
        side = !side;
    }
    outcome.best_move.unwrap()
}

/// Plays a thousand games. In every fourth the engine chooses the moves, in the others they are random.
#[test]
fn moves_match_reference_implementation() {
    let mut random = Random::new(3);
    let mut engine = Engine::new().unwrap();
    for name in ["chess480", "chess2880", "double2880", "dfrc", "shuffle-nearest"] {
        let set = StartSet::by_name(name).unwrap();
        let mut castlings = 0;
        for game in 0..200 {
            let (mut board, mut other) = start_pair(set, random.bits() % set.count());
            for _ in 0..70 {
                let us = board.side_to_move();
                let mut ours: Vec<_> =
                    board.legal_moves().into_iter().map(|mv| reference_move(mv, us)).collect();
                ours.sort_unstable();
                assert_eq!(ours, other.legal_moves(), "{name}: {}", board.fen(FenStyle::XFen));
                if ours.is_empty() {
                    break;
                }
                let moves = board.legal_moves();
                let castling = moves.iter().copied().find(|mv| mv.is_castle() && random.below(3) == 0);
                let mv = match castling {
                    Some(castling) => castling,
                    None if game % 4 == 0 => engine_move(&mut engine, &board, &other),
                    None => choose(&mut random, &moves),
                };
                castlings += usize::from(mv.is_castle());
                other = other.play(reference_move(mv, us));
                board.make_move(mv);
            }
        }
        assert!(castlings > 100, "{name}: only {castlings} castlings");
    }
}

/// Compares the incremental state of a board with that of a new board made from its FEN.
fn assert_consistent(board: &Board) {
    for style in [FenStyle::Shredder, FenStyle::XFen] {
        let again = Board::from_fen(&board.fen(style), board.castling_geometry().rules()).unwrap();
        assert_eq!(&again, board);
        assert_eq!(again.keys(), board.keys());
        assert_eq!(again.checkers(), board.checkers());
        assert_eq!(again.pinned(), board.pinned());
        assert_eq!(again.fen(style), board.fen(style));
    }
}

#[test]
fn incremental_state_equals_recomputed() {
    random_games(4, 60_000, |board, mv| {
        assert_consistent(board);
        let mut after = board.clone();
        after.make_move(mv);
        assert_consistent(&after);
        after.unmake_move(mv);
        assert_eq!(&after, board);
        assert_eq!((after.keys(), after.checkers()), (board.keys(), board.checkers()));
        assert_eq!(after.fen(FenStyle::XFen), board.fen(FenStyle::XFen));
        if !board.in_check() {
            after.make_null_move();
            assert_ne!(after.key(), board.key());
            assert_eq!(after.legal_moves().len() as u64, after.count_legal_moves());
            after.unmake_null_move();
            assert_eq!((&after, after.keys()), (board, board.keys()));
        }
    });
}

#[test]
fn observer_receives_all_changes() {
    struct Mirror([Option<Piece>; 64]);
    impl Observer for Mirror {
        fn removed(&mut self, piece: Piece, square: Square) {
            assert_eq!(self.0[square.index()].take(), Some(piece));
        }
        fn added(&mut self, piece: Piece, square: Square) {
            assert_eq!(self.0[square.index()].replace(piece), None);
        }
    }
    random_games(5, 50_000, |board, mv| {
        let squares = |board: &Board| std::array::from_fn(|i| board.piece_on(Square::from_index(i)));
        let mut mirror = Mirror(squares(board));
        let mut after = board.clone();
        after.make_move_observed(mv, &mut mirror);
        assert_eq!(mirror.0, squares(&after));
    });
}

#[test]
fn is_legal_matches_generation() {
    let mut positions = 0;
    random_games(6, 40_000, |board, _| {
        positions += 1;
        if positions % 37 != 0 {
            return;
        }
        let mut legal: Vec<u16> = board.legal_moves().into_iter().map(Move::code).collect();
        legal.sort_unstable();
        let accepted: Vec<u16> = (1..=u16::MAX)
            .filter(|&code| Move::from_code(code).is_some_and(|mv| board.is_legal(mv)))
            .collect();
        assert_eq!(legal, accepted, "{}", board.fen(FenStyle::Shredder));
    });
}

#[test]
fn noisy_plus_quiet_equals_all() {
    random_games(7, 100_000, |board, _| {
        let [noisy, quiet] = [GenType::Noisy, GenType::Quiet].map(|gen_type| {
            let mut list = MoveList::new();
            board.generate(gen_type, &mut list);
            list
        });
        assert!(noisy.iter().all(|mv| mv.is_noisy()) && quiet.iter().all(|mv| mv.is_quiet()));
        let mut parts: Vec<u16> = noisy.into_iter().chain(quiet).map(Move::code).collect();
        let mut whole: Vec<u16> = board.legal_moves().into_iter().map(Move::code).collect();
        parts.sort_unstable();
        whole.sort_unstable();
        assert_eq!(parts, whole);
        assert_eq!(board.count_legal_moves(), whole.len() as u64);
        assert_eq!(board.has_legal_move(), !whole.is_empty());
    });
}

/// We unite the attacks that shakmaty computes for single pieces, and compare the unions with our threats.
#[test]
fn threats_by_attacker_value() {
    use shakmaty::Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    random_games(23, 20_000, |board, _| {
        let fen: Fen = board.fen(FenStyle::Shredder).parse().unwrap();
        let theirs = &fen.as_setup().board;
        for (us, color) in [(Color::White, shakmaty::Color::White), (Color::Black, shakmaty::Color::Black)] {
            let attacks = |roles: &[shakmaty::Role]| {
                let pieces = theirs.by_color(color).into_iter();
                let pieces =
                    pieces.filter(|&square| theirs.role_at(square).is_some_and(|role| roles.contains(&role)));
                pieces.fold(0, |all, square| all | u64::from(theirs.attacks_from(square)))
            };
            let threats = board.threats_by(us);
            let roles = [Pawn, Knight, Bishop, Rook, Queen, King];
            for (kind, less_valuable) in PieceKind::ALL.into_iter().zip([6, 1, 1, 3, 4, 6]) {
                assert_eq!(threats.to(kind).0, attacks(&roles[..less_valuable]), "{kind:?}");
            }
        }
    });
}

#[test]
fn gives_check_matches_make_move() {
    let mut checks = 0;
    random_games(8, 60_000, |board, _| {
        let info = board.check_info();
        for mv in board.legal_moves() {
            let mut after = board.clone();
            after.make_move(mv);
            assert_eq!(
                board.gives_check(mv, &info),
                after.in_check(),
                "{mv:?} {}",
                board.fen(FenStyle::Shredder)
            );
            checks += usize::from(after.in_check());
        }
    });
    assert!(checks > 10_000);
    for fen in [
        "4r3/3k4/8/8/8/8/q5PP/1R1KR3 w Q - 2 2",
        "8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/8/8/8/RK5q w A - 0 1",
        "4k3/2P5/8/8/8/8/8/4K3 w - - 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let board: Board = fen.parse().unwrap();
        let info = board.check_info();
        for mv in board.legal_moves() {
            let mut after = board.clone();
            after.make_move(mv);
            assert_eq!(board.gives_check(mv, &info), after.in_check(), "{mv:?} {fen}");
        }
    }
}

#[test]
fn flipped_board_has_mirrored_moves() {
    random_games(9, 20_000, |board, _| {
        let flipped = board.flipped();
        let upside_down = |mv: Move| (mv.from().flip_rank(), mv.to().flip_rank(), mv.promotion());
        let mut ours: Vec<_> = board.legal_moves().into_iter().map(upside_down).collect();
        let mut theirs: Vec<_> =
            flipped.legal_moves().into_iter().map(|mv| (mv.from(), mv.to(), mv.promotion())).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs);
        assert_eq!(&flipped.flipped(), board);
    });
}

/// Returns what the side to move wins by captures on `target`, which we play as legal moves, least valuable piece
/// first. `None` if a pin or check occurs, because static exchange evaluation ignores both.
fn exchange(board: &Board, target: Square) -> Option<i32> {
    use enroque::chess::see::see_value;
    if board.pinned().non_empty() || board.in_check() {
        return None;
    }
    let captures = board.legal_moves().into_iter().filter(|mv| mv.is_capture() && mv.to() == target);
    let Some(mv) = captures.min_by_key(|mv| board.piece_on(mv.from()).map(|piece| piece.kind())) else {
        return Some(0);
    };
    let mut after = board.clone();
    after.make_move(mv);
    let gain = see_value(board.piece_on(target)?.kind());
    Some((gain - exchange(&after, target)?).max(0))
}

#[test]
fn see_matches_real_exchanges() {
    use enroque::chess::see::see_value;
    let mut compared = 0;
    random_games(10, 60_000, |board, _| {
        for mv in board.legal_moves() {
            let Some(victim) = board.piece_on(mv.to()).filter(|_| !mv.is_castle()) else { continue };
            let mut after = board.clone();
            after.make_move(mv);
            let on_back_rank = matches!(mv.to().rank(), Rank::First | Rank::Eighth);
            let Some(reply) = exchange(&after, mv.to()).filter(|_| !on_back_rank) else { continue };
            let gain = see_value(victim.kind()) - reply;
            compared += 1;
            let fen = board.fen(FenStyle::Shredder);
            assert!(board.see_at_least(mv, gain), "{mv:?} wins {gain}: {fen}");
            assert!(!board.see_at_least(mv, gain + 1), "{mv:?} wins no more than {gain}: {fen}");
        }
    });
    assert!(compared > 20_000, "{compared}");
    // Castling captures nothing, so it is worth 0 even if the rook lands on an attacked square.
    let board: Board = "3rk3/8/8/8/8/8/8/RK6 w A - 0 1".parse().unwrap();
    let castling = board.parse_move("b1a1").unwrap();
    assert!(castling.is_castle() && board.see_at_least(castling, 0) && !board.see_at_least(castling, 1));
}

const SUITE: &str = "tests/data/perft.epd";

#[test]
fn perft_suite_counts() {
    let suite = std::fs::read_to_string(SUITE).unwrap();
    let mut positions = std::collections::HashMap::new();
    for line in suite.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(" ;");
        let (rules, fen) = parts.next().unwrap().split_once(' ').unwrap();
        let board = Board::from_fen(fen, CastlingRules::from_name(rules).unwrap()).unwrap();
        *positions.entry(rules).or_insert(0) += 1;
        for count in parts {
            let (depth, nodes) = count[1..].split_once(' ').unwrap();
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
            assert_eq!(perft(&board, depth), nodes, "{line}");
        }
    }
    assert!(positions["fischer"] >= 200 && positions["nearest"] >= 60 && positions["orthodox480"] >= 60);
}

/// cozy-chess must count the same leaves for Chess960 and double Chess960, the reference implementation for the rest.
/// If the environment variable `ENROQUE_WRITE_SUITE` is set, we write `tests/data/perft.epd` anew.
#[test]
fn perft_suite_matches_oracles() {
    fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
            false
        });
        nodes
    }
    let mut text = String::from("# castling rules, position, leaf counts; made by tests/engine/rules.rs\n");
    let mut random = Random::new(960);
    let mut until_next = 0;
    let mut written = 0;
    random_games(11, 60_000, |board, _| {
        if until_next > 0 {
            until_next -= 1;
            return;
        }
        if written == 240 || board.castling_rights().is_empty() && random.below(4) > 0 {
            return;
        }
        let fen = board.fen(FenStyle::Shredder);
        let cozy = cozy_chess::Board::from_fen(&fen, true).unwrap();
        let counts: String =
            (1..=4).map(|depth| format!(" ;D{depth} {}", cozy_perft(&cozy, depth))).collect();
        text += &format!("fischer {fen}{counts}\n");
        until_next = 40 + random.below(120);
        written += 1;
    });
    for (name, wanted) in [("chess480", 80), ("chess2880", 50), ("double2880", 30)] {
        let set = StartSet::by_name(name).unwrap();
        for _ in 0..wanted {
            let (mut board, mut other) = start_pair(set, random.bits() % set.count());
            for _ in 0..random.below(40) {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = choose(&mut random, &moves);
                other = other.play(reference_move(mv, board.side_to_move()));
                board.make_move(mv);
            }
            let counts: String = (1..=3).map(|depth| format!(" ;D{depth} {}", other.perft(depth))).collect();
            let rules = board.castling_geometry().rules().name();
            text += &format!("{rules} {}{counts}\n", board.fen(FenStyle::XFen));
        }
    }
    if std::env::var_os("ENROQUE_WRITE_SUITE").is_some() {
        std::fs::write(SUITE, &text).unwrap();
    }
    assert!(std::fs::read_to_string(SUITE).unwrap() == text, "{SUITE} is not what the oracles count");
}

#[test]
fn perft_on_one_thread_and_many() {
    for (fen, depth, nodes) in [
        (START_FEN, 5, 4_865_609),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4, 422_333),
    ] {
        let board: Board = fen.parse().unwrap();
        assert_eq!(perft(&board, depth), nodes, "{fen}");
        assert_eq!(parallel_perft(&board, depth), nodes, "{fen}");
    }
}

#[test]
fn start_positions_by_number() {
    for number in 0..startpos::SHUFFLE_COUNT {
        assert_eq!(startpos::scharnagl_number(&back_rank(number).unwrap()), Some(number));
    }
    let known = [(0, "BBQNNRKR"), (80, "BBNNRKRQ"), (518, "RNBQKBNR"), (534, "RNBKQBNR"), (959, "RKRNNQBB")];
    for (number, rank) in known {
        assert_eq!(back_rank_letters(&back_rank(number).unwrap()), rank);
        let board = startpos::chess960(number).unwrap();
        let cozy = cozy_chess::Board::chess960_startpos(number);
        assert_eq!(board.fen(FenStyle::Shredder), format!("{cozy:#}"));
    }
    for number in 0..960 {
        let cozy = cozy_chess::Board::chess960_startpos(number);
        assert_eq!(startpos::chess960(number).unwrap().fen(FenStyle::Shredder), format!("{cozy:#}"));
    }
    assert_eq!(startpos::chess960(960), None);
    let sizes = [
        ("orthodox", 1),
        ("chess960", 960),
        ("dfrc", 921_600),
        ("chess18", 18),
        ("chess324", 324),
        ("chess90", 90),
        ("chess870", 870),
        ("chess2880", 2880),
        ("double2880", 8_294_400),
        ("transcendental", 8_294_400),
        ("shuffle", 5040),
        ("shuffle-orthodox", 5040),
        ("shuffle-nearest", 5040),
        ("double-shuffle", 25_401_600),
        ("chess480", 960),
        ("chess480-dark", 480),
        ("scharnagl480", 480),
    ];
    for (name, size) in sizes {
        let set = StartSet::by_name(name).unwrap();
        assert_eq!(set.count(), size, "{name}");
        let (first, last) = (set.position(0).unwrap(), set.position(size - 1).unwrap());
        assert!(size == 1 || first != last);
        assert_eq!(set.position(size), None);
        assert_eq!(StartNumbers::of(&last), set.numbers(size - 1));
    }
    for number in 0..960 {
        let mirror = StartNumbers::new(number, number).unwrap().mirror().white();
        let letters = back_rank_letters(&back_rank(number).unwrap());
        assert_eq!(back_rank_letters(&back_rank(mirror).unwrap()), letters.chars().rev().collect::<String>());
        for name in ["scharnagl480", "chess480-dark"] {
            let one_of_each_pair = StartSet::by_name(name).unwrap();
            let is_in = |number| one_of_each_pair.ranks().contains(&number);
            assert_ne!(is_in(number), is_in(mirror), "{name} {number}");
        }
    }
    assert_eq!(StartSet::by_name("dfrc").unwrap().position(344 * 960 + 402), double_chess960(344, 402));
}

#[test]
fn repetition_detection() {
    let mut board = Board::startpos();
    let play = |board: &mut Board, text: &str| {
        let mv = board.parse_move(text).unwrap();
        board.make_move(mv);
    };
    for text in ["g1f3", "g8f6", "f3g1"] {
        assert!(!board.has_upcoming_repetition(20), "before {text}");
        play(&mut board, text);
    }
    assert!(board.has_upcoming_repetition(20), "f6g8 leads back");
    assert!(!board.has_upcoming_repetition(2), "but to a position before the root");
    play(&mut board, "f6g8");
    assert!(board.is_repetition(5) && !board.is_repetition(4) && !board.is_threefold());
    for text in ["g1f3", "g8f6", "f3g1"] {
        play(&mut board, text);
    }
    assert!(board.has_upcoming_repetition(0), "the next position has occurred twice in the game");
    play(&mut board, "f6g8");
    assert!(board.is_threefold());
    play(&mut board, "e2e4");
    assert!(!board.is_repetition(100));
}

/// `takes_back` looks at keys, so we compare it with a list of the moves. A trimmed history must make no difference.
#[test]
fn moves_are_taken_back() {
    let (mut taken_back, mut played) = (0, [Vec::new(), Vec::new()]);
    random_games(31, 20_000, |board, played_now| {
        let us = board.side_to_move().index();
        if board.fullmove_number() == 1 {
            played[us].clear();
        }
        let mut trimmed = board.clone();
        trimmed.trim_history();
        for mv in board.legal_moves() {
            let piece = board.expect_piece(mv.from());
            // A piece that came back another way may repeat a move.
            let alike = [(piece, mv.to(), mv.from()), (piece, mv.from(), mv.to())].map(Some);
            let is_expected = !mv.is_castle()
                && piece.kind() != PieceKind::Pawn
                && played[us].iter().rev().take(4).any(|old| alike.contains(old));
            assert_eq!(trimmed.takes_back(mv), is_expected, "{board} {mv}");
            taken_back += usize::from(is_expected);
        }
        // Castling counts if only the king or only the rook changes its place.
        let mut after = board.clone();
        after.make_move(played_now);
        let placed = |board: &Board, kind| board.pieces(Color::ALL[us], kind);
        let moved = |kind: PieceKind| {
            let (old, new) = (placed(board, kind), placed(&after, kind));
            (old != new).then_some((Piece::new(Color::ALL[us], kind), old & !new, new & !old))
        };
        let changes: Vec<_> = PieceKind::ALL.into_iter().filter_map(moved).collect();
        played[us].push(match changes[..] {
            [(piece, from, to)] => Some((piece, from.first(), to.first())),
            _ => None,
        });
    });
    assert!(taken_back > 1000, "{taken_back}");
}

/// There must be an upcoming repetition if and only if some legal move leads to a repetition.
#[test]
fn upcoming_repetition_matches_legal_moves() {
    let mut found = 0;
    let mut random = Random::new(12);
    for _ in 0..400 {
        let mut board: Board = "4k2r/8/2n5/8/8/5N2/8/R3K3 w - - 0 1".parse().unwrap();
        for ply in 0..60usize {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let tried = moves.iter().any(|&mv| {
                let mut after = board.clone();
                after.make_move(mv);
                after.is_repetition(ply + 1)
            });
            assert_eq!(board.has_upcoming_repetition(ply), tried, "{}", board.fen(FenStyle::XFen));
            found += usize::from(tried);
            let mv = choose(&mut random, &moves);
            board.make_move(mv);
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn fifty_move_and_material_draws() {
    let drawn: Board = "4k3/8/8/8/8/8/3R4/4K3 w - - 100 80".parse().unwrap();
    assert!(drawn.is_fifty_move_draw());
    let mated: Board = "R3k3/8/4K3/8/8/8/8/8 b - - 100 80".parse().unwrap();
    assert!(!mated.has_legal_move() && !mated.is_fifty_move_draw(), "checkmate has priority over the limit");
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4kb2/8/8/8/8/8/8/2B1K3", true),
        ("4kb2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/3NKN2", false),
        ("4k3/8/8/8/8/8/7P/4K3", false),
        ("4kn2/8/8/8/8/8/8/4KN2", false),
    ];
    for (pieces, expected) in cases {
        let board: Board = format!("{pieces} w - - 0 1").parse().unwrap();
        assert_eq!(board.has_insufficient_material(), expected, "{pieces}");
    }
}
