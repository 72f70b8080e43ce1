//! Runs `train` and `match` as a user does, and loads the networks into the engine.

use crate::folder::Folder;
use crate::{Background, bytes, games, said, self_play};
use enroque::engine::Engine;
use enroque::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, OUTPUT_BUCKETS};
use enroque::nnue::network::checksum;
use enroque::nnue::{HandcraftedLayer, L1, Network, NetworkError};
use enroque::search::limits::Limits;
use enroque::search::report::Silent;
use enroque_learn::games::format::Game;
use enroque_learn::sample::choice::is_usable;

/// The file of the network that is built into the engine.
const NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/enroque.nnue");

#[test]
fn tree_positions_are_trained_on() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "20", "--tree", "2"]);
    let learnt_with = |games: &str, name: &str, options: &[&str]| {
        let text = said(&folder, &[&["train", name, games, "--epochs", "1"], options].concat());
        let number = |before: &str| {
            let text = text.split_once(before).unwrap().0;
            text.rsplit(char::is_whitespace).next().unwrap().parse::<u64>().unwrap()
        };
        (number(" to learn from"), number(" of them inside the tree"))
    };
    let learnt = |games: &str| learnt_with(games, &format!("{games}.nnue"), &[]);
    let (all, inside) = learnt("games.gz");
    assert!(inside > 300 && all > inside, "{all} {inside}");
    // With `--games-only`, `train` drops all positions inside the search tree.
    assert_eq!(learnt_with("games.gz", "alone.nnue", &["--games-only"]), (all - inside, 0));
    // A merge keeps all positions. Without the tree file, only the positions from the games remain.
    folder.done(&["data", "merge", "joined.gz", "games.gz"]);
    assert_eq!(learnt("joined.gz"), (all, inside));
    std::fs::remove_file(folder.path("joined.gz.tree")).unwrap();
    std::fs::remove_file(folder.path("joined.gz.checkpoint")).unwrap();
    assert_eq!(learnt("joined.gz"), (all - inside, 0));
}

#[test]
fn positions_of_a_game_are_limited() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "20"]);
    let text = said(&folder, &["train", "n.nnue", "games.gz", "--epochs", "1", "--per-game", "3"]);
    let number = |after: &str| -> usize {
        let text = text.split_once(after).unwrap().0;
        text.rsplit(char::is_whitespace).next().unwrap().parse().unwrap()
    };
    let count = |game: &Game| {
        let mut usable = 0;
        game.replay(|board, ply| usable += usize::from(is_usable(board, ply.mv, ply.score)));
        usable.min(3)
    };
    let expected: usize = games(&folder, "games.gz").iter().map(count).sum();
    assert_eq!(number(" to learn from") + number(" held out\n"), expected, "{text}");
}

#[test]
fn trained_network_loads_into_engine() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "150"]);
    let train = |network: &str, seed: &str| {
        let run = ["train", network, "games.gz", "--batch", "1024", "--epochs", "10", "--rate", "0.005"];
        folder.done(&[&run[..], &["--threads", "1", "--seed", seed]].concat());
    };
    train("a.nnue", "1");

    // In ten epochs the loss falls by at least a fifth.
    let log = String::from_utf8(bytes(&folder, "a.csv")).unwrap();
    let losses: Vec<f64> =
        log.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(losses.len(), 10);
    assert!(losses[9] < 0.8 * losses[0], "{losses:?}");

    // With one thread the network depends on the seed alone.
    train("b.nnue", "1");
    assert!(bytes(&folder, "a.nnue") == bytes(&folder, "b.nnue"));
    train("c.nnue", "2");
    assert!(bytes(&folder, "a.nnue") != bytes(&folder, "c.nnue"));

    // The engine loads the new network, which changes its score.
    let mut engine = Engine::new().unwrap();
    let score = |engine: &mut Engine| engine.search(Limits::nodes(3000), Box::new(Silent)).score;
    let own = score(&mut engine);
    engine.set_option("EvalFile", folder.path("a.nnue").to_str().unwrap()).unwrap();
    engine.new_game();
    assert_ne!(own, score(&mut engine));
}

#[test]
fn killed_training_resumes_identically() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "100"]);
    let arguments =
        |network| ["train", network, "games.gz", "--epochs", "60", "--batch", "1024", "--threads", "1"];
    let checkpoint = folder.path("a.checkpoint");
    Background::start(&folder, &arguments("a.nnue")).wait_until(|| checkpoint.exists());
    for network in ["a.nnue", "b.nnue"] {
        folder.done(&arguments(network));
    }
    assert!(bytes(&folder, "a.nnue") == bytes(&folder, "b.nnue"));
    let lines = String::from_utf8(bytes(&folder, "a.csv")).unwrap().lines().count();
    assert_eq!(lines, 61, "a header, and a line for each epoch");
}

