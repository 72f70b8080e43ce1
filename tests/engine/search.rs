//! Tests the search through the library: move picker, mates, draws, determinism and stopping.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::common::choose;
use enroque::chess::startpos::double_chess960;
use enroque::chess::{Board, Move};
use enroque::engine::Engine;
use enroque::search::history::{Histories, HistoryContext};
use enroque::search::limits::Limits;
use enroque::search::report::{Outcome, Silent};
use enroque::search::score::{mate_in, moves_to_mate};
use enroque::search::tt::TranspositionTable;
use enroque::search::{MovePicker, MoveStack, QuietLimit};
use enroque::util::random::Random;

fn search(engine: &mut Engine, fen: &str, limits: Limits) -> Outcome {
    engine.new_game();
    engine.set_board(fen.parse().unwrap());
    engine.search(limits, Box::new(Silent))
}

static TABLE: LazyLock<TranspositionTable> = LazyLock::new(|| TranspositionTable::new(1).unwrap());

fn next(picker: &mut MovePicker, board: &Board, histories: &Histories) -> Option<Move> {
    picker.next(board, histories, &TABLE, &HistoryContext::default())
}

/// Runs perft with the moves that the move picker returns. Its TT move is missing, random or legal.
fn picker_perft(
    board: &mut Board,
    depth: u32,
    random: &mut Random,
    histories: &Histories,
    stack: &MoveStack,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = board.legal_moves();
    let tt_move = match random.below(3) {
        0 => None,
        1 => Move::from_code(random.bits() as u16),
        _ => (!legal.is_empty()).then(|| choose(random, &legal)),
    };
    let mut picker = MovePicker::new(board, stack, tt_move);
    let mut first = true;
    let mut nodes = 0;
    while let Some(mv) = next(&mut picker, board, histories) {
        assert!(board.is_legal(mv));
        if let Some(tt_move) = tt_move.filter(|mv| std::mem::take(&mut first) && legal.contains(mv)) {
            assert_eq!(mv, tt_move, "the table move comes first");
        }
        board.make_move(mv);
        nodes += picker_perft(board, depth - 1, random, histories, stack);
        board.unmake_move(mv);
    }
    nodes
}

#[test]
fn move_picker_perft() {
    let mut random = Random::new(21);
    let (histories, stack) = (Histories::new().unwrap(), MoveStack::new().unwrap());
    for _ in 0..40 {
        let mut board = double_chess960(random.below(960) as u32, random.below(960) as u32).unwrap();
        for _ in 0..random.below(40) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let castling = moves.iter().copied().find(|mv| mv.is_castle());
            board.make_move(castling.unwrap_or(choose(&mut random, &moves)));
        }
        let expected = enroque::chess::perft::perft(&board, 3);
        assert_eq!(picker_perft(&mut board, 3, &mut random, &histories, &stack), expected);
    }
}

#[test]
fn noisy_picker_yields_noisy_moves() {
    let board: Board =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
    let (histories, stack) = (Histories::new().unwrap(), MoveStack::new().unwrap());
    let mut picker = MovePicker::noisy_only(&board, &stack, None, 0);
    let mut count = 0;
    while let Some(mv) = next(&mut picker, &board, &histories) {
        assert!(mv.is_noisy());
        assert!(picker.is_at_bad_moves() || board.see_at_least(mv, 0), "good captures come first: {mv:?}");
        count += 1;
    }
    assert_eq!(count, board.legal_moves().into_iter().filter(|mv| mv.is_noisy()).count());
}

#[test]
fn quiet_limit_keeps_checks() {
    // White can castle with check, and has other checks, quiet moves, and good and bad captures.
    let board: Board = "3q1k2/1p6/8/n2p4/2B5/8/6P1/R2QK2R w KQ - 0 1".parse().unwrap();
    let (histories, stack) = (Histories::new().unwrap(), MoveStack::new().unwrap());
    let picked = |limit: QuietLimit, after: usize| {
        let mut picker = MovePicker::new(&board, &stack, None);
        let mut picked = Vec::new();
        let mut quiet = 0;
        while let Some(mv) = next(&mut picker, &board, &histories) {
            picked.push(mv);
            quiet += usize::from(mv.is_quiet());
            if quiet == after {
                picker.limit_quiets(limit);
            }
        }
        picked
    };
    let is_check = |mv: Move| board.gives_check(mv, &board.check_info());
    let count =
        |wanted: &dyn Fn(Move) -> bool| board.legal_moves().into_iter().filter(|&mv| wanted(mv)).count();
    let checks = count(&|mv| mv.is_quiet() && is_check(mv));
    let noisy = count(&|mv| mv.is_noisy());
    assert!(board.legal_moves().into_iter().any(|mv| mv.is_castle() && is_check(mv)));
    assert!(checks > 2 && noisy > 2);

    // We limit the quiet moves before the picker generates them, or after it has returned the first one, which is a
    // check, because it sorts checks first.
    for after in [0, 1] {
        assert_eq!(picked(QuietLimit::Checks, after).len(), noisy + checks, "after {after}");
    }
    assert_eq!(picked(QuietLimit::None, 0).len(), noisy);
    assert_eq!(picked(QuietLimit::None, 1).len(), noisy + 1);
    assert_eq!(picked(QuietLimit::All, 0).len(), board.legal_moves().len());
}

