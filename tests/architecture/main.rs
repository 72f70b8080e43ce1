//! Rules on the source tree: module layers, import circles, file length, the first words of comments.

mod source_tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use source_tree::SourceTree;

/// Top modules in the order of their layers. Modules of one row are independent of each other.
const LAYERS: &[&[&str]] = &[
    &["util"],
    &["chess"],
    &["nnue", "tablebase"],
    &["search"],
    &["engine"],
    &["terminal", "runs"],
    &["commands", "study"],
    &["uci"],
    &["learn"],
    &["workbench"],
    &["cli"],
];

const MAX_LINES: usize = 500;

/// Words that open no comment line and no sentence of a comment.
const FORBIDDEN_OPENINGS: &[&str] =
    &["What", "Which", "Where", "Whether", "Who", "Whose", "How", "Why", "When"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Rust files of a folder and its subfolders with their texts, by path within the folder.
fn rust_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(folder).unwrap().to_owned(), text));
            }
        }
    }
    files.sort();
    files
}

/// Returns the imports of top modules that are not in a lower layer.
fn layer_breaches(tree: &SourceTree) -> Vec<String> {
    let layer = |module: &str| LAYERS.iter().position(|row| row.contains(&module));
    let mut breaches = BTreeSet::new();
    for arrow in tree.arrows() {
        let (Some(from), Some(to)) = (arrow.from.first(), arrow.to.first()) else { continue };
        if from != to && layer(to) >= layer(from) {
            breaches.insert(format!("{} imports {}", arrow.from.join("::"), arrow.text));
        }
    }
    breaches.into_iter().collect()
}

/// Returns the units reached from `start` by one import or more.
fn reached<'a>(imports: &BTreeMap<(&'a str, &'a str), String>, start: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(unit) = pending.pop() {
        let next = imports.keys().filter(|(from, _)| *from == unit).map(|&(_, to)| to);
        pending.extend(next.filter(|&to| reached.insert(to)));
    }
    reached
}

/// Returns the import circles among the files and subfolders directly inside each folder. Test code is ignored.
fn circles(tree: &SourceTree) -> Vec<String> {
    let arrows = tree.arrows();
    let mut folders: BTreeMap<&[String], BTreeMap<(&str, &str), String>> = BTreeMap::new();
    for arrow in arrows.iter().filter(|arrow| !arrow.is_test) {
        let shared = arrow.from.iter().zip(&arrow.to).take_while(|(a, b)| a == b).count();
        if let (Some(from), Some(to)) = (arrow.from.get(shared), arrow.to.get(shared)) {
            let example = format!("{} imports {}", arrow.from.join("::"), arrow.text);
            folders.entry(&arrow.from[..shared]).or_default().entry((from, to)).or_insert(example);
        }
    }
    let mut circles = Vec::new();
    for (folder, imports) in folders {
        let mut units: BTreeSet<&str> = imports.keys().map(|&(from, _)| from).collect();
        while let Some(unit) = units.pop_first() {
            let mut members = reached(&imports, unit);
            members.retain(|member| reached(&imports, member).contains(unit));
            units.retain(|unit| !members.contains(unit));
            let inside =
                imports.iter().filter(|((from, to), _)| members.contains(from) && members.contains(to));
            let lines: String =
                inside.map(|((from, to), example)| format!("\n    {from} -> {to}: {example}")).collect();
            if !members.is_empty() {
                let members: Vec<&str> = members.into_iter().collect();
                circles.push(format!("{}/: {}{lines}", folder.join("/"), members.join(", ")));
            }
        }
    }
    circles
}

/// Returns the numbers of the lines with a comment sentence that opens with a forbidden word.
fn forbidden_openings(text: &str) -> Vec<usize> {
    let opens_badly = |sentence: &str| {
        let sentence = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
        let word = sentence.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        FORBIDDEN_OPENINGS.contains(&word)
    };
    let is_breach = |line: &str| {
        let Some(comment) = line.trim_start().strip_prefix("//") else { return false };
        let ends = comment.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
        let mut ends = ends.filter(|&at| comment[at..].trim_start_matches([')', '"', '*']).starts_with(' '));
        opens_badly(comment) || ends.any(|at| opens_badly(&comment[at..]))
    };
    text.lines().enumerate().filter(|(_, line)| is_breach(line)).map(|(index, _)| index + 1).collect()
}

fn report(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}, found {}:\n{}", breaches.len(), breaches.join("\n"));
}

#[test]
fn imports_point_left_only() {
    let tree = SourceTree::new(&rust_files(&root().join("src")));
    let arrows = tree.arrows().len();
    assert!(arrows > 1000, "expected all imports of the crate, found {arrows}");
    report("a module imports only modules of lower layers", &layer_breaches(&tree));
}

#[test]
fn folders_have_no_import_circles() {
    let tree = SourceTree::new(&rust_files(&root().join("src")));
    report("the parts of a folder import each other without circles", &circles(&tree));
}