#[test]
fn finished_training_continues() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "20"]);
    let train = |epochs, more: &[&'static str]| {
        let arguments = ["train", "n.nnue", "games.gz", "--batch", "64", "--epochs", epochs];
        folder.run(&[&arguments[..], more].concat())
    };
    assert!(train("2", &[]).status.success());
    let refused = train("3", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--continue"));
    let first = bytes(&folder, "n.nnue");
    let longer = train("3", &["--continue"]);
    let told = String::from_utf8_lossy(&longer.stderr).into_owned();
    assert!(
        longer.status.success() && told.contains("epoch   3/3") && !told.contains("epoch   2/3"),
        "{told}"
    );
    assert!(bytes(&folder, "n.nnue") != first);
    assert_eq!(train("2", &["--continue"]).status.code(), Some(2), "a run cannot get shorter");
    assert_eq!(train("4", &["--continue", "--seed", "9"]).status.code(), Some(2), "a run keeps its seed");
}

#[test]
fn loss_without_held_out_games_is_unknown() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "1"]);
    let text = said(&folder, &["train", "n.nnue", "games.gz", "--epochs", "1"]);
    assert!(text.contains(", 0 held out") && text.contains("held out        -  rate"), "{text}");
    let log = String::from_utf8(bytes(&folder, "n.csv")).unwrap();
    assert_eq!(log.lines().last().unwrap().split(',').nth(2), Some(""), "{log}");
}

#[test]
fn training_resumes_from_checkpoint_alone() {
    let folder = Folder::new();
    let games = |count| self_play(&folder, &["--games", count]);
    games("20");
    folder.done(&["train", "first.nnue", "games.gz", "--epochs", "1"]);
    let train = || {
        folder.done(&["train", "n.nnue", "games.gz", "--from", "first.nnue", "--epochs", "2"]);
        bytes(&folder, "n.nnue")
    };
    let network = train();
    std::fs::remove_file(folder.path("first.nnue")).unwrap();
    games("40");
    assert!(train() == network, "the checkpoint keeps the data of its run");
    let again = ["train", "n.nnue", "games.gz", "--from", "first.nnue", "--epochs", "2"];
    assert!(said(&folder, &again).contains("n.checkpoint: this run has finished"));
}

#[test]
fn options_change_training() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "20"]);
    let train = |name: &str, options: &[&str]| {
        let run = ["train", name, "games.gz", "--from", NETWORK, "--epochs", "1", "--threads", "1"];
        folder.done(&[&run[..], options].concat());
        bytes(&folder, name)
    };
    let usual = train("a.nnue", &[]);
    // We don't use assert_eq, because a failure would print the bytes of both networks.
    assert!(train("b.nnue", &["--handcrafted-rate", "1", "--td-lambda", "0"]) == usual);
    for (name, option, value, useless) in [
        ("c.nnue", "--handcrafted-rate", "9", "0"),
        ("d.nnue", "--td-lambda", "0.5", "1.5"),
        ("e.nnue", "--lambda", "0.5", "-1"),
    ] {
        assert!(train(name, &[option, value]) != usual, "{option}");
        let text = folder.refused(&["train", "n.nnue", "games.gz", &format!("{option}={useless}")]);
        assert!(text.contains(option) && text.contains("expected"), "{text}");
    }
}

#[test]
fn weights_average_over_last_share() {
    let folder = Folder::new();
    folder.done(&["datagen", "games.gz", "--games", "30", "--nodes", "50", "--seed", "8"]);
    let train = |share: &str| {
        let network = format!("{share}.nnue");
        let arguments =
            ["train", &network, "games.gz", "--epochs", "2", "--threads", "1", "--average", share];
        folder.done(&arguments);
        bytes(&folder, &network)
    };
    let [end, last_step, half, whole] = ["0", "0.000001", "0.5", "1"].map(train);
    assert!(last_step == end, "the average of the last step is the final network");
    assert!(half != end && whole != end && half != whole);
    // After `--continue` only the new `--average` counts, not the one that the run began with.
    let continued = |first: &str| {
        let network = format!("from-{first}.nnue");
        for (epochs, average, more) in [("1", first, &[][..]), ("2", "0.5", &["--continue"])] {
            let run =
                ["train", &network, "games.gz", "--threads", "1", "--epochs", epochs, "--average", average];
            folder.done(&[&run[..], more].concat());
        }
        bytes(&folder, &network)
    };
    assert!(continued("1") == continued("0"));
    for share in ["1.5", "-1", "nan", "much"] {
        let text = folder.refused(&["train", "n.nnue", "games.gz", &format!("--average={share}")]);
        assert!(text.contains("from 0 to 1"), "{text}");
    }
}

