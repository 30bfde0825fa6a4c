"""Figures 2 to 6 of the multifield paper (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13, 2005): the smart sheet."""
import csv
import subprocess

import disc
import plot

NX, NY, WIDTH, HEIGHT = 10, 14, 1.0, 1.3  # [m]
LINE, PALE, DEEP = "#374151", "#eef1f4", "#1f6f8b"
CHOSEN, HIT = "#d9705a", "#b4472f"
MODES = 14


def program(runs):
    """program that computes the tables; missing in builds without benchmarks"""
    return runs.program.parent / "bench" / "bench_smart_sheet"


def table(runs, what):
    """rows of a table of bench_smart_sheet, stored beside the runs"""
    if not program(runs).exists():
        raise SystemExit(f"figures: {program(runs)} is missing; run script/build")
    file = runs.folder / f"sheet-{what}.csv"
    if not file.exists() or file.stat().st_mtime < program(runs).stat().st_mtime:
        print(f"    sheet {what}", flush=True)
        out = subprocess.run([program(runs), what], check=True, capture_output=True, text=True).stdout
        file.write_text(out)
    return list(csv.DictReader(file.read_text().splitlines()))


# ---- the sheet and its patches -------------------------------------------------------------------------------------


def cell(row, x0, y0, scale, fill, stroke="#fff", width=0.6):
    """a patch in its cell"""
    w, h = scale * WIDTH / NX, scale * HEIGHT / NY
    x = x0 + scale * float(row["x"]) - w / 2
    y = y0 + scale * (HEIGHT - float(row["y"])) - h / 2
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'


def corners(x0, y0, scale):
    """the supports and the point of impact"""
    parts = [f'<circle cx="{x0 + scale * WIDTH * a:.1f}" cy="{y0 + scale * HEIGHT * b:.1f}" r="6" fill="{LINE}"/>'
             for a in (0, 1) for b in (0, 1)]
    return parts + [f'<circle cx="{x0 + scale * WIDTH / 2:.1f}" cy="{y0 + scale * HEIGHT / 2:.1f}" r="5" fill="{HIT}"/>']


def sizes(x0, y0, scale):
    """dimensions of the sides"""
    right, bottom = x0 + scale * WIDTH, y0 + scale * HEIGHT
    return [plot.text((x0 + right) / 2, bottom + 26, f"{WIDTH:g} m", anchor="middle"),
            plot.text(x0 - 12, (y0 + bottom) / 2, f"{HEIGHT:g} m", anchor="end")]


def places(x, y):
    """legend of the marks of `corners`"""
    return [f'<circle cx="{x + 6}" cy="{y - 4}" r="6" fill="{LINE}"/>', plot.text(x + 26, y, "held: displacements, not rotations"),
            f'<circle cx="{x + 6}" cy="{y + 20}" r="5" fill="{HIT}"/>', plot.text(x + 26, y + 24, "hit with 20 N from 0.1 to 0.11 s")]


def shade(part):
    """colour from pale to deep"""
    ends = [[int(c[k:k + 2], 16) for k in (1, 3, 5)] for c in (PALE, DEEP)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(*ends))


def draw_chosen(rows):
    x0, y0, scale = 90, 30, 380
    parts = [cell(r, x0, y0, scale, CHOSEN if r["chosen"] == "1" else PALE) for r in rows if r["face"] == "1"]
    parts += corners(x0, y0, scale) + sizes(x0, y0, scale) + places(520, 190)
    for k, (fill, words) in enumerate(((CHOSEN, "chosen: 12 above, as shown, and 12 below them"), (PALE, "not chosen"))):
        parts.append(f'<rect x="517" y="{118 + 26 * k}" width="18" height="14" fill="{fill}" stroke="{LINE}"/>')
        parts.append(plot.text(546, 130 + 26 * k, words))
    return plot.page(900, 570, parts + [plot.text(517, 50, "The 24 of 280 patches that drive and measure", "label"),
                                        plot.text(517, 76, "10 x 14 cells, a patch of 0.4 mm on both faces of each")])


def draw_importance(rows):
    x0, y0, scale = 90, 30, 380
    most = max(float(r["norm"]) for r in rows)
    parts = [cell(r, x0, y0, scale, shade(float(r["norm"]) / most)) for r in rows if r["face"] == "1"]
    parts += [cell(r, x0, y0, scale, "none", HIT, 2) for r in rows if r["face"] == "1" and r["chosen"] == "1"]
    parts += corners(x0, y0, scale) + sizes(x0, y0, scale) + places(520, 330)
    parts += [f'<rect x="517" y="286" width="18" height="14" fill="none" stroke="{HIT}" stroke-width="2"/>',
              plot.text(546, 298, "the three best orbits of mirror images")]
    for k in range(6):
        y = 90 + 26 * k
        parts.append(f'<rect x="517" y="{y}" width="26" height="26" fill="{shade(1 - k / 5)}"/>')
        parts.append(plot.text(553, y + 18, f"{most * (1 - k / 5):.3g}"))
    return plot.page(900, 570, parts + [plot.text(517, 50, "Norm of each patch's row of the gain, k_Q = 1.952e11", "label"),
                                        plot.text(517, 76, "[V per unit of modal state], both faces alike")])


