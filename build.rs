//! Build script: passes the git commit and the path of the embedded network to the program. The environment variable
//! `EVALFILE` replaces the default network.

use std::path::{Path, PathBuf};
use std::process::Command;

const DEFAULT_NETWORK: &str = "nets/enroque.nnue";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Cargo treats a missing file as changed.
    for file in [".git/HEAD", ".git/logs/HEAD"].into_iter().filter(|file| Path::new(file).exists()) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let network = std::env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let network = network.map_or_else(|| PathBuf::from(DEFAULT_NETWORK), PathBuf::from);
    let network = std::path::absolute(&network).unwrap_or(network);
    assert!(Path::new(&network).is_file(), "no network at {}", network.display());
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env=ENROQUE_NETWORK={}", network.display());

    let git = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let commit = git.ok().filter(|output| output.status.success());
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo:rustc-env=ENROQUE_COMMIT={}", commit.unwrap_or_else(|| "unknown".to_owned()));
}
