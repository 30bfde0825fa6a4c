"""Figures 7 to 9 of the multifield paper (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13, 2005): the thermal disc."""
import math
import re

import plot

MODEL = "thermal-disc/model.yaml"
MODES = 6
PALE, HOT, COLD, LINE = "#eef1f4", "#d9705a", "#6aa5c9", "#374151"


# ---- meshes ------------------------------------------------------------------------------------------------------


def numbers(text, kind=float):
    return [kind(word) for word in text.split()]


def read_vtu(text, shown=2):
    """points, cells (node numbers), and fields {name: nodal values}; of vectors the first `shown` components"""
    arrays = {}
    for found in re.finditer(r'<DataArray type="\w+" Name="([^"]*)"(?: NumberOfComponents="(\d)")?[^>]*>(.*?)</DataArray>', text, re.S):
        arrays[found.group(1)] = (int(found.group(2) or 1), found.group(3))
    fields = {}
    for name, (width, words) in arrays.items():
        if name not in ("connectivity", "offsets", "types", "body"):
            v = numbers(words)
            fields[name] = v if width == 1 else list(zip(*(v[k::width] for k in range(shown))))
    nodes, ends = numbers(arrays["connectivity"][1], int), numbers(arrays["offsets"][1], int)
    return fields.pop("Points"), [nodes[a:b] for a, b in zip([0, *ends], ends)], fields


def edges_of(points, cells):
    """boundary edges, which belong to one cell only: the two circles"""
    count = {}
    for cell in cells:
        for a, b in zip(cell, cell[1:] + cell[:1]):
            key = (min(a, b), max(a, b))
            count[key] = count.get(key, 0) + 1
    return [key for key, n in count.items() if n == 1 and points[key[0]] != points[key[1]]]


class Picture:
    """drawing area with the centre of the disc at x, y; `scale` in px/m"""

    def __init__(self, x, y, scale):
        self.x, self.y, self.scale, self.parts = x, y, scale, []

    def at(self, p):
        return self.x + self.scale * p[0], self.y - self.scale * p[1]

    def polygon(self, points, fill, stroke="#fff", width=0.4):
        places = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(self.at, points))
        self.parts.append(f'<polygon points="{places}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>')

    def line(self, points, colour, width=1.4, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in map(self.at, points))
        self.parts.append(f'<path d="{path}" stroke="{colour}" stroke-width="{width:g}" fill="none"{dashes}/>')


def chains(edges):
    """edges joined to closed lines"""
    near = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    out = []
    while near:
        line, at = [], next(iter(near))
        while at in near:
            line.append(at)
            at = next((n for n in near.pop(at) if n in near), None)
        out.append(line + line[:1])
    return out


