#!/usr/bin/env python3
"""Writes the binary seeds of the fuzz targets network, tablebase, annotated and page to fuzz/seeds.

usage: scripts/fuzz_seeds.py

The network has one hidden neuron and small weights. The tables, for king and queen against king, give one value for each
side to move; the rest is left to the fuzzer. Annotated games and pages are noise.
"""

import hashlib
from pathlib import Path
import struct
import sys

SEEDS = Path(__file__).resolve().parent.parent / "fuzz" / "seeds"
# The sizes of a network file of version 3, whose hidden weights are for a single king bucket; see src/nnue/network.rs.
# The handcrafted layer may be smaller than the program's.
INPUTS, BUCKETS, HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS = 768, 8, 128, 16


def fnv1a(data):
    """Returns the checksum that src/nnue/network.rs expects in a network: 64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def shorts(count):
    """Returns small weights of both signs, two bytes each."""
    return struct.pack(f"<{count}h", *((17 * i) % 13 - 6 for i in range(count)))


def network():
    hidden = 1
    payload = shorts(hidden * (INPUTS + 1 + 2 * BUCKETS)) + struct.pack(f"<{BUCKETS}i", *range(BUCKETS))
    payload += struct.pack("<2I", HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS)
    payload += shorts(HANDCRAFTED_INPUTS * HANDCRAFTED_NEURONS)
    payload += struct.pack(f"<{HANDCRAFTED_NEURONS}i", *range(HANDCRAFTED_NEURONS))
    payload += shorts(BUCKETS * HANDCRAFTED_NEURONS)
    return b"enroque\x03" + struct.pack("<2IQ", hidden, BUCKETS, fnv1a(payload)) + payload


def tables():
    # The pieces, once for each side to move: two kings and White's queen. Then one value for each side: won and lost.
    wdl = bytes.fromhex("71e8235d 3100 ee 66 55 00 8004 8000").ljust(80, b"\0")
    dtz = bytes.fromhex("d7660ca5 3100 0e 06 05 00 8000").ljust(80, b"\0")
    return bytes([1]) + wdl + dtz


def noise(size):
    """Returns bytes that look random, but are the same every time."""
    return hashlib.shake_128(b"enroque").digest(size)


SEED_FILES = [
    ("network/narrow", network()),
    ("tablebase/one-value", tables()),
    ("annotated/noise", noise(2048)),
    ("page/noise", noise(512)),
]
if len(sys.argv) > 1:
    sys.exit(__doc__.strip())
for name, seed in SEED_FILES:
    path = SEEDS / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(seed)
    print(f"{path.relative_to(SEEDS.parent.parent)}: {len(seed)} bytes")
