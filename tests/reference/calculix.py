#!/usr/bin/env python3
"""Decks for CalculiX and the numbers that it prints, which tests of finite elements compare with.

    calculix.py [NAME...]     write the decks of calculix/, run CalculiX (ccx, Debian's calculix-ccx 2.20) on them,
                              and write what it prints into calculix/NAME.csv; without names all
    calculix.py --decks       only write the decks

Each NAME.inp is run as `ccx NAME` in its folder; NAME.csv has the values of NAME.dat to all of their digits.
"""
import csv
import math
import os
import re
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calculix")
STEEL = """*MATERIAL, NAME=STEEL
*ELASTIC
210.E9, 0.3
*DENSITY
7800.
*EXPANSION, ZERO=0.
12.E-6
*CONDUCTIVITY
43.
*SPECIFIC HEAT
465.
"""


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
        file.write(text)


def lines(values, each=8):
    """Values with commas, some to a line."""
    return "".join(", ".join(str(v) for v in values[i : i + each]) + "\n" for i in range(0, len(values), each))


def nodes_text(nodes):
    """*NODE of {number: place}."""
    return "*NODE, NSET=NALL\n" + "".join(f"{n}, " + ", ".join(f"{c:.12g}" for c in x) + "\n" for n, x in sorted(nodes.items()))


def elements_text(kind, elements, name="EALL"):
    """*ELEMENT of {number: nodes}, sixteen entries to a line at most."""
    text = f"*ELEMENT, TYPE={kind}, ELSET={name}\n"
    for number, nodes in sorted(elements.items()):
        entries = [str(v) for v in [number] + nodes]
        text += ", ".join(entries[:16]) + (",\n" + ", ".join(entries[16:]) if len(entries) > 16 else "") + "\n"
    return text


def set_text(card, name, items):
    return f"*{card}, {card}={name}\n" + lines(sorted(items))


# ---- the disc of the theory, section 5 -----------------------------------------------------------------


def disc_mesh(around, out, quadratic):
    """Annulus 75 to 150 mm about the origin; nodes {number: place}, elements {number: nodes}, both by rows of rings. A place
    is (ring, step) in half cells."""
    nodes, number, elements = {}, {}, {}
    for ring in range(2 * out + 1):
        for step in range(2 * around):
            if (ring % 2 and step % 2) or (not quadratic and (ring % 2 or step % 2)):
                continue
            r, a = 0.075 + 0.075 * ring / (2 * out), math.pi * step / around
            if ring % 2 == 0 and step % 2:  # the middle of a straight chord: CalculiX and we have the same geometry
                r *= math.cos(math.pi / around)
            number[ring, step] = len(nodes) + 1
            nodes[len(nodes) + 1] = (r * math.cos(a), r * math.sin(a), 0.0)
    for ring in range(out):
        for step in range(around):
            i, j, n = 2 * ring, 2 * step, 2 * around
            places = [(i, j), (i + 2, j), (i + 2, j + 2), (i, j + 2)]
            if quadratic:
                places += [(i + 1, j), (i + 2, j + 1), (i + 1, j + 2), (i, j + 1)]
            elements[len(elements) + 1] = [number[a, b % n] for a, b in places]
    return nodes, elements, number


def disc_sectors(around, out, variant):
    """Numbers of the elements in the 60 degrees about 0 and about 180 degrees; of the rim: of its ring alone."""
    hot, cold = [], []
    for ring in range(out) if variant == "face" else [out - 1]:
        for step in range(around):
            a = 360.0 * (step + 0.5) / around
            (hot if min(a, 360 - a) < 30 else cold if abs(a - 180) < 30 else []).append(ring * around + step + 1)
    return hot, cold


def disc_model(around, out, quadratic, variant):
    nodes, elements, number = disc_mesh(around, out, quadratic)
    hot, cold = disc_sectors(around, out, variant)
    inner = [n for (ring, _), n in number.items() if ring == 0]
    rim = [number[2 * out, step * around // 2] for step in (0, 1, 2)]  # at 0, 90, 180 degrees
    text = nodes_text(nodes) + elements_text("CPS8" if quadratic else "CPS4", elements)
    text += set_text("ELSET", "HOT", hot) + set_text("ELSET", "COLD", cold) + set_text("NSET", "INNER", inner)
    text += set_text("NSET", "RIM", rim)
    return text + STEEL + "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n0.007\n", nodes


def disc_heat(around, out, quadratic, variant, title):
    """18000 s from rest with 300 steps of backward Euler."""
    text, _ = disc_model(around, out, quadratic, variant)
    flux, film = ("SP", "FP") if variant == "face" else ("S2", "F2")
    every = 300 if quadratic else 60
    return f"""*HEADING
{title}
{text}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*STEP, INC=1000
*HEAT TRANSFER, DIRECT
60., 18000.
*DFLUX
HOT, {flux}, 3000.
*FILM
COLD, {film}, -200., 10.
*NODE PRINT, NSET=NALL, FREQUENCY={every}
NT
*END STEP
"""


def disc_static(variant, title):
    """Displacements by the temperatures that the heat deck of the same mesh ended with."""
    text, nodes = disc_model(72, 8, True, variant)
    warm = {int(row["node"]): row["NT"] for row in read_csv(f"disc-heat-{variant}-72x8") if float(row["time"]) == 18000}
    assert len(warm) == len(nodes)
    return f"""*HEADING
{title}
{text}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*BOUNDARY
INNER, 1, 2
*STEP
*STATIC
*TEMPERATURE
{"".join(f"{n}, {warm[n]}" + chr(10) for n in sorted(nodes))}*NODE PRINT, NSET=NALL
U
*END STEP
"""


# ---- solids of blocks ----------------------------------------------------------------------------------

HEX_EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
TET_EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
TETS = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]  # of a hexahedron
HEX_FACES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]  # S1 .. S6
TET_FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


