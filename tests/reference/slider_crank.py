#!/usr/bin/env python3
"""Reference solution of a slider-crank with an elastic rod: chord frame, pinned-pinned bending modes
sin(j pi x/l), axially rigid, zeroth order. The rod's motion is known then, and each amplitude obeys

    q_j'' + (w_j^2 - beta'^2) q_j = -2/(j pi) [a_y (1 - (-1)^j) - beta'' l (-1)^j]

In second order the rod's chord shortens as it bends and lengthens as it is stretched, which the guide turns into
another angle: Lagrange's equations of particles at Gauss points, with the stretch x/l and sin(k pi x/l) and the slider's
mass. Both by the classical Runge-Kutta method.

    slider_crank.py > slider-crank.csv"""
import math

import numpy as np

R, L, D, E, RHO, OMEGA = 0.15, 0.3, 0.006, 2e11, 7870.0, 150.0
STIFF = math.sqrt(E * (math.pi * D**4 / 64) / (RHO * math.pi * D**2 / 4))


def chord(t):
    """rate and acceleration of the rod's angle, acceleration of its crank end across the chord"""
    s, c = math.sin(OMEGA * t), math.cos(OMEGA * t)
    k = R / L
    sine, cosine = -k * s, math.sqrt(1 - k * k * s * s)
    rate = -k * OMEGA * c / cosine
    accel = (k * OMEGA**2 * s + sine * rate * rate) / cosine
    return rate, accel, -OMEGA**2 * R * (s * cosine - c * sine)


def run(modes, end, h, every, damp=0.0):
    """rows t, deflection at mid-span over l; and its peak with its time"""
    order = range(1, modes + 1)
    q, v = [0.0] * modes, [0.0] * modes
    w2 = [(j * math.pi / L) ** 4 * STIFF**2 for j in order]
    mid = [math.sin(j * math.pi / 2) / L for j in order]

    def force(t, q, v):
        rate, accel, a_y = chord(t)
        return [-2 / (j * math.pi) * (a_y * (1 - (-1) ** j) - accel * L * (-1) ** j)
                - (w2[j - 1] - rate * rate) * q[j - 1] - damp * v[j - 1] for j in order]

    add = lambda x, s, y: [a + s * b for a, b in zip(x, y)]
    rows, peak, per = [], (0.0, 0.0), round(every / h)
    for k in range(round(end / h) + 1):
        t = k * h
        value = sum(m * a for m, a in zip(mid, q))
        if abs(value) > abs(peak[1]):
            peak = (t, value)
        if k % per == 0:
            rows.append((t, value))
        a1 = force(t, q, v)
        v2 = add(v, h / 2, a1)
        a2 = force(t + h / 2, add(q, h / 2, v), v2)
        v3 = add(v, h / 2, a2)
        a3 = force(t + h / 2, add(q, h / 2, v2), v3)
        v4 = add(v, h, a3)
        a4 = force(t + h, add(q, h, v3), v4)
        q = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(q, v, v2, v3, v4)]
        v = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(v, a1, a2, a3, a4)]
    return rows, peak


