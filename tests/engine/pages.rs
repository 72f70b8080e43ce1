//! Compares docs/options.md and the manual page with the tables of options and commands, from which they are made.
//! `UPDATE_EXPECT=1 cargo test --test engine pages` writes them anew.

use std::fmt::Write as _;

use enroque::engine::options::{OPTIONS, OptionKind, UciOption};
use enroque::uci::command::{COMMANDS, Command};
use expect_test::expect_file;

/// Replaces what stands between the lines `begin` and `end` of a page.
fn with_generated(page: &str, begin: &str, end: &str, text: &str) -> String {
    let (before, rest) = page.split_once(begin).expect(begin);
    let (_, after) = rest.split_once(end).expect(end);
    format!("{before}{begin}\n{text}{end}{after}")
}

/// Returns the values that the option can have, as text.
fn values(option: &UciOption) -> String {
    match &option.kind {
        OptionKind::Check { .. } => "true or false".to_owned(),
        OptionKind::Spin { range, .. } => format!("{} to {}", range.start(), range.end()),
        OptionKind::Combo { words, .. } => words.join(", "),
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::String { .. } => "text".to_owned(),
        OptionKind::Constant(_) => "constant".to_owned(),
    }
}

/// Returns the default value, if the option has one worth mentioning.
fn default(option: &UciOption) -> Option<String> {
    let is_empty = matches!(option.kind, OptionKind::String { default: "<empty>", .. });
    let has_none = matches!(option.kind, OptionKind::Button(_) | OptionKind::Constant(_));
    (!is_empty && !has_none).then(|| option.default())
}

#[test]
fn options_page() {
    let mut table = "\n| option | values | default | what it does |\n|---|---|---|---|\n".to_owned();
    for option in OPTIONS {
        let default = default(option).map_or(String::new(), |default| format!(" `{default}`"));
        let (values, description) = (values(option), option.description);
        let _ = writeln!(table, "| `{}` | {values} |{default} | {description} |", option.name);
    }
    let page = include_str!("../../docs/options.md");
    let begin = "<!-- made from src/engine/options.rs, see tests/engine/pages.rs -->";
    expect_file!["../../docs/options.md"].assert_eq(&with_generated(page, begin, "\n<!-- end -->", &table));
}

/// Turns a description into a sentence of the manual page: `words` become bold.
fn sentence(description: &str) -> String {
    let mut text = String::new();
    for (index, part) in description.split('`').enumerate() {
        text += ["", "\\fB", "\\fR"][if index == 0 { 0 } else { 2 - index % 2 }];
        text += &part.replace('-', "\\-");
    }
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

#[test]
fn manual_page() {
    let page = include_str!("../../docs/enroque.6");
    let mut options = String::new();
    for option in OPTIONS {
        let separator = if matches!(option.kind, OptionKind::Combo { .. }) { ';' } else { ',' };
        let default =
            default(option).map_or(String::new(), |default| format!("{separator} default {default}"));
        let _ = writeln!(options, ".TP\n.BR \"{}\" \"  {}{default}\"", option.name, values(option));
        let _ = writeln!(options, "{}", sentence(option.description));
    }
    let mut commands = String::new();
    let is_in_every_build = |command: &&Command| !matches!(command.words, ["stats" | "tune"]);
    for command in COMMANDS.iter().filter(|command| !command.description.is_empty()).filter(is_in_every_build)
    {
        let _ = writeln!(commands, ".TP\n.B {}\n{}", command.usage(), sentence(command.description));
    }
    let page = with_generated(
        page,
        ".\\\" made from src/engine/options.rs, see tests/engine/pages.rs",
        ".\\\" end of options",
        &options,
    );
    let page = with_generated(
        &page,
        ".\\\" made from src/uci/command.rs, see tests/engine/pages.rs",
        ".\\\" end of commands",
        &commands,
    );
    expect_file!["../../docs/enroque.6"].assert_eq(&page);
}
