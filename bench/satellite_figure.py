#!/usr/bin/env python3
"""Time against number of modes, from the tables of bench_satellite to an SVG.

    bench/satellite_figure.py docs/satellite-times.csv > docs/satellite-times.svg

Takes the rows of run S0: processor seconds for the whole of it; hollow marks are extrapolated."""
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "script"))
import plot

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 80, 230, 50, 60
X = (7, 320)      # modes
Y = (0.03, 30000)  # seconds
FULL = ("full 1 mm", "full fixed 1e-3", "full fixed 1e-4")
COLOURS = {"rotation_closed": "#1f6f8b", "complex_modes": "#b4472f"}


def curve(axes, method, points):
    """points (modes, seconds, extrapolated), joined, with the method's name at the last one"""
    axes.curve([(n, s) for n, s, _ in points], COLOURS[method])
    for n, s, extrapolated in points:
        axes.mark(n, s, COLOURS[method], extrapolated)
    x, y = axes.place(*points[-1][:2])
    note = ", extrapolated" if points[-1][2] else ""
    axes.parts.append(plot.text(x + 10, y + 4, method + note))


def level(axes, method, seconds, extrapolated):
    """a run in full, which has no modes: a line across"""
    axes.curve([(n, seconds) for n in X], "#374151", "3 4" if extrapolated else "", 1)
    note = ", extrapolated" if extrapolated else ""
    axes.parts.append(plot.text(WIDTH - RIGHT + 6, axes.place(X[0], seconds)[1] + 4, f"{method}{note}"))


def main():
    full, reduced = {}, {}
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        for row in rows:
            if row["run"] != "S0":
                continue
            point = float(row["solve_whole_s"]), row["extrapolated"] != ""
            if row["method"] in COLOURS:
                reduced.setdefault(row["method"], []).append((int(row["modes"]), *point))
            elif row["method"] in FULL:
                full.setdefault(row["method"], point)
    axes = plot.Axes((LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM), X, Y, True, True)
    axes.across((8, 16, 32, 64, 128, 256), "fields or modes")
    axes.up([10.0**k for k in range(-1, 5)], "processor time [s] for the 10 s of run S0")
    for method, (seconds, extrapolated) in full.items():
        level(axes, method, seconds, extrapolated)
    for method, points in reduced.items():
        curve(axes, method, sorted(points))
    print(plot.page(WIDTH, HEIGHT, axes.parts))


if __name__ == "__main__":
    main()
