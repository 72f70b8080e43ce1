//! Self-play, game files and the trainer, run through the command line and read by other programs.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command;
use enroque::engine::Engine;
use enroque::nnue::network::checksum;
use enroque::nnue::{HandcraftedLayer, L1, Network, NetworkError};
use enroque::search::limits::Limits;
use enroque::search::report::Silent;
use enroque::util::random::Random;
use enroque_learn::games::format::{Game, GameResult};
use enroque_learn::games::store::{GameReader, GameWriter};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command().current_dir(folder).args(arguments).output().expect("the program runs")
}

/// Runs a command that must succeed and returns its standard error.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// The program in the background. It is killed when this is dropped, even if a test fails.
struct Background(Child);

impl Background {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let child = command().current_dir(folder).args(arguments).stderr(Stdio::null()).spawn();
        Self(child.expect("the program starts"))
    }

    /// Waits until `has_happened`. A slow machine gets plenty of time.
    fn wait_until(&mut self, has_happened: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(300);
        while !has_happened() {
            let has_ended = self.0.try_wait().expect("a child").is_some();
            assert!(!has_ended || has_happened(), "the program ended too early");
            assert!(Instant::now() < deadline, "nothing happened");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // SIGKILL on Unix.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn games(path: &Path) -> Vec<Game> {
    GameReader::open(path).unwrap().collect::<Result<_, _>>().unwrap()
}

fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games(path) {
        game.write(&mut bytes).unwrap();
    }
    bytes
}

fn tail(path: &Path) -> PathBuf {
    path.with_extension("gz.tail")
}

const SELF_PLAY: [&str; 6] = ["datagen", "games.gz", "--nodes", "60", "--seed", "5"];

#[test]
fn viriformat_reads_generated_games() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "150"]].concat());
    let ours = games(&folder.path().join("games.gz"));
    assert_eq!(ours.len(), 150);
    assert!(
        ours.iter().any(|game| game.plies.iter().any(|ply| ply.mv.is_castle())),
        "expected some castlings"
    );
    let mut results = [0; 3];
    for game in &ours {
        results[game.result as usize] += 1;
        let mut written = Vec::new();
        game.write(&mut written).unwrap();
        assert_eq!(written.len(), game.size());
        // Built with debug assertions, viriformat checks every move.
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
}

#[test]
fn games_depend_on_seed_only() {
    let [one, three, other] = std::array::from_fn(|_| folder());
    let arguments = |seed, threads| {
        ["datagen", "games.gz", "--nodes", "60", "--games", "12", "--seed", seed, "--threads", threads]
    };
    done(one.path(), &arguments("5", "1"));
    done(three.path(), &arguments("5", "3"));
    done(other.path(), &arguments("6", "1"));
    let [one, three, other] =
        [one, three, other].map(|folder| std::fs::read(folder.path().join("games.gz")).unwrap());
    assert_eq!(one, three);
    assert_ne!(one, other);
}

#[cfg(unix)]
#[test]
fn killed_datagen_keeps_finished_games() {
    let [killed, whole] = [folder(), folder()];
    let file = killed.path().join("games.gz");
    // No file exists before the first game is written.
    let count = || if file.exists() { games(&file).len() } else { 0 };
    let mut random = Random::new(3);
    let mut before = 0;
    for _ in 0..10 {
        let arguments = [&SELF_PLAY[..], &["--games", "100000"]].concat();
        let mut running = Background::start(killed.path(), &arguments);
        let expected = before + 1 + random.below(20) as usize;
        running.wait_until(|| count() >= expected);
        drop(running);
        before = count();
        assert!(before >= expected, "{before} games, {expected} before the kill");
    }
    let count = (before + 5).to_string();
    done(killed.path(), &[&SELF_PLAY[..], &["--games", &count]].concat());
    done(whole.path(), &[&SELF_PLAY[..], &["--games", &count]].concat());
    assert!(!tail(&file).exists(), "a finished file has no tail");
    assert_eq!(bytes(&file), bytes(&whole.path().join("games.gz")));
}