#[test]
fn search_is_deterministic() {
    let mut engine = Engine::new().unwrap();
    let fen = "brkr1bnn/2p1pp2/P5pp/1p1p3q/3P3P/5PR1/P1P1P1P1/B1KRQBNN w Ddb - 1 12";
    let first = search(&mut engine, fen, Limits::depth(11));
    search(&mut engine, "8/8/4k3/8/8/4K3/4R3/8 w - - 0 1", Limits::depth(8));
    let second = search(&mut engine, fen, Limits::depth(11));
    assert_eq!((first.nodes, first.score, first.pv), (second.nodes, second.score, second.pv));
}

#[test]
fn mates_and_draws_are_found() {
    let mut engine = Engine::new().unwrap();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0),
        ("k7/8/KQ6/8/8/8/8/8 w - - 0 1", 1),
    ] {
        let outcome = search(&mut engine, fen, Limits::nodes(200_000));
        match moves {
            0 => assert_eq!(outcome.best_move, None, "{fen}"),
            moves => assert_eq!(moves_to_mate(outcome.score), Some(moves), "{fen}"),
        }
    }
    for fen in [
        "8/8/4k3/8/8/4K3/8/5N2 w - - 0 1",
        // White cannot mate before the fifty-move rule ends the game, in two plies.
        "8/8/4k3/8/8/4K3/8/R7 w - - 98 120",
    ] {
        let outcome = search(&mut engine, fen, Limits::depth(10));
        assert!(outcome.score.abs() <= 30, "{fen}: {}", outcome.score);
    }
}

/// Castling is the only mating move, so the TT, move ordering and check detection must all handle it.
#[test]
fn castling_can_mate() {
    let mut engine = Engine::new().unwrap();
    for depth in 1..8 {
        let outcome = search(&mut engine, "4rkr1/4p1p1/8/8/8/8/8/5KR1 w G - 0 1", Limits::depth(depth));
        assert_eq!(outcome.score, mate_in(1));
        assert!(outcome.best_move.is_some_and(Move::is_castle));
    }
}

#[test]
fn won_endgame_avoids_repetition() {
    let mut engine = Engine::new().unwrap();
    let mut board: Board = "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1".parse().unwrap();
    for _ in 0..60 {
        if !board.has_legal_move() {
            assert!(board.in_check());
            return;
        }
        engine.set_board(board.clone());
        let outcome = engine.search(Limits::nodes(20_000), Box::new(Silent));
        board.make_move(outcome.best_move.unwrap());
        assert!(!board.is_threefold());
    }
    panic!("king and queen do not mate in sixty plies");
}

/// With enough material, the engine must mate before the fifty-move rule or a repetition, even with searches as short
/// as in self-play.
#[test]
fn bare_king_is_mated() {
    let mut engine = Engine::new().unwrap();
    for (fen, nodes) in [
        ("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", 1_000),
        ("8/8/3k4/8/8/8/1R6/K7 b - - 0 1", 1_000),
        ("8/8/8/3k4/8/8/5NR1/K7 w - - 0 1", 1_000),
        ("8/8/8/4k3/8/8/8/K1BB4 w - - 0 1", 10_000),
        ("8/8/8/4k3/8/8/8/K1BN4 w - - 0 1", 20_000),
    ] {
        let mut board: Board = fen.parse().unwrap();
        engine.new_game();
        while board.has_legal_move() {
            assert!(!board.is_threefold() && !board.is_fifty_move_draw(), "{fen}: drawn");
            engine.set_board(board.clone());
            let outcome = engine.search(Limits::nodes(nodes), Box::new(Silent));
            board.make_move(outcome.best_move.unwrap());
        }
        assert!(board.in_check(), "{fen}: stalemate");
    }
}

#[test]
fn stop_ends_all_threads() {
    let mut engine = Engine::new().unwrap();
    engine.set_threads(2).unwrap();
    for _ in 0..20 {
        engine.go(Limits { infinite: true, ..Limits::default() }, Instant::now(), Box::new(Silent));
        std::thread::sleep(Duration::from_millis(10));
        engine.stop();
        assert!(engine.wait().is_some_and(|outcome| outcome.best_move.is_some()));
    }
}