# ---- modes ---------------------------------------------------------------------------------------------------------


def oblique(x, y, z):
    """projection from the front, right and above"""
    return 0.83 * x - 0.56 * y, 0.23 * x + 0.34 * y + 0.91 * z


def draw_mode(points, cells, w, left, top, words, moves):
    """one mode with its largest deflection 0.16 m; back cells first"""
    scale, parts = 95, []
    def at(n, by):
        x, y = oblique(points[n][0], points[n][1], by * w[n])
        return f"{left + 75 + scale * x:.1f} {top + 105 - scale * y:.1f}"
    for corners_of in sorted(cells, key=lambda c: -sum(points[n][1] - 0.3 * points[n][0] for n in c)):
        mean = sum(w[n] for n in corners_of) / len(corners_of)
        path = "L".join(at(n, 0.16) for n in corners_of)
        parts.append(f'<path d="M{path}z" fill="{disc.colour_of(mean)}" stroke="#9aa3af" stroke-width=".4"/>')
    rim = "L".join(at(n, 0) for n in (min(range(len(points)), key=lambda k: (points[k][0] - x) ** 2 + (points[k][1] - y) ** 2)
                                      for x, y in ((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT))))
    style = "label" if moves else "tick"
    mark = [f'<text x="{left}" y="{top + 155}" class="tick" fill="{HIT}">moves the centre</text>'] if moves else []
    return [f'<path d="M{rim}z" fill="none" stroke="#9aa3af" stroke-dasharray="3 3"/>', *parts,
            plot.text(left, top + 138, words, style), *mark]


