# `make EXE=name` builds the engine under that name, as distributed test farms call it.

EXE ?= enroque
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all clean
all:
	cargo build --release
	cp target/release/enroque$(SUFFIX) $(EXE)$(SUFFIX)

clean:
	cargo clean
