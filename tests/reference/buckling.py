#!/usr/bin/env python3
"""Reference solutions of a heated beam between two pins: one half wave, w = q sin(pi x/l), by the classical
Runge-Kutta method.

    buckling.py > buckling.csv

Kinetic energy m(q) q'^2/2 with m = rho/2 (A l + I pi^2/l) + axial inertia, potential energy of bending, thermal
thrust and the stretch pi^2 q^2/(4 l) that the held ends ask for. `printed`: axial inertia of the published equation;
`true`: that of the true axial displacement, stretch less foreshortening, -pi q^2/(8 l) sin(2 pi x/l); `none`: of
displacements across alone."""
import math

L, A, I, E, RHO, ALPHA, RATE = 1.0, 7.6e-5, 4.585e-9, 2.1e11, 7850.0, 1.2e-5, 32.5
AXIAL = {"printed": RHO * A * math.pi**4 / (6 * L) / 2, "true": RHO * A * math.pi**2 / (16 * L), "none": 0.0}


class Buckling:
    def __init__(self, axial="printed", rotary=True, zeta=0.0, force=1.0, force_amp=0.0, f_exc=20.0):
        self.m0 = RHO / 2 * (A * L + (I * math.pi**2 / L if rotary else 0.0))
        self.m2 = AXIAL[axial]
        self.load = (force, force_amp, f_exc)
        self.omega = math.sqrt(E * I * math.pi**4 / (2 * L**3) / self.m0)
        self.d = 2 * zeta * self.omega * self.m0

    def rate(self, t, q, v):
        mean, amp, f = self.load
        lateral = mean + amp * math.sin(2 * math.pi * f * t)
        spring = E / (2 * L) * (I * math.pi**4 / L**2 - A * math.pi**2 * ALPHA * RATE * t + A * math.pi**4 / (4 * L**2) * q * q)
        return v, (lateral - spring * q - self.d * v - self.m2 * q * v * v) / (self.m0 + self.m2 * q * q)

    def thrust(self, t, q):
        """compression at the pins: E A (alpha theta - stretch/l)"""
        return E * A * (ALPHA * RATE * t - math.pi**2 * q * q / (4 * L**2))

    def run(self, end, h, every):
        """rows t, q, thrust at multiples of `every`; the largest |q| and what energy is off by in the end"""
        q = v = top = 0.0
        rows, steps, per = [], round(end / h), round(every / h)
        for k in range(steps + 1):
            t = k * h
            top = max(top, abs(q))
            if k % per == 0:
                rows.append((t, q, self.thrust(t, q)))
            a = self.rate(t, q, v)
            b = self.rate(t + h / 2, q + h / 2 * a[0], v + h / 2 * a[1])
            c = self.rate(t + h / 2, q + h / 2 * b[0], v + h / 2 * b[1])
            d = self.rate(t + h, q + h * c[0], v + h * c[1])
            q += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
            v += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        return rows, top


def statics(temperature):
    """amplitude without lateral force"""
    critical = I * math.pi**2 / (A * ALPHA * L**2)
    return 2 * math.sqrt(I / A) * math.sqrt(temperature / critical - 1) if temperature > critical else 0.0


CASES = {
    "a": dict(),
    "b": dict(zeta=0.01),
    "c": dict(zeta=0.01, force=0.5, force_amp=0.5),
    "c true": dict(zeta=0.01, force=0.5, force_amp=0.5, axial="true"),
    "c no rotary": dict(zeta=0.01, force=0.5, force_amp=0.5, rotary=False),
    "c none": dict(zeta=0.01, force=0.5, force_amp=0.5, axial="none"),
}

if __name__ == "__main__":
    print("# One half wave of a heated beam between pins, tests/reference/buckling.py; steps of 2e-5 s, `change` is the")
    print("# largest difference to steps of 4e-5 s, relative to the largest value")
    both = Buckling(), Buckling(rotary=False)
    print(f"# f1 with and without rotary inertia {both[0].omega/2/math.pi:.9g}, {both[1].omega/2/math.pi:.9g} Hz;"
          f" bifurcation {I*math.pi**2/(A*ALPHA*L**2):.9g} K, thrust {math.pi**2*E*I/L**2:.9g} N")
    print("# amplitude at " + ", ".join(f"{T:g} K: {1e3*statics(T):.9g} mm" for T in (55.0, 60.0, 65.0)))
    print("case,time,q,thrust,change")
    for name, settings in CASES.items():
        b = Buckling(**settings)
        coarse, _ = b.run(2.0, 4e-5, 0.01)
        fine, top = b.run(2.0, 2e-5, 0.01)
        change = max(abs(x[1] - y[1]) for x, y in zip(coarse, fine)) / top
        for t, q, F in fine:
            if round(t * 100) % 5 == 0:
                print(f"{name},{t:.2f},{q:.10e},{F:.8e},{change:.1e}")
