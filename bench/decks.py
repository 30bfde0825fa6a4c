#!/usr/bin/env python3
"""Decks for the comparison with CalculiX: the bar of solids and the panel of shells of bench_fe, held at x = 0, 50 modes.

    bench/decks.py FOLDER          writes bar41k.inp bar200k.inp panel100k.inp
"""
import math
import sys

HEAD = """*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
"""


def write(path, nodes, kind, cells, section, fixed, last):
    with open(path, "w") as f:
        f.write("*NODE\n")
        for i, x in enumerate(nodes):
            f.write("%d, %.12g, %.12g, %.12g\n" % ((i + 1,) + x))
        f.write("*ELEMENT, TYPE=%s, ELSET=ALL\n" % kind)
        for i, c in enumerate(cells):
            f.write(", ".join(str(n) for n in [i + 1] + [n + 1 for n in c]) + "\n")
        f.write(HEAD + section)
        f.write("*NSET, NSET=HELD\n")
        for i in fixed:
            f.write("%d\n" % (i + 1))
        f.write("*BOUNDARY\nHELD, 1, %d\n*STEP\n*FREQUENCY\n50\n*END STEP\n" % last)


def bar(path, nx, ny):
    my = ny + 1
    on = my * my
    nodes = [(i // on / nx, 0.05 * (i % my) / ny, 0.05 * (i // my % my) / ny)
             for i in range((nx + 1) * on)]
    cells = []
    for i in range(nx * ny * ny):
        o = i % ny + my * (i // ny % ny) + on * (i // (ny * ny))
        cells.append((o, o + on, o + on + 1, o + 1,
                      o + my, o + on + my, o + on + my + 1, o + my + 1))
    write(path, nodes, "C3D8", cells, "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n", range(on), 3)


def panel(path, n):
    k = n + 1
    nodes = []
    for i in range(k * k):
        angle = 2.0 * (i % k) / n
        nodes.append((2.0 * (i // k) / n, math.cos(angle), math.sin(angle)))
    cells = []
    for i in range(n * n):
        o = i % n + k * (i // n)
        cells.append((o, o + k, o + k + 1, o + 1))
    write(path, nodes, "S4", cells, "*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL\n0.01\n", range(k), 6)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bar(sys.argv[1] + "/bar41k.inp", 80, 12)
    bar(sys.argv[1] + "/bar200k.inp", 150, 20)
    panel(sys.argv[1] + "/panel100k.inp", 128)
