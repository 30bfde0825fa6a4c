#!/usr/bin/env python3
"""Reference solution of a beam on a hub in its plane: floating frame of the hub, zeroth order or consistent first
order, any basis. Lagrange's equations in the angle and the amplitudes, by an exponential integrator.

    hub_beam.py motion > hub-beam.csv           theta and the tip every 0.25 s
    hub_beam.py bases > hub-beam-bases.csv      errors of reduced bases against the full model"""
import multiprocessing
import sys

import numpy as np

from beam import Beam, Exponential

ARM = dict(n=20, L=1.8, I=1.302e-10, A=2.5e-4, E=6.895e10, rho=2767.0, r0=0.1)
J_H, FX, FY = 0.25, 4.0, 0.2


class HubBeam:
    """loads: hub moment and forces in the hub's axes, at the tip and along the beam, times `ramp`; `about`: a rate of
    the run, about which the linear part is taken instead of about rest (with it steps may be larger)"""

    def __init__(self, beam, J_H=J_H, coupling=1, Fx=FX, Fy=FY, torque=0.0, fx=0.0, fy=0.0, ramp=0.0, pulse=0.0, about=None):
        self.beam, self.coupling, self.J_H = beam, coupling, J_H
        self.loads, self.torque, self.ramp, self.pulse = (Fx, Fy, fx, fy), torque, ramp, pulse
        n = len(beam.w)
        self.size, self.scale = n, beam.w
        self.Kw = beam.K / beam.w
        self.inertia = beam.M - (beam.K_w if coupling else 0)
        # y = (theta, H, w p, pi, integral of moment * rate, of potentials of loads whose factor changes, of u1)
        self.rates = slice(2, n + 2), slice(n + 2, 2 * n + 2)
        self.L = self.linear(about)

    def linear(self, about):
        """the linear part of y' about a straight beam: at rest (None), or under its axial force and turning at a rate"""
        b, n = self.beam, self.size
        K, turning = (b.K, 0.0) if about is None else (self.stiffness(about), about)
        L, row = np.zeros((2 * n + 5, 2 * n + 5)), np.zeros(2 * n + 5)
        row[1], row[n + 2 : 2 * n + 2] = 1, -b.b2
        row /= self.J_H + b.J - b.b2 @ b.b2
        velocity = -np.outer(b.b2, row)
        velocity[:, n + 2 : 2 * n + 2] += np.eye(n)
        velocity[:, self.rates[0]] += turning * b.G / b.w
        L[0] = row
        L[self.rates[0]] = b.w[:, None] * velocity
        L[self.rates[1]] = turning * b.G @ velocity - b.D @ velocity
        L[self.rates[1], self.rates[0]] -= K / b.w
        L[2 * n + 4, self.rates[0]] = b.tip1 / b.w
        return L

    def stiffness(self, rate):
        """tangent stiffness under the force along the beam and at a rate: what bends a beam that is loaded"""
        b = self.beam
        return b.K + (self.loads[0] * b.K_F if self.coupling else 0) - rate**2 * self.inertia

    def factor(self, t):
        """of the forces, and its rate"""
        if not self.ramp or t >= self.ramp:
            return 1.0, 0.0
        k = np.pi / self.ramp
        return (1 - np.cos(k * t)) / 2, k * np.sin(k * t) / 2

    def moment(self, t):
        if not self.pulse:
            return self.torque
        return self.torque * (1 - np.cos(2 * np.pi * t / self.pulse)) / 2 if t < self.pulse else 0.0

    def tip(self, p):
        b = self.beam
        return b.tip1 @ p - (0.5 * p @ b.K_F @ p if self.coupling else 0.0), b.tip2 @ p

    def velocities(self, y):
        """p, theta', p' of momenta: H = J theta' + row p', pi = p' + row theta'"""
        b = self.beam
        p, pi = y[self.rates[0]] / self.scale, y[self.rates[1]]
        row, inner = b.b2 - b.G @ p, self.inertia @ p
        w = (y[1] - row @ pi) / (self.J_H + b.J + 2 * b.b1 @ p + p @ inner - row @ row)
        return p, inner, w, pi - w * row

    def forces(self, p, t):
        """generalised forces on theta and p, their potential, and that of the loads at their full size"""
        b = self.beam
        (Fx, Fy, fx, fy), s = self.loads, self.factor(t)[0]
        load = Fx * b.tip1 + Fy * b.tip2 + fx * b.sum1 + fy * b.sum2
        u1, sum1, potential = b.tip1 @ p, b.sum1 @ p, load @ p
        if self.coupling:
            K_Fp, K_fp = b.K_F @ p, b.K_f @ p
            u1, sum1 = u1 - 0.5 * p @ K_Fp, sum1 - 0.5 * p @ K_fp
            load = load - Fx * K_Fp - fx * K_fp
            potential -= 0.5 * p @ (Fx * K_Fp + fx * K_fp)
        tau = s * ((b.end + u1) * Fy - b.tip2 @ p * Fx + (b.span + sum1) * fy - b.sum2 @ p * fx)
        return tau + self.moment(t), s * load, potential

    def rate(self, y, t):
        """y' - L y: Hamilton's equations, which hold no accelerations, so that vibrations hardly act on the rest"""
        b, n = self.beam, self.size
        p, inner, w, v = self.velocities(y)
        tau, load, potential = self.forces(p, t)
        out = np.empty_like(y)
        out[0], out[1] = w, tau
        out[self.rates[0]] = self.scale * v
        out[self.rates[1]] = load - self.Kw @ y[self.rates[0]] - b.D @ v + w * w * (b.b1 + inner) + w * (b.G @ v)
        out[2 * n + 2 :] = tau * w, self.factor(t)[1] * potential, self.tip(p)[0]
        return out - self.L @ y

    def energy(self, y, t):
        """energy less the work of the loads; damping apart it is constant"""
        b, n = self.beam, self.size
        p, inner, w, v = self.velocities(y)
        _, _, potential = self.forces(p, t)
        T = 0.5 * y[1] * w + 0.5 * y[self.rates[1]] @ v
        return T + 0.5 * p @ b.K @ p - self.factor(t)[0] * potential - y[2 * n + 2] + y[2 * n + 3]

    def states(self, omega0, end, h):
        """times and states of a run from rest in the hub's axes"""
        n, b = self.size, self.beam
        y = np.zeros(2 * n + 5)
        y[1], y[self.rates[1]] = (self.J_H + b.J) * omega0, b.b2 * omega0
        scheme = Exponential(self.L, h)
        yield 0.0, y
        for k in range(round(end / h)):
            y = scheme.step(y, k * h, self.rate)
            yield (k + 1) * h, y

    def run(self, omega0, end, h, every):
        """rows t, theta, u1, u2, theta', integral of u1 at multiples of `every`, and the largest drift of the energy"""
        per, rows, energies = round(every / h), [], []
        for k, (t, y) in enumerate(self.states(omega0, end, h)):
            if k % per == 0:
                p, _, w, _ = self.velocities(y)
                rows.append((t, y[0], *self.tip(p), w, y[2 * self.size + 4]))
                energies.append(self.energy(y, t))
        return np.array(rows), np.abs(np.array(energies) - energies[0]).max()


