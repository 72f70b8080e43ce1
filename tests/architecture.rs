//! The layers: each module uses only those to its left, and no file grows beyond comfort.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules from the ground up. Those of one row may use each other.
const LAYERS: &[&[&str]] =
    &[&["chess"], &["nnue", "tablebase"], &["search"], &["engine"], &["uci", "tools", "learn"]];

/// A file longer than this holds two ideas.
const MOST_LINES: usize = 700;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

#[test]
fn imports_point_left_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = 0;
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let own = layer_of(module).unwrap_or_else(|| panic!("{module} is in no layer"));
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("crate::").skip(1) {
            let used: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if let Some(layer) = layer_of(&used) {
                assert!(layer <= own, "{} uses crate::{used}, a layer above it", inside.display());
                arrows += 1;
            }
        }
    }
    assert!(arrows > 20, "the test must see the imports: {arrows}");
}

#[test]
fn every_module_of_the_library_is_in_a_layer() {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let modules: Vec<&str> =
        map.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(!modules.is_empty());
    assert!(modules.iter().all(|module| layer_of(module).is_some()), "{modules:?}");
}

#[test]
fn files_open_with_what_lives_there_and_stay_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//!"), "{} says nothing of itself", path.display());
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}
