#!/bin/sh
# Calls rustc so that the crate `enroque` has the same symbols on all systems, and a profile taken on one serves the others.
# `make dist` sets it as RUSTC_WORKSPACE_WRAPPER.
rustc=$1
shift
case " $* " in
*" --crate-name enroque "*)
    for word; do
        shift
        case $word in
        # Cargo puts a hash that depends on the system into the name of every symbol.
        metadata=*) word=metadata=enroque ;;
        esac
        set -- "$@" "$word"
    done
    ;;
esac
exec "$rustc" "$@"