#[test]
fn truncated_game_file_is_readable() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "30"]].concat());
    let some = games(&folder.path().join("games.gz"));
    let path = folder.path().join("more.gz");
    // Several frames.
    let mut writer = GameWriter::open(&path).unwrap();
    let size: usize = some.iter().map(Game::size).sum();
    let rounds = 3 * (1 << 20) / size + 2;
    let mut written = 0;
    for _ in 0..rounds {
        for game in &some {
            writer.add(game).unwrap();
            written += 1;
        }
    }
    drop(writer);
    assert!(std::fs::metadata(&path).unwrap().len() > 0 && tail(&path).exists());
    assert_eq!(games(&path).len(), written);

    // Truncated inside a game of the tail.
    let whole_tail = std::fs::read(tail(&path)).unwrap();
    std::fs::write(tail(&path), &whole_tail[..whole_tail.len() - 3]).unwrap();
    assert_eq!(games(&path).len(), written - 1);
    std::fs::write(tail(&path), &whole_tail).unwrap();

    // Killed while the tail moved into the file: the frame is incomplete, the tail still complete.
    let mut frames = std::fs::read(&path).unwrap();
    frames.extend_from_slice(&frames.clone()[..1000]);
    std::fs::write(&path, &frames).unwrap();
    assert_eq!(games(&path).len(), written);
    GameWriter::open(&path).unwrap().finish().unwrap();
    assert_eq!(games(&path).len(), written);

    // Damage is reported.
    let mut damaged = std::fs::read(&path).unwrap();
    let middle = damaged.len() / 2;
    damaged.truncate(middle);
    std::fs::write(&path, &damaged).unwrap();
    let error = GameReader::open(&path).unwrap().find_map(Result::err).unwrap().to_string();
    assert!(error.contains("more.gz, game "), "{error}");
}

#[test]
fn info_and_merge_count_games() {
    let folder = folder();
    for (file, seed) in [("a.gz", "1"), ("b.gz", "2")] {
        done(folder.path(), &["datagen", file, "--nodes", "60", "--games", "5", "--seed", seed]);
    }
    done(folder.path(), &["data", "merge", "ab.gz", "a.gz", "b.gz"]);
    let [a, b, ab] = ["a.gz", "b.gz", "ab.gz"].map(|name| bytes(&folder.path().join(name)));
    assert_eq!([a, b].concat(), ab);
    let output = run(folder.path(), &["data", "info", "a.gz", "b.gz", "ab.gz"]);
    let table = String::from_utf8(output.stdout).unwrap();
    let first_columns = |row: &str| -> Vec<u64> {
        row.split_whitespace().take(3).map(|word| word.parse().unwrap()).collect()
    };
    let rows: Vec<Vec<u64>> = table.lines().skip(1).map(first_columns).collect();
    assert_eq!(rows.len(), 4, "{table}");
    let sums: Vec<u64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
    assert_eq!(sums, rows[2], "{table}");
    assert_eq!(rows[2][0], 10);
    let output = run(folder.path(), &["data", "merge", "ab.gz", "a.gz"]);
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("ab.gz: exists")
    );
}

