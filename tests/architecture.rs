//! The layers: each module uses only those to its left, and no file grows beyond comfort.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules from the ground up; those of one row know nothing of each other.
const LAYERS: &[&[&str]] = &[
    &["util"],
    &["chess"],
    &["nnue", "tablebase"],
    &["search"],
    &["engine"],
    &["terminal", "runs"],
    &["commands"],
    &["uci"],
    &["learn"],
    &["workbench"],
    &["cli"],
];

/// A file longer than this holds two ideas.
const MAX_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

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

/// The path of the module that a file of `src` holds: `chess/board/mod.rs` is `chess`, `board`.
fn module_path(inside: &Path) -> Vec<String> {
    let mut path: Vec<String> =
        inside.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if ["mod", "lib"].contains(&path[path.len() - 1].as_str()) {
        path.pop();
    }
    path
}

/// A source text in words and punctuation, without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].char_indices().find(|&(_, c)| {
                let is_end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                is_end
            });
            end.map_or(rest.len(), |(at, _)| at + 2)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |at| at + 2)
        } else if let Some(escaped) = rest.strip_prefix("'\\") {
            escaped.find('\'').map_or(rest.len(), |at| at + 3)
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            2 + rest.chars().nth(1).unwrap().len_utf8()
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The paths that a tree of imports or an expression names from `at` on, with what precedes them: `a::{b, c::d}` is
/// `a::b` and `a::c::d`. Gives the place after it.
fn paths_from(tokens: &[String], mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while at < tokens.len() && tokens[at] != "}" {
                    at = if tokens[at] == "," { at + 1 } else { paths_from(tokens, at, &path, found) };
                }
                return at + 1;
            }
            Some("*") => {
                path.push("*".to_owned());
                found.push(path);
                return at + 1;
            }
            Some(word) if word.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                path.push(word.to_owned());
                at += 1;
                if tokens.get(at).is_some_and(|next| next == "::") {
                    at += 1;
                    continue;
                }
                // `use a as b`
                if tokens.get(at).is_some_and(|next| next == "as") {
                    at += 2;
                }
                found.push(path);
                return at;
            }
            _ => {
                found.push(path);
                return at + 1;
            }
        }
    }
}

/// The modules of the crate's root that a module uses, whatever the form: `use crate::{a, b}`, `crate::a::f()`,
/// `super::super::a`, `pub use`, paths in types and macros.
fn used_modules(module: &[String], text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut used = BTreeSet::new();
    for at in 0..tokens.len() {
        let begins = at == 0 || tokens[at - 1] != "::";
        if !begins || !["crate", "super", "self"].contains(&tokens[at].as_str()) {
            continue;
        }
        if tokens.get(at + 1).is_none_or(|next| next != "::") {
            continue;
        }
        let mut found = Vec::new();
        paths_from(&tokens, at, &[], &mut found);
        for path in found {
            let mut place = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
            for word in &path {
                match word.as_str() {
                    "crate" | "self" => {}
                    // All of the crate's root: whatever is used then, it cannot be told.
                    "*" if path.len() == 2 && path[0] == "crate" => {
                        used.extend(
                            LAYERS.iter().flat_map(|row| row.iter().map(|&module| module.to_owned())),
                        );
                    }
                    "*" => {}
                    "super" => drop(place.pop()),
                    _ => {
                        place.push(word.clone());
                        break;
                    }
                }
            }
            used.extend(place.first().cloned());
        }
    }
    used
}

/// What is wrong with the imports of a file, if anything.
fn breaches(inside: &Path, text: &str) -> Vec<String> {
    let module = module_path(inside);
    let own = layer_of(&module[0]).unwrap_or_else(|| panic!("{} is in no layer", inside.display()));
    let used = used_modules(&module, text);
    let above = used
        .into_iter()
        .filter(|used| *used != module[0] && layer_of(used).is_some_and(|layer| layer >= own));
    above.map(|used| format!("{} uses {used}, which is not below it", inside.display())).collect()
}

#[test]
fn imports_point_left_only() {
    let root = root();
    let mut arrows = 0;
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        if ["lib.rs", "main.rs"].contains(&inside.to_str().unwrap()) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(breaches(inside, &text), [""; 0]);
        arrows += used_modules(&module_path(inside), &text).len();
    }
    assert!(arrows > 100, "the test must see the imports: {arrows}");
}

#[test]
fn a_planted_import_is_seen_in_every_form_and_direction() {
    let forms = |used: &str| {
        [
            format!("use crate::{used};"),
            format!("use crate::{used}::thing;"),
            format!("use crate::{{util, {used}::{{a, b}}}};"),
            format!("pub use crate::{{util::{{Board, Move}}, {used} as other}};"),
            format!("fn f() {{ crate::{used}::f(); }}"),
            format!("fn f(x: &crate::{used}::T) {{}}"),
            format!("use super::{used}::f;"),
            format!("use super::{{util::Board, {used}::f}};"),
            format!("fn f() {{ println!(\"{{}}\", super::{used}::f()); }}"),
        ]
    };
    for (layer, row) in LAYERS.iter().enumerate() {
        for &module in *row {
            let others = LAYERS.iter().enumerate().flat_map(|(l, row)| row.iter().map(move |&m| (l, m)));
            for (other_layer, other) in others.filter(|&(_, other)| other != module) {
                let allowed = other_layer < layer;
                for text in forms(other) {
                    let found = breaches(Path::new(&format!("{module}/mod.rs")), &text);
                    assert_eq!(found.is_empty(), allowed, "{module}: {text}: {found:?}");
                }
            }
        }
    }
    let deep = Path::new("search/techniques/razoring.rs");
    assert!(breaches(deep, "use crate::*;").len() > 5);
    assert!(breaches(deep, "use crate::{chess::Board, *};").len() > 5);
    assert_eq!(breaches(deep, "use super::super::super::engine::Engine;").len(), 1);
    assert_eq!(breaches(deep, "use super::super::tt::Bound; use crate::chess::Board;").len(), 0);
    assert_eq!(breaches(deep, "// crate::cli\nconst A: &str = \"crate::cli::f()\";").len(), 0);
}

#[test]
fn every_module_of_the_library_is_in_a_layer() {
    let map = fs::read_to_string(root().join("lib.rs")).unwrap();
    let modules: BTreeSet<&str> =
        map.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let layers: BTreeSet<&str> = LAYERS.iter().flat_map(|row| row.iter().copied()).collect();
    assert_eq!(modules, layers);
}

#[test]
fn files_open_with_what_lives_there_and_stay_short() {
    for path in sources(&root()) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//!"), "{} says nothing of itself", path.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
    }
}
