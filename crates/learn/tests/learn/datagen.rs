//! Runs `datagen` and `data` as a user does, and also reads the games with the library viriformat.

use std::io::Cursor;

use crate::folder::Folder;
use crate::{Background, SELF_PLAY, bytes, games, said, self_play};
use enroque::nnue::Network;
use enroque::util::random::Random;
use enroque::util::version::GENERATOR;
use enroque_learn::games::format::{Game, GameResult, NO_SCORE};
use enroque_learn::games::{GameReader, GameWriter};
use enroque_learn::sample::choice::is_usable;

/// Returns the games in the game format, uncompressed.
fn written(games: &[Game]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write(&mut bytes).unwrap());
    bytes
}

#[test]
fn viriformat_reads_generated_games() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "150"]);
    let ours = games(&folder, "games.gz");
    assert_eq!(ours.len(), 150);
    assert!(
        ours.iter().any(|game| game.plies.iter().any(|ply| ply.mv.is_castle())),
        "expected some castlings"
    );
    let mut results = [0; 3];
    for game in &ours {
        results[game.result as usize] += 1;
        let written = written(std::slice::from_ref(game));
        assert_eq!(written.len(), game.size());
        // In a debug build viriformat checks that every move is legal.
        let theirs =
            viriformat::dataformat::Game::deserialise_from(&mut Cursor::new(&written), Vec::new()).unwrap();
        assert_eq!(theirs.moves.len(), game.plies.len());
        let mut rewritten = Vec::new();
        theirs.serialise_into(&mut rewritten).unwrap();
        assert_eq!(rewritten, written);
        let read = Game::read(&mut Cursor::new(&written)).unwrap().unwrap();
        assert_eq!((read.start, &read.plies, read.result), (game.start.clone(), &game.plies, game.result));
    }
    assert!(results.iter().all(|&count| count > 0), "expected every result, found {results:?}");
    for (winner, points) in
        [(None, 0.5), (Some(enroque::chess::Color::White), 1.0), (Some(enroque::chess::Color::Black), 0.0)]
    {
        assert_eq!(GameResult::of_winner(winner).points(), points);
    }
}

/// Other engines write viriformat without gzip, or compress the whole file at once.
#[test]
fn games_of_other_programs_are_read() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "20", "--fast-nodes", "20"]);
    let ours = games(&folder, "games.gz");
    assert!(ours.iter().flat_map(|game| &game.plies).any(|ply| ply.score == NO_SCORE));
    // viriformat itself writes the file.
    let mut plain = Vec::new();
    for game in &ours {
        let mut bytes = Cursor::new(written(std::slice::from_ref(game)));
        let theirs = viriformat::dataformat::Game::deserialise_from(&mut bytes, Vec::new()).unwrap();
        theirs.serialise_into(&mut plain).unwrap();
    }
    std::fs::write(folder.path("plain.vf"), &plain).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &plain).unwrap();
    std::fs::write(folder.path("whole.gz"), encoder.finish().unwrap()).unwrap();
    let expected = written(&ours);
    for name in ["plain.vf", "whole.gz"] {
        assert_eq!(written(&games(&folder, name)), expected, "{name}");
        folder.done(&["data", "show", name]);
        folder.done(&["train", &format!("{name}.nnue"), name, "--epochs", "1"]);
    }
    // A file that is cut off is read up to there, and the rest is refused.
    std::fs::write(folder.path("cut.vf"), &plain[..plain.len() - 3]).unwrap();
    assert!(folder.refused(&["data", "info", "cut.vf"]).contains("cut.vf, game 20: the game is cut off"));
    // We never write to such a file.
    let text = folder.refused(&["data", "merge", "plain.vf", "games.gz"]);
    assert!(text.contains("plain.vf: exists already"), "{text}");
}

/// The folder `earlier` has the files that version 0.2.0 left when it was killed: no frame yet, only the tail.
#[test]
fn run_of_version_0_2_0_resumes() {
    let folder = Folder::new();
    let network = format!("{:016x}", Network::embedded().checksum());
    let manifest = include_str!("earlier/g.gz.json")
        .replace("enroque 0.2.0 90835b2", GENERATOR)
        .replace("29510181b96b4a7b", &network);
    folder.write("g.gz.json", &manifest);
    folder.write("g.gz", "");
    let tail = include_bytes!("earlier/g.gz.tail");
    std::fs::write(folder.path("g.gz.tail"), tail).unwrap();
    folder.done(&[
        "datagen",
        "g.gz",
        "--games",
        "40",
        "--nodes",
        "60",
        "--seed",
        "3",
        "--until-pieces",
        "28",
    ]);
    assert_eq!(folder.read("g.gz.json"), manifest);
    let games = written(&games(&folder, "g.gz"));
    let mut kept = Cursor::new(&tail[size_of::<u64>()..]);
    let count = std::iter::from_fn(|| Game::read(&mut kept).ok().flatten()).count();
    let kept = kept.into_inner();
    assert!(count > 3 && games.starts_with(kept) && games.len() > kept.len(), "{count}");
}