class Solid:
    """Cells of a grid of cubes, as hex8, hex20 or tet10, with nodes numbered as they are met."""

    def __init__(self, cells, size, kind):
        self.nodes, self.elements, self.at = {}, {}, {}
        self.kind = kind
        for i, j, k in cells:
            corner = [(i, j, k), (i + 1, j, k), (i + 1, j + 1, k), (i, j + 1, k)]
            corner += [(a, b, c + 1) for a, b, c in corner]
            places = [tuple(2 * c for c in p) for p in corner]
            if kind == "tet10":
                for tet in TETS:
                    self.add([places[v] for v in tet], TET_EDGES, size)
            else:
                self.add(places, HEX_EDGES if kind == "hex20" else [], size)

    def add(self, corner, edges, size):
        places = corner + [tuple((a + b) // 2 for a, b in zip(corner[s], corner[t])) for s, t in edges]
        for p in places:
            if p not in self.at:
                self.at[p] = len(self.at) + 1
                self.nodes[self.at[p]] = tuple(c * h / 2 for c, h in zip(p, size))
        self.elements[len(self.elements) + 1] = [self.at[p] for p in places]

    def where(self, test):
        return [n for n, x in self.nodes.items() if test(*x)]

    def faces(self, test):
        """{number of the face: elements} whose corners there all pass."""
        found = {}
        for number, nodes in self.elements.items():
            for k, face in enumerate(TET_FACES if self.kind == "tet10" else HEX_FACES):
                if all(test(*self.nodes[nodes[v]]) for v in face):
                    found.setdefault(k + 1, []).append(number)
        return found

    def text(self, kind):
        return nodes_text(self.nodes) + elements_text(kind, self.elements)


def surface_text(name, faces):
    sets = "".join(set_text("ELSET", f"{name}{k}", numbers) for k, numbers in sorted(faces.items()))
    return sets + f"*SURFACE, NAME={name}\n" + "".join(f"{name}{k}, S{k}\n" for k in sorted(faces))


def per_face(name, faces, letter, values):
    return "".join(f"{name}{k}, {letter}{k}, {values}\n" for k in sorted(faces))


def modes_deck(solid, kind, fixed, count, title, stored=False):
    return f"""*HEADING
{title}
{solid.text(kind)}{set_text("NSET", "FIX", solid.where(fixed))}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*BOUNDARY
FIX, 1, 3
*STEP
*FREQUENCY{", SOLVER=MATRIXSTORAGE" if stored else ""}
{count}
*END STEP
"""


def bar(kind):
    """1 x 0.05 x 0.1 m"""
    cells = [(i, j, k) for i in range(16) for j in range(1) for k in range(2)]
    return Solid(cells, (1 / 16, 0.05, 0.05), kind)


def small_bar():
    """0.2 x 0.1 x 0.1 m, two cubes"""
    return Solid([(0, 0, 0), (1, 0, 0)], (0.1, 0.1, 0.1), "hex20")


def small_push(title):
    """Displacements by a force on one corner of its end."""
    solid = small_bar()
    return f"""*HEADING
{title}
{solid.text("C3D20")}{set_text("NSET", "FIX", solid.where(axial))}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*BOUNDARY
FIX, 1, 3
*STEP
*STATIC
*CLOAD
{solid.at[4, 2, 2]}, 1, 1.E5
{solid.at[4, 2, 2]}, 2, 2.E5
{solid.at[4, 2, 2]}, 3, -3.E5
*NODE PRINT, NSET=NALL
U
*END STEP
"""


def rigid_end(step):
    """A bar of 0.4 x 0.1 x 0.1 m, held at one end, its other end rigid about a point beside it."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    text = solid.text("C3D20") + "*NODE\n90001, 0.45, 0.08, -0.03\n90002, 0.45, 0.08, -0.03\n"
    text += set_text("NSET", "FIX", solid.where(axial)) + set_text("NSET", "TIP", solid.where(lambda x, y, z: abs(x - 0.4) < 1e-9))
    return f"""{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*RIGID BODY, NSET=TIP, REF NODE=90001, ROT NODE=90002
*BOUNDARY
FIX, 1, 3
*STEP
{step}*END STEP
"""


def rigid_push(title):
    """Motion of the point, and of a node on the axis, by a force and a moment there."""
    step = "*STATIC\n*CLOAD\n" + "".join(f"{90001 + k // 3}, {k % 3 + 1}, {v}\n" for k, v in enumerate((300.0, 200.0, -100.0, 5.0, -8.0, 6.0)))
    return f"*HEADING\n{title}\n" + rigid_end(step + "*NODE PRINT, NSET=NREF\nU\n").replace("*NSET, NSET=FIX", "*NSET, NSET=NREF\n90001, 90002\n*NSET, NSET=FIX")


def rigid_modes(title):
    return f"*HEADING\n{title}\n" + rigid_end("*FREQUENCY\n10\n")


# ---- what ties nodes together --------------------------------------------------------------------------


def tip_of_bar(x, y, z):
    return abs(x - 0.4) < 1e-9


def six(first, values):
    """*CLOAD of forces and moments at a node."""
    return "*CLOAD\n" + "".join(f"{first}, {k + 1}, {v}\n" for k, v in enumerate(values))


def coupled(kind, dofs, step):
    """A bar of 0.4 x 0.1 x 0.1 m whose end follows a point beside it, or leads it."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    text = solid.text("C3D20") + "*NODE, NSET=NREF\n90001, 0.45, 0.08, -0.03\n"
    text += set_text("NSET", "FIX", solid.where(axial)) + surface_text("TIP", solid.faces(tip_of_bar))
    return f"""{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*COUPLING, REF NODE=90001, SURFACE=TIP, CONSTRAINT NAME=END
*{kind}
{dofs}
*BOUNDARY
FIX, 1, 3
*STEP
{step}*END STEP
"""


def turned(deck):
    """Without the forces at the reference node, of which only the rotations are coupled."""
    return re.sub(r"90001, [123], .*\n", "", deck)


def coupled_push(kind, dofs, title):
    return f"*HEADING\n{title}\n" + coupled(kind, dofs, "*STATIC\n" + six(90001, (300.0, 200.0, -100.0, 5.0, -8.0, 6.0)) + "*NODE PRINT, NSET=NALL\nU\n")


def coupled_modes(kind, dofs, title):
    return f"*HEADING\n{title}\n" + coupled(kind, dofs, "*FREQUENCY\n10\n")


def tied_bars(step, extra=""):
    """A bar of two halves of unlike meshes, 0.2 x 0.1 x 0.1 m each: the second one's nodes follow the faces of the first."""
    near = Solid([(i, j, k) for i in range(2) for j in range(2) for k in range(2)], (0.1, 0.05, 0.05), "hex20")
    far = Solid([(i, j, k) for i in range(2) for j in range(3) for k in range(3)], (0.1, 0.1 / 3, 0.1 / 3), "hex20")
    n, e = len(near.nodes), len(near.elements)
    nodes = dict(near.nodes) | {k + n: (x + 0.2, y, z) for k, (x, y, z) in far.nodes.items()}
    elements = dict(near.elements) | {k + e: [v + n for v in list_] for k, list_ in far.elements.items()}
    master = near.faces(lambda x, y, z: abs(x - 0.2) < 1e-9)
    slave = {k: [c + e for c in cells] for k, cells in far.faces(axial).items()}
    tip = [k for k, x in nodes.items() if abs(x[0] - 0.4) < 1e-9]
    text = nodes_text(nodes) + elements_text("C3D20", elements) + set_text("NSET", "FIX", near.where(axial)) + set_text("NSET", "TIP", tip)
    text += surface_text("MASTER", master) + surface_text("SLAVE", slave)
    return f"""{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*TIE, NAME=JOINT
SLAVE, MASTER
{extra}*STEP
{step}*END STEP
"""


def tied_push(title):
    step = "*STATIC\n*CLOAD\nTIP, 2, 30.\nTIP, 3, -10.\n*NODE PRINT, NSET=NALL\nU\n"
    return f"*HEADING\n{title}\n" + tied_bars(step, "*BOUNDARY\nFIX, 1, 3\n")


def tied_modes(title):
    return f"*HEADING\n{title}\n" + tied_bars("*FREQUENCY\n10\n", "*BOUNDARY\nFIX, 1, 3\n")


def tied_heat(title):
    """Steady heat through the joint."""
    step = "*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nFIX, 11, 11, 10.\n*CFLUX\nTIP, 11, 5.\n*NODE PRINT, NSET=NALL\nNT\n"
    return f"*HEADING\n{title}\n" + tied_bars(step, "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 0.\n")


def equations(step):
    """A bar of 0.4 x 0.1 x 0.1 m whose end stays upright and moves sideways as one by half of what it moves up."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    tip = sorted(solid.where(tip_of_bar))
    lead, rest = tip[0], tip[1:]
    ties = "".join(f"*EQUATION\n2\n{n}, {c}, 1., {lead}, {c}, -1.\n" for n in rest for c in (1, 2))
    ties += f"*EQUATION\n2\n{lead}, 2, 2., {lead}, 3, -1.\n"
    text = solid.text("C3D20") + set_text("NSET", "FIX", solid.where(axial)) + set_text("NSET", "TIP", tip)
    return f"""{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
{ties}*BOUNDARY
FIX, 1, 3
*STEP
{step}*END STEP
"""


def equations_push(title):
    return f"*HEADING\n{title}\n" + equations("*STATIC\n*CLOAD\nTIP, 1, 20.\nTIP, 2, 30.\nTIP, 3, -10.\n*NODE PRINT, NSET=NALL\nU\n")


def equations_modes(title):
    return f"*HEADING\n{title}\n" + equations("*FREQUENCY\n10\n")


def transformed_push(title):
    """A bar that is held across an inclined direction at one end, and twisted by forces around its axis at the other."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    corner, other = (solid.where(lambda x, y, z, b=b: abs(x) + abs(y - b) + abs(z) < 1e-9) for b in (0, 0.1))
    text = solid.text("C3D20") + set_text("NSET", "FIX", solid.where(axial)) + set_text("NSET", "TIP", solid.where(tip_of_bar))
    return f"""*HEADING
{title}
{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*TRANSFORM, NSET=FIX
0.9, 0.3, 0.1, -0.2, 0.8, 0.
*TRANSFORM, NSET=TIP, TYPE=C
0., 0.04, 0.03, 1., 0.04, 0.03
*BOUNDARY
FIX, 1, 1
{corner[0]}, 2, 3
{other[0]}, 3, 3
*STEP
*STATIC
*CLOAD
TIP, 1, 10.
TIP, 2, 30.
TIP, 3, -20.
*NODE PRINT, NSET=NALL, GLOBAL=YES
U
*END STEP
"""


# strains so small that it does not matter how thermal strain enters those of Green (CalculiX: (1 + a)^2/2 - 1/2)
TABLES = """*MATERIAL, NAME=WARM
*ELASTIC
210.E9, 0.28, 0.
190.E9, 0.3, 200.
140.E9, 0.34, 500.
*DENSITY
7800.
*EXPANSION, ZERO=-50.
11.E-9, 0.
13.E-9, 200.
17.E-9, 500.
*CONDUCTIVITY
50., 0.
45., 200.
30., 500.
*SPECIFIC HEAT
450., 0.
500., 200.
650., 500.
"""


def tables(step, initial=20.0):
    """A bar of 0.4 x 0.1 x 0.1 m whose material depends on the temperature."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    text = solid.text("C3D20") + set_text("NSET", "FIX", solid.where(axial)) + set_text("NSET", "TIP", solid.where(tip_of_bar))
    levels = sorted({round(x, 6) for x, _, _ in solid.nodes.values()})
    for k, at in enumerate(levels):
        text += set_text("NSET", f"X{k}", solid.where(lambda x, y, z, at=at: abs(x - at) < 1e-6))
    warm = "".join(f"X{k}, {20 + 1000 * at}\n" for k, at in enumerate(levels))
    return f"""{text}{TABLES}*SOLID SECTION, ELSET=EALL, MATERIAL=WARM
*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, {initial}
*BOUNDARY
FIX, 1, 3
{step.replace("LEVELS", warm)}*NODE PRINT, NSET=NALL
"""


def tables_push(title):
    """Warmed along its length from 20 to 420, and pushed across."""
    step = """*STEP, NLGEOM
*STATIC
0.2, 1.
*CONTROLS, PARAMETERS=FIELD, FIELD=DISPLACEMENT
1.E-9, 1.E-9, , , 1.E-9
*TEMPERATURE
LEVELS*CLOAD
TIP, 3, 2.E1
TIP, 1, 5.E2
"""
    return f"*HEADING\n{title}\n" + tables(step).replace("NODE PRINT, NSET=NALL", "NODE PRINT, NSET=NALL, FREQUENCY=1000") + "U\n*END STEP\n"


def tables_heat(title):
    """Steady heat along it."""
    step = """*STEP, NLGEOM
*HEAT TRANSFER, STEADY STATE
*CONTROLS, PARAMETERS=FIELD, FIELD=TEMPERATURE
1.E-9, 1.E-9, , , 1.E-9
*BOUNDARY
FIX, 11, 11, 30.
TIP, 11, 11, 480.
"""
    return f"*HEADING\n{title}\n" + tables(step) + "NT\n*END STEP\n"


def tables_warming(step, title):
    """A bar of 0.4 x 0.1 x 0.1 m, 32 hex8, from 20 by a flux at its end: every 100 s of 400."""
    solid = Solid([(i, 0, 0) for i in range(32)], (0.0125, 0.1, 0.1), "hex8")
    return f"""*HEADING
{title}
{solid.text("C3D8")}{set_text("NSET", "FIX", solid.where(axial))}{TABLES}*SOLID SECTION, ELSET=EALL, MATERIAL=WARM
*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 20.
*BOUNDARY
FIX, 1, 3
*STEP, INC=1000
*HEAT TRANSFER, DIRECT
{step}, 400.
*CONTROLS, PARAMETERS=FIELD, FIELD=TEMPERATURE
1.E-9, 1.E-9, , , 1.E-9
*DFLUX
32, S4, 2.E5
*NODE PRINT, NSET=NALL, FREQUENCY={round(100 / step)}
NT
*END STEP
"""


def moved_supports(title):
    """A bar that lies on inclined planes at one end; of the other end some nodes are moved along inclined axes, others along one of
    the global ones, by a tenth of its thickness and more."""
    solid = Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")
    corner, other = (solid.where(lambda x, y, z, b=b: abs(x) + abs(y - b) + abs(z) < 1e-9) for b in (0, 0.1))
    low = [n for n in solid.where(tip_of_bar) if n in solid.where(lambda x, y, z: abs(z) < 1e-9)]
    high = [n for n in solid.where(tip_of_bar) if n in solid.where(lambda x, y, z: abs(z - 0.1) < 1e-9)]
    text = solid.text("C3D20") + set_text("NSET", "FIX", solid.where(axial)) + set_text("NSET", "LOW", low) + set_text("NSET", "HIGH", high)
    return f"""*HEADING
{title}
{text}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*TRANSFORM, NSET=FIX
0.9, 0.3, 0.1, -0.2, 0.8, 0.
*TRANSFORM, NSET=LOW
0.8, 0., 0.6, 0., 1., 0.
*BOUNDARY
FIX, 1, 1
{corner[0]}, 2, 3
{other[0]}, 3, 3
*STEP, NLGEOM
*STATIC
0.2, 1.
*CONTROLS, PARAMETERS=FIELD, FIELD=DISPLACEMENT
1.E-9, 1.E-9, , , 1.E-9
*BOUNDARY
LOW, 1, 1, 0.012
LOW, 2, 2, 0.008
LOW, 3, 3, 0.006
HIGH, 3, 3, 0.02
HIGH, 1, 1, -0.01
*NODE PRINT, NSET=NALL, GLOBAL=YES, FREQUENCY=1000
U
*END STEP
"""


def pressed(solid, element, extra, loads, title):
    """A bar of 0.4 x 0.1 x 0.1 m held at one end, under loads on its cells and faces."""
    return f"""*HEADING
{title}
{solid.text(element)}{set_text("NSET", "FIX", solid.where(axial))}{extra}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*BOUNDARY
FIX, 1, 3
*STEP
*STATIC
{loads}*NODE PRINT, NSET=NALL
U
*END STEP
"""


def pressed_bar():
    return Solid([(i, j, k) for i in range(4) for j in range(1) for k in range(2)], (0.1, 0.1, 0.05), "hex20")


def pressure_push(title):
    """Pressure on the end by a surface, and on parts of two sides by faces of elements: force and moment."""
    solid = pressed_bar()
    side = solid.faces(lambda x, y, z: abs(y) < 1e-9 and x > 0.19)
    top = solid.faces(lambda x, y, z: abs(z - 0.1) < 1e-9 and x < 0.21)
    extra = surface_text("END", solid.faces(tip_of_bar))
    extra += "".join(set_text("ELSET", f"{n}{k}", cells) for n, f in (("SIDE", side), ("TOP", top)) for k, cells in sorted(f.items()))
    loads = "*DSLOAD\nEND, P, 3.E5\n*DLOAD\n" + per_face("SIDE", side, "P", "2.E5") + per_face("TOP", top, "P", "-1.E5")
    return pressed(solid, "C3D20", extra, loads, title)


def gravity_push(title):
    """Gravity in a direction of its own, on one half of the bar with another size."""
    solid = pressed_bar()
    far = set_text("ELSET", "FAR", [e for e, nodes in solid.elements.items() if solid.nodes[nodes[0]][0] > 0.19])
    return pressed(solid, "C3D20", far, "*DLOAD\nEALL, GRAV, 9.81, 0.6, 0., -0.8\nFAR, GRAV, 5., 0., 1., 0.\n", title)


def centrifugal_push(title):
    """Turning about an inclined axis beside the bar."""
    return pressed(pressed_bar(), "C3D20", "", "*DLOAD\nEALL, CENTRIF, 1.E4, -0.1, 0.02, 0., 0.1, 0.2, 1.\n", title)


def beams(cells, step, title):
    """A cantilever of 1 m, 0.05 m along y and 0.02 m along z, of B31, which are C3D8I in CalculiX."""
    nodes = {i + 1: (i / cells, 0, 0) for i in range(cells + 1)}
    return f"""*HEADING
{title}
{nodes_text(nodes)}{elements_text("B31", {i: [i, i + 1] for i in range(1, cells + 1)})}{STEEL}*BEAM SECTION, ELSET=EALL, MATERIAL=STEEL, SECTION=RECT
0.02, 0.05
0., 0., -1.
*BOUNDARY
1, 1, 6
*STEP
{step}*END STEP
"""


def beams_push(cells, title):
    """Displacements of its end by a force there."""
    tip = cells + 1
    return beams(cells, f"*STATIC\n*CLOAD\n{tip}, 1, 1000.\n{tip}, 2, 100.\n{tip}, 3, 100.\n*NODE PRINT, NSET=NALL\nU\n", title)


def beams_modes(cells, title):
    return beams(cells, "*FREQUENCY\n10\n", title)


def bracket(kind):
    """An angle of 100 x 60 x 80 mm, 10 mm thick, held at its far end."""
    cells = [(i, j, k) for i in range(10) for j in range(6) for k in range(8) if k == 0 or i == 0]
    return Solid(cells, (0.01, 0.01, 0.01), kind)


def far_end(x, y, z):
    return abs(x - 0.1) < 1e-9


def bracket_parts(kind, element):
    solid = bracket(kind)
    wall, base = solid.faces(lambda x, y, z: abs(x) < 1e-9), solid.faces(lambda x, y, z: abs(z) < 1e-9)
    text = solid.text(element) + set_text("NSET", "FIX", solid.where(far_end))
    text += surface_text("WALL", wall) + surface_text("BASE", base)
    text += STEEL + "*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n"
    return solid, wall, base, text


def bracket_heat(kind, element, title):
    """Steady: flux into the bottom, film on the outside of the wall."""
    _, wall, base, text = bracket_parts(kind, element)
    return f"""*HEADING
{title}
{text}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*STEP
*HEAT TRANSFER, STEADY STATE
*DFLUX
{per_face("BASE", base, "S", "5000.")}*FILM
{per_face("WALL", wall, "F", "20., 50.")}*NODE PRINT, NSET=NALL
NT
*END STEP
"""


def bracket_warming(kind, element, title):
    """The same from rest, 40 steps of 5 s of backward Euler; one node in seven, every 50 s."""
    solid, wall, base, text = bracket_parts(kind, element)
    return f"""*HEADING
{title}
{text}{set_text("NSET", "SOME", sorted(solid.nodes)[::7])}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*STEP, INC=1000
*HEAT TRANSFER, DIRECT
5., 200.
*DFLUX
{per_face("BASE", base, "S", "5000.")}*FILM
{per_face("WALL", wall, "F", "20., 50.")}*NODE PRINT, NSET=SOME, FREQUENCY=10
NT
*END STEP
"""


def bracket_static(kind, element, title):
    """Displacements by temperatures that are linear in space, held at the far end."""
    solid, _, _, text = bracket_parts(kind, element)
    warm = {n: 100 * x[2] / 0.08 + 50 * x[0] / 0.1 for n, x in solid.nodes.items()}
    return f"""*HEADING
{title}
{text}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*BOUNDARY
FIX, 1, 3
*STEP
*STATIC
*TEMPERATURE
{"".join(f"{n}, {t:.12g}" + chr(10) for n, t in sorted(warm.items()))}*NODE PRINT, NSET=NALL
U
*END STEP
"""


def bracket_stress(kind, element, title):
    """Stresses at nodes, extrapolated from integration points and averaged, of a bracket that is held at its far end, pushed at
    the upper edge of its wall and 100 K warmer."""
    solid, _, _, text = bracket_parts(kind, element)
    edge = sorted(solid.where(lambda x, y, z: abs(x) < 1e-9 and abs(z - 0.08) < 1e-9))
    return f"""*HEADING
{title}
{text}*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
{set_text("NSET", "EDGE", edge)}*BOUNDARY
FIX, 1, 3
*STEP
*STATIC
*TEMPERATURE
NALL, 100.
*CLOAD
{"".join(f"{n}, {c + 1}, {f:.15g}" + chr(10) for n in edge for c, f in enumerate((30e3 / len(edge), 10e3 / len(edge), 0)))}*EL FILE
S
*END STEP
"""


def large_bending(title):
    """A cantilever of 1 m, 20 x 20 mm, by a force of 10 E I/L^2 at its end, which stays upright: the tip falls by 0.8 L."""
    solid = Solid([(i, 0, 0) for i in range(20)], (0.05, 0.02, 0.02), "hex20")
    force = 10 * 210e9 * 0.02**4 / 12
    weights = {(40, 0, 0): -1, (40, 2, 0): -1, (40, 0, 2): -1, (40, 2, 2): -1}  # of a constant traction, in 1/12
    weights.update({(40, 1, 0): 4, (40, 0, 1): 4, (40, 2, 1): 4, (40, 1, 2): 4})
    loads = "".join(f"{solid.at[p]}, 3, {force * w / 12:.12g}\n" for p, w in weights.items())
    return f"""*HEADING
{title}
{solid.text("C3D20")}{set_text("NSET", "FIX", solid.where(lambda x, y, z: abs(x) < 1e-9))}{set_text("NSET", "TIP", [solid.at[p] for p in weights])}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*BOUNDARY
FIX, 1, 3
*STEP, NLGEOM, INC=1000
*STATIC
0.05, 1., 1.E-5, 0.1
*CONTROLS, PARAMETERS=FIELD, FIELD=DISPLACEMENT
1.E-9, 1.E-9, , , 1.E-9
*CLOAD
{loads}*NODE PRINT, NSET=NALL, FREQUENCY=1000
U
*END STEP
"""


def sheet_modes(title):
    """The smart sheet of the theory, section 5: 1 x 1.3 m, 0.9 mm, its corners held; 40 x 56 S8R."""
    nx, ny = 40, 56
    number, nodes, elements = {}, {}, {}
    for j in range(2 * ny + 1):
        for i in range(2 * nx + 1):
            if not (i % 2 and j % 2):
                number[i, j] = len(nodes) + 1
                nodes[len(nodes) + 1] = (i / (2 * nx), 1.3 * j / (2 * ny), 0.0)
    for j in range(0, 2 * ny, 2):
        for i in range(0, 2 * nx, 2):
            places = [(i, j), (i + 2, j), (i + 2, j + 2), (i, j + 2), (i + 1, j), (i + 2, j + 1), (i + 1, j + 2), (i, j + 1)]
            elements[len(elements) + 1] = [number[q] for q in places]
    corners = [number[i, j] for i in (0, 2 * nx) for j in (0, 2 * ny)]
    return (
        f"*HEADING\n{title}\n" + nodes_text(nodes) + elements_text("S8R", elements) + set_text("NSET", "CORNERS", corners)
        + STEEL.replace("7800.", "7850.") + "*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.0009\n"
        + "*BOUNDARY\nCORNERS, 1, 3\n*STEP\n*FREQUENCY\n14\n*NODE FILE\nU\n*END STEP\n"
    )


def distorted(wedges):
    """Nodes and cells of 0.3 x 0.1 x 0.08 m whose nodes, but for those of the held end, are moved by up to an eighth of a cell."""
    count, size = (4, 2, 2), (0.075, 0.05, 0.04)
    at = lambda i, j, k: 1 + i + 5 * j + 15 * k
    shift = lambda n, c: size[c] / 8 * math.sin(37.0 * n + 11.0 * c)
    nodes = {
        at(i, j, k): [q * size[c] + (shift(at(i, j, k), c) if i > 0 else 0) for c, q in enumerate((i, j, k))]
        for k in range(3)
        for j in range(3)
        for i in range(5)
    }
    cells = []
    for i, j, k in ((i, j, k) for k in range(count[2]) for j in range(count[1]) for i in range(count[0])):
        low = [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)]
        parts = [[0, 1, 2], [0, 2, 3]] if wedges else [[0, 1, 2, 3]]
        cells += [[low[q] for q in part] + [low[q] + 15 for q in part] for part in parts]
    return nodes, dict(enumerate(cells, 1))


def distorted_deck(kind, step, title):
    nodes, cells = distorted(kind == "C3D6")
    held = [n for n in nodes if n % 5 == 1]
    return f"""*HEADING
{title}
{nodes_text(nodes)}{elements_text(kind, cells)}{set_text("NSET", "FIX", held)}{STEEL}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
*INITIAL CONDITIONS, TYPE=TEMPERATURE
NALL, 0.
*BOUNDARY
FIX, 1, 3
*STEP
{step}*END STEP
"""


def distorted_push(kind, title):
    """Forces at a corner, pressure on a face, gravity, warmth."""
    step = """*STATIC
*CLOAD
45, 1, 300.
45, 2, -500.
45, 3, 800.
*DLOAD
EALL, GRAV, 9.81, 0.6, 0., -0.8
1, P1, 2.E5
*TEMPERATURE
NALL, 25.
*NODE PRINT, NSET=NALL
U
"""
    return distorted_deck(kind, step, title)


def distorted_heat(kind, title):
    """A held end, and heat into a corner."""
    step = """*HEAT TRANSFER, STEADY STATE
*BOUNDARY
FIX, 11, 11, 10.
*CFLUX
45, 11, 20.
*NODE PRINT, NSET=NALL
NT
"""
    return distorted_deck(kind, step, title)


def axial(x, y, z):
    return abs(x) < 1e-9


CASES = {
    "disc-heat-face-36x4": lambda t: disc_heat(36, 4, False, "face", t),
    "disc-heat-rim-36x4": lambda t: disc_heat(36, 4, False, "rim", t),
    "disc-heat-face-72x8": lambda t: disc_heat(72, 8, True, "face", t),
    "disc-heat-rim-72x8": lambda t: disc_heat(72, 8, True, "rim", t),
    "disc-static-face-72x8": lambda t: disc_static("face", t),
    "disc-static-rim-72x8": lambda t: disc_static("rim", t),
    "bar-modes-hex20": lambda t: modes_deck(bar("hex20"), "C3D20", axial, 10, t),
    "bracket-modes-hex20r": lambda t: modes_deck(bracket("hex20"), "C3D20R", far_end, 10, t),
    "bar-modes-hex8": lambda t: modes_deck(bar("hex8"), "C3D8", axial, 10, t),
    "bar-modes-hex8i": lambda t: modes_deck(bar("hex8"), "C3D8I", axial, 10, t),
    "bar-modes-tet10": lambda t: modes_deck(bar("tet10"), "C3D10", axial, 10, t),
    "small-bar-modes": lambda t: modes_deck(small_bar(), "C3D20", axial, 10, t),
    "small-bar": lambda t: modes_deck(small_bar(), "C3D20", axial, 10, t, stored=True),
    "small-bar-push": small_push,
    "rigid-end-push": rigid_push,
    "rigid-end-modes": rigid_modes,
    "kinematic-push": lambda t: coupled_push("KINEMATIC", "1, 3", t),
    "kinematic-modes": lambda t: coupled_modes("KINEMATIC", "1, 3", t),
    "distributing-push": lambda t: coupled_push("DISTRIBUTING", "1, 6", t),
    "distributing-turn": lambda t: turned(coupled_push("DISTRIBUTING", "4, 6", t)),
    "transformed-push": transformed_push,
    "moved-supports": moved_supports,
    "tables-push": tables_push,
    "tables-heat": tables_heat,
    "tables-warming-10": lambda t: tables_warming(10.0, t),
    "tables-warming-5": lambda t: tables_warming(5.0, t),
    "tables-warming-2.5": lambda t: tables_warming(2.5, t),
    "beams-push-8": lambda t: beams_push(8, t),
    "beams-push-16": lambda t: beams_push(16, t),
    "beams-modes-8": lambda t: beams_modes(8, t),
    "beams-modes-16": lambda t: beams_modes(16, t),
    "pressure-push": pressure_push,
    "gravity-push": gravity_push,
    "centrifugal-push": centrifugal_push,
    "tied-push": tied_push,
    "tied-modes": tied_modes,
    "tied-heat": tied_heat,
    "equations-push": equations_push,
    "equations-modes": equations_modes,
    "bracket-modes-hex20": lambda t: modes_deck(bracket("hex20"), "C3D20", far_end, 10, t),
    "bracket-modes-tet10": lambda t: modes_deck(bracket("tet10"), "C3D10", far_end, 10, t),
    "bracket-heat-hex20": lambda t: bracket_heat("hex20", "C3D20", t),
    "bracket-heat-tet10": lambda t: bracket_heat("tet10", "C3D10", t),
    "bracket-warming-hex20": lambda t: bracket_warming("hex20", "C3D20", t),
    "bracket-static-hex20": lambda t: bracket_static("hex20", "C3D20", t),
    "bracket-static-tet10": lambda t: bracket_static("tet10", "C3D10", t),
    "bracket-stress-hex8": lambda t: bracket_stress("hex8", "C3D8", t),
    "bracket-stress-hex20r": lambda t: bracket_stress("hex20", "C3D20R", t),
    "bracket-stress-tet10": lambda t: bracket_stress("tet10", "C3D10", t),
    "wedges-push": lambda t: distorted_push("C3D6", t),
    "wedges-heat": lambda t: distorted_heat("C3D6", t),
    "distorted-push-hex8i": lambda t: distorted_push("C3D8I", t),
    "large-bending-hex20": large_bending,
    "sheet-modes-s8r": sheet_modes,
}

# ---- running -------------------------------------------------------------------------------------------


# decks that are too large to be stored, or differ from one that is in the step of time alone: --decks writes them
NOT_KEPT = {"sheet-modes-s8r", "tables-warming-5", "tables-warming-2.5"}


def read_csv(name):
    with open(os.path.join(HERE, name + ".csv"), encoding="ascii") as file:
        return list(csv.DictReader(row for row in file if not row.startswith("#")))


def read_dat(text):
    """Header and rows of what was printed: nodes at times, or frequencies."""
    rows, time, header = [], None, None
    modes = re.search(r"MODE NO.*?\n\n(.*?)\n\s*\n", text, re.S)
    if modes and "CYCLES/TIME" in text:
        for line in modes.group(1).splitlines():
            words = line.split()
            rows.append([words[0], words[1], words[3]])  # number, eigenvalue, frequency [Hz]
        return ["mode", "eigenvalue", "frequency"], rows
    for line in text.splitlines():
        found = re.match(r" (temperatures|displacements).*for set \w+ and time +(\S+)", line)
        words = line.split()
        if found:
            header = ["time", "node"] + (["NT"] if found.group(1) == "temperatures" else ["ux", "uy", "uz"])
            time = f"{float(found.group(2)):g}"
        elif header and len(words) == len(header) - 1:
            rows.append([time] + words)
    return header, rows


def read_frd(text):
    """Header and rows of stresses at nodes; columns of twelve characters."""
    rows, inside = [], False
    for line in text.splitlines():
        if line.startswith(" -4"):
            inside = line.split()[1] == "STRESS"
        elif inside and line.startswith(" -1"):
            rows.append([line[3:13].strip()] + [line[13 + 12 * k : 25 + 12 * k].strip() for k in range(6)])
    return ["node", "xx", "yy", "zz", "xy", "yz", "zx"], rows


def run(name):
    subprocess.run(["ccx", name], cwd=HERE, check=True, stdout=subprocess.DEVNULL)
    # where it stores matrices (NAME.sti, NAME.mas, NAME.dof) it prints nothing
    stored = os.path.exists(os.path.join(HERE, name + ".sti"))
    if not stored:
        print_csv(name)
    for end in ("dat", "frd", "cvg", "sta", "12d", "eig"):
        path = os.path.join(HERE, f"{name}.{end}")
        if os.path.exists(path):
            os.remove(path)
    spare = os.path.join(HERE, "spooles.out")
    if os.path.exists(spare):
        os.remove(spare)


def print_csv(name):
    with open(os.path.join(HERE, name + ".dat"), encoding="ascii") as file:
        header, rows = read_dat(file.read())
    if not rows:
        with open(os.path.join(HERE, name + ".frd"), encoding="ascii") as file:
            header, rows = read_frd(file.read())
    with open(os.path.join(HERE, name + ".csv"), "w", encoding="ascii", newline="\n") as file:
        file.write(f"# CalculiX 2.20: ccx {name}\n" + ",".join(header) + "\n")
        file.writelines(",".join(row) + "\n" for row in rows)
    print(f"{name}: {len(rows)} rows")


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")] or list(CASES)
    os.makedirs(HERE, exist_ok=True)
    for name in names:
        write(name + ".inp", CASES[name](f"{name}, by tests/reference/calculix.py"))
        if "--decks" not in sys.argv:
            run(name)
            if name in NOT_KEPT:
                os.remove(os.path.join(HERE, name + ".inp"))
    return 0


sys.exit(main())