/// All forms of an import. `path` leads to the module from the crate's root, `near` from the parent of the importer.
fn import_forms(path: &str, near: &str) -> Vec<String> {
    vec![
        format!("use crate::{path};"),
        format!("use crate::{path} as other;"),
        format!("use crate::{path}::thing;"),
        format!("use crate::{path}::*;"),
        format!("use crate::{path}::{{self, thing}};"),
        format!("use crate::{path}::{{self as one}};"),
        format!("use crate::{{util, {path}::{{a, b}}}};"),
        format!("pub use crate::{{util::{{Board, Move}}, {path} as other}};"),
        format!("pub(crate) use super::{near}::f;"),
        format!("use super::{{util::Board, {near}::f}};"),
        format!("use self::super::{near}::f;"),
        format!("fn f() {{ crate::{path}::f(); }}"),
        format!("fn f() {{ use super::{near}::f; f(); }}"),
        format!("fn f(x: &crate::{path}::T) {{}}"),
        format!("fn f(x: Vec<crate::{path}::T>) {{}}"),
        format!("fn f() -> impl Into<crate::{path}::T> {{ 0 }}"),
        format!("struct S {{ x: [super::{near}::T; 2] }}"),
        format!("impl crate::{path}::T for S {{}}"),
        format!("fn f(x: u8) {{ match x {{ crate::{path}::T => 1, _ => 2 }} }}"),
        format!("fn f() {{ println!(\"{{}}\", super::{near}::f()); }}"),
        format!("fn f() {{ vec![vec![crate::{path}::F]]; }}"),
        format!("macro_rules! m {{ () => {{ $crate::{path}::f() }} }}"),
        format!("macro_rules! m {{ () => {{ use $crate::{{util::a, {path}::f}}; }} }}"),
        format!("#[derive(Parser)] struct S {{ #[arg(value_parser = crate::{path}::f)] x: u8 }}"),
        format!("mod inner {{ use super::super::{near}::f; }}"),
        format!("mod inner {{ fn f() {{ super::super::{near}::f(); }} }}"),
    ]
}

fn planted(files: &[(&str, &str)]) -> SourceTree {
    let files: Vec<_> = files.iter().map(|&(file, text)| (PathBuf::from(file), text.to_owned())).collect();
    SourceTree::new(&files)
}

/// A tree of all top modules, empty but for one file.
fn planted_in_layers(file: &str, text: &str) -> SourceTree {
    let modules: Vec<String> = LAYERS.concat().iter().map(|module| format!("{module}/mod.rs")).collect();
    let mut files: Vec<(&str, &str)> = modules.iter().map(|module| (module.as_str(), "")).collect();
    files.retain(|(module, _)| *module != file);
    planted(&[&files[..], &[("lib.rs", ""), (file, text)]].concat())
}