def krylov(beam, inputs, count, K=None):
    """`count` vectors of K^-1 B, K^-1 M K^-1 B, ..., each orthogonal to those before it as soon as it is made; another
    K moves the point of expansion or loads the beam"""
    V, block = np.zeros((len(beam.w), 0)), np.array(inputs).T
    K = beam.K if K is None else K
    while V.shape[1] < count:
        block = np.linalg.solve(K, block)
        for j in range(block.shape[1]):
            x = block[:, j] / np.linalg.norm(block[:, j])
            for _ in range(2):
                x = x - V @ (V.T @ x)
            block[:, j] = x / np.linalg.norm(x)
            if V.shape[1] < count:
                V = np.c_[V, block[:, j]]
    return V


def basis(beam, name):
    """by name: modal-N, krylov-B+A of the tip's forces one by one, combined-N of both as one load; bending-N of the
    tip's force and the Euler load, coupled-N modes of beam and free hub with the tip's static shape; the last two
    with one static axial vector"""
    kind, number = name.split("-")
    if kind == "modal":
        return np.eye(len(beam.w))[:, np.argsort(beam.w)[: int(number)]]
    if kind == "krylov":
        bending, axial = (int(k) for k in number.split("+"))
        return np.c_[krylov(beam, [beam.tip2], bending), krylov(beam, [beam.tip1], axial)]
    if kind == "combined":
        return krylov(beam, [FX * beam.tip1 + FY * beam.tip2], int(number))
    axial, r = krylov(beam, [beam.tip1], 1), int(number)
    if kind == "bending":
        return np.c_[krylov(beam, [beam.tip2, beam.b2], r), axial]
    return np.c_[coupled_modes(beam, beam.K)[1][:, : r - 1], krylov(beam, [beam.tip2], 1), axial]


def coupled_modes(beam, K):
    """squared frequencies and shapes of bending of a beam of stiffness K whose hub is free to turn"""
    bends = np.flatnonzero(np.abs(beam.tip2) > 1e-9 * np.abs(beam.tip2).max())
    R = np.linalg.cholesky((beam.M - np.outer(beam.b2, beam.b2) / (beam.J + J_H))[np.ix_(bends, bends)])
    values, vectors = np.linalg.eigh(R.T @ np.linalg.solve(K[np.ix_(bends, bends)], R))
    Y = np.zeros((len(K), len(bends)))
    Y[bends] = np.linalg.solve(R.T, vectors[:, ::-1])
    return 1 / values[::-1], Y


