//! Tells the compiler which git commit it builds and which network to embed: `nets/enroque.nnue`, or the file that the
//! environment variable `EVALFILE` names.

use std::path::{Path, PathBuf};
use std::process::Command;

const DEFAULT_NETWORK: &str = "nets/enroque.nnue";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // We ask git where these files are, because a linked work tree keeps them elsewhere. We leave out files that don't
    // exist, because for those Cargo would rerun this script on every build.
    let files = ["HEAD", "logs/HEAD"].into_iter().filter_map(|name| git(&["rev-parse", "--git-path", name]));
    for file in files.filter(|file| Path::new(file).exists()) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let network = std::env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let network = network.map_or_else(|| PathBuf::from(DEFAULT_NETWORK), PathBuf::from);
    let network = std::path::absolute(&network).unwrap_or(network);
    assert!(Path::new(&network).is_file(), "no network at {}", network.display());
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env=ENROQUE_NETWORK={}", network.display());

    println!("cargo:rustc-env=ENROQUE_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
}

/// Returns the commit that we build. A crate from a registry names it in a file that cargo packed; there we don't ask
/// git, which could find a repository around cargo's folder that has nothing to do with us.
fn commit() -> Option<String> {
    match std::fs::read_to_string(".cargo_vcs_info.json") {
        Ok(packed) => packed.split('"').find(|word| word.len() == 40).map(|hash| hash[..7].to_owned()),
        Err(_) => git(&["rev-parse", "--short", "HEAD"]),
    }
}

/// Returns what git prints, trimmed; `None` without git or outside a repository, as in a source archive.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
