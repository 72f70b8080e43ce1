//! A temporary folder in which a test runs the program.

use std::process::{Command, Output};

pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::PROGRAM);
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Lets files grow to at most 1024 bytes, which the program sees as a full disk.
    #[cfg(target_os = "linux")]
    pub fn run_on_full_disk(&self, arguments: &[&str]) -> Output {
        self.run_with_limit("-f 1", arguments)
    }

    /// Runs a command within a limit that `ulimit` sets.
    #[cfg(target_os = "linux")]
    pub fn run_with_limit(&self, limit: &str, arguments: &[&str]) -> Output {
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        let mut bash = Command::new("bash");
        bash.current_dir(self.0.path()).args(["-c", &script, crate::PROGRAM]).args(arguments);
        bash.output().expect("bash runs")
    }

    /// Runs a command that must succeed.
    pub fn done(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs a command that must be refused and returns its errors.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        text
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}
