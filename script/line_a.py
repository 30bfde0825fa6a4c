"""Line A, structures with large motion and heat: Boley's beam, the thermal pendulum, the dumbbell satellite, and methods of reduction compared."""
import json
import math
import resource
import subprocess

import plot

LINE = "#374151"


def log_curve(axes, xs, ys, colour, dash="", width=1.6):
    low, high = axes.y
    axes.curve([(x, min(max(y, low), high)) for x, y in zip(xs, ys)], colour, dash, width)


def ranged(values, share=0.05):
    low, high = min(values), max(values)
    room = share * (high - low)
    return low - room, high + room


# ---- Boley's beam ------------------------------------------------------------------------------------------------

BEAM = dict(L=0.254, width=0.0254, E=7.0e10, rho=2700, k=200, c=900, alpha=2.3e-5)
FLUX = 1635.3  # [W/m2], a thousandth of the published one: the closed form is linear
DEPTHS = (1.0e-3, 1.5875e-3, 3.0e-3)  # [m]
TERMS = range(1, 60, 2)


def closed_form(depth, times):
    """deflection at mid-span of Boley's beam over alpha q L^2/(16 k), without damping"""
    b = BEAM
    kappa, inertia = b["k"] / (b["rho"] * b["c"]), b["width"] * depth**3 / 12
    mass = b["rho"] * b["width"] * depth
    moment = b["E"] * b["alpha"] * FLUX * b["width"] * depth**3 / b["k"]
    final = b["alpha"] * FLUX * b["L"] ** 2 / (16 * b["k"])
    out = []
    for t in times:
        w = 0.0
        for n in range(1, 20, 2):
            omega = (n * math.pi / b["L"]) ** 2 * math.sqrt(b["E"] * inertia / mass)
            mu = (1 - math.cos(omega * t)) / 24
            for j in TERMS:
                beta = (j * math.pi / depth) ** 2 * kappa
                part = math.exp(-beta * t) - math.cos(omega * t) + beta / omega * math.sin(omega * t)
                mu -= 4 / math.pi**4 / j**4 * omega**2 / (omega**2 + beta**2) * part
            w += 4 * b["L"] ** 2 * moment / (n**3 * math.pi**3 * b["E"] * inertia) * mu * math.sin(n * math.pi / 2)
        out.append(w / final)
    return out


def ratio_of_times(depth):
    """B, the root of the ratio of thermal to mechanical time"""
    b = BEAM
    return math.sqrt(math.sqrt(b["E"] / (12 * b["rho"])) * depth**3 * b["rho"] * b["c"] / (b["k"] * b["L"] ** 2))


