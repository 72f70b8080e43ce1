# Builds, installs and packs the engine with cargo.
#
#   make                      ./enroque, optimized for this machine
#   make pgo                  the same with profile-guided optimization; needs llvm-profdata, from
#                             `rustup component add llvm-tools` or the distribution's llvm package of the same version
#   make install              engine, manual, completions and a plugin entry for GUIs, below PREFIX (/usr/local)
#   make dist                 an archive for each system in dist/, for all its processors; or one of
#                             dist-linux-x86-64, dist-linux-aarch64, dist-windows-x86-64
#   make web                  the engine for browsers and a page with it, in web/dist; see web/README.md
#   make check-macos          type-checks the code for macOS
#   make clean
#
# EXE=name sets the name of the program, for test farms. EVALFILE=file sets the embedded network. FEATURES=tune makes every
# search parameter a UCI option, FEATURES=stats adds the command `stats` with counters of the search. `make dist` needs the targets (`rustup target add`) and Debian's packages
# gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-mingw-w64-x86-64 zip.

EXE ?= enroque
EVALFILE ?=
FEATURES ?=
PREFIX ?= /usr/local
export EVALFILE

CARGO ?= cargo
BUILD := $(CARGO) build --release --locked $(if $(FEATURES),--features $(FEATURES))
TARGET := $(shell $(CARGO) metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
ENGINE := $(EXE:.exe=)$(SUFFIX)

.PHONY: all pgo install uninstall dist web check-macos clean
all:
	$(BUILD)
	cp "$(TARGET)/release/enroque$(SUFFIX)" "$(ENGINE)"

# The profile is that of a bench run, which is typical of games.
RUST_LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
RUST_BIN = $(shell rustc --print sysroot)/lib/rustlib/$(shell rustc -vV | sed -n 's/^host: //p')/bin
PROFDATA = $(shell PATH="$(RUST_BIN):$$PATH" sh -c 'command -v llvm-profdata-$(RUST_LLVM) || command -v llvm-profdata')
PROFILE := $(TARGET)/pgo/profile
NATIVE := -C target-cpu=native
pgo:
	@"$(PROFDATA)" --version 2>/dev/null | grep -q 'version $(RUST_LLVM)\.' || { echo "make pgo: no llvm-profdata of" \
		"LLVM $(RUST_LLVM); rustup component add llvm-tools, or install llvm-$(RUST_LLVM)" >&2; exit 2; }
	rm -rf "$(PROFILE)"
	RUSTFLAGS="$(NATIVE) -C profile-generate=$(PROFILE)" $(BUILD) --target-dir "$(TARGET)/pgo"
	"$(TARGET)/pgo/release/enroque$(SUFFIX)" bench
	"$(PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)"
	RUSTFLAGS="$(NATIVE) -C profile-use=$(PROFILE)/merged.profdata" $(BUILD) --target-dir "$(TARGET)/pgo"
	cp "$(TARGET)/pgo/release/enroque$(SUFFIX)" "$(ENGINE)"

SHARE := $(DESTDIR)$(PREFIX)/share
install: all
	install -D "$(ENGINE)" "$(DESTDIR)$(PREFIX)/bin/enroque$(SUFFIX)"
	install -d "$(SHARE)/man/man6" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" \
		"$(SHARE)/fish/vendor_completions.d" "$(SHARE)/games/plugins/uci"
	"$(abspath $(ENGINE))" man --output "$(SHARE)/man/man6"
	"$(abspath $(ENGINE))" completions bash >"$(SHARE)/bash-completion/completions/enroque"
	"$(abspath $(ENGINE))" completions zsh >"$(SHARE)/zsh/site-functions/_enroque"
	"$(abspath $(ENGINE))" completions fish >"$(SHARE)/fish/vendor_completions.d/enroque.fish"
	printf '%s\n' 'plugin spec 0.0' enroque chess,chess960 >"$(SHARE)/games/plugins/uci/enroque.eng"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/enroque$(SUFFIX)" "$(SHARE)/man/man6/enroque.6" "$(SHARE)"/man/man6/enroque-*.6 \
		"$(SHARE)/bash-completion/completions/enroque" "$(SHARE)/zsh/site-functions/_enroque" \
		"$(SHARE)/fish/vendor_completions.d/enroque.fish" "$(SHARE)/games/plugins/uci/enroque.eng"

# Each system's target triple, baseline processor and suffix of programs.
TRIPLE_linux-x86-64 := x86_64-unknown-linux-gnu
CPU_linux-x86-64 := x86-64
TRIPLE_linux-aarch64 := aarch64-unknown-linux-gnu
CPU_linux-aarch64 := generic
TRIPLE_windows-x86-64 := x86_64-pc-windows-gnu
CPU_windows-x86-64 := x86-64
SUFFIX_windows-x86-64 := .exe
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER ?= aarch64-linux-gnu-gcc

dist: dist-linux-x86-64 dist-linux-aarch64 dist-windows-x86-64
dist-%: all
	RUSTFLAGS="-C target-cpu=$(CPU_$*) -C target-feature=+crt-static" $(BUILD) --target $(TRIPLE_$*)
	scripts/pack.sh $* "$(TARGET)/$(TRIPLE_$*)/release/enroque$(SUFFIX_$*)" "$(abspath $(ENGINE))" $(TRIPLE_$*)

web:
	web/build.sh

# Only a type check: building the C code of zstd would need Apple's tools. The library of this machine (Debian's packages
# libzstd-dev and pkg-config) replaces it.
check-macos:
	for triple in x86_64-apple-darwin aarch64-apple-darwin; do \
		ZSTD_SYS_USE_PKG_CONFIG=1 PKG_CONFIG_ALLOW_CROSS=1 RUSTFLAGS= $(CARGO) check --locked --target $$triple || exit 1; \
	done

clean:
	$(CARGO) clean
