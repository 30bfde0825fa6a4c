#!/usr/bin/env python3
"""Reference solution of a bar with tables over the temperature that a flux heats at one end, the other insulated: method of lines
on finite volumes with the stored heat as unknown, so that no specific heat is looked up in time.

    heated_bar.py     temperatures after 400 s at both ends and in the middle on 50, 100 and 200 volumes; their limit"""
import bisect

LENGTH, DENSITY, FLUX, START, END = 0.4, 7800.0, 2e5, 20.0, 400.0
CONDUCTIVITY = [(0.0, 50.0), (200.0, 45.0), (500.0, 30.0)]
SPECIFIC_HEAT = [(0.0, 450.0), (200.0, 500.0), (500.0, 650.0)]


def segment(table, T):
    k = min(max(bisect.bisect([at for at, _ in table], T), 1), len(table) - 1) - 1
    (a, ya), (b, yb) = table[k], table[k + 1]
    return a, ya, (yb - ya) / (b - a)


def value(table, T):
    a, ya, slope = segment(table, T)
    return ya + slope * (T - a), slope


def integral(table, T):
    """from the first entry to T"""
    sum = 0.0
    for (a, ya), (b, yb) in zip(table, table[1:]):
        if T <= b:
            break
        sum += (ya + yb) / 2 * (b - a)
    a, ya, slope = segment(table, T)
    return sum + ya * (T - a) + slope * (T - a) ** 2 / 2


def flows(T, h):
    """heat into each volume by its area, and the derivatives by the volume before, itself, the next: of integrals of conductivity"""
    n = len(T)
    K = [integral(CONDUCTIVITY, t) for t in T]
    k = [value(CONDUCTIVITY, t)[0] for t in T]
    q = [(K[i - 1] - K[i]) / h for i in range(1, n)]
    f = [(q[i - 1] if i else 0) - (q[i] if i < n - 1 else -FLUX) for i in range(n)]
    lower = [k[i - 1] / h if i else 0 for i in range(n)]
    upper = [k[i + 1] / h if i < n - 1 else 0 for i in range(n)]
    diagonal = [-k[i] / h * ((i > 0) + (i < n - 1)) for i in range(n)]
    return f, lower, diagonal, upper


def step(T, h, dt):
    """the trapezoidal rule on the stored heat, to rounding"""
    n = len(T)
    stored = [DENSITY * h * integral(SPECIFIC_HEAT, t) for t in T]
    before = flows(T, h)[0]
    T = list(T)
    for _ in range(30):
        f, lower, diagonal, upper = flows(T, h)
        r, d = [], []
        for i in range(n):
            r.append(stored[i] - DENSITY * h * integral(SPECIFIC_HEAT, T[i]) + dt / 2 * (f[i] + before[i]))
            d.append(DENSITY * h * value(SPECIFIC_HEAT, T[i])[0] - dt / 2 * diagonal[i])
        for i in range(1, n):
            w = -dt / 2 * lower[i] / d[i - 1]
            d[i] -= w * (-dt / 2 * upper[i - 1])
            r[i] -= w * r[i - 1]
        r[-1] /= d[-1]
        for i in range(n - 2, -1, -1):
            r[i] = (r[i] + dt / 2 * upper[i] * r[i + 1]) / d[i]
        T = [t + x for t, x in zip(T, r)]
        if max(map(abs, r)) < 1e-10:
            return T
    raise RuntimeError("Newton's iteration does not converge")


def solve(n, steps):
    h = LENGTH / n
    T, dt = [START] * n, END / steps
    for s in range(steps):
        # the flux begins as a jump: the first step in parts that grow
        parts = [2.0**-12] + [2.0**-k for k in range(12, 0, -1)] if s == 0 else [1.0]
        for part in parts:
            T = step(T, h, part * dt)
    middle = (9 * (T[n // 2 - 1] + T[n // 2]) - T[n // 2 - 2] - T[n // 2 + 1]) / 16
    end = T[-1]  # at the face the integral of the conductivity is larger by what the flux makes of half a volume
    for _ in range(50):
        end += (integral(CONDUCTIVITY, T[-1]) + FLUX * h / 2 - integral(CONDUCTIVITY, end)) / value(CONDUCTIVITY, end)[0]
    return T[0], middle, end


if __name__ == "__main__":
    found = [solve(n, 2 * n) for n in (50, 100, 200)]
    for row in found + [[(4 * b - a) / 3 for a, b in zip(found[1], found[2])]]:
        print(*(f"{x:.5f}" for x in row))
