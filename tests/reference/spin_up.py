#!/usr/bin/env python3
"""Reference solution of a beam that is spun up: prescribed turn of its root, zeroth order or consistent first order.

    spin_up.py > spin-up.csv"""
import math

import numpy as np

from beam import Beam, Exponential

DATA = dict(n=20, L=10.0, I=1.4e4 / 2.8e7, A=1.0, E=2.8e7, rho=1.2, r0=0.0)
RATE, T = 6.0, 15.0


def turn(t):
    """rate and acceleration of the root"""
    if t >= T:
        return RATE, 0.0
    k = 2 * math.pi / T
    return RATE / T * (t - math.sin(k * t) / k), RATE / T * (1 - math.cos(k * t))


class SpinUp:
    def __init__(self, beam, coupling=1):
        self.beam, self.coupling = beam, coupling
        n = self.size = len(beam.w)
        self.L = np.zeros((2 * n, 2 * n))
        self.L[:n, n:] = np.diag(beam.w)
        self.L[n:, :n] = -beam.K / beam.w
        self.L[n:, n:] = -beam.D
        self.inertia = beam.M - (beam.K_w if coupling else 0)

    def rate(self, y, t):
        b, n = self.beam, self.size
        p, v = y[:n] / b.w, y[n:]
        w, a = turn(t)
        out = np.zeros_like(y)
        out[n:] = w * w * (b.b1 + self.inertia @ p) + 2 * w * (b.G @ v) - a * (b.b2 - b.G @ p)
        return out

    def run(self, end, h, every):
        """rows t, u1, u2 of the tip at multiples of `every`; the last is where u2 passes L/2, if it does"""
        b, n = self.beam, self.size
        y, scheme, rows, per = np.zeros(2 * n), Exponential(self.L, h), [], round(every / h)
        for k in range(round(end / h) + 1):
            if k % per == 0:
                p = y[:n] / b.w
                rows.append((k * h, b.tip1 @ p - (0.5 * p @ b.K_F @ p if self.coupling else 0), b.tip2 @ p))
                if abs(rows[-1][2]) > b.L / 2:
                    break
            y = scheme.step(y, k * h, self.rate)
        return np.array(rows)


if __name__ == "__main__":
    beam = Beam(**DATA)
    print("# Tip of a beam that is spun up (m), tests/reference/spin_up.py; steps of 5e-4 s, `change` is the largest difference")
    print("# to steps of 1e-3 s")
    print(f"# first bending frequency {np.sort(beam.w)[0]:.8g} rad/s; steady extension {RATE**2*1.2*1e3/(3*2.8e7):.7g} m")
    print("coupling,time,u1,u2,change")
    for coupling in (0, 1):
        coarse = SpinUp(beam, coupling).run(20.0, 1e-3, 0.01)
        fine = SpinUp(beam, coupling).run(20.0, 5e-4, 0.01)
        lag = fine[np.argmin(fine[:, 2])]
        if coupling:
            change = np.abs(coarse - fine).max()
            late = fine[fine[:, 0] >= T, 2]
            print(f"# first order: largest lag {lag[2]:.8g} at {lag[0]:.3g} s; then {late.min():.6g} to {late.max():.6g}")
        else:
            count = min(len(coarse), len(fine))
            change = np.abs(coarse[:count] - fine[:count])[:900].max()
            print(f"# zeroth order: u2 passes L/2 at {fine[-1,0]:.4g} s; `change` is that of the first 9 s")
        for t, u1, u2 in fine[::50]:
            print(f"{coupling},{t:.2f},{u1:.10e},{u2:.10e},{change:.1e}")
