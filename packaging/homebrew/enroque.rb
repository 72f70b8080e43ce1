# Formula for Homebrew on macOS and Linux, filled by scripts/packaging.sh of the repository.
class Enroque < Formula
  desc "UCI chess engine for which Chess960 is the normal case"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/enroque-@VERSION@.tar.gz"
  sha256 "@SHA256:enroque-@VERSION@.tar.gz@"
  license "GPL-3.0-or-later"

  depends_on "rust" => :build

  def install
    # Its flags are for the processor of the build machine.
    rm ".cargo/config.toml"
    system "cargo", "install", *std_cargo_args
    man6.mkpath
    system bin/"enroque", "man", "--output", man6
    generate_completions_from_executable(bin/"enroque", "completions")
  end

  test do
    output = shell_output("#{bin}/enroque 'position sp 334' 'go depth 5'")
    assert_match(/^bestmove [a-h][1-8][a-h][1-8]/, output)
  end
end
