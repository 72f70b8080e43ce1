# `make EXE=name` builds the engine under that name, as distributed test farms call it; with `EVALFILE=file` it carries
# that network instead of its own.

EXE ?= enroque
EVALFILE ?=
export EVALFILE
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all clean
all:
	cargo build --release
	cp target/release/enroque$(SUFFIX) $(EXE)$(SUFFIX)

clean:
	cargo clean