#[test]
fn games_depend_on_seed_only() {
    let folder = Folder::new();
    let play = |name, seed, threads| {
        let run = ["datagen", name, "--nodes", "60", "--games", "12", "--seed", seed, "--threads", threads];
        folder.done(&run);
        bytes(&folder, name)
    };
    let one = play("one.gz", "5", "1");
    assert_eq!(play("three.gz", "5", "3"), one);
    assert_ne!(play("other.gz", "6", "1"), one);
}

#[test]
fn games_end_when_few_pieces_are_left() {
    let folder = Folder::new();
    folder.done(&["datagen", "games.gz", "--nodes", "60", "--games", "30", "--until-pieces", "20"]);
    let mut cut_off = [0; 3];
    for game in games(&folder, "games.gz") {
        let mut board = game.start.clone();
        game.replay(|searched, ply| {
            assert!(searched.occupied().count() > 20, "{searched}");
            board = searched.clone();
            board.make_move(ply.mv);
        });
        let score = game.plies.last().unwrap().score;
        if board.occupied().count() == 20 && score.abs() < 1000 {
            let expected = if score.abs() < 250 { 1 } else { 1 + score.signum() };
            assert_eq!(game.result as i16, expected, "{score}");
            cut_off[game.result as usize] += 1;
        }
    }
    assert!(cut_off.iter().all(|&count| count > 0), "expected every result, found {cut_off:?}");
}

/// Games with fast searches have scores for about a quarter of the plies, and none of the others is usable.
#[test]
fn fast_searches_keep_no_score() {
    let folder = Folder::new();
    folder.done(&["datagen", "games.gz", "--nodes", "60", "--fast-nodes", "20", "--games", "20"]);
    let (mut plies, mut scored, mut usable) = (0, [0; 2], 0);
    for game in games(&folder, "games.gz") {
        game.replay(|board, ply| {
            plies += 1;
            if ply.score == NO_SCORE {
                assert!(!is_usable(board, ply.mv, ply.score), "{board}");
            } else {
                scored[board.side_to_move().index()] += 1;
                usable += u64::from(is_usable(board, ply.mv, ply.score));
            }
        });
    }
    for side in scored {
        assert!((plies / 10..plies / 6).contains(&side), "{scored:?} of {plies}");
    }
    let printed = |arguments: &[&str]| String::from_utf8(folder.run(arguments).stdout).unwrap();
    let info = printed(&["data", "info", "games.gz"]);
    assert!(info.contains(&format!(" {usable} ")), "{usable}: {info}");
    let shown = printed(&["data", "show", "games.gz", "--count", "20"]);
    assert_eq!(shown.matches("[%eval").count(), scored[0] + scored[1]);
}

#[cfg(unix)]
#[test]
fn killed_datagen_keeps_finished_games() {
    let [killed, whole] = [Folder::new(), Folder::new()];
    // `datagen` needs a moment before it creates the file.
    let count = || if killed.path("games.gz").exists() { games(&killed, "games.gz").len() } else { 0 };
    let mut random = Random::new(3);
    let mut before = 0;
    for _ in 0..10 {
        let mut running = Background::start(&killed, &[&SELF_PLAY[..], &["--games", "100000"]].concat());
        let expected = before + 1 + random.below(20) as usize;
        running.wait_until(|| count() >= expected);
        drop(running);
        before = count();
        assert!(before >= expected, "{before} games, {expected} before the kill");
    }
    let count = (before + 5).to_string();
    self_play(&killed, &["--games", &count]);
    self_play(&whole, &["--games", &count]);
    assert!(!killed.path("games.gz.tail").exists(), "a finished file has no tail");
    assert_eq!(written(&games(&killed, "games.gz")), written(&games(&whole, "games.gz")));
}

