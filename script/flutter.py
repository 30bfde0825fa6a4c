"""Thermal flutter of a boom in the sun (examples/hubble-boom): real parts of roots, their boundary, and runs on either side of it."""
import json
import math
import subprocess

import plot

MODEL = "hubble-boom/model.yaml"
L, OUTER, INNER, TIP = 5.91, 0.022095 / 2, 0.021625 / 2, 0.867
DENSITY, CAPACITY, YOUNG, EXPANSION = 7010, 502, 1.93e11, 1.69e-5
FLUX, ABSORPTIVITY, EMISSIVITY, SIGMA = 1350, 0.9, 0.234, 5.670374419e-8
ZETA = 3e-4
TIMES = (1, 2, 25)  # conduction around the tube [s]; 25: beryllium copper
BOUNDARY = (1, 1.5, 2, 3, 5, 10, 25)
RUNS = (1.0, 0.1)  # incidence [rad]
PARTS = 400


# ---- closed form, see the page of the example -----------------------------------------------------------------------


class Mode:
    """first mode of a cantilever with a mass at its tip"""

    def __init__(self):
        self.EI = YOUNG * math.pi / 4 * (OUTER**4 - INNER**4)
        along = DENSITY * math.pi * (OUTER**2 - INNER**2)
        low, high = 1e-3, 1.8751
        for _ in range(100):
            z = (low + high) / 2
            f = 1 + math.cos(z) * math.cosh(z) + TIP / (along * L) * z * (math.cos(z) * math.sinh(z) - math.sin(z) * math.cosh(z))
            low, high = (z, high) if f > 0 else (low, z)
        self.beta, self.sigma = low, (math.cos(low) + math.cosh(low)) / (math.sin(low) + math.sinh(low))
        self.frequency = low**2 * math.sqrt(self.EI / (along * L**4))
        self.x = [(k + 0.5) * L / PARTS for k in range(PARTS)]
        self.mass = TIP * self.derivative(0, L) ** 2 + sum(along * L / PARTS * self.derivative(0, x) ** 2 for x in self.x)
        self.work = [L / PARTS * self.derivative(1, x) * self.derivative(2, x) for x in self.x]

    def derivative(self, order, x):
        z, s, k = self.beta * x / L, self.sigma, (self.beta / L) ** order
        sums = (math.cosh(z) - math.cos(z), math.sinh(z) + math.sin(z), math.cosh(z) + math.cos(z))
        others = (math.sinh(z) - math.sin(z), math.cosh(z) - math.cos(z), math.sinh(z) + math.sin(z))
        return k * (sums[order] - s * others[order])


MODE = Mode()


def closed_form(incidence, conduction, zeta, arc=True):
    """the root near the frequency; without arc: of the straight boom"""
    R = (OUTER + INNER) / 2
    A = 2 * math.pi * R * (OUTER - INNER)
    T = (ABSORPTIVITY * FLUX * math.cos(incidence) / (math.pi * EMISSIVITY * SIGMA)) ** 0.25
    loss = DENSITY * CAPACITY * R**2 / conduction * A / 2 + 4 * EMISSIVITY * SIGMA * T**3 * math.pi * OUTER * R**2
    tau = DENSITY * CAPACITY * A * R**2 / 2 / loss
    gradient = math.pi / 2 * OUTER * R * ABSORPTIVITY * FLUX / loss
    bent = EXPANSION * gradient * math.cos(incidence) if arc else 0
    work = sum(w * math.sin(incidence + bent * x) for x, w in zip(MODE.x, MODE.work))
    heated = MODE.EI * EXPANSION * gradient * work / MODE.mass
    w = MODE.frequency
    s = complex(0, w)
    for _ in range(30):
        q, t = s * s + 2 * zeta * w * s + w * w, tau * s + 1
        s -= (q * t + heated) / ((2 * s + 2 * zeta * w) * t + q * tau)
    return s


def boundary(root):
    """incidence at which the real part is 0, by the secant method"""
    a, b = 0.1, 0.6
    fa, fb = root(a).real, root(b).real
    for _ in range(8):
        if abs(b - a) < 1e-5:
            break
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        fb = root(b).real
    return b


# ---- the model -------------------------------------------------------------------------------------------------------


