# Builds, installs and packs the engine; cargo does the work.
#
#   make                      ./enroque, the fastest that this compiler makes for this machine
#   make pgo                  the same, arranged by what a benchmark run did most; needs
#                             `rustup component add llvm-tools`
#   make install              into PREFIX (/usr/local): engine, manual, completions, a note for interfaces
#   make dist                 an archive for each system in dist/, for any of its processors; or one of
#                             dist-linux-x86-64, dist-linux-aarch64, dist-windows-x86-64
#   make check-macos          whether it compiles there
#   make clean
#
# EXE=name builds under another name, as test farms call it; EVALFILE=file has it carry that network; FEATURES=tune makes
# every search parameter an option. For dist: `rustup target add` what is missing, and Debian's packages
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

.PHONY: all pgo install uninstall dist check-macos clean
all:
	$(BUILD)
	cp "$(TARGET)/release/enroque$(SUFFIX)" "$(ENGINE)"

# The bench is what the engine does in games; how often each branch is taken is in its profile.
PROFDATA := $(shell rustc --print sysroot)/lib/rustlib/$(shell rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata
PROFILE := $(TARGET)/pgo/profile
NATIVE := -C target-cpu=native
pgo:
	@test -x "$(PROFDATA)" || { echo "make pgo: no llvm-profdata; rustup component add llvm-tools" >&2; exit 2; }
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
	"$(abspath $(ENGINE))" man >"$(SHARE)/man/man6/enroque.6"
	"$(abspath $(ENGINE))" completions bash >"$(SHARE)/bash-completion/completions/enroque"
	"$(abspath $(ENGINE))" completions zsh >"$(SHARE)/zsh/site-functions/_enroque"
	"$(abspath $(ENGINE))" completions fish >"$(SHARE)/fish/vendor_completions.d/enroque.fish"
	printf '%s\n' 'plugin spec 0.0' enroque chess,chess960 >"$(SHARE)/games/plugins/uci/enroque.eng"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/enroque$(SUFFIX)" "$(SHARE)/man/man6/enroque.6" \
		"$(SHARE)/bash-completion/completions/enroque" "$(SHARE)/zsh/site-functions/_enroque" \
		"$(SHARE)/fish/vendor_completions.d/enroque.fish" "$(SHARE)/games/plugins/uci/enroque.eng"

# By system: what rustc calls it, its plainest processor, the ending of programs there.
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
	scripts/pack.sh $* "$(TARGET)/$(TRIPLE_$*)/release/enroque$(SUFFIX_$*)" "$(abspath $(ENGINE))"

# Type-checked only. To build the C code of zstd would need Apple's tools; this machine's library (Debian's packages
# libzstd-dev and pkg-config) stands in.
check-macos:
	for triple in x86_64-apple-darwin aarch64-apple-darwin; do \
		ZSTD_SYS_USE_PKG_CONFIG=1 PKG_CONFIG_ALLOW_CROSS=1 RUSTFLAGS= $(CARGO) check --locked --target $$triple || exit 1; \
	done

clean:
	$(CARGO) clean