def boley(runs, folder):
    steps = 400 if runs.short else 20000
    upper = plot.Axes((90, 40, 640, 340), (0, 5), (0, 2.05))
    lower = plot.Axes((90, 400, 640, 580), (0, 5), (1e-6, 1e-1), log_y=True)
    upper.across(range(6))
    upper.up([0, 0.5, 1, 1.5, 2], "deflection at mid-span over alpha q L^2/(16 k)")
    lower.across(range(6), "time over the period of the first mode")
    lower.up([10.0**k for k in range(-6, 0)], "difference from the closed form over the steady deflection")
    names, rows = [], []
    for depth, colour in zip(DEPTHS, plot.COLOURS):
        p = runs.probes("boley-beam/model.yaml", f"boley-{depth:g}", {"height": depth, "q": FLUX, "analysis.step": f"t_end/{steps}"})
        times = p["time"][:: steps // 400]
        final = BEAM["alpha"] * FLUX * BEAM["L"] ** 2 / (16 * BEAM["k"])
        got = [y / final for y in p["mid.y"]][:: steps // 400]
        want, x = closed_form(depth, times), [5 * t / p["time"][-1] for t in times]
        away = [abs(a - b) for a, b in zip(got, want)]
        upper.curve(list(zip(x, got)), colour)
        upper.curve(list(zip(x, want)), LINE, "3 5", 1.2)
        log_curve(lower, x, away, colour)
        names.append((f"B = {ratio_of_times(depth):.3g}, {1e3 * depth:g} mm deep", colour, ""))
        rows.append((f"{ratio_of_times(depth):.4f}", f"{depth:g}", f"{max(got):.5f}", f"{max(want):.5f}", f"{max(away):.2e}"))
    upper.key([*names, ("closed form (Boley 1956)", LINE, "3 5")])
    (folder / "boley.svg").write_text(plot.page(960, 640, upper.parts + lower.parts))
    runs.table(folder / "boley.csv",
               [f"examples/boley-beam, flux {FLUX} W/m2, {steps} steps over five periods: largest deflection at mid-span over the steady one, ours and",
                "in closed form, and the largest difference"], ["B", "depth", "largest", "closed_form", "difference"], rows)


# ---- thermal pendulum --------------------------------------------------------------------------------------------

PENDULUM = "thermal-pendulum/model.yaml"
STEP, SHORT_STEP = 1e-4, 1e-3
PUBLISHED_ERROR = 0.035  # [m], of the published scheme
MODES = (35, 30, 25)
PLACES = {f"p{k}": f"{{at: rod.at({k}*L/12), quantity: position}}" for k in range(13)}


def complex_modes(displacement, temperature=25):
    return f"{{method: complex_modes, displacement_modes: {displacement}, thermal_modes: {temperature}}}"


def pendulum_settings(runs):
    return {"analysis.step": SHORT_STEP if runs.short else STEP, "t_end": 0.2 if runs.short else 2}


def pendulum_reductions(runs):
    out = {f"complex modes, {n} of 102": {"reduction": complex_modes(n)} for n in MODES[-1 if runs.short else 0 :]}
    return out | {"rotation_closed, 10 fields": {}}


def pendulum_run(runs, settings=None):
    """path of the tip in the full run, or in a reduced one"""
    name = "pendulum-full" if settings is None else "pendulum-" + "".join(c for c in str(settings) if c.isalnum())[-40:]
    flags = ["--full"] if settings is None else ["--reduced"]
    return runs.result(PENDULUM, name, {**pendulum_settings(runs), **(settings or {})}, flags)


def pendulum_shapes(runs, folder):
    times = [0.02 * k for k in range(11)] if runs.short else [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
    settings = {"analysis.tolerance": 1e-5, "t_end": times[-1]} | {f"probes.{name}": place for name, place in PLACES.items()}
    p = runs.probes(PENDULUM, "pendulum-shapes", settings, times)
    axes = plot.Axes((90, 40, 640, 480), (-1.3, 1.3), (-1.35, 0.75))
    axes.across([-1, -0.5, 0, 0.5, 1], "x [m]")
    axes.up([-1, -0.5, 0, 0.5], "y [m]")
    names, rows = [], []
    for k, t in enumerate(times):
        colour = mix_colours(k / (len(times) - 1))
        points = [(p[f"{name}.x"][k], p[f"{name}.y"][k]) for name in PLACES]
        axes.curve(points, colour, width=2.4)
        names.append((f"{t:g} s", colour, ""))
        rows += [(f"{t:g}", name[1:], f"{x:.6f}", f"{y:.6f}") for name, (x, y) in zip(PLACES, points)]
    axes.key(names)
    (folder / "pendulum-shapes.svg").write_text(plot.page(800, 540, axes.parts))
    runs.table(folder / "pendulum-shapes.csv", ["examples/thermal-pendulum: places k L/12 of the rod [m] over time [s]"],
               ["time", "k", "x", "y"], rows)


def mix_colours(part):
    ends = [(0x1f, 0x6f, 0x8b), (0xe0, 0xa0, 0x30)]
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(*ends))


def pendulum_tip(runs, folder):
    axes = plot.Axes((90, 40, 640, 480), (-1.3, 1.3), (-1.35, 0.75))
    axes.across([-1, -0.5, 0, 0.5, 1], "x [m]")
    axes.up([-1, -0.5, 0, 0.5], "y [m]")
    curves = {"full, 102 coordinates": None, "complex modes, 25 of 102": {"reduction": complex_modes(25)}, "rotation_closed, 10 fields": {}}
    names, rows = [], []
    for (words, settings), colour, dash in zip(curves.items(), (LINE, plot.COLOURS[1], plot.COLOURS[0]), ("", "3 6", "10 7")):
        p = runs.columns(pendulum_run(runs, settings))
        axes.curve(list(zip(p["tip.x"], p["tip.y"])), colour, dash, 1.6 if settings is None else 2.4)
        names.append((words, colour, dash))
        rows.append((words, f"{p['tip.x'][-1]:.6f}", f"{p['tip.y'][-1]:.6f}"))
    axes.key(names)
    (folder / "pendulum-tip.svg").write_text(plot.page(880, 540, axes.parts))
    runs.table(folder / "pendulum-tip.csv", ["examples/thermal-pendulum: the tip at the end [m]"], ["run", "x", "y"], rows)


def pendulum_error(runs, folder):
    full = pendulum_run(runs)
    end = pendulum_settings(runs)["t_end"]
    axes = plot.Axes((90, 40, 640, 440), (0, end), (1e-7, 0.1), log_y=True)
    axes.across(plot.round_ticks(0, end), "time [s]")
    axes.up([10.0**k for k in range(-7, 0)], "RMS over nodes of the distance from the full run [m]")
    names, rows = [], []
    for (words, settings), colour in zip(pendulum_reductions(runs).items(), plot.COLOURS):
        t, e = runs.stored("pendulum-error-" + "".join(c for c in words if c.isalnum()), ["time", "error"],
                           lambda s=settings: runs.differences(full, pendulum_run(runs, s), ["time [s]", "position [m]"]))
        log_curve(axes, t, e, colour)
        names.append((words, colour, ""))
        rows.append((words, f"{max(e):.3e}", f"{e[-1]:.3e}"))
    axes.curve([(part * end, PUBLISHED_ERROR) for part in (0, 0.5, 1)], LINE, "6 5", 1.4)
    axes.key([*names, ("published, largest: 0.035 m", LINE, "6 5")])
    (folder / "pendulum-error.svg").write_text(plot.page(880, 500, axes.parts))
    runs.table(folder / "pendulum-error.csv",
               [f"examples/thermal-pendulum, 16 elements, steps of {pendulum_settings(runs)['analysis.step']:g} s for all: largest RMS over the nodes of the",
                "distance from the full run [m], and the last one. The publication states 0.035 m."], ["run", "largest", "last"], rows)


# ---- dumbbell satellite ------------------------------------------------------------------------------------------

CRAFT = "dumbbell-satellite/model.yaml"
ROD_RATE, PANEL_RATE = 0.22391, 1.68724  # [K/s], alpha_s q 2 R/(rho c A) and alpha_s q/(rho c h)


def craft_settings(runs):
    """ten seconds of run S0"""
    return {"t_end": 1 if runs.short else 10}


def craft_fields(number):
    return {"reduction.number": number}


def satellite_temperatures(runs, folder):
    end = craft_settings(runs)["t_end"]
    p = runs.columns(runs.result(CRAFT, "satellite-full", craft_settings(runs), ["--full"]))
    axes = plot.Axes((90, 40, 640, 440), (0, end), (0, 1.8 * end))
    axes.across(plot.round_ticks(0, end), "time [s]")
    axes.up(plot.round_ticks(0, 1.8 * end), "mean temperature of the section, increment [K]")
    names, rows = [], []
    for (name, rate), colour in zip((("1", ROD_RATE), ("2", ROD_RATE), ("3", ROD_RATE), ("4", ROD_RATE), ("5", PANEL_RATE)), plot.COLOURS):
        axes.curve(list(zip(p["time"], p[f"t{name}.T"])), colour)
        names.append((f"point {name}", colour, ""))
        rows.append((name, f"{p[f't{name}.T'][-1]:.5f}", f"{rate * end:.5f}"))
    for rate in (ROD_RATE, PANEL_RATE):
        axes.curve([(part * end, rate * part * end) for part in (0, 0.5, 1)], LINE, "2 6", 1.4)
    if not runs.short:
        for published in (2.2, 17):
            axes.mark(end, published, LINE, True)
    axes.key([*names, ("closed form, light straight on", LINE, "2 6"), ("o  published at 10 s: 2.2 and 17 K", "#fff", "")])
    (folder / "satellite-temperatures.svg").write_text(plot.page(920, 500, axes.parts))
    runs.table(folder / "satellite-temperatures.csv",
               [f"examples/dumbbell-satellite, S0: increments of temperature at {end} s [K], and rate times time in closed form. Published: rods 2.2, panels 17 K."],
               ["point", "ours", "closed_form"], rows)


def satellite_points(runs, folder):
    end, number = craft_settings(runs)["t_end"], 8 if runs.short else 32
    full = runs.columns(runs.result(CRAFT, "satellite-full", craft_settings(runs), ["--full"]))
    small = runs.columns(runs.result(CRAFT, f"satellite-{number}", {**craft_settings(runs), **craft_fields(number)}, ["--reduced"]))
    parts, rows = [], []
    for k, axis in enumerate("xyz"):
        values = [v for name in "12345" for v in full[f"p{name}.{axis}"]]
        axes = plot.Axes((90, 40 + 250 * k, 640, 220 + 250 * k), (0, end), ranged(values))
        axes.across(plot.round_ticks(0, end), "time [s]" if k == 2 else None)
        axes.up(plot.round_ticks(*axes.y, 4), f"displacement {axis} [m]")
        for name, colour in zip("12345", plot.COLOURS):
            axes.curve(list(zip(full["time"], full[f"p{name}.{axis}"])), colour, width=1.4)
            axes.curve(list(zip(small["time"], small[f"p{name}.{axis}"])), colour, "2 7", 4)
            rows.append((name, axis, f"{full[f'p{name}.{axis}'][-1]:.6e}", f"{small[f'p{name}.{axis}'][-1]:.6e}"))
        if k == 0:
            axes.key([*((f"point {name}", colour, "") for name, colour in zip("12345", plot.COLOURS)), ("full, 702 coordinates", LINE, ""),
                      (f"rotation_closed, {number} fields", LINE, "2 7")])
        parts += axes.parts
    (folder / "satellite-points.svg").write_text(plot.page(900, 790, parts))
    runs.table(folder / "satellite-points.csv",
               [f"examples/dumbbell-satellite, S0: displacements of the observation points at {end} s [m], full and with {number} fields"],
               ["point", "axis", "full", "reduced"], rows)


def satellite_error(runs, folder):
    end = craft_settings(runs)["t_end"]
    full = runs.result(CRAFT, "satellite-full", craft_settings(runs), ["--full"])
    axes = plot.Axes((90, 40, 640, 440), (0, end), (1e-7, 0.1), log_y=True)
    axes.across(plot.round_ticks(0, end), "time [s]")
    axes.up([10.0**k for k in range(-7, 0)], "RMS over nodes of the distance from the full run [m]")
    names, rows = [], []
    for number, colour in zip((8,) if runs.short else (8, 16, 32, 48), plot.COLOURS):
        small = runs.result(CRAFT, f"satellite-{number}", {**craft_settings(runs), **craft_fields(number)}, ["--reduced"])
        t, e, heat = runs.differences(full, small, ["time [s]", "position [m]", "temperature [K]"])
        log_curve(axes, t, e, colour)
        names.append((f"rotation_closed, {number} fields", colour, ""))
        rows.append((number, f"{max(e):.3e}", f"{max(heat):.3e}"))
    axes.key(names)
    (folder / "satellite-error.svg").write_text(plot.page(880, 500, axes.parts))
    runs.table(folder / "satellite-error.csv",
               ["examples/dumbbell-satellite, S0, each with its own steps by error control for 1 mm: largest RMS over the nodes of the distance",
                "from the full run [m], and of temperatures [K]"], ["fields", "position", "temperature"], rows)


def processor_time(command, times=3):
    """processor time of a command [s], the minimum of several runs"""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(times))


def time_meshes(runs):
    """columns: elements of a long rod, unknowns, processor time of the full run, of the reduction, of a reduced run [s], error"""
    rows, end = [], 0.5 if runs.short else 10
    for n in (28,) if runs.short else (28, 56, 112):
        settings = [f"beam_elements={n}", f"panel_elements={n // 7}", f"t_end={end}"]
        flags = [word for text in settings for word in ("--set", text)]
        model, file = runs.model(CRAFT), [runs.folder / f"elements-{n}-{kind}.h5" for kind in ("full", "rom", "small")]
        full = processor_time([runs.program, "run", model, "--quiet", "--full", *flags, "-o", file[0]])
        make = processor_time([runs.program, "reduce", model, *flags, "-o", file[1]])
        small = processor_time([runs.program, "run", model, "--quiet", "--rom", file[1], *flags, "-o", file[2]])
        said = json.loads(subprocess.run([runs.program, "compare", file[0], file[2], "--json"], check=True, capture_output=True, text=True).stdout)
        unknowns = json.loads(subprocess.run([runs.program, "check", model, "--json", *flags], check=True, capture_output=True, text=True).stdout)
        rows.append((n, unknowns["sizes"]["coordinates"] + unknowns["sizes"]["temperatures"], full, make, small, said["position"]["max"]))
    return [list(column) for column in zip(*rows)]


def satellite_elements(runs, folder):
    columns = ["elements", "unknowns", "full_s", "prepare_s", "reduced_s", "error_m"]
    n, unknowns, full, make, small, error = runs.stored("satellite-elements", columns, lambda: time_meshes(runs))
    axes = plot.Axes((90, 40, 640, 440), (22, 140), (0.01, 100), True, True)
    axes.across([28, 56, 112], "elements of a long rod (panels: a seventh of it outwards)")
    axes.up([0.01, 0.1, 1, 10, 100], "processor time of whole processes [s]")
    for values, colour in ((full, LINE), (small, plot.COLOURS[0]), (make, plot.COLOURS[1])):
        axes.curve(list(zip(n, values)), colour)
        for point in zip(n, values):
            axes.mark(*point, colour)
    axes.key([("full", LINE, ""), ("with a stored reduced model, 32 fields", plot.COLOURS[0], ""), ("making it, once", plot.COLOURS[1], "")])
    (folder / "satellite-elements.svg").write_text(plot.page(940, 500, axes.parts))
    rows = [(int(a), int(b), f"{c:.3g}", f"{d:.3g}", f"{e:.3g}", f"{f:.2e}", f"{c / e:.3g}") for a, b, c, d, e, f in zip(n, unknowns, full, make, small, error)]
    runs.table(folder / "satellite-elements.csv",
               ["examples/dumbbell-satellite, S0, 10 s, error control for 1 mm: processor seconds of whole processes, least of three; error: largest RMS over the nodes [m]"],
               [*columns, "full_over_reduced"], rows)


# ---- methods -----------------------------------------------------------------------------------------------------

ARM, CABLES = "hub-beam/model.yaml", "hub-beam/cables.yaml"
IN = "inputs: [end.y, end.x]"
METHODS = {
    "modes": "{{method: modes, order: {n}}}",
    "Craig-Bampton": "{{method: craig_bampton, order: {n}, " + IN + "}}",
    "free interface": "{{method: free_interface, order: {n}, " + IN + "}}",
    "Krylov, matched moments": "{{method: krylov, order: {n}, inputs: [end.y, \"euler.z + r0*acceleration.y\"], static: [end.x]}}",
    "POD of responses": "{{method: pod, order: {n}, band: [0.1, 30], " + IN + "}}",
}
ORDERS = (4, 5, 6, 8, 10, 12)


def tip_error(runs, full, small):
    """largest difference of the tip over its largest displacement"""
    (away,) = runs.differences(full, small, ["tip [m]"])
    p = runs.columns(full)
    return max(away) / max(math.hypot(x, y) for x, y in zip(p["tip.x"], p["tip.y"]))


def floating_methods(runs, end):
    common = {"t_end": end, "analysis.step": 1e-3}
    full = runs.result(ARM, "methods-full", common, ["--full"])
    for method, words in METHODS.items():
        for n in ORDERS[1:2] if runs.short else ORDERS:
            settings = {**common, "floating_bodies": "reduced", "bodies.arm.reduce": words.format(n=n)}
            name = "methods-" + "".join(c for c in method if c.isalpha()) + f"-{n}"
            yield method, n, tip_error(runs, full, runs.result(ARM, name, settings, []))


# one nonlinear case for all methods: damped cables on a hub; {n} is the number of vectors of the flexible arm
CABLE_SETTINGS = {"materials.aluminium.damping": "{normal: 1.0e-4}"}
THRESHOLDS = "thresholds: {{displacement: 2.0e-4}}"
CABLE_METHODS = {
    "complex modes, published": "{{method: complex_modes, displacement_modes: {n}, " + THRESHOLDS + "}}",
    "complex modal synthesis": "{{method: complex_synthesis, displacement_modes: {n}, " + THRESHOLDS + "}}",
    "free interface": "{{method: complex_synthesis, modes: real, displacement_modes: {n}, " + THRESHOLDS + "}}",
    "Craig-Bampton": "{{method: complex_synthesis, modes: real, interfaces: held, displacement_modes: {n}, " + THRESHOLDS + "}}",
    "local POD, 8 bases": "{{method: local_pod, vectors: {n}, clusters: 8, " + THRESHOLDS + "}}",
    "POD, one basis": "{{method: local_pod, vectors: {n}, clusters: 1, " + THRESHOLDS + "}}",
    "local POD of the first half": "{{method: local_pod, vectors: {n}, clusters: 8, training: {half}, " + THRESHOLDS + "}}",
    "rotation_closed": "{{method: rotation_closed, fields: polynomials, on_mesh: true, number: {third}}}",
}
CABLE_SIZES, TIMED = (6, 10, 16, 25, 40), 16


def cable_methods(runs, end):
    """number of the method (full run: -1), vectors, error, processor time of the process including computation of vectors [s]"""
    common = {**CABLE_SETTINGS, "t_end": end, "analysis.step": 1e-3 if runs.short else 5e-4}
    full, rows = runs.result(CABLES, "methods-cables", common, ["--full"]), []

    def seconds(settings, flags):
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        return processor_time([runs.program, "run", runs.model(CABLES), "--quiet", *flags, *words, "-o", runs.folder / "methods-timed.h5"], 1)

    rows.append((-1, 0, 0, seconds(common, ["--full"])))
    for k, words in enumerate(CABLE_METHODS.values()):
        for n in (TIMED,) if runs.short else CABLE_SIZES:
            settings = {**common, "reduction": words.format(n=n, half=end / 2, third=round(n / 3))}
            spent = seconds(settings, ["--reduced", "--no-compare", "--accept"])
            small = (runs.folder / "methods-timed.h5").rename(runs.folder / f"methods-cables-{k}-{n}.h5")
            rows.append((k, n, tip_error(runs, full, small), spent))
    return [list(column) for column in zip(*rows)]


def draw_methods(file, names, points, across):
    """points: (number of the method, vectors, error)"""
    axes = plot.Axes((90, 40, 640, 440), (3.5, 50), (1e-5, 1), True, True)
    axes.across([4, 6, 8, 12, 18, 25, 36], across)
    axes.up([10.0**k for k in range(-5, 1)], "largest error of the tip over its largest displacement")
    for k, name in enumerate(names):
        own = sorted((s, e) for m, s, e in points if int(m) == k)
        colour = plot.COLOURS[k % len(plot.COLOURS)]
        log_curve(axes, *zip(*own), colour) if own else None
        for s, e in own:
            axes.mark(s, min(max(e, axes.y[0]), axes.y[1]), colour)
    axes.key([(name, plot.COLOURS[k % len(plot.COLOURS)], "") for k, name in enumerate(names)])
    file.write_text(plot.page(1000, 500, axes.parts))


def methods(runs, folder):
    end = 0.1 if runs.short else 1
    number, size, error, spent = runs.stored("methods", ["method", "vectors", "error", "seconds"], lambda: cable_methods(runs, end))
    names = list(CABLE_METHODS)
    points = [row for row in zip(number, size, error) if row[0] >= 0]
    draw_methods(folder / "methods.svg", names, points, "vectors of the arm")
    found = {(int(m), int(s)): (e, t) for m, s, e, t in zip(number, size, error, spent)}
    sizes = [n for n in CABLE_SIZES if (0, n) in found]
    rows = [("full run", *("0" for _ in sizes), f"{found[-1, 0][1]:.2g}")]
    rows += [(name, *(f"{found[k, n][0]:.1e}" for n in sizes), f"{found[k, TIMED][1]:.2g}") for k, name in enumerate(names)]
    runs.table(folder / "methods.csv",
               [f"examples/hub-beam/cables.yaml, damped, 20 elements, {end:g} s in steps of {1e-3 if runs.short else 5e-4:g} s: largest error of the tip over its largest displacement,",
                "against the full run of the same steps, for so many vectors of the arm, and processor seconds of the whole process with 16 of them, with all that makes the vectors"],
               ["method", *map(str, sizes), "seconds"], rows)


def methods_floating(runs, folder):
    end = 0.2 if runs.short else 3

    def table():
        rows = list(floating_methods(runs, end))
        names = list(METHODS)
        return [[names.index(row[0]) for row in rows], [row[1] for row in rows], [row[2] for row in rows]]

    number, size, error = runs.stored("methods-floating", ["method", "vectors", "error"], table)
    draw_methods(folder / "methods-floating.svg", list(METHODS), list(zip(number, size, error)), "vectors of the arm (amplitudes)")
    rows = [(list(METHODS)[int(m)], int(s), f"{e:.2e}") for m, s, e in zip(number, size, error)]
    runs.table(folder / "methods-floating.csv",
               [f"examples/hub-beam/model.yaml, {end:g} s: largest error of the tip over its largest displacement, against the full run of the same model and steps",
                "(floating arm, 20 elements)"], ["method", "vectors", "error"], rows)


FIGURES = {"boley": boley, "pendulum-shapes": pendulum_shapes, "pendulum-tip": pendulum_tip, "pendulum-error": pendulum_error,
           "satellite-temperatures": satellite_temperatures, "satellite-points": satellite_points, "satellite-error": satellite_error,
           "satellite-elements": satellite_elements, "methods": methods, "methods-floating": methods_floating}


def draw(runs, folder, name):
    FIGURES[name](runs, folder)
