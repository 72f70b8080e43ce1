# Builds, installs and packs the programs with cargo.
#
#   make                      ./enroque, ./enroque-tools and ./enroque-learn, optimized for this machine
#   make EXE=name             the engine alone, under that name, as test farms ask for it
#   make pgo                  the same with profile-guided optimization; needs llvm-profdata, from
#                             `rustup component add llvm-tools` or the distribution's llvm package of the same version
#   make install              programs, manual, completions and a plugin entry for GUIs, below PREFIX (/usr/local)
#   make dist                 all release archives, in dist/, with their SHA-256 sums; or only one: dist-source,
#                             dist-web, dist-linux-x86-64, dist-linux-aarch64, dist-windows-x86-64, dist-windows-aarch64,
#                             dist-macos-x86-64, dist-macos-aarch64; see docs/building.md
#   make packages             the Python wheel for this machine and the npm package, in dist/; the wheels for other
#                             systems are wheel-linux-x86-64 (musl), wheel-glibc-x86-64 and so on; see docs/building.md
#   make web                  the engine for browsers and a page with it, in web/dist; see web/README.md
#   make check-macos          type-checks the code for macOS
#   make clean
#
# EVALFILE=file sets the network that the engine contains. FEATURES=tune makes every search parameter a UCI option,
# FEATURES=stats adds the command `stats`, which prints counters of the search.

EXE ?=
EVALFILE ?=
FEATURES ?=
PREFIX ?= /usr/local
# An empty value differs from none: `make` after `cargo build` would compile everything again.
ifneq ($(EVALFILE),)
export EVALFILE
endif

CARGO ?= cargo
PACKAGES := $(if $(EXE),-p enroque,--workspace)
BUILD := $(CARGO) build --release --locked $(PACKAGES) $(addprefix --features enroque/,$(FEATURES))
TARGET := $(shell $(CARGO) metadata --no-deps --format-version 1 2>/dev/null | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
ENGINE := $(patsubst %.exe,%,$(or $(EXE),enroque))$(SUFFIX)
OTHERS := $(if $(EXE),,enroque-tools$(SUFFIX) enroque-learn$(SUFFIX))

# Copies the built programs from the folder $1 to this one.
define copy_programs
	cp "$1/enroque$(SUFFIX)" "$(ENGINE)"
	$(if $(OTHERS),cp $(foreach program,$(OTHERS),"$1/$(program)") .)
endef

.PHONY: all pgo profile-for-all install uninstall dist dist-source dist-web packages npm web check-macos clean
all:
	$(BUILD)
	$(call copy_programs,$(TARGET)/release)

# For profile-guided optimization we profile a bench run, which is typical of games. `make dist PROFILE=` does without.
PROFILE := $(TARGET)/pgo/enroque.profdata
COUNTS := $(TARGET)/pgo/counts
RUST_LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
RUST_BIN = $(shell rustc --print sysroot)/lib/rustlib/$(shell rustc -vV | sed -n 's/^host: //p')/bin
PROFDATA = $(shell PATH="$(RUST_BIN):$$PATH" sh -c 'command -v llvm-profdata-$(RUST_LLVM) || command -v llvm-profdata')

# Builds the programs with counters, with the rustc flags $1 and the environment $2, and takes the profile of a bench
# run.
define take_profile
	@"$(PROFDATA)" --version 2>/dev/null | grep -q 'version $(RUST_LLVM)\.' || { echo "make: no llvm-profdata of" \
		"LLVM $(RUST_LLVM); rustup component add llvm-tools, or install llvm-$(RUST_LLVM)" >&2; exit 2; }
	@case '$(COUNTS)' in *' '*) echo "make: a profile needs a path without blanks, not $(COUNTS)" >&2; exit 2 ;; esac
	rm -rf "$(COUNTS)"
	$2 RUSTFLAGS="$1 -C profile-generate=$(COUNTS)" $(BUILD) --target-dir "$(TARGET)/pgo"
	"$(TARGET)/pgo/release/enroque$(SUFFIX)" bench
	"$(PROFDATA)" merge -o "$(PROFILE)" "$(COUNTS)"
endef

NATIVE := -C target-cpu=native
pgo:
	$(call take_profile,$(NATIVE))
	RUSTFLAGS="$(NATIVE) -C profile-use=$(PROFILE)" $(BUILD) --target-dir "$(TARGET)/pgo"
	$(call copy_programs,$(TARGET)/pgo/release)

# One profile serves all systems, because the symbols have the same names everywhere.
PORTABLE := -C symbol-mangling-version=v0
# A few functions differ between systems; rustc need not warn us about each.
USE_PROFILE := $(if $(PROFILE),-C profile-use=$(PROFILE) -C llvm-args=-no-pgo-warn-mismatch)
SAME_SYMBOLS := RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/scripts/rustc_same_symbols.sh"
profile-for-all:
	$(if $(PROFILE),$(call take_profile,$(PORTABLE),$(SAME_SYMBOLS)))

SHARE := $(DESTDIR)$(PREFIX)/share
# `make install` builds nothing, because root often has no cargo.
install:
	@test -f "$(ENGINE)" || { echo "make: no program $(ENGINE) to install; run 'make' first" >&2; exit 2; }
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/man/man6" "$(SHARE)/bash-completion/completions" \
		"$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d" "$(SHARE)/games/plugins/uci"
	install "$(ENGINE)" $(OTHERS) "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 docs/enroque.6 "$(SHARE)/man/man6"
	for program in $(basename $(OTHERS)); do \
		"./$$program$(SUFFIX)" man "$(SHARE)/man/man1" && \
		"./$$program$(SUFFIX)" completions bash >"$(SHARE)/bash-completion/completions/$$program" && \
		"./$$program$(SUFFIX)" completions zsh >"$(SHARE)/zsh/site-functions/_$$program" && \
		"./$$program$(SUFFIX)" completions fish >"$(SHARE)/fish/vendor_completions.d/$$program.fish" || exit 1; \
	done
	printf '%s\n' 'plugin spec 0.0' enroque chess,chess960 >"$(SHARE)/games/plugins/uci/enroque.eng"

