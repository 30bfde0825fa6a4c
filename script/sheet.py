"""Figures 2 to 6 of the multifield paper (Heckmann, Arnold, Vaculin, Multibody System Dynamics 13, 2005): the smart sheet."""
import csv
import subprocess

import plot

NX, NY, WIDTH, HEIGHT = 10, 14, 1.0, 1.3  # [m]
LINE, PALE, DEEP = "#374151", "#eef1f4", "#1f6f8b"


def program(runs):
    """what makes the tables; builds without benchmarks do not have it"""
    return runs.program.parent / "bench" / "bench_smart_sheet"


def table(runs, what):
    """rows of a table of bench_smart_sheet, kept beside the runs"""
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
    """a patch, drawn in its cell"""
    w, h = scale * WIDTH / NX, scale * HEIGHT / NY
    x = x0 + scale * float(row["x"]) - w / 2
    y = y0 + scale * (HEIGHT - float(row["y"])) - h / 2
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'


def corners(x0, y0, scale):
    """the supports, and the point that is hit"""
    parts = [f'<circle cx="{x0 + scale * WIDTH * a:.1f}" cy="{y0 + scale * HEIGHT * b:.1f}" r="6" fill="{LINE}"/>'
             for a in (0, 1) for b in (0, 1)]
    return parts + [f'<circle cx="{x0 + scale * WIDTH / 2:.1f}" cy="{y0 + scale * HEIGHT / 2:.1f}" r="5" fill="#b4472f"/>']


def shade(part):
    """from pale to deep"""
    ends = [[int(c[k:k + 2], 16) for k in (1, 3, 5)] for c in (PALE, DEEP)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(*ends))


def draw_sheet(rows):
    x0, y0, scale = 60, 40, 380
    parts = [cell(r, x0, y0, scale, "#d9705a" if r["chosen"] == "1" else PALE) for r in rows if r["face"] == "1"]
    words = ["1 m x 1.3 m, 0.9 mm of steel", "140 cells, patches of 0.4 mm on both faces", "held at its corners (dark)",
             "20 N at its centre (red) from 0.1 to 0.11 s", "the 24 patches that are chosen: 12 above (shown), 12 below"]
    parts += corners(x0, y0, scale) + [plot.text(480, 80 + 24 * k, line) for k, line in enumerate(words)]
    return plot.page(900, 580, parts)


def draw_importance(rows):
    x0, y0, scale = 60, 40, 380
    most = max(float(r["norm"]) for r in rows)
    parts = [cell(r, x0, y0, scale, shade(float(r["norm"]) / most)) for r in rows if r["face"] == "1"]
    parts += [cell(r, x0, y0, scale, "none", "#b4472f", 2) for r in rows if r["face"] == "1" and r["chosen"] == "1"]
    parts += corners(x0, y0, scale)
    for k in range(6):
        y = 80 + 26 * k
        parts.append(f'<rect x="480" y="{y}" width="26" height="26" fill="{shade(1 - k / 5)}"/>')
        parts.append(plot.text(516, y + 18, f"{most * (1 - k / 5):.3g}"))
    parts.append(plot.text(480, 64, "norm of the patch's row of the gain, k_Q = 1.9524e11", "label"))
    return plot.page(900, 580, parts)


# ---- the loop ------------------------------------------------------------------------------------------------------


def box(x, y, w, words):
    lines = [plot.text(x + w / 2, y + 26 + 18 * k, line, "label" if k == 0 else "tick", "middle") for k, line in enumerate(words)]
    return [f'<rect x="{x}" y="{y}" width="{w}" height="66" fill="#fff" stroke="{LINE}" stroke-width="1.5"/>', *lines]


def arrow(points, words=None, at=None):
    """a signal, with a head at its end"""
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    parts = [f'<path d="{path}" stroke="{LINE}" stroke-width="1.5" fill="none" marker-end="url(#head)"/>']
    return parts + ([plot.text(*at, words)] if words else [])


