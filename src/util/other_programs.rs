//! The programs that come with the engine.

/// The commands of our other programs. If a user types `enroque analyse`, we say which program to run instead.
pub const OTHER_PROGRAMS: [(&str, &[&str]); 2] = [
    (
        "enroque-tools",
        &["analyse", "analyze", "draw", "explain", "prep", "puzzles", "quiz", "startpos", "sweep"],
    ),
    ("enroque-learn", &["data", "datagen", "levels", "match", "train"]),
];

/// Returns the program that has the command `word`.
pub fn other_program(word: &str) -> Option<&'static str> {
    OTHER_PROGRAMS.into_iter().find(|(_, commands)| commands.contains(&word)).map(|(program, _)| program)
}