#[test]
fn merged_shards_equal_one_run() {
    let folder = folder();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    let play = |file: &str, shard: &str| {
        let output =
            run(&["datagen", file, "--nodes", "60", "--games", "7", "--tree", "2", "--shard", shard]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let games = GameReader::open(&folder.path().join(file)).unwrap();
        games.map(|game| format!("{:?}", game.unwrap())).collect::<Vec<_>>()
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
                let _ = std::fs::remove_file(folder.path().join(name));
            }
            run(&[&["data", "merge", "all.gz"], parts, more].concat())
        };
        let output = merge(&[]);
        let said = String::from_utf8(output.stderr).unwrap();
        let told: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("enroque: ")).collect();
        assert_eq!(told, complaints, "{parts:?}");
        assert_eq!(output.status.code(), Some(i32::from(!complaints.is_empty())), "{parts:?}");
        assert!(merge(&["--anyway"]).status.success());
    }
    // A merged file lists its parts, can be merged again, and cannot be extended by datagen.
    let output = run(&["data", "merge", "again.gz", "all.gz", "a.gz"]);
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("part 1/3 of the games with seed 1 is there 2 times")
    );
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("again.gz.json")).unwrap()).unwrap();
    let games: Vec<_> =
        record["parts"].as_array().unwrap().iter().map(|part| part["games"].clone()).collect();
    assert_eq!(games, [3, 2, 2, 7, 3]);
    let output = run(&["datagen", "all.gz", "--nodes", "60", "--games", "9"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("made with other settings"), "{said}");
    // An unfinished run.
    std::fs::copy(folder.path().join("whole.gz"), folder.path().join("cut.gz")).unwrap();
    std::fs::write(
        folder.path().join("cut.gz.tail"),
        std::fs::metadata(folder.path().join("whole.gz")).unwrap().len().to_le_bytes(),
    )
    .unwrap();
    let output = run(&["data", "merge", "rest.gz", "cut.gz"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(1) && said.contains("cut.gz: its run has not come to its end"),
        "{said}"
    );
}

#[test]
fn datagen_rejects_huge_node_limits() {
    let folder = folder();
    let output = run(folder.path(), &["datagen", "g.gz", "--games", "1", "--nodes", "2305843009213693952"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--nodes"));
    assert!(!folder.path().join("g.gz").exists());
}

#[test]
fn foreign_files_are_not_overwritten() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "3"]].concat());
    let file = |name: &str| folder.path().join(name);
    let letter = "dear diary";
    for name in ["letter.csv", "letter.checkpoint", "photo.nnue", "notes.gz", "joined.gz.tree"] {
        std::fs::write(file(name), letter).unwrap();
    }
    std::fs::copy(file("games.gz"), file("more.gz")).unwrap();
    std::fs::write(file("old.zst"), [0x28, 0xB5, 0x2F, 0xFD, 0]).unwrap();
    let before = std::fs::read(file("games.gz")).unwrap();
    for (arguments, complaint) in [
        (&["train", "games.gz", "more.gz"][..], "games.gz: holds something else"),
        (&["train", "games.gz", "games.gz"], "read and written at the same time"),
        (&["train", "net.nnue", "old.zst"], "`zstd -dc old.zst | gzip >NEW.gz` converts it"),
        (&["train", "net.csv", "games.gz"], "call the network NAME.nnue"),
        (&["train", "net.checkpoint", "games.gz"], "call the network NAME.nnue"),
        (&["train", "photo.nnue", "games.gz"], "photo.nnue: holds something else"),
        (&["train", "letter.nnue", "games.gz"], "letter.csv: holds something else"),
        (&["datagen", "notes.gz", "--games", "2"], "notes.gz.json"),
        (&["data", "merge", "photo.nnue", "games.gz"], "exists already"),
        (&["data", "merge", "joined.gz", "games.gz"], "joined.gz.tree: exists already"),
        (&["datagen", "joined.gz", "--games", "2", "--tree", "2"], "joined.gz.tree: holds something else"),
    ] {
        let output = run(folder.path(), arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(complaint), "{arguments:?}: {text}");
    }
    assert_eq!(std::fs::read(file("games.gz")).unwrap(), before);
    for name in ["letter.csv", "letter.checkpoint", "photo.nnue", "notes.gz", "joined.gz.tree"] {
        assert_eq!(std::fs::read_to_string(file(name)).unwrap(), letter, "{name}");
    }
}

#[test]
fn datagen_rejects_changed_settings() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "3"]].concat());
    let output = run(folder.path(), &["datagen", "games.gz", "--nodes", "70", "--seed", "5", "--games", "9"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("games.gz.json"), "{text}");
    assert_eq!(games(&folder.path().join("games.gz")).len(), 3);
}