class Shortening:
    """the rod with `axial` stretches and `bending` half waves, foreshortening included"""

    def __init__(self, axial=3, bending=5, points=24):
        x, weight = np.polynomial.legendre.leggauss(points)
        x, weight = L * (1 + x) / 2, L * weight / 2
        area, self.n = math.pi * D**2 / 4, axial
        k, j = np.arange(1, axial) * math.pi / L, np.arange(1, bending + 1) * math.pi / L
        self.x = np.r_[x, L]
        self.mass = np.r_[RHO * area * weight, RHO * area * L / 2]
        self.stretch = np.c_[self.x / L, np.sin(np.outer(self.x, k))]
        self.across = np.sin(np.outer(self.x, j))
        self.across[-1] = 0
        # integral from 0 to x of w_i' w_j'
        i, m = np.meshgrid(j, j, indexing="ij")
        wave = lambda a, b: np.where(np.abs(a) < 1e-9, b, np.sin(a * b) / np.where(np.abs(a) < 1e-9, 1, a))
        self.short = np.array([i * m * (wave(i - m, b) + wave(i + m, b)) / 2 for b in self.x])
        self.K = np.r_[E * area / L, E * area * k**2 * L / 2, E * area * (D * D / 16) * j**4 * L / 2]

    def accelerations(self, t, y, v):
        n, x = self.n, self.x
        p, w = y[:n], y[n:]
        shape = self.short @ w
        along = x + self.stretch @ p - 0.5 * shape @ w
        across = self.across @ w
        d_along, d_across = self.stretch @ v[:n] - shape @ v[n:], self.across @ v[n:]
        dd_along = -(self.short @ v[n:]) @ v[n:]
        # angle of the chord, which ends on the guide
        s, c = math.sin(OMEGA * t), math.cos(OMEGA * t)
        yA, dyA, ddyA = R * s, R * OMEGA * c, -R * OMEGA**2 * s
        l, dl, ddl = along[-1], d_along[-1], dd_along[-1]
        sine = -yA / l
        cosine = math.sqrt(1 - sine * sine)
        rate = (-dyA - sine * dl) / l / cosine
        accel = ((-ddyA - 2 * rate * cosine * dl - sine * ddl) / l + sine * rate * rate) / cosine
        by_l = -sine / (l * cosine)
        # particles: Jacobian and accelerations without those of the coordinates, in axes of the chord
        J1, J2 = np.c_[self.stretch, -shape], np.c_[np.zeros_like(self.stretch), self.across]
        turn = by_l * J1[-1]
        J1, J2 = J1 - np.outer(across, turn), J2 + np.outer(along, turn)
        a1 = -R * OMEGA**2 * (c * cosine + s * sine) + dd_along - 2 * rate * d_across - accel * across - rate**2 * along
        a2 = -R * OMEGA**2 * (s * cosine - c * sine) + 2 * rate * d_along + accel * along - rate**2 * across
        m = self.mass
        M = (J1.T * m) @ J1 + (J2.T * m) @ J2
        return np.linalg.solve(M, -J1.T @ (m * a1) - J2.T @ (m * a2) - self.K * y)

    def run(self, end, h, every):
        y, v = np.zeros(len(self.K)), np.zeros(len(self.K))
        mid = np.r_[np.zeros(self.n), [math.sin(j * math.pi / 2) / L for j in range(1, len(self.K) - self.n + 1)]]
        rows, peak, per, f = [], (0.0, 0.0), round(every / h), self.accelerations
        for k in range(round(end / h) + 1):
            t, value = k * h, mid @ y
            if abs(value) > abs(peak[1]):
                peak = (t, value)
            if k % per == 0:
                rows.append((t, value))
            a1 = f(t, y, v)
            v2 = v + h / 2 * a1
            a2 = f(t + h / 2, y + h / 2 * v, v2)
            v3 = v + h / 2 * a2
            a3 = f(t + h / 2, y + h / 2 * v2, v3)
            v4 = v + h * a3
            a4 = f(t + h, y + h * v3, v4)
            y, v = y + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return rows, peak


def table(name, run, coarse, fine):
    rough, (rows, peak) = run(coarse)[0], run(fine)
    change = max(abs(a[1] - b[1]) for a, b in zip(rough, rows))
    print(f"# {name}: peak {peak[1]:.8g} at {peak[0]:.6g} s")
    for t, value in rows:
        if round(t * 1000) % 5 == 0:
            print(f"{name},{t:.3f},{value:.10e},{change:.1e}")


if __name__ == "__main__":
    print("# Rod of a slider-crank, chord frame, tests/reference/slider_crank.py: deflection at mid-span over the rod's length;")
    print("# `change` is the largest difference to steps twice as long. N half waves of zeroth order, or A stretches and N half")
    print("# waves with the shortening of the chord")
    print(f"# first mode {(math.pi/L)**2*STIFF:.9g} rad/s")
    print("model,time,mid,change")
    for modes in (1, 3, 5):
        table(f"{modes}", lambda h: run(modes, 0.1, h, 1e-3), 1e-5, 5e-6)
    for axial, bending in ((1, 3), (3, 5)):
        table(f"{axial}+{bending}", lambda h: Shortening(axial, bending).run(0.1, h, 1e-3), 5e-6, 2.5e-6)