def draw_loop():
    parts = [f'<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
             f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>']
    parts += box(60, 60, 150, ["limit", "v = clip(v_c), 400 V"]) + box(330, 60, 240, ["sheet", "z'' + 2 zeta w z' + w^2 z = K v + phi F"])
    parts += box(330, 260, 240, ["observer", "A x + B v + L (q - C x - D v)"]) + box(60, 260, 150, ["regulator", "v_c = -K x"])
    parts += arrow([(210, 93), (330, 93)], "voltages v", (226, 84)) + arrow([(450, 20), (450, 60)], "force F", (460, 38))
    parts += arrow([(570, 80), (760, 80)], "acceleration a of the centre", (584, 72))
    parts += arrow([(570, 106), (700, 106), (700, 293), (570, 293)], "charges q", (708, 206))
    parts += arrow([(270, 93), (270, 200), (400, 200), (400, 260)], "v as it is, limited", (280, 192))
    parts += arrow([(330, 293), (210, 293)], "state x", (240, 284))
    parts += arrow([(60, 293), (20, 293), (20, 93), (60, 93)], "commands v_c", (28, 206))
    return plot.page(900, 380, parts)


# ---- courses -------------------------------------------------------------------------------------------------------


def course(rows, case, key):
    return [(float(r["t"]), float(r[key])) for r in rows if r["case"] == case]


def draw_courses(curves, label, end):
    values = [v for points, *_ in curves for t, v in points if t <= end]
    room = 0.05 * (max(values) - min(values))
    axes = plot.Axes((90, 40, 660, 440), (0, end), (min(values) - room, max(values) + room))
    axes.across(plot.round_ticks(0, end), "t [s]")
    axes.up(plot.round_ticks(*axes.y), label)
    for points, _, colour in curves:
        axes.curve(points, colour, width=1.2)
    axes.key([(words, colour, "") for _, words, colour in curves])
    return plot.page(900, 500, axes.parts)


KINDS = [("regulator and observer", 0, lambda r: not r["design"].startswith("rates")),
         ("rates, one gain", 1, lambda r: r["design"].startswith("rates") and "greed" not in r["design"]),
         ("rates, gains by greed", 2, lambda r: "greed" in r["design"])]


def draw_frontier(rows):
    """stable designs: acceleration against what the loop bears"""
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
    if number == 4:
        (folder / f"{name}.svg").write_text(draw_loop())
        runs.table(folder / f"{name}.csv", ["the loop's signals, from and to"], ["signal", "from", "to"],
                   [("voltages", "limit", "sheet"), ("voltages", "limit", "observer"), ("charges", "sheet", "observer"),
                    ("state", "observer", "regulator"), ("commands", "regulator", "limit"), ("force", "outside", "sheet"),
                    ("acceleration", "sheet", "outside")])
        return
    if number in (2, 3):
        rows = table(runs, "importance")
        (folder / f"{name}.svg").write_text(draw_sheet(rows) if number == 2 else draw_importance(rows))
        runs.table(folder / f"{name}.csv", ["patches by channels: middle [m], face, norm of the row of the gain, is it chosen"],
                   list(rows[0]), [list(r.values()) for r in rows])
        return
    rows = table(runs, "courses")
    key, label = ("acceleration", "acceleration of the centre [m/s^2]") if number == 5 else ("voltage", "voltage of the first patch [V]")
    curves = [(course(rows, "published", key), "24 patches and observer", plot.COLOURS[0])]
    if number == 5:
        curves.insert(0, (course(rows, "free", key), "without control", "#b8c4cf"))
    (folder / f"{name}.svg").write_text(draw_courses(curves, label, 3.0 if number == 5 else 1.0))
    runs.table(folder / f"{name}.csv", ["smart sheet: acceleration of the centre [m/s^2] and voltage of the first patch [V];",
                                        "on 14 modes free and by the published design, on 60 free and by rates"],
               list(rows[0]), [list(r.values()) for r in rows])
