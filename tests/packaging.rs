//! Files for package managers, as `scripts/packaging.sh` fills them.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = "https://example.org/chess/enroque";

/// Copy of the files that the script reads, and the lists of hashes to call it with.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for path in ["packaging", "scripts/packaging.sh"] {
            let target = tree.path(path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            assert!(Command::new("cp").arg("-R").args([&source, &target]).status().unwrap().success());
        }
        tree.write_manifest(&format!("version = \"{VERSION}\"\nrepository = \"{REPOSITORY}\"\n"));
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write_manifest(&self, fields: &str) {
        fs::write(self.path("Cargo.toml"), format!("[package]\nname = \"enroque\"\n{fields}")).unwrap();
    }

    /// Runs the script with a list of hashes.
    fn run(&self, version: &str, sums: &str) -> Output {
        fs::write(self.path("SHA256SUMS"), sums).unwrap();
        let mut script = Command::new("scripts/packaging.sh");
        script.args([version, "SHA256SUMS"]).current_dir(self.0.path()).output().unwrap()
    }

    /// Returns a file that the script has written.
    fn filled(&self, name: &str) -> String {
        fs::read_to_string(self.path("dist/packaging").join(name)).unwrap()
    }

    /// Asserts that the script fails with this text and writes nothing.
    #[track_caller]
    fn assert_refused(&self, version: &str, sums: &str, text: &str) {
        let output = self.run(version, sums);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(text), "{error}");
        assert!(!self.path("dist").exists());
    }
}

fn source_line() -> String {
    format!("{}  enroque-{VERSION}.tar.gz\n", "5a".repeat(32))
}

fn windows_lines() -> String {
    let line = |byte: &str, name| format!("{} *dist/enroque-{VERSION}-windows-{name}.zip\n", byte.repeat(32));
    line("c3", "x86-64") + &line("e9", "aarch64")
}

#[test]
fn hashes_and_version_are_filled() {
    let tree = Tree::new();
    let output = tree.run(VERSION, &(source_line() + &windows_lines()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let release = format!("{REPOSITORY}/releases/download/v{VERSION}/enroque-{VERSION}");

    let formula = tree.filled("homebrew/enroque.rb");
    assert!(formula.contains(&format!("  url \"{release}.tar.gz\"\n  sha256 \"{}\"\n", "5a".repeat(32))));
    let installer = tree.filled("winget/Enroque.Enroque.installer.yaml");
    for (byte, name) in [("c3", "x86-64"), ("e9", "aarch64")] {
        let lines = format!(
            "RelativeFilePath: enroque-{VERSION}-windows-{name}\\enroque.exe\n        PortableCommandAlias: enroque\n    \
             InstallerUrl: \"{release}-windows-{name}.zip\"\n    InstallerSha256: \"{}\"\n",
            byte.repeat(32)
        );
        assert!(installer.contains(&lines), "{installer}");
    }
    for name in
        ["Enroque.Enroque.yaml", "Enroque.Enroque.installer.yaml", "Enroque.Enroque.locale.en-US.yaml"]
    {
        let manifest = tree.filled(&format!("winget/{name}"));
        assert!(manifest.contains(&format!("PackageVersion: \"{VERSION}\"\n")), "{name}");
    }
}

#[test]
fn summary_agrees_with_arch_package() {
    let tree = Tree::new();
    assert!(tree.run(VERSION, &(source_line() + &windows_lines())).status.success());
    let print = r#"
        . ./PKGBUILD
        printf '%s\n' "pkgdesc = $pkgdesc" "pkgver = $pkgver" "pkgrel = $pkgrel" "url = $url" "${arch[@]/#/arch = }" \
            "${license[@]/#/license = }" "${makedepends[@]/#/makedepends = }" "${depends[@]/#/depends = }" \
            "${options[@]/#/options = }" "${source[@]/#/source = }" "${sha256sums[@]/#/sha256sums = }""#;
    let folder = tree.path("dist/packaging/aur");
    let printed = Command::new("bash").args(["-c", print]).current_dir(folder).output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.contains(&format!("sha256sums = {}\n", "5a".repeat(32))), "{printed}");
    let fields: String = printed.lines().map(|line| format!("\t{line}\n")).collect();
    assert_eq!(tree.filled("aur/.SRCINFO"), format!("pkgbase = enroque\n{fields}\npkgname = enroque\n"));
}

#[test]
fn incomplete_release_is_refused() {
    let tree = Tree::new();
    tree.assert_refused(VERSION, &source_line(), "@SHA256:enroque-");
    let cut = windows_lines().replacen("c3", "", 1);
    tree.assert_refused(VERSION, &(source_line() + &cut), "windows-x86-64.zip@");
    let other = windows_lines().replacen("c3", "c4", 1);
    tree.assert_refused(VERSION, &(source_line() + &windows_lines() + &other), "twice");
    tree.assert_refused("9.9.9", &(source_line() + &windows_lines()), "version 9.9.9");
    tree.write_manifest(&format!("version = \"{VERSION}\"\n"));
    tree.assert_refused(VERSION, &(source_line() + &windows_lines()), "no address");
}

#[test]
fn packages_state_licence_and_description() {
    let [licence, description] = [env!("CARGO_PKG_LICENSE"), env!("CARGO_PKG_DESCRIPTION")];
    let description = description.strip_prefix("A ").unwrap();
    for name in
        ["aur/.SRCINFO", "aur/PKGBUILD", "homebrew/enroque.rb", "winget/Enroque.Enroque.locale.en-US.yaml"]
    {
        let text = fs::read_to_string(Path::new("packaging").join(name)).unwrap();
        assert!(text.contains(licence) && text.contains(description), "{name}");
    }
    let flake = fs::read_to_string("packaging/nix/flake.nix").unwrap();
    assert!(licence == "GPL-3.0-or-later" && flake.contains("licenses.gpl3Plus"));
}