#[test]
fn match_reports_sprt() {
    let folder = Folder::new();
    let level = ["match", NETWORK, "--games", "8", "--nodes", "200", "--sprt", "0,5", "--seed", "2"];
    let output = folder.run(&level);
    let text = String::from_utf8(output.stdout).unwrap();
    // With the same network on both sides every pair is level, and so few games decide nothing.
    assert!(text.contains("pairs by points 0, ½, 1, 1½, 2: [0, 0, 4, 0, 0]"), "{text}");
    assert!(text.contains("Elo +0.0") || text.contains("Elo -0.0"), "{text}");
    assert_eq!((output.status.code(), text.lines().last()), (Some(1), Some("undecided")));
    folder.refused(&["match", "none.nnue"]);
    folder.refused(&["match", NETWORK, "--sprt", "5,0"]);
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
    assert!(matches!(with(7, 2), NetworkError::Version { found: 2 }));
    assert!(matches!(with(9, 77), NetworkError::Shape { .. }));
    assert!(matches!(with(good.len() / 2, good[good.len() / 2] ^ 1), NetworkError::Checksum));
    assert!(matches!(Network::from_bytes(&good[..good.len() - 1]).unwrap_err(), NetworkError::Length { .. }));
    let neurons_at = good.len() - HANDCRAFTED_NEURONS * (2 * HANDCRAFTED_INPUTS + 4 + 2 * OUTPUT_BUCKETS) - 4;
    for neurons in [0, HANDCRAFTED_NEURONS as u8 + 1] {
        assert!(matches!(with(neurons_at, neurons), NetworkError::HandcraftedShape { .. }), "{neurons}");
    }
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

/// Returns the bytes of a network file that has only the first `hidden` neurons of `network`, and the first `handcrafted`
/// neurons of the handcrafted layer.
fn narrowed(network: &Network, hidden: usize, handcrafted: usize) -> Vec<u8> {
    let rows = network.feature_weights.iter().chain([&network.feature_bias]);
    let rows = rows.chain(network.output_weights.as_flattened());
    let mut payload: Vec<u8> = rows.flat_map(|row| &row.0[..hidden]).flat_map(|w| w.to_le_bytes()).collect();
    payload.extend(network.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    let layer = &network.handcrafted;
    payload.extend([HANDCRAFTED_INPUTS, handcrafted].iter().flat_map(|&size| (size as u32).to_le_bytes()));
    for input in 0..HANDCRAFTED_INPUTS {
        payload.extend((0..handcrafted).flat_map(|neuron| layer.weight(input, neuron).to_le_bytes()));
    }
    payload.extend(layer.bias[..handcrafted].iter().flat_map(|bias| bias.to_le_bytes()));
    payload.extend(layer.output.iter().flat_map(|row| &row[..handcrafted]).flat_map(|w| w.to_le_bytes()));
    let mut file = network.to_bytes()[..24].to_vec();
    file[8..12].copy_from_slice(&(hidden as u32).to_le_bytes());
    file[16..24].copy_from_slice(&checksum(&payload).to_le_bytes());
    [file, payload].concat()
}

#[test]
fn narrow_network_loads_and_widens() {
    let wide = Network::embedded();
    assert_eq!(narrowed(&wide, L1, HANDCRAFTED_NEURONS), wide.to_bytes());
    let file = narrowed(&wide, 64, 8);
    let mut expected = (*wide).clone();
    let rows = expected.feature_weights.iter_mut().chain([&mut expected.feature_bias]);
    rows.chain(expected.output_weights.as_flattened_mut()).for_each(|row| row.0[64..].fill(0));
    let layer = &mut expected.handcrafted;
    for neuron in 8..HANDCRAFTED_NEURONS {
        (0..HANDCRAFTED_INPUTS).for_each(|input| *layer.weight_mut(input, neuron) = 0);
        layer.bias[neuron] = 0;
        layer.output.iter_mut().for_each(|row| row[neuron] = 0);
    }
    assert_eq!(Network::from_bytes(&file).unwrap(), expected);
    // Training puts the added neurons to use.
    let folder = Folder::new();
    self_play(&folder, &["--games", "25"]);
    std::fs::write(folder.path("narrow.nnue"), &file).unwrap();
    folder.done(&["train", "wide.nnue", "games.gz", "--from", "narrow.nnue", "--epochs", "2"]);
    let wider = Network::load(&folder.path("wide.nnue")).unwrap();
    let is_used = |neuron: usize| wider.output_weights.iter().flatten().any(|row| row.0[neuron] != 0);
    let used = (64..L1).filter(|&neuron| is_used(neuron)).count();
    assert!(used > (L1 - 64) / 2, "{used}");
    assert!(
        (8..HANDCRAFTED_NEURONS).all(|neuron| wider.handcrafted.output.iter().any(|row| row[neuron] != 0))
    );
}

#[test]
fn training_fills_an_empty_handcrafted_layer() {
    let old = Network { handcrafted: HandcraftedLayer::zero(), ..(*Network::embedded()).clone() };
    let folder = Folder::new();
    self_play(&folder, &["--games", "25"]);
    std::fs::write(folder.path("old.nnue"), old.to_bytes()).unwrap();
    folder.done(&[
        "train",
        "new.nnue",
        "games.gz",
        "--from",
        "old.nnue",
        "--epochs",
        "2",
        "--handcrafted-rate",
        "8",
    ]);
    let new = Network::load(&folder.path("new.nnue")).unwrap();
    let used = new.handcrafted.output.as_flattened().iter().filter(|&&weight| weight != 0).count();
    assert!(used > new.handcrafted.output.as_flattened().len() / 2, "{used}");
}
