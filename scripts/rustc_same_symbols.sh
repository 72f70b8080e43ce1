#!/bin/sh
# Calls rustc so that the crate `enroque` has the same symbols on all systems, and a profile taken on one serves the
# others. `make dist` has cargo run this instead of rustc (RUSTC_WORKSPACE_WRAPPER).
rustc=$1
shift
case " $* " in
*" --crate-name enroque "*)
    for word; do
        shift
        case $word in
        # Cargo puts a hash into the name of every symbol, and the hash depends on the system, so we replace it.
        metadata=*) word=metadata=enroque ;;
        esac
        set -- "$@" "$word"
    done
    ;;
esac
exec "$rustc" "$@"