MOTION = {
    "step": (dict(), {}, 10.0, 5e-5),
    "smooth": (dict(ramp=0.5), dict(zeta=0.01), 10.0, 5e-4),
    "damped step": (dict(), dict(zeta=0.01), 10.0, 2e-4),
    "all": (dict(ramp=0.5, torque=0.3, pulse=1.0, fx=0.5, fy=-0.05), dict(damp_M=0.1, damp_K=1e-5), 4.0, 2e-4),
}
TIP = dict(tip_mass=0.2, tip_inertia=0.01)


def motion_case(coupling, omega0, name):
    loads, damping, end, h = MOTION[name]
    beam = Beam(**ARM, **(TIP if name == "all" else {})).damp(**damping)
    run = HubBeam(beam, coupling=coupling, **loads).run
    coarse, fine = run(omega0, end, h, 0.01)[0], run(omega0, end, h / 2, 0.001 if h < 2e-3 else h)
    rows, drift = fine
    dense, rows = rows, rows[::10]
    change = np.abs(coarse - rows).max(axis=0)[1:4]
    top = np.abs(dense[:, 3]).argmax()
    kept = "" if damping else f" energy drifts by {drift:.1e} J;"
    out = [f"# {coupling},{omega0:g},{name}: largest change in theta, u1, u2 {change[0]:.1e}, {change[1]:.1e}, {change[2]:.1e};"
           f"{kept} largest u2 {dense[top,3]:.7e} at {dense[top,0]:.3f}"]
    out += [f"{coupling},{omega0:g},{name},{t:.2f},{theta:.10e},{u1:.9e},{u2:.9e}" for t, theta, u1, u2, _, _ in rows[::25]]
    return out


def motion():
    print("# Beam on a hub, tests/reference/hub_beam.py: angle (rad) and displacement of the tip (m) in axes of the hub; changes")
    print("# are those from twice the step. step, smooth, damped step: the published arm and forces, from the start or with a")
    print("# ramp of 0.5 s, zeta 0.01 where it is damped; all: tip_mass 0.2, tip_inertia 0.01, ramp 0.5, torque 0.3, pulse 1,")
    print("# fx_dist 0.5, fy_dist -0.05, damp_M 0.1 (of the beam's own mass), damp_K 1e-5")
    print("coupling,omega0,case,time,theta,u1,u2")
    cases = [(c, w, name) for c in (0, 1) for w in (1.0, 2.0) for name in MOTION]
    with multiprocessing.Pool(2) as pool:
        for lines in pool.starmap(motion_case, cases, 1):
            print("\n".join(lines), flush=True)


BASES = ("modal-5 modal-10 modal-15 modal-20 modal-21 modal-25 modal-30 krylov-3+2 krylov-4+1 krylov-2+3 combined-5 "
         "bending-5 bending-10 coupled-11").split()


def relative(got, want):
    """RMS of a difference over that of what is wanted"""
    return np.sqrt(np.mean((got - want) ** 2) / np.mean(want**2))


def bases_case(coupling, omega0, name):
    loads, damping, end, _ = MOTION[name]
    beam, h = Beam(**ARM).damp(**damping), 2.5e-4

    def outputs(some, h):
        rows = HubBeam(some, coupling=coupling, **loads).run(omega0, end, h, 0.01)[0]
        return rows[:, 1], rows[:, 3], rows[:, 2], rows[100:, 5] - rows[:-100, 5]

    full = outputs(beam, h)
    runs = [("step doubled", outputs(beam, 2 * h))] + [(b, outputs(beam.reduced(basis(beam, b)), h)) for b in BASES]
    return [f"{coupling},{omega0:g},{name},{b}," + ",".join(f"{relative(x, y):.2e}" for x, y in zip(some, full)) for b, some in runs]


def bases():
    print("# Reduced bases of a beam on a hub, tests/reference/hub_beam.py: relative RMS differences over 10 s from the full model")
    print("# of the same coupling level, in the angle, in u2 and u1 of the tip, and in the mean of u1 over the last second; all")
    print("# with steps of 2.5e-4 s. `step doubled`: the full model with steps twice as long. modal-N: the lowest N; krylov-B+A:")
    print("# bending and axial vectors of the tip's forces one by one; combined-N: of both as one load; bending-N: vectors of the")
    print("# tip's force and the Euler load, coupled-N: modes of beam and hub and the tip's static shape, each and one axial vector")
    print("coupling,omega0,case,basis,theta,u2,u1,u1_mean")
    cases = [(c, w, name) for c in (0, 1) for w in (1.0, 2.0) for name in ("step", "damped step", "smooth")]
    with multiprocessing.Pool(2) as pool:
        for lines in pool.starmap(bases_case, cases, 1):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    {"motion": motion, "bases": bases}[sys.argv[1]]()