#[test]
fn truncated_game_file_is_readable() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "30"]);
    let some = games(&folder, "games.gz");
    let [path, tail] = ["more.gz", "more.gz.tail"].map(|name| folder.path(name));
    let count = || games(&folder, "more.gz").len();
    // We write enough games to fill several frames.
    let mut writer = GameWriter::open(&path).unwrap();
    let size: usize = some.iter().map(Game::size).sum();
    let rounds = 3 * (1 << 20) / size + 2;
    let written = rounds * some.len();
    for game in some.iter().cycle().take(written) {
        writer.add(game).unwrap();
    }
    drop(writer);
    assert!(std::fs::metadata(&path).unwrap().len() > 0 && tail.exists());
    assert_eq!(count(), written);

    // If the tail ends inside a game, only that game is lost.
    let whole_tail = std::fs::read(&tail).unwrap();
    std::fs::write(&tail, &whole_tail[..whole_tail.len() - 3]).unwrap();
    assert_eq!(count(), written - 1);
    std::fs::write(&tail, &whole_tail).unwrap();

    // A kill while we compress the tail leaves an incomplete frame, but the tail is still complete.
    let mut frames = std::fs::read(&path).unwrap();
    frames.extend_from_slice(&frames.clone()[..1000]);
    std::fs::write(&path, &frames).unwrap();
    assert_eq!(count(), written);
    GameWriter::open(&path).unwrap().finish().unwrap();
    assert_eq!(count(), written);

    // If a frame is damaged, the error names the file and the game.
    let mut damaged = std::fs::read(&path).unwrap();
    damaged.truncate(damaged.len() / 2);
    std::fs::write(&path, &damaged).unwrap();
    let error = GameReader::open(&path).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.contains("more.gz, game "), "{error}");
}

#[test]
fn info_and_merge_count_games() {
    let folder = Folder::new();
    for (file, seed) in [("a.gz", "1"), ("b.gz", "2")] {
        folder.done(&["datagen", file, "--nodes", "60", "--games", "5", "--seed", seed]);
    }
    folder.done(&["data", "merge", "ab.gz", "a.gz", "b.gz"]);
    let [a, b, ab] = ["a.gz", "b.gz", "ab.gz"].map(|name| written(&games(&folder, name)));
    assert_eq!([a, b].concat(), ab);
    let output = folder.run(&["data", "info", "a.gz", "b.gz", "ab.gz"]);
    let table = String::from_utf8(output.stdout).unwrap();
    let first_columns = |row: &str| -> Vec<u64> {
        row.split_whitespace().take(3).map(|word| word.parse().unwrap()).collect()
    };
    let rows: Vec<Vec<u64>> = table.lines().skip(1).map(first_columns).collect();
    assert_eq!(rows.len(), 4, "{table}");
    let sums: Vec<u64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
    assert_eq!(sums, rows[2], "{table}");
    assert_eq!(rows[2][0], 10);
    assert!(folder.refused(&["data", "merge", "ab.gz", "a.gz"]).contains("ab.gz: exists"));
}

#[test]
fn merged_shards_equal_one_run() {
    let folder = Folder::new();
    let play = |file: &str, shard: &str| {
        folder.done(&["datagen", file, "--nodes", "60", "--games", "7", "--tree", "2", "--shard", shard]);
        games(&folder, file).iter().map(|game| format!("{game:?}")).collect::<Vec<_>>()
    };
    let whole = play("whole.gz", "1/1");
    let shards = [play("a.gz", "1/3"), play("b.gz", "2/3"), play("c.gz", "3/3")];
    assert_eq!(shards.each_ref().map(Vec::len), [3, 2, 2]);
    let in_turn: Vec<_> = (0..7).map(|game| shards[game % 3][game / 3].clone()).collect();
    assert_eq!(in_turn, whole);

    for (parts, complaints) in [
        (&["a.gz", "b.gz", "c.gz"][..], &[][..]),
        (&["c.gz", "a.gz"], &["part 2/3 of the games with seed 1 is missing"]),
        (&["a.gz", "b.gz", "c.gz", "b.gz"], &["part 2/3 of the games with seed 1 is there 2 times"]),
        (&["a.gz", "b.gz", "c.gz", "whole.gz"], &["part 1/1 of the games with seed 1 overlaps with 1/3"]),
    ] {
        let merge = |more: &[&str]| {
            for name in ["all.gz", "all.gz.tree", "all.gz.json"] {
                let _ = std::fs::remove_file(folder.path(name));
            }
            folder.run(&[&["data", "merge", "all.gz"], parts, more].concat())
        };
        let output = merge(&[]);
        let text = String::from_utf8(output.stderr).unwrap();
        let told: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("enroque-learn: ")).collect();
        assert_eq!(told, complaints, "{parts:?}");
        assert_eq!(output.status.code(), Some(i32::from(!complaints.is_empty())), "{parts:?}");
        assert!(merge(&["--anyway"]).status.success());
    }
    let incomplete = |arguments: &[&str], complaint: &str| {
        let output = folder.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && text.contains(complaint), "{arguments:?}: {text}");
    };
    // `all.gz` lists the parts that it was made from, so we notice that `a.gz` is already one of them.
    incomplete(
        &["data", "merge", "again.gz", "all.gz", "a.gz"],
        "part 1/3 of the games with seed 1 is there 2 times",
    );
    let record: serde_json::Value = serde_json::from_str(&folder.read("again.gz.json")).unwrap();
    let games: Vec<_> =
        record["parts"].as_array().unwrap().iter().map(|part| part["games"].clone()).collect();
    assert_eq!(games, [3, 2, 2, 7, 3]);
    let text = folder.refused(&["datagen", "all.gz", "--nodes", "60", "--games", "9"]);
    assert!(text.contains("made with other settings"), "{text}");
    // A file that still has a tail comes from an unfinished run.
    std::fs::copy(folder.path("whole.gz"), folder.path("cut.gz")).unwrap();
    let length = std::fs::metadata(folder.path("whole.gz")).unwrap().len();
    std::fs::write(folder.path("cut.gz.tail"), length.to_le_bytes()).unwrap();
    incomplete(&["data", "merge", "rest.gz", "cut.gz"], "cut.gz: its run is not finished");
}

