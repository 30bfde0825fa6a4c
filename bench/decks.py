#!/usr/bin/env python3
"""Decks for the comparison with CalculiX, held at x = 0: 50 modes of the bar of solids and the panel of shells of bench_fe, and a
cantilever of C3D20 bent by half of its length, with a model that solves its deck.

    bench/decks.py FOLDER          writes bar41k.inp bar200k.inp panel100k.inp bend6k.inp bend6k.yaml bend22k.inp bend22k.yaml
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


C3D20 = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2), (1, 0, 0), (2, 1, 0), (1, 2, 0),
         (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2), (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]


def bend(folder, name, nx, ny):
    number = {}  # of the nodes, by half elements from the corner
    cells = [[number.setdefault((2 * i + a, 2 * j + b, 2 * k + c), len(number) + 1) for a, b, c in C3D20]
             for i in range(nx) for j in range(ny) for k in range(ny)]
    end = [n for at, n in number.items() if at[0] == 2 * nx]
    with open(f"{folder}/{name}.inp", "w") as f:
        f.write("*NODE\n")
        for (i, j, k), n in number.items():
            f.write("%d, %.12g, %.12g, %.12g\n" % (n, 0.5 * i / nx, 0.05 * j / ny, 0.05 * k / ny))
        f.write("*ELEMENT, TYPE=C3D20, ELSET=ALL\n")
        for n, c in enumerate(cells):
            words = [str(w) for w in [n + 1] + c]
            f.write(", ".join(words[:11]) + ",\n" + ", ".join(words[11:]) + "\n")
        f.write("*MATERIAL, NAME=RUBBER\n*ELASTIC\n1e7, 0.3\n*DENSITY\n1000.\n*SOLID SECTION, ELSET=ALL, MATERIAL=RUBBER\n*NSET, NSET=HELD\n")
        f.writelines("%d\n" % n for at, n in number.items() if at[0] == 0)
        f.write("*BOUNDARY\nHELD, 1, 3\n*STEP, NLGEOM\n*STATIC\n0.25, 1.\n*CLOAD\n")
        f.writelines("%d, 3, %.12g\n" % (n, 200.0 / len(end)) for n in end)
        f.write("*END STEP\n")
    with open(f"{folder}/{name}.yaml", "w") as f:
        f.write(f"meshes: {{bar: {{type: deck, file: {name}.inp}}}}\n"
                "bodies: {bar: {type: solid, mesh: bar, deck_loads: true, deck_supports: true}}\nanalysis: {type: static}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bar(sys.argv[1] + "/bar41k.inp", 80, 12)
    bar(sys.argv[1] + "/bar200k.inp", 150, 20)
    panel(sys.argv[1] + "/panel100k.inp", 128)
    bend(sys.argv[1], "bend6k", 20, 4)
    bend(sys.argv[1], "bend22k", 40, 6)
