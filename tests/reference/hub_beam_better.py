#!/usr/bin/env python3
"""Bases of a beam on a hub that need few vectors, what they leave out, and how well that is reported beforehand: loads
and vectors of the loaded beam, and the vibrations that a reduced run misses, driven by what it leaves unbalanced.

    hub_beam_better.py > hub-beam-better.csv

README.md says how they are made."""
import multiprocessing

import numpy as np

from beam import Beam
from hub_beam import ARM, HubBeam, MOTION, coupled_modes, krylov, relative

END, EVERY = 10.0, 0.01
RISE = 0.7  # of the rate until the middle of the run [rad/s]: half of what the moment of the forces gives
# steps of the full model and of the reduced ones, and vectors that carry stretch
CASES = {"smooth": (1e-4, 2e-4, 2), "damped step": (5e-5, 2e-4, 2), "step": (2.5e-5, 1e-4, 4)}
RECIPES = {
    "smooth": [("loaded", r) for r in range(3, 9)] + [("shifted", r) for r in range(3, 9)],
    "damped step": [("loaded", r) for r in (4, 6, 8, 10, 12)] + [("coupled", 12), ("coupled", 14)],
    "step": [("loaded", r) for r in (4, 6, 8, 10, 12)],
}


def bending(system, name, r, omega0):
    """loaded: vectors of the tip's force and the Euler load, with the stiffness under the full force at the middle rate;
    shifted: the same at the first rate, about 10i rad/s; coupled: modes of the loaded beam and a free hub, and the
    static answer to the tip's force"""
    b, K = system.beam, system.stiffness(omega0 + RISE)
    if name == "loaded":
        return krylov(b, [b.tip2, b.b2], r, K)
    if name == "shifted":
        return krylov(b, [b.tip2, b.b2], r, system.stiffness(omega0) - 100 * b.M)
    return np.c_[coupled_modes(b, K)[1][:, : r - 1], krylov(b, [b.tip2], 1, K)]


class Unbalanced:
    """what a reduced motion leaves unbalanced in the full equations, on the vectors Y"""

    def __init__(self, full, reduced, Y):
        b, V = full.beam, reduced.beam.V
        self.reduced = reduced
        self.K, self.D, self.M, self.G, self.inertia = (Y.T @ A @ V for A in (b.K, b.D, b.M, b.G, full.inertia))
        self.K_F, (self.b1, self.b2, self.tip1, self.tip2) = Y.T @ b.K_F @ V, (Y.T @ a for a in (b.b1, b.b2, b.tip1, b.tip2))

    def at(self, y, t):
        """residual, and the rate"""
        system, b = self.reduced, self.reduced.beam
        q, inner, w, v = system.velocities(y)
        torque, load, _ = system.forces(q, t)
        row, J = b.b2 - b.G @ q, system.J_H + b.J + 2 * b.b1 @ q + q @ inner
        own = load - b.K @ q - b.D @ v + w * w * (b.b1 + inner) + 2 * w * (b.G @ v)
        turning = (torque - 2 * w * (b.b1 @ v + inner @ v) - row @ own) / (J - row @ row)
        (Fx, Fy, _, _), s = system.loads, system.factor(t)[0]
        force = s * (Fx * (self.tip1 - (self.K_F @ q if system.coupling else 0)) + Fy * self.tip2)
        force -= self.K @ q + self.D @ v + self.M @ (own - row * turning) + (self.b2 - self.G @ q) * turning
        return force + w * w * (self.b1 + self.inertia @ q) + 2 * w * (self.G @ v), w


def oscillate(square, D, slope, about, forces, rates, h):
    """motion of z'' + 2 D z' + (square + slope (rate^2 - about^2)) z = force, each by itself, exact for forces that are
    linear over a step and the rate in its middle"""
    z, v = np.zeros_like(square), np.zeros_like(square)
    yield z
    for f0, f1, w0, w1 in zip(forces[:-1], forces[1:], rates[:-1], rates[1:]):
        stiff = square + slope * ((w0 + w1) ** 2 / 4 - about**2)
        w = np.sqrt(stiff - D * D)
        up = (f1 - f0) / (h * stiff)
        begin = (f0 - 2 * D * up) / stiff
        a = z - begin
        b = (v - up + D * a) / w
        decay, c, s = np.exp(-D * h), np.cos(w * h), np.sin(w * h)
        z = begin + up * h + decay * (a * c + b * s)
        v = up + decay * (w * (b * c - a * s) - D * (a * c + b * s))
        yield z


def answers(full, reduced, omega0, h):
    """u2 of a reduced run, and with the vibrations that it misses"""
    b, about, per = full.beam, omega0 + RISE, round(EVERY / h)
    square, Y = coupled_modes(b, full.stiffness(about))
    unbalanced, u2, forces, rates = Unbalanced(full, reduced, Y), [], [], []
    for k, (t, y) in enumerate(reduced.states(omega0, END, h)):
        force, w = unbalanced.at(y, t)
        forces.append(force)
        rates.append(w)
        if k % per == 0:
            u2.append(reduced.tip(y[reduced.rates[0]] / reduced.scale)[1])
    D, slope = (np.einsum("ij,ij->j", Y, A @ Y) for A in (b.D / 2, -full.inertia))
    missed = [z @ (Y.T @ b.tip2) for z in oscillate(square, D, slope, about, forces, rates, h)][::per]
    return np.array(u2), np.array(u2) + missed


def case(coupling, omega0, name):
    loads, damping, _, _ = MOTION[name]
    fine, h, stretches = CASES[name]
    options = dict(coupling=coupling, about=omega0 + RISE, **loads)
    beam = Beam(**ARM).damp(**damping)
    full, b = HubBeam(beam, **options), beam
    want, coarse = (full.run(omega0, END, step, EVERY)[0][:, 3] for step in (fine, 2 * fine))
    axial, got = krylov(b, [b.tip1, b.b1], stretches), {}
    for recipe, r in RECIPES[name]:
        reduced = HubBeam(b.reduced(np.c_[bending(full, recipe, r, omega0), axial]), **options)
        got[recipe, r] = answers(full, reduced, omega0, h)
    out = [f"# {coupling},{omega0:g},{name}: the full model with steps twice as long {relative(coarse, want):.1e}"]
    for (recipe, r), own in got.items():
        more = got.get((recipe, r + 2))
        told = [f"{relative(a, b):.2e}" for a, b in zip(own, more)] if more else ["", ""]
        errors = [f"{relative(a, want):.2e}" for a in own]
        out.append(f"{coupling},{omega0:g},{name},{recipe},{r},{errors[0]},{told[0]},{errors[1]},{told[1]}")
    return out


def main():
    print("# Few vectors for a beam on a hub, tests/reference/hub_beam_better.py: relative RMS differences of u2 over 10 s from the")
    print("# full model; `told`: from the same recipe with two vectors more. `missed`: with the vibrations that the reduced run")
    print("# misses. `vectors` bend; beside them 2 carry stretch, 4 without damping. Steps of the full and of the reduced runs:")
    print("# " + ", ".join(f"{name} {fine:g} and {h:g} s" for name, (fine, h, _) in CASES.items()))
    print("coupling,omega0,case,recipe,vectors,u2,told,u2_missed,told_missed")
    cases = [(c, w, name) for name in CASES for c in (0, 1) for w in (1.0, 2.0)]
    with multiprocessing.Pool(2) as pool:
        for lines in pool.starmap(case, cases, 1):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