#[test]
fn remains_of_another_run_are_refused() {
    let folder = folder();
    let remove = |name: &str| std::fs::remove_file(folder.path().join(name)).unwrap();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "3", "--tree", "2"]].concat());
    remove("games.gz");
    remove("games.gz.json");
    let refused =
        run(folder.path(), &["datagen", "games.gz", "--nodes", "60", "--seed", "6", "--games", "3"]);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(2)
            && text.contains("games.gz.tree: its manifest games.gz.json is missing"),
        "{text}"
    );
    remove("games.gz.tree");
    let killed = 0_u64.to_le_bytes();
    std::fs::write(folder.path().join("games.gz.tail"), killed).unwrap();
    let refused = run(folder.path(), &[&SELF_PLAY[..], &["--games", "3"]].concat());
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(2)
            && text.contains("games.gz.tail: its manifest games.gz.json is missing"),
        "{text}"
    );
}

#[test]
fn tree_positions_are_trained_on() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "20", "--tree", "2"]].concat());
    let learnt_with = |games: &str, name: &str, options: &[&str]| {
        let said = done(folder.path(), &[&["train", name, games, "--epochs", "1"], options].concat());
        let number = |before: &str| {
            let text = said.split_once(before).unwrap().0;
            text.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
        };
        (number(" to learn from"), number(" of them inside the tree"))
    };
    let learnt = |games: &str| learnt_with(games, &format!("{games}.nnue"), &["--endgame-lambda", "0"]);
    let (all, inside) = learnt("games.gz");
    assert!(inside > 300 && all > inside, "{all} {inside}");
    // An endgame lambda drops the endgames of the tree, and no position of a game.
    let (fewer, inside_fewer) = learnt_with("games.gz", "endgames.nnue", &["--endgame-lambda", "0.5"]);
    assert!(0 < inside_fewer && inside_fewer < inside && all - fewer == inside - inside_fewer);
    // --games-only drops the whole tree.
    assert_eq!(learnt_with("games.gz", "alone.nnue", &["--games-only"]), (all - inside, 0));
    // A merge keeps all positions. Without its tree file only the games remain.
    done(folder.path(), &["data", "merge", "joined.gz", "games.gz"]);
    assert_eq!(learnt("joined.gz"), (all, inside));
    std::fs::remove_file(folder.path().join("joined.gz.tree")).unwrap();
    std::fs::remove_file(folder.path().join("joined.gz.checkpoint")).unwrap();
    assert_eq!(learnt("joined.gz"), (all - inside, 0));
}

#[test]
fn trained_network_loads_into_engine() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "150"]].concat());
    let train = |network: &'static str, more: &[&str]| {
        let common = [
            "train",
            network,
            "games.gz",
            "--batch",
            "1024",
            "--epochs",
            "10",
            "--rate",
            "0.005",
            "--threads",
            "1",
        ];
        done(folder.path(), &[&common[..], more].concat())
    };
    let said = train("a.nnue", &[]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();

    // The loss falls.
    let log = String::from_utf8(read("a.csv")).unwrap();
    let losses: Vec<f64> =
        log.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(losses.len(), 10);
    assert!(losses[9] < 0.8 * losses[0], "{losses:?}");

    // The quantised network is close to the trained one, in centipawns.
    let error = said.split_once("off by ").unwrap().1.split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!(0.0 < error && error < 2.5, "{said}");

    // On one thread the seed alone decides the network.
    train("b.nnue", &[]);
    assert_eq!(read("a.nnue"), read("b.nnue"));
    train("c.nnue", &["--seed", "2"]);
    assert_ne!(read("a.nnue"), read("c.nnue"));

    // The engine loads it and gives another score than with its embedded network.
    let mut engine = Engine::new().unwrap();
    let score = |engine: &mut Engine| engine.search(Limits::nodes(3000), Box::new(Silent)).score;
    let own = score(&mut engine);
    engine.set_option("EvalFile", folder.path().join("a.nnue").to_str().unwrap()).unwrap();
    engine.new_game();
    assert_ne!(own, score(&mut engine));
}