def root_of(runs, incidence, conduction, zeta):
    command = [runs.program, "modes", runs.model(MODEL), "--equilibrium", "--damped", "-n", "60", "--json"]
    for key, value in {"incidence": incidence, "tau": conduction, "zeta": zeta}.items():
        command += ["--set", f"{key}={value!r}"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    near = [m for m in json.loads(out)["modes"] if abs(m["im"] / MODE.frequency - 1) < 0.05]
    return complex(near[0]["re"], near[0]["im"])


# ---- the figure ------------------------------------------------------------------------------------------------------


def real_parts(runs, axes):
    count = 5 if runs.short else 11
    for conduction, colour in zip(TIMES, plot.COLOURS):
        angles = [-1.2 + 2.4 * k / 100 for k in range(101)]
        axes.curve([(i, 1e3 * closed_form(i, conduction, ZETA).real) for i in angles], colour)
        for k in range(count):
            i = -1.2 + 2.4 * k / (count - 1)
            axes.mark(i, 1e3 * root_of(runs, i, conduction, ZETA).real, colour)
    axes.key([(f"tau = {c:g} s", colour, "") for c, colour in zip(TIMES, plot.COLOURS)])


def boundaries(runs, axes):
    rows = []
    for conduction in BOUNDARY[::3] if runs.short else BOUNDARY:
        own = boundary(lambda i, c=conduction: root_of(runs, i, c, ZETA))
        arc, straight = (boundary(lambda i, c=conduction, a=a: closed_form(i, c, ZETA, a)) for a in (True, False))
        axes.mark(conduction, own, plot.COLOURS[0])
        rows.append((f"{conduction:g}", f"{own:.4f}", f"{arc:.4f}", f"{own / arc - 1:.1e}", f"{straight:.4f}"))
    times = [10 ** (1.45 * k / 60) for k in range(61)]
    for arc, dash in ((True, ""), (False, "5 4")):
        axes.curve([(c, boundary(lambda i, c=c, a=arc: closed_form(i, c, ZETA, a))) for c in times], plot.COLOURS[0], dash)
    axes.key([("closed form, of the boom that is bent", plot.COLOURS[0], ""), ("of the straight boom", plot.COLOURS[0], "5 4")])
    return rows


def histories(runs, axes_of, end):
    for incidence, axes in zip(RUNS, axes_of):
        p = runs.probes(MODEL, f"flutter-{incidence:g}", {"incidence": incidence, "t_end": end})
        t, y = p["time"], p["tip.y"]
        late = [v for a, v in zip(t, y) if a > 2]
        middle = (max(late) + min(late)) / 2
        axes.curve([(a, 1e3 * (v - middle)) for a, v in zip(t, y)], plot.COLOURS[1], width=0.8)
        rate = root_of(runs, incidence, 2.0, ZETA).real
        size = max(abs(v - middle) for a, v in zip(t, y) if 1 < a < 6)
        for sign in (1, -1):
            axes.curve([(a, sign * 1e3 * size * math.exp(rate * (a - 3))) for a in (2 + (end - 2) * k / 50 for k in range(51))],
                       plot.COLOURS[5], "5 4")
    axes_of[0].key([("tip, incidence 1 rad", plot.COLOURS[1], ""), ("grows as the root says", plot.COLOURS[5], "5 4")])
    axes_of[1].key([("tip, incidence 0.1 rad", plot.COLOURS[1], ""), ("decays as the root says", plot.COLOURS[5], "5 4")])


def draw(runs, folder, name):
    parts = plot.Axes((90, 40, 640, 250), (-1.25, 1.25), (-1.8, 0.8))
    limit = plot.Axes((90, 340, 640, 500), (0.9, 30), (0.3, 0.65), log_x=True)
    end = 30 if runs.short else 600
    grow, decay = (plot.Axes((90, top, 640, top + 110), (0, end), (-10, 10)) for top in (590, 760))
    parts.across((-1, -0.5, 0, 0.5, 1), "incidence of the sun from square [rad]")
    parts.up((-1.5, -1, -0.5, 0, 0.5), "real part of the root [1e-3 1/s]")
    limit.across((1, 2, 5, 10, 20), "time of conduction around the tube [s]")
    limit.up((0.3, 0.4, 0.5, 0.6), "critical incidence [rad]")
    real_parts(runs, parts)
    rows = boundaries(runs, limit)
    histories(runs, (grow, decay), end)
    for axes, label in ((grow, None), (decay, "time [s]")):
        axes.across(plot.round_ticks(0, end), label)
        axes.up((-8, 0, 8), "tip about its middle [mm]")
    (folder / f"{name}.svg").write_text(plot.page(960, 930, parts.parts + limit.parts + grow.parts + decay.parts))
    runs.table(folder / f"{name}.csv",
               ["examples/hubble-boom, damping ratio 3e-4: incidence [rad] from which the boom flutters, by roots of the model, by the closed form",
                "of the boom that is bent, the difference of these, and by that of the straight boom"],
               ["tau", "roots", "closed_form", "difference", "straight"], rows)
