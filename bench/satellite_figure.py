#!/usr/bin/env python3
"""Time against number of modes, from the tables of bench_satellite to an SVG.

    bench/satellite_figure.py docs/satellite-times.csv > docs/satellite-times.svg

Takes the rows of run S0: processor seconds for the whole of it; hollow marks are extrapolated."""
import csv
import math
import sys

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 80, 230, 50, 60
X = (7, 320)      # modes
Y = (0.03, 30000)  # seconds
FULL = ("full 1 mm", "full fixed 1e-3", "full fixed 1e-4")
COLOURS = {"rotation_closed": "#1f6f8b", "complex_modes": "#b4472f"}


def place(modes, seconds):
    """position of a point on the page; both axes are logarithmic"""
    across = math.log(modes / X[0]) / math.log(X[1] / X[0])
    up = math.log(seconds / Y[0]) / math.log(Y[1] / Y[0])
    return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, kind="tick", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{words}</text>'


def axes():
    out = []
    for n in (8, 16, 32, 64, 128, 256):
        x, y = place(n, Y[0])
        out.append(f'<path d="M{x:.1f} {TOP}V{y:.1f}" class="grid"/>')
        out.append(text(x, y + 20, n, anchor="middle"))
    for k in range(-1, 5):
        x, y = place(X[0], 10.0**k)
        out.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>')
        out.append(text(x - 8, y + 4, f"{10.0**k:g}", anchor="end"))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, "fields or modes", "label", "middle"))
    out.append(text(LEFT - 50, TOP - 14, "processor time [s] for the 10 s of run S0", "label"))
    return out


def curve(method, points):
    """points (modes, seconds, extrapolated), joined, with the method's name at the last one"""
    colour = COLOURS[method]
    at = [place(n, s) for n, s, _ in points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    out = [f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>']
    for (x, y), (_, _, extrapolated) in zip(at, points):
        fill = "#fff" if extrapolated else colour
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" stroke="{colour}" fill="{fill}"/>')
    note = ", extrapolated" if points[-1][2] else ""
    out.append(text(at[-1][0] + 10, at[-1][1] + 4, method + note))
    return out


def level(method, seconds, extrapolated):
    """a run in full, which has no modes: a line across"""
    x, y = place(X[0], seconds)
    dash = ' stroke-dasharray="3 4"' if extrapolated else ""
    note = ", extrapolated" if extrapolated else ""
    line = f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#374151"{dash}/>'
    return [line, text(WIDTH - RIGHT + 6, y + 4, f"{method}{note}")]


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
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="Helvetica, Arial, sans-serif">',
        "<style>.grid{stroke:#e8ebef;fill:none}.tick{font-size:13px;fill:#374151}"
        ".label{font-size:14px;fill:#111827}</style>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        *axes(),
    ]
    for method, (seconds, extrapolated) in full.items():
        out += level(method, seconds, extrapolated)
    for method, points in reduced.items():
        out += curve(method, sorted(points))
    print("\n".join(out + ["</svg>"]))


if __name__ == "__main__":
    main()