#[test]
fn killed_training_resumes_identically() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "100"]].concat());
    let arguments =
        |network| ["train", network, "games.gz", "--epochs", "60", "--batch", "1024", "--threads", "1"];
    let checkpoint = folder.path().join("a.checkpoint");
    Background::start(folder.path(), &arguments("a.nnue")).wait_until(|| checkpoint.exists());
    for network in ["a.nnue", "b.nnue"] {
        done(folder.path(), &arguments(network));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("a.nnue"), read("b.nnue"));
    let lines = String::from_utf8(read("a.csv")).unwrap().lines().count();
    assert_eq!(lines, 61, "a header, and a line for each epoch");
}

#[test]
fn invalid_networks_are_rejected() {
    let good = Network::embedded().to_bytes();
    assert_eq!(Network::from_bytes(&good).unwrap(), *Network::embedded());
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        Network::from_bytes(&bytes).unwrap_err()
    };
    assert!(matches!(Network::from_bytes(b"").unwrap_err(), NetworkError::Magic));
    assert!(matches!(with(0, b'x'), NetworkError::Magic));
    assert!(matches!(with(7, 99), NetworkError::Version { found: 99 }));
    assert!(matches!(with(9, 77), NetworkError::Shape { .. }));
    assert!(matches!(with(good.len() / 2, good[good.len() / 2] ^ 1), NetworkError::Checksum));
    assert!(matches!(Network::from_bytes(&good[..good.len() - 1]).unwrap_err(), NetworkError::Length { .. }));
    for hidden in [0_u32, L1 as u32 + 1] {
        let mut bytes = good.clone();
        bytes[8..12].copy_from_slice(&hidden.to_le_bytes());
        assert!(matches!(Network::from_bytes(&bytes).unwrap_err(), NetworkError::Shape { .. }), "{hidden}");
    }

    let mut other = (*Network::embedded()).clone();
    *other.handcrafted.weight_mut(100, 9) = 777;
    other.handcrafted.bias[15] = -777;
    other.handcrafted.output[7][15] = 77;
    assert_eq!(Network::from_bytes(&other.to_bytes()).unwrap(), other);

    let mut engine = Engine::new().unwrap();
    for file in ["/no/such/file", crate::PROGRAM] {
        let error = engine.set_option("EvalFile", file).unwrap_err().to_string();
        assert!(error.contains("EvalFile") && error.contains(file), "{error}");
    }
    assert!(*engine.network() == *Network::embedded());
}

/// Network format versions. The first has no handcrafted layer.
const VERSIONS: [u8; 2] = [2, 3];

/// Returns the file of `network` with only `hidden` neurons, in a format version.
fn narrowed(network: &Network, hidden: usize, version: u8) -> Vec<u8> {
    let whole = network.to_bytes();
    let hidden_rows = network.feature_weights.len() + 1 + network.output_weights.as_flattened().len();
    let handcrafted_at = 24 + 2 * L1 * hidden_rows + 4 * network.output_bias.len();
    let handcrafted = if version == VERSIONS[0] { &[] } else { &whole[handcrafted_at..] };
    let rows = network.feature_weights.iter().chain([&network.feature_bias]);
    let rows = rows.chain(network.output_weights.as_flattened());
    let weights = rows.flat_map(|row| row.0[..hidden].iter().flat_map(|weight| weight.to_le_bytes()));
    let biases = network.output_bias.iter().flat_map(|bias| bias.to_le_bytes());
    let payload: Vec<u8> = weights.chain(biases).chain(handcrafted.iter().copied()).collect();
    let mut file = whole[..24].to_vec();
    file[7] = version;
    file[8..12].copy_from_slice(&(hidden as u32).to_le_bytes());
    file[16..24].copy_from_slice(&checksum(&payload).to_le_bytes());
    [file, payload].concat()
}