def mix(a, b, part):
    pair = [(int(a[k : k + 2], 16), int(b[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(x + part * (y - x)):02x}" for x, y in pair)


def colour_of(value):
    """-1 blue, 0 pale, 1 red"""
    return mix(PALE, HOT if value > 0 else COLD, min(1.0, abs(value)))


# ---- figures -----------------------------------------------------------------------------------------------------


def sketch(runs, folder):
    points, cells, _ = read_vtu(runs.shapes(MODEL, "disc-mesh", {}, 1))
    p, where = Picture(330, 290, 1500), {"heated": 0, "cooled": 0, "neither": 0}
    for cell in cells:
        x, y = (sum(points[n][k] for n in cell) for k in (0, 1))
        angle = abs(math.degrees(math.atan2(y, x)))
        kind = "heated" if angle < 30 else "cooled" if angle > 150 else "neither"
        where[kind] += 1
        p.polygon([points[n] for n in cell], {"heated": HOT, "cooled": COLD, "neither": PALE}[kind], LINE, 0.6)
    inner, outer = sorted(chains(edges_of(points, cells)), key=lambda line: math.hypot(*points[line[0]]))
    p.line([points[n] for n in inner], LINE, 4)
    p.line([points[n] for n in outer], LINE, 1.6)
    for words, angle in (("u0, T0", 0), ("u90, T90", 90), ("u180, T180", 180)):
        x, y = p.at((0.15 * math.cos(math.radians(angle)), 0.15 * math.sin(math.radians(angle))))
        p.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{LINE}"/>')
        p.parts.append(plot.text(x + {0: 10, 90: 0, 180: -10}[angle], y - 10, words, "label", {0: "start", 90: "middle", 180: "end"}[angle]))
    for k, (words, fill) in enumerate((("heated by 3000 W/m2 on one face", HOT), ("film of 10 W/(m2 K) to -200 K on that face", COLD),
                                       ("neither; 36 x 4 cells, the inner edge is held", PALE))):
        p.parts.append(f'<rect x="640" y="{240 + 26 * k}" width="18" height="14" fill="{fill}" stroke="{LINE}"/>')
        p.parts.append(plot.text(666, 252 + 26 * k, words))
    (folder / "disc-7.svg").write_text(plot.page(980, 560, p.parts))
    runs.table(folder / "disc-7.csv", ["examples/thermal-disc/model.yaml: cells by what acts on them"], ["cells", "number"], where.items())


def modes(runs, folder):
    points, cells, fields = read_vtu(runs.shapes(MODEL, "disc-modes", {"h_f": 0}, MODES))
    lines, rows, parts = chains(edges_of(points, cells)), [], []
    for k in range(MODES):
        name = next(n for n in fields if n.startswith(f"temperature field {k + 1}:"))
        T, u = fields[name], fields[f"deformation by temperature field {k + 1}"]
        size = max((T[n] for cell in cells for n in cell), key=abs)
        T, u = [v / size for v in T], [(a / size, b / size) for a, b in u]
        far = max(math.hypot(*v) for v in u)
        left, top = 20 + 440 * (k % 2), 30 + 230 * (k // 2)
        warm, bent = Picture(left + 100, top + 110, 590), Picture(left + 310, top + 110, 520)
        for cell in cells:
            warm.polygon([points[n] for n in cell], colour_of(sum(T[n] for n in cell) / len(cell)))
        for line in lines:
            bent.line([points[n] for n in line], "#9aa3af", 1, "3 3")
            bent.line([(points[n][0] + 0.025 / far * u[n][0], points[n][1] + 0.025 / far * u[n][1]) for n in line], plot.COLOURS[1], 1.8)
        rate = float(name.split(":")[1].split()[0])
        rate = 0.0 if rate < 1e-9 else rate
        words = f"mode {k + 1}: at rest" if rate == 0 else f"mode {k + 1}: {1 / rate:.4g} s"
        parts += warm.parts + bent.parts + [plot.text(left, top, words, "label")]
        at = min(range(len(points)), key=lambda n: (points[n][0] - 0.15) ** 2 + points[n][1] ** 2)
        rows.append((k + 1, f"{rate:.6e}", f"{min(T[n] for cell in cells for n in cell):.6f}", f"{far:.6e}", f"{u[at][0]:.6e}"))
    (folder / "disc-8.svg").write_text(plot.page(900, 720, parts))
    runs.table(folder / "disc-8.csv",
               ["examples/thermal-disc/model.yaml without film: modes of temperature (largest 1 K), their rates [1/s], least temperature [K], and",
                "the deformation under each: largest displacement, and that of the rim at 0 degrees along the radius [m/K]. Modes of one rate may be turned."],
               ["mode", "rate", "least", "largest", "radial"], rows)


BASES = {"full": {}, "7 + 7 response modes": dict(response_modes=7), "7 + 18 plain modes": dict(response_modes=0, mechanical_modes=18)}
COURSES = [("u0.x", 1e3), ("u90.y", 1e3), ("u180.x", -1e3)], [("T0.T", 1.0), ("T90.T", 1.0), ("T180.T", 1.0)]
ANGLES = ("0 degrees", "90 degrees", "180 degrees")


def histories(runs, folder):
    step, got = 600 if runs.short else 60, {}
    stepped = {"analysis.motion": "dynamic", "analysis.step": step}
    for k, (basis, settings) in enumerate(BASES.items()):
        reduced = {"floating_bodies": "reduced", "film_modes": 0} if settings else {}
        got[basis] = runs.probes(MODEL, f"disc-{k}", {**reduced, **settings, **stepped})
    full, parts, rows = got["full"], [], []
    most = [max(abs(v) for name, _ in course for v in full[name]) for course in COURSES]
    for number, course in enumerate(COURSES):
        values = [v * scale for name, scale in course for run in got.values() for v in run[name]]
        room = 0.05 * (max(values) - min(values))
        axes = plot.Axes((90, 40 + 300 * number, 640, 280 + 300 * number), (0, 5), (min(values) - room, max(values) + room))
        axes.across(range(6), "time [h]" if number else None)
        axes.up(plot.round_ticks(*axes.y), ("displacement of the rim along the radius [mm]", "temperature [K]")[number])
        for (name, scale), colour, angle in zip(course, plot.COLOURS, ANGLES):
            for (basis, run), dash, width in zip(got.items(), ("", "2 5", "9 5"), (1.4, 4.0, 1.4)):
                axes.curve([(t / 3600, v * scale) for t, v in zip(run["time"], run[name])], colour, dash, width)
                away = max(abs(a - b) for a, b in zip(run[name], full[name]))
                if basis != "full":
                    rows.append((basis, name, f"{away:.4e}", f"{away / most[number]:.4e}"))
        axes.key([*((angle, colour, "") for angle, colour in zip(ANGLES, plot.COLOURS)),
                  *((basis, LINE, dash) for basis, dash in zip(got, ("", "2 5", "9 5")))])
        parts += axes.parts
    (folder / "disc-9.svg").write_text(plot.page(860, 640, parts))
    runs.table(folder / "disc-9.csv",
               [f"examples/thermal-disc/model.yaml, steps of {step} s over 5 h: largest difference from the full run (m, K), and over the largest value",
                "of the three nodes. Modes of temperature without the film, as published."],
               ["basis", "probe", "difference", "relative"], rows)


def draw(runs, folder, number):
    {7: sketch, 8: modes, 9: histories}[number](runs, folder)