uninstall:
	rm -f "$(SHARE)/man/man6/enroque.6" "$(SHARE)/games/plugins/uci/enroque.eng"
	for program in enroque enroque-tools enroque-learn; do \
		rm -f "$(DESTDIR)$(PREFIX)/bin/$$program$(SUFFIX)" "$(SHARE)"/man/man1/$$program*.1 \
			"$(SHARE)/bash-completion/completions/$$program" "$(SHARE)/zsh/site-functions/_$$program" \
			"$(SHARE)/fish/vendor_completions.d/$$program.fish"; \
	done

# The target triple, processor and extra flags for each system. The programs for Linux contain musl, so they need no
# library of the system and make no system call that Android forbids.
TRIPLE_linux-x86-64 := x86_64-unknown-linux-musl
CPU_linux-x86-64 := x86-64
TRIPLE_linux-aarch64 := aarch64-unknown-linux-musl
CPU_linux-aarch64 := generic
# Some ARM systems have memory pages of 64 KiB, and new Android devices have pages of 16 KiB.
FLAGS_linux-aarch64 := -C link-arg=-Wl,-z,max-page-size=65536
TRIPLE_glibc-x86-64 := x86_64-unknown-linux-gnu
CPU_glibc-x86-64 := x86-64
TRIPLE_glibc-aarch64 := aarch64-unknown-linux-gnu
CPU_glibc-aarch64 := generic
FLAGS_glibc-aarch64 := $(FLAGS_linux-aarch64)
TRIPLE_windows-x86-64 := x86_64-pc-windows-gnu
CPU_windows-x86-64 := x86-64
TRIPLE_windows-aarch64 := aarch64-pc-windows-gnullvm
CPU_windows-aarch64 := generic
TRIPLE_macos-x86-64 := x86_64-apple-darwin
CPU_macos-x86-64 := penryn
TRIPLE_macos-aarch64 := aarch64-apple-darwin
CPU_macos-aarch64 := apple-m1

# Zig compiles C and links for all systems. A Mac builds its own programs with Apple's tools.
CROSS := $(if $(filter Darwin,$(shell uname)),build,zigbuild)
# With STD='-Z build-std=std,panic_abort' cargo builds the standard library from source. That one lacks musl's startup
# code, so we take Zig's.
STD ?=
STD_FLAGS := $(if $(STD),-C link-self-contained=no)
VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml | head -n 1)
# Targets run one after another. Cargo locks its folder anyway, and some targets write the same files.
.NOTPARALLEL:
dist: dist-source dist-linux-x86-64 dist-linux-aarch64 dist-windows-x86-64 dist-windows-aarch64 dist-web
	cd dist && sha256sum enroque-$(VERSION)[.-]* >SHA256SUMS
dist-source:
	mkdir -p dist
	git archive --prefix=enroque-$(VERSION)/ --output=dist/enroque-$(VERSION).tar.gz HEAD
dist-web: web
	scripts/pack.py web web/dist/enroque.html
dist-%: all profile-for-all
	$(SAME_SYMBOLS) RUSTFLAGS="-C target-cpu=$(CPU_$*) -C target-feature=+crt-static $(FLAGS_$*) $(STD_FLAGS) $(PORTABLE) \
		$(USE_PROFILE)" $(CARGO) $(CROSS) $(STD) --release --locked --workspace --target $(TRIPLE_$*)
	scripts/pack.py $* "$(TARGET)/$(TRIPLE_$*)/release" "$(TARGET)/release" $(TRIPLE_$*)

# Wheels for Linux come in two kinds, since pip looks for musl only where the system uses it: linux-* and glibc-*.
# Here the engine is no member of the workspace that cargo builds, so the wrapper must see every crate.
wheel-%: profile-for-all
	scripts/notices.py $(TRIPLE_$*) >python/enroque/THIRD-PARTY.txt
	$(subst WORKSPACE_,,$(SAME_SYMBOLS)) CARGO_TARGET_DIR="$(TARGET)/python" RUSTFLAGS="-C target-cpu=$(CPU_$*) \
		$(if $(findstring linux-gnu,$(TRIPLE_$*)),,-C target-feature=+crt-static $(STD_FLAGS)) $(FLAGS_$*) $(PORTABLE) \
		$(USE_PROFILE)" maturin build $(STD) --release --locked $(if $(filter build,$(CROSS)),,--zig) \
		$(if $(findstring linux-gnu,$(TRIPLE_$*)),--compatibility manylinux2014) --target $(TRIPLE_$*) --out dist
HERE := $(if $(filter Darwin,$(shell uname)),macos,glibc)-$(subst arm64,aarch64,$(subst x86_64,x86-64,$(shell uname -m)))
packages: wheel-$(HERE) npm
sdist:
	maturin sdist --out dist
npm: web
	mkdir -p dist
	npm pack ./web/dist/package --pack-destination dist --silent

web:
	web/build.sh

# We can only check types for macOS, because linking needs Apple's frameworks.
check-macos:
	for triple in x86_64-apple-darwin aarch64-apple-darwin; do \
		RUSTFLAGS= $(CARGO) check --locked --workspace --target $$triple || exit 1; \
	done

clean:
	$(CARGO) clean
