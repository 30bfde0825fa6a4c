#!/usr/bin/env python3
"""The deck of a cantilever that a dead force bends by more than half of its length, for CalculiX with NLGEOM, whose
*ELASTIC is the Saint Venant-Kirchhoff material: numbers of tests/verify/test_solid.c.

    solid_cantilever.py C3D20 > bar.inp; ccx bar     # prints the displacements of the end's nodes into bar.dat

A bar 10 x 1 x 1 m of 10 x 1 x 1 elements with 20 nodes each (C3D20), E = 1200 Pa, nu = 0.3, held at all nodes of the face
x = 0, and 3 N along -z on the face x = 10, shared as by an even traction."""
import sys

N, L, E, NU, FORCE = 10, 10.0, 1200.0, 0.3, 3.0
CORNER = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
EDGE = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]


def main():
    number, cells = {}, []
    for e in range(N):
        at = [(2 * (e + c[0]), 2 * c[1], 2 * c[2]) for c in CORNER]
        at += [tuple((at[a][k] + at[b][k]) // 2 for k in range(3)) for a, b in EDGE]
        cells.append([number.setdefault(p, len(number) + 1) for p in at])
    print("*NODE, NSET=ALL")
    for (i, j, k), n in number.items():
        print("%d, %.17g, %.17g, %.17g" % (n, i * L / (2 * N), j / 2, k / 2))
    print("*ELEMENT, TYPE=%s, ELSET=BAR" % sys.argv[1])
    for e, cell in enumerate(cells):
        print("%d, %s,\n%s" % (e + 1, ", ".join(map(str, cell[:10])), ", ".join(map(str, cell[10:]))))
    print("*NSET, NSET=ROOT")
    print("\n".join(str(n) for p, n in number.items() if p[0] == 0))
    print("*NSET, NSET=END")
    print("\n".join(str(n) for p, n in number.items() if p[0] == 2 * N))
    print("*BOUNDARY\nROOT, 1, 3\n*MATERIAL, NAME=M\n*ELASTIC\n%g, %g" % (E, NU))
    print("*SOLID SECTION, ELSET=BAR, MATERIAL=M\n*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.\n*CLOAD")
    for p, n in number.items():
        if p[0] == 2 * N:
            share = -1 / 12 if p[1] % 2 == 0 and p[2] % 2 == 0 else 1 / 3
            print("%d, 3, %.17g" % (n, -FORCE * share))
    print("*CONTROLS, PARAMETERS=FIELD\n1e-8, 1e-8, , , , , ,")
    print("*NODE PRINT, NSET=END, FREQUENCY=999\nU\n*END STEP")


main()