#[test]
fn remains_of_another_run_are_refused() {
    let folder = Folder::new();
    let remove = |name: &str| std::fs::remove_file(folder.path(name)).unwrap();
    self_play(&folder, &["--games", "3", "--tree", "2"]);
    let other = ["datagen", "games.gz", "--nodes", "70", "--seed", "5", "--games", "9", "--tree", "2"];
    assert!(folder.refused(&other).contains("games.gz.json"), "a run keeps its settings");
    assert_eq!(games(&folder, "games.gz").len(), 3);
    remove("games.gz");
    remove("games.gz.json");
    let text = folder.refused(&["datagen", "games.gz", "--nodes", "60", "--seed", "6", "--games", "3"]);
    assert!(text.contains("games.gz.tree: its manifest games.gz.json is missing"), "{text}");
    remove("games.gz.tree");
    let killed = 0_u64.to_le_bytes();
    std::fs::write(folder.path("games.gz.tail"), killed).unwrap();
    let text = folder.refused(&[&SELF_PLAY[..], &["--games", "3"]].concat());
    assert!(text.contains("games.gz.tail: its manifest games.gz.json is missing"), "{text}");
}

#[test]
fn games_are_shown_and_exported() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "25", "--tree", "2"]);
    // `data show` prints valid PGN.
    let shown = folder.run(&["data", "show", "games.gz", "--game", "3", "--count", "2"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert_eq!(text.matches("[Round ").count(), 2, "{text}");
    for section in enroque_study::pgn::sections(&text) {
        let game =
            enroque_study::pgn::read(&section.text, enroque::chess::CastlingRules::Fischer, None).unwrap();
        assert!(game.errors.is_empty() && game.moves().count() > 5, "{text}");
    }
    folder.refused(&["data", "show", "games.gz", "--game", "26"]);

    // `data merge` writes to `e.gz.part` until it is done, so no input may have that name.
    std::fs::copy(folder.path("games.gz"), folder.path("e.gz.part")).unwrap();
    let text = folder.refused(&["data", "merge", "e.gz", "e.gz.part"]);
    assert!(text.contains("e.gz.part"), "{text}");
    assert_eq!(games(&folder, "e.gz.part").len(), 25);

    let told = said(&folder, &["data", "export", "games.gz", "p.bullet"]);
    let count: usize = told.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(count > 100, "{told}");
    assert_eq!(std::fs::metadata(folder.path("p.bullet")).unwrap().len(), 32 * count as u64);
    folder.done(&["data", "export", "games.gz", "p.epd"]);
    assert_eq!(folder.read("p.epd").lines().count(), count);
    folder.refused(&["data", "export", "games.gz", "p.txt"]);
}

/// With a network that finds one side winning in each position, `datagen` would search for an opening in silence.
#[test]
fn network_without_balanced_openings_is_reported() {
    let folder = Folder::new();
    let mut network = Network::clone(&Network::embedded());
    network.output_bias = network.output_bias.map(|_| 1 << 24);
    std::fs::write(folder.path("bad.nnue"), network.to_bytes()).unwrap();
    let errors = folder.path("errors");
    let mut command =
        folder.command(&["datagen", "bad.gz", "--nodes", "1", "--games", "1", "--network", "bad.nnue"]);
    let child = command.stderr(std::fs::File::create(&errors).unwrap()).spawn();
    let text = "was balanced (within 500 centipawns); does the network make sense?";
    Background(child.unwrap()).wait_until(|| std::fs::read_to_string(&errors).unwrap().contains(text));
}
