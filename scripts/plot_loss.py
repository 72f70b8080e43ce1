#!/usr/bin/env python3
"""Plots the losses of training runs as SVG.

    scripts/plot_loss.py RUN.csv ... >loss.svg

Each file is a log of `enroque-learn train`. Solid lines are the losses in training, dashed lines the losses on held-out
games. We skip the first epoch, which would flatten the rest.
"""
import csv
import sys
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 800, 420, 60
COLOURS = ["#a8401c", "#1c5fa8", "#2e7d32", "#6a1b9a", "#8d6e00", "#00695c"]


def read(path):
    """Returns three lists for a run: epochs, losses in training, and losses on held-out games."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = ("epoch", "loss", "held_out_loss")
    # Without held-out games, their column is empty.
    return [[float(row[column]) for row in rows[1:] or rows if row[column]] for column in columns]


def legend(y, colour, name):
    """Draws the legend of a run: a bit of each line with its label."""
    right = WIDTH - MARGIN
    lines = []
    for x, dash, text in ((right - 330, "", f"{name}: training"), (right - 130, ' stroke-dasharray="6 4"', "held out")):
        lines.append(f'<line x1="{x}" x2="{x + 30}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="1.6"{dash}/>')
        lines.append(f'<text x="{x + 38}" y="{y}" fill="{colour}">{text}</text>')
    return lines


def main(paths):
    if not paths or paths[0].startswith("-"):
        sys.exit(__doc__)
    runs = [read(path) for path in paths]
    losses = [loss for run in runs for column in run[1:] for loss in column]
    epochs = [epoch for run in runs for epoch in run[0]]
    low, high, first, last = min(losses), max(losses), min(epochs), max(epochs)

    def x(epoch):
        return MARGIN + (WIDTH - 2 * MARGIN) * (epoch - first) / max(last - first, 1)

    def y(loss):
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (loss - low) / max(high - low, 1e-9)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for step in range(5):
        loss = low + (high - low) * step / 4
        out.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(loss):.1f}" y2="{y(loss):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{MARGIN - 6}" y="{y(loss) + 4:.1f}" text-anchor="end">{loss:.4f}</text>')
        epoch = first + (last - first) * step / 4
        out.append(f'<text x="{x(epoch):.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{epoch:.0f}</text>')
    out.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">epoch</text>')
    out.append(f'<text x="{MARGIN}" y="24">loss</text>')
    for index, (path, (epochs, loss, held_out)) in enumerate(zip(paths, runs)):
        colour = COLOURS[index % len(COLOURS)]
        for values, dash in ((loss, ""), (held_out, ' stroke-dasharray="6 4"')):
            points = " ".join(f"{x(epoch):.1f},{y(value):.1f}" for epoch, value in zip(epochs, values))
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        out += legend(24 + 18 * index, colour, escape(Path(path).stem))
    out.append("</svg>")
    print("\n".join(out))


main(sys.argv[1:])
