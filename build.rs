//! Tells the program which commit it was built from.

use std::process::Command;

fn main() {
    for changed in ["build.rs", ".git/HEAD", ".git/logs/HEAD"] {
        println!("cargo:rerun-if-changed={changed}");
    }
    let git = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let commit = git.ok().filter(|output| output.status.success());
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo:rustc-env=ENROQUE_COMMIT={}", commit.unwrap_or_else(|| "unknown".to_owned()));
}