#[test]
fn narrow_network_loads_and_widens() {
    let wide = Network::embedded();
    let narrow = Network::from_bytes(&narrowed(&wide, 64, VERSIONS[1])).unwrap();
    let mut expected = (*wide).clone();
    let rows = expected.feature_weights.iter_mut().chain([&mut expected.feature_bias]);
    rows.chain(expected.output_weights.as_flattened_mut()).for_each(|row| row.0[64..].fill(0));
    assert_eq!(narrow, expected);
    // Further training uses the added neurons.
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "25"]].concat());
    std::fs::write(folder.path().join("narrow.nnue"), narrowed(&wide, 64, VERSIONS[1])).unwrap();
    done(folder.path(), &["train", "wide.nnue", "games.gz", "--from", "narrow.nnue", "--epochs", "2"]);
    let wider = Network::load(&folder.path().join("wide.nnue")).unwrap();
    let is_used = |neuron: usize| wider.output_weights.iter().flatten().any(|row| row.0[neuron] != 0);
    let used = (64..L1).filter(|&neuron| is_used(neuron)).count();
    assert!(used > (L1 - 64) / 2, "{used}");
}

#[test]
fn version_2_network_gains_handcrafted_layer() {
    let network = Network::embedded();
    assert_eq!(narrowed(&network, L1, VERSIONS[1]), network.to_bytes());
    let old = narrowed(&network, L1, VERSIONS[0]);
    let expected = Network { handcrafted: HandcraftedLayer::zero(), ..(*network).clone() };
    assert_eq!(Network::from_bytes(&old).unwrap(), expected);
    assert!(matches!(Network::from_bytes(&old[..old.len() - 1]).unwrap_err(), NetworkError::Length { .. }));

    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "25"]].concat());
    std::fs::write(folder.path().join("old.nnue"), old).unwrap();
    done(folder.path(), &["train", "new.nnue", "games.gz", "--from", "old.nnue", "--epochs", "2"]);
    let new = Network::load(&folder.path().join("new.nnue")).unwrap();
    let used = new.handcrafted.output.as_flattened().iter().filter(|&&weight| weight != 0).count();
    assert!(used > new.handcrafted.output.as_flattened().len() / 2, "{used}");
}

#[test]
fn game_result_points() {
    assert_eq!(GameResult::of_winner(None).points(), 0.5);
    assert_eq!(GameResult::of_winner(Some(enroque::chess::Color::White)).points(), 1.0);
    assert_eq!(GameResult::of_winner(Some(enroque::chess::Color::Black)).points(), 0.0);
}