def modes(runs, folder):
    points, cells, fields = disc.read_vtu(runs.shapes("smart-sheet/model.yaml", "sheet-modes", {"plant_modes": MODES}, MODES), 3)
    middle = min(range(len(points)), key=lambda n: (points[n][0] - WIDTH / 2) ** 2 + (points[n][1] - HEIGHT / 2) ** 2)
    parts, rows = [], []
    for k in range(MODES):
        name = next(n for n in fields if n.startswith(f"mode {k + 1}:"))
        w = [v[2] for v in fields[name]]
        most = max(w, key=abs)
        centre = w[middle] / most
        frequency = float(name.split(":")[1].split()[0])
        parts += draw_mode(points, cells, [v / most for v in w], 30 + 220 * (k % 4), 20 + 170 * (k // 4),
                           f"{k + 1}: {frequency:.3f} Hz", abs(centre) > 1e-3)
        rows.append((k + 1, f"{frequency:.6f}", f"{centre:.6f}"))
    (folder / "sheet-3.svg").write_text(plot.page(900, 700, parts))
    runs.table(folder / "sheet-3.csv", ["examples/smart-sheet/model.yaml: modes, frequency [Hz], deflection of the centre over the largest one"],
               ["mode", "frequency", "centre"], rows)


# ---- the loop ------------------------------------------------------------------------------------------------------


def box(x, y, w, words):
    lines = [plot.text(x + w / 2, y + 26 + 20 * k, line, "label" if k == 0 else "tick", "middle") for k, line in enumerate(words)]
    return [f'<rect x="{x}" y="{y}" width="{w}" height="70" rx="4" fill="#fff" stroke="{LINE}" stroke-width="1.5"/>', *lines]


def arrow(points, words=None, at=None):
    """a signal arrow"""
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    parts = [f'<path d="{path}" stroke="{LINE}" stroke-width="1.5" fill="none" marker-end="url(#head)"/>']
    return parts + ([plot.text(*at, words)] if words else [])


def draw_loop():
    parts = [f'<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
             f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>']
    hat = "x&#8242; = A x + B v + L (q &#8722; C x &#8722; D v)"
    parts += box(70, 70, 170, ["limit", "v = v_c within &#177;400 V"])
    parts += box(370, 70, 300, ["sheet with 24 patches", "z&#8243; + 2&#950;&#969; z&#8242; + &#969;&#178; z = B_2 v + &#966; F"])
    parts += box(370, 270, 300, ["observer (14 modes)", hat]) + box(70, 270, 170, ["regulator", "v_c = &#8722;K x"])
    parts += arrow([(240, 105), (370, 105)], "voltages v", (252, 96)) + arrow([(520, 20), (520, 70)], "force F on the centre", (530, 40))
    parts += arrow([(670, 90), (870, 90)], "acceleration of the centre", (684, 82))
    parts += arrow([(670, 120), (760, 120), (760, 305), (670, 305)], "charges q", (770, 218))
    parts += arrow([(300, 105), (300, 210), (440, 210), (440, 270)], "v as limited", (310, 202))
    parts += arrow([(370, 305), (240, 305)], "estimate x", (262, 296))
    parts += arrow([(70, 305), (30, 305), (30, 105), (70, 105)], "commands v_c", (40, 210))
    parts.append(f'<circle cx="300" cy="105" r="3.5" fill="{LINE}"/>')
    return plot.page(900, 360, parts)


# ---- courses -------------------------------------------------------------------------------------------------------


def course(rows, case, key):
    return [(float(r["t"]), float(r[key])) for r in rows if r["case"] == case]


def frame(top, bottom, end, curves, label, low=None):
    values = [v for points, *_ in curves for t, v in points if t <= end]
    least, most = (min(values), max(values)) if low is None else (low, -low)
    room = 0.06 * (most - least)
    axes = plot.Axes((90, top, 660, bottom), (0, end), (least - room, most + room))
    axes.up(plot.round_ticks(*axes.y), label)
    for points, _, colour in curves:
        axes.curve(points, colour, width=1.2)
    return axes


def draw_courses(rows, patch):
    """acceleration without and with control; below: voltage of one patch with its limit"""
    end = 3.0
    upper = frame(40, 330, end, [(course(rows, "free", "acceleration"), "without control", "#9aa7b4"),
                                 (course(rows, "published", "acceleration"), "24 patches and observer", plot.COLOURS[0])],
                  "acceleration of the centre [m/s^2]")
    upper.across(plot.round_ticks(0, end))
    upper.key([("without control", "#9aa7b4", ""), ("24 patches and observer", plot.COLOURS[0], "")])
    lower = frame(390, 560, end, [(course(rows, "published", "voltage"), "", plot.COLOURS[1])], f"voltage of patch {patch} [V]", -400)
    lower.across(plot.round_ticks(0, end), "time [s]")
    for limit in (-400, 400):
        x, y = lower.place(0, limit)
        lower.parts.append(f'<path d="M{x:.1f} {y:.1f}H{lower.right}" stroke="{LINE}" stroke-dasharray="5 4"/>')
    lower.key([(f"patch {patch}", plot.COLOURS[1], ""), ("limit, 400 V", LINE, "5 4")])
    return plot.page(900, 630, upper.parts + lower.parts)


KINDS = [("regulator and observer", 0, lambda r: not r["design"].startswith("rates")),
         ("rates, one gain", 1, lambda r: r["design"].startswith("rates") and "greed" not in r["design"]),
         ("rates, gains by greed", 2, lambda r: "greed" in r["design"])]


def draw_frontier(rows):
    """stable designs: acceleration over robustness margin"""
    stable = [r for r in rows if r["rms_60"]]
    axes = plot.Axes((90, 40, 640, 440), (0.3, 20), (0, 2.2), log_x=True)
    axes.across((0.5, 1, 2, 5, 10), "RMS acceleration of the centre, 0.11 to 3 s, 60 modes, 400 V [m/s^2]")
    axes.up((0, 0.5, 1, 1.5, 2), "disk margin of the loop [-]")
    for _, colour, belongs in KINDS:
        for r in filter(belongs, stable):
            axes.mark(float(r["rms_60"]), float(r["disk_margin"]), plot.COLOURS[colour], float(r["abscissa_5_percent"]) >= 0)
    axes.key([(words, plot.COLOURS[colour], "") for words, colour, _ in KINDS])
    words = ["hollow: not stable with", "capacitances 5 % off", f"{len(rows) - len(stable)} designs are not stable", "on 60 modes"]
    axes.parts += [plot.text(axes.right + 12, axes.top + 100 + 20 * k, line) for k, line in enumerate(words)]
    return plot.page(900, 500, axes.parts)


def draw(runs, folder, number):
    name = f"sheet-{number}"
    if number == "frontier":
        rows = table(runs, "frontier")
        (folder / f"{name}.svg").write_text(draw_frontier(rows))
        runs.table(folder / f"{name}.csv", ["designs of the smart sheet; largest real parts [1/s], RMS [m/s^2], largest command [V]"],
                   list(rows[0]), [list(r.values()) for r in rows])
        return
    if number == 2:
        (folder / f"{name}.svg").write_text(draw_loop())
        runs.table(folder / f"{name}.csv", ["the loop's signals, from and to"], ["signal", "from", "to"],
                   [("voltages", "limit", "sheet"), ("voltages", "limit", "observer"), ("charges", "sheet", "observer"),
                    ("state", "observer", "regulator"), ("commands", "regulator", "limit"), ("force", "outside", "sheet"),
                    ("acceleration", "sheet", "outside")])
        return
    if number == 3:
        modes(runs, folder)
        return
    patches = table(runs, "importance")
    if number in (4, 5):
        (folder / f"{name}.svg").write_text(draw_importance(patches) if number == 4 else draw_chosen(patches))
        runs.table(folder / f"{name}.csv", ["patches by channels: middle [m], face, norm of the row of the gain, is it chosen"],
                   list(patches[0]), [list(r.values()) for r in patches])
        return
    rows = table(runs, "courses")
    first = next(int(r["channel"]) + 1 for r in patches if r["chosen"] == "1")
    (folder / f"{name}.svg").write_text(draw_courses(rows, first))
    runs.table(folder / f"{name}.csv", [f"smart sheet: acceleration of the centre [m/s^2] and voltage of patch {first} [V];",
                                        "on 14 modes free and by the published design, on 60 free and by rates"],
               list(rows[0]), [list(r.values()) for r in rows])