#[test]
fn planted_imports_are_found() {
    for (layer, row) in LAYERS.iter().enumerate() {
        for &module in *row {
            let others = LAYERS.iter().enumerate().flat_map(|(l, row)| row.iter().map(move |&m| (l, m)));
            for (other_layer, other) in others.filter(|&(_, other)| other != module) {
                let allowed = other_layer < layer;
                for text in import_forms(other, other) {
                    let found = layer_breaches(&planted_in_layers(&format!("{module}/mod.rs"), &text));
                    assert_eq!(found.is_empty(), allowed, "{module}: {text}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn planted_imports_of_deep_files() {
    let breaches = |text| layer_breaches(&planted_in_layers("search/techniques/razoring.rs", text)).len();
    assert!(breaches("use crate::*;") > 0);
    assert!(breaches("use crate::{chess::Board, *};") > 0);
    assert!(breaches("use crate as root;") > 0);
    assert!(breaches("use super::super::super::*;") > 0);
    assert_eq!(breaches("use super::super::super::engine::Engine;"), 1);
    assert_eq!(breaches("#[cfg(test)] mod tests { use crate::engine::Engine; }"), 1);
    assert_eq!(breaches("use super::super::tt::Bound; use crate::chess::Board;"), 0);
    assert_eq!(breaches("// crate::cli\nconst A: &str = \"crate::cli::f()\";"), 0);
    assert_eq!(breaches("fn f(mut self) { self.cli::<u8>(); crate::util::f(); }"), 0);
    // A name that the crate's root re-exports counts as an import of its module.
    let tree = |text| planted(&[("lib.rs", "pub use cli::Tool;"), ("cli.rs", ""), ("chess.rs", text)]);
    assert_eq!(layer_breaches(&tree("use crate::Tool;")).len(), 1);
    assert_eq!(layer_breaches(&tree("use crate::Other;")).len(), 0);
}

#[test]
fn planted_circles_are_found() {
    let found = |parent: &str, b: &str| {
        let files =
            [("lib.rs", ""), ("chess/mod.rs", parent), ("chess/a.rs", "use super::b::B;"), ("chess/b.rs", b)];
        circles(&planted(&files))
    };
    for text in import_forms("chess::a", "a").iter().chain(&["use super::*;".to_owned()]) {
        let circles = found("", text);
        assert!(circles.len() == 1 && circles[0].starts_with("chess/: a, b\n"), "{text}: {circles:?}");
        for test in ["#[cfg(test)]", "#[cfg(all(unix, test))]", "#[cfg(any(test, all(test, unix)))]"] {
            assert_eq!(
                found("", &format!("{test} mod tests {{ mod inner {{ {text} }} }}")),
                [""; 0],
                "{text}"
            );
        }
        assert_eq!(found("#[cfg(test)] mod b;", text), [""; 0], "{text}");
    }
    assert_eq!(found("", "#[cfg(not(test))] use super::a::A;").len(), 1);
    assert_eq!(found("", "#[cfg(any(test, unix))] fn f() { super::a::f(); }").len(), 1);
    assert_eq!(found("", "#[cfg(test)] use super::a::A; use super::a::B;").len(), 1);

    // Names of the parent: its own, or re-exported from a sibling.
    assert_eq!(found("pub struct A;", "use super::A;"), [""; 0]);
    assert_eq!(found("pub use a::A;", "use super::A;").len(), 1);
    assert_eq!(found("pub use a::A;", "use super::B;"), [""; 0]);
    assert_eq!(found("use crate::chess::a::A as B;", "fn f() { crate::chess::B::new(); }").len(), 1);
    let files = [
        ("chess/mod.rs", "pub use a::*;"),
        ("chess/a.rs", "use super::b; pub struct A; "),
        ("chess/b.rs", "use super::A;"),
    ];
    assert_eq!(circles(&planted(&files)).len(), 1);
    assert_eq!(found("mod a; use a::A; fn f() { b::f(); }", "use super::f;"), [""; 0]);

    // Folders are parts of their parent, and several circles are listed apart.
    let files = [
        ("chess/mod.rs", ""),
        ("chess/board/mod.rs", ""),
        ("chess/board/keys.rs", "use crate::chess::moves::text::Text;"),
        ("chess/moves/mod.rs", ""),
        ("chess/moves/list.rs", "use crate::chess::board::keys;"),
        ("chess/moves/text.rs", ""),
        ("chess/one.rs", "use super::two;"),
        ("chess/two.rs", "use super::three;"),
        ("chess/three.rs", "use super::{one, board::keys};"),
    ];
    let found = circles(&planted(&files));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("chess/: board, moves\n"), "{found:?}");
    assert!(found[1].starts_with("chess/: one, three, two\n"), "{found:?}");
}

#[test]
fn library_modules_have_layers() {
    let library = syn::parse_file(&fs::read_to_string(root().join("src/lib.rs")).unwrap()).unwrap();
    let modules = library.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) => Some(module.ident.to_string()),
        _ => None,
    });
    let layers: BTreeSet<String> = LAYERS.concat().iter().map(ToString::to_string).collect();
    assert_eq!(modules.collect::<BTreeSet<_>>(), layers);
}

#[test]
fn files_have_headers_and_stay_short() {
    let mut breaches = Vec::new();
    for (file, text) in rust_files(&root().join("src")) {
        if !text.starts_with("//!") {
            breaches.push(format!("{} has no header", file.display()));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            breaches.push(format!("{} has {lines} lines", file.display()));
        }
    }
    report("a file opens with //! and has at most 500 lines", &breaches);
}

#[test]
fn comments_open_plainly() {
    let mut breaches = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        for (file, text) in rust_files(&root().join(folder)) {
            for line in forbidden_openings(&text) {
                let comment = text.lines().nth(line - 1).unwrap_or_default().trim();
                breaches.push(format!("{folder}/{}:{line}: {comment}", file.display()));
            }
        }
    }
    let rule = format!("no sentence of a comment opens with {}", FORBIDDEN_OPENINGS.join(", "));
    report(&rule, &breaches);
}

#[test]
fn planted_openings_are_found() {
    for word in FORBIDDEN_OPENINGS {
        for text in [
            format!("/// {word} it is."),
            format!("//! {word}"),
            format!("    // {word} it is."),
            format!("/// - {word} it is."),
            format!("/// # {word} it fails"),
            format!("/// *{word}* it is."),
            format!("/// One thing. {word} it is."),
            format!("/// (One thing.) {word} it is?"),
            format!("/// One thing! {word}, then."),
        ] {
            assert_eq!(forbidden_openings(&format!("//! A file.\n\n{text}\n")), [3], "{text}");
        }
        let plain = word.to_lowercase();
        for text in [
            format!("/// The move {plain} it is."),
            format!("/// Returns it. The {word}."),
            format!("/// {word}ever"),
            format!("let text = \"{word} now?\";"),
            format!("/// A `foo.{word}` field."),
        ] {
            assert_eq!(forbidden_openings(&text), [0; 0], "{text}");
        }
    }
}