#[test]
fn data_show_split_export_import() {
    let folder = folder();
    let in_folder = |name: &str| folder.path().join(name);
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "25", "--tree", "2"]].concat());
    // `data show` prints valid PGN.
    let shown = run(folder.path(), &["data", "show", "games.gz", "--game", "3", "--count", "2"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert_eq!(text.matches("[Round ").count(), 2, "{text}");
    for section in enroque_study::pgn::sections(&text) {
        let game =
            enroque_study::pgn::read(section.text, enroque::chess::CastlingRules::Fischer, None).unwrap();
        assert!(game.errors.is_empty() && game.moves().count() > 5, "{text}");
    }
    assert_eq!(run(folder.path(), &["data", "show", "games.gz", "--game", "26"]).status.code(), Some(2));

    // `data split` deals the games out in turn.
    done(folder.path(), &["data", "split", "games.gz", "a.gz", "b.gz"]);
    let [whole, a, b] = ["games.gz", "a.gz", "b.gz"].map(|name| games(&in_folder(name)));
    assert_eq!((a.len(), b.len()), (13, 12));
    let moves = |game: &Game| game.plies.clone();
    for (index, game) in whole.iter().enumerate() {
        let part = if index % 2 == 0 { &a } else { &b };
        assert_eq!(moves(game), moves(&part[index / 2]), "{index}");
    }
    assert!(in_folder("a.gz.tree").exists());
    assert_eq!(run(folder.path(), &["data", "split", "games.gz", "a.gz", "c.gz"]).status.code(), Some(2));
    // Unfinished files have names of their own.
    for (arguments, name) in [
        (&["data", "split", "games.gz", "d.part", "d"][..], "d.part"),
        (&["data", "merge", "e.gz", "e.gz.part"], "e.gz.part"),
    ] {
        std::fs::copy(in_folder("games.gz"), in_folder("e.gz.part")).unwrap();
        let refused = run(folder.path(), arguments);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && text.contains(name), "{arguments:?}: {text}");
        assert_eq!(games(&in_folder("e.gz.part")).len(), 25);
        assert!(!in_folder("d").exists());
    }

    // Exported positions can be imported, in both formats.
    for name in ["p.bullet", "p.epd"] {
        let told = done(folder.path(), &["data", "export", "games.gz", name]);
        let count: usize = told.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(count > 100, "{told}");
        let again = format!("{name}.gz");
        let imported = run(folder.path(), &["data", "import", &again, name]);
        let taken = games(&in_folder(&again)).len();
        let told = String::from_utf8_lossy(&imported.stderr).into_owned();
        assert!(taken * 10 > count * 9 && told.contains(&format!("{taken} positions")), "{told}");
        assert_eq!(imported.status.success(), taken == count, "{told}");
        done(folder.path(), &["train", &format!("{name}.nnue"), &again, "--epochs", "1"]);
    }
    assert_eq!(run(folder.path(), &["data", "export", "games.gz", "p.txt"]).status.code(), Some(2));
    // --all exports every position, the default only those for training.
    let [some, all] = [&["q.epd"][..], &["r.epd", "--all"]].map(|rest| {
        done(folder.path(), &[&["data", "export", "games.gz"], rest].concat());
        std::fs::read_to_string(in_folder(rest[0])).unwrap().lines().count()
    });
    assert!(all > some && all == whole.iter().map(|game| game.plies.len()).sum::<usize>());
    let refused = run(folder.path(), &["data", "export", "games.gz", "q.bullet", "--all"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn finished_training_continues() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "20"]].concat());
    let train = |epochs, more: &[&'static str]| {
        let arguments = ["train", "n.nnue", "games.gz", "--batch", "64", "--epochs", epochs];
        run(folder.path(), &[&arguments[..], more].concat())
    };
    assert!(train("2", &[]).status.success());
    let refused = train("3", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--continue"));
    let first = std::fs::read(folder.path().join("n.nnue")).unwrap();
    let longer = train("3", &["--continue"]);
    let told = String::from_utf8_lossy(&longer.stderr).into_owned();
    assert!(
        longer.status.success() && told.contains("epoch   3/3") && !told.contains("epoch   2/3"),
        "{told}"
    );
    assert_ne!(std::fs::read(folder.path().join("n.nnue")).unwrap(), first);
    assert_eq!(train("2", &["--continue"]).status.code(), Some(2), "a run cannot get shorter");
    assert_eq!(train("4", &["--continue", "--seed", "9"]).status.code(), Some(2), "a run keeps its seed");
}

#[test]
fn training_resumes_from_checkpoint_alone() {
    let folder = folder();
    let games = |count| done(folder.path(), &[&SELF_PLAY[..], &["--games", count]].concat());
    games("20");
    done(folder.path(), &["train", "first.nnue", "games.gz", "--epochs", "1"]);
    let train = || {
        done(folder.path(), &["train", "n.nnue", "games.gz", "--from", "first.nnue", "--epochs", "2"]);
        std::fs::read(folder.path().join("n.nnue")).unwrap()
    };
    let network = train();
    std::fs::remove_file(folder.path().join("first.nnue")).unwrap();
    games("40");
    assert_eq!(train(), network, "the checkpoint keeps the data of its run");
    let again = ["train", "n.nnue", "games.gz", "--from", "first.nnue", "--epochs", "2"];
    let said = String::from_utf8(run(folder.path(), &again).stderr).unwrap();
    assert!(said.contains("n.checkpoint: this run has finished"), "{said}");
}

#[test]
fn handcrafted_layer_has_own_rate() {
    let folder = folder();
    done(folder.path(), &["datagen", "games.gz", "--games", "20", "--nodes", "50", "--seed", "8"]);
    let train = |name: &str, options: &[&str]| {
        let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/enroque.nnue");
        let run = ["train", name, "games.gz", "--from", network, "--epochs", "1"];
        done(folder.path(), &[&run[..], options].concat());
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let usual = train("a.nnue", &[]);
    assert_eq!(
        train("b.nnue", &["--handcrafted-rate", "1"]),
        usual,
        "a trained layer has the rate of the others"
    );
    assert_ne!(train("c.nnue", &["--handcrafted-rate", "9"]), usual);
    let refused = ["train", "d.nnue", "games.gz", "--handcrafted-rate", "0"];
    assert_eq!(run(folder.path(), &refused).status.code(), Some(2));
}

#[test]
fn weights_average_over_last_share() {
    let folder = folder();
    done(folder.path(), &["datagen", "games.gz", "--games", "30", "--nodes", "50", "--seed", "8"]);
    let train = |share: &str| {
        let network = format!("{share}.nnue");
        let arguments =
            ["train", &network, "games.gz", "--epochs", "2", "--threads", "1", "--average", share];
        done(folder.path(), &arguments);
        std::fs::read(folder.path().join(network)).unwrap()
    };
    let [end, last_step, half, whole] = ["0", "0.000001", "0.5", "1"].map(train);
    assert_eq!(last_step, end, "the average of the last step is the final network");
    assert!(half != end && whole != end && half != whole);
    // A continued run averages its own last share only.
    let continued = |first: &str| {
        let network = format!("from-{first}.nnue");
        for (epochs, average, more) in [("1", first, &[][..]), ("2", "0.5", &["--continue"])] {
            let run =
                ["train", &network, "games.gz", "--threads", "1", "--epochs", epochs, "--average", average];
            done(folder.path(), &[&run[..], more].concat());
        }
        std::fs::read(folder.path().join(network)).unwrap()
    };
    assert_eq!(continued("1"), continued("0"));
    for share in ["1.5", "-1", "nan", "much"] {
        let refused = run(folder.path(), &["train", "n.nnue", "games.gz", &format!("--average={share}")]);
        assert_eq!(refused.status.code(), Some(2), "{share}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("from 0 to 1"), "{share}");
    }
}

#[test]
fn td_lambda_changes_training() {
    let folder = folder();
    done(folder.path(), &[&SELF_PLAY[..], &["--games", "20"]].concat());
    let train = |name: &str, more: &[&str]| {
        let arguments = ["train", name, "games.gz", "--epochs", "1", "--threads", "1"];
        done(folder.path(), &[&arguments[..], more].concat());
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let own = train("own.nnue", &[]);
    assert_eq!(train("zero.nnue", &["--td-lambda", "0"]), own);
    assert_ne!(train("later.nnue", &["--td-lambda", "0.5"]), own);
    let refused = run(folder.path(), &["train", "n.nnue", "games.gz", "--td-lambda", "1.5"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("from 0 to 1"));
}

#[test]
fn match_reports_sprt() {
    let folder = folder();
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/enroque.nnue");
    let level = ["match", network, "--games", "8", "--nodes", "200", "--sprt", "0,5", "--seed", "2"];
    let output = run(folder.path(), &level);
    let text = String::from_utf8(output.stdout).unwrap();
    // The same network on both sides: every pair is level, and few games decide nothing.
    assert!(text.contains("pairs by points 0, ½, 1, 1½, 2: [0, 0, 4, 0, 0]"), "{text}");
    assert!(text.contains("Elo +0.0") || text.contains("Elo -0.0"), "{text}");
    assert_eq!((output.status.code(), text.lines().last()), (Some(1), Some("undecided")));
    assert_eq!(run(folder.path(), &["match", "none.nnue"]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &["match", network, "--sprt", "5,0"]).status.code(), Some(2));
}
