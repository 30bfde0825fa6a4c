"""Matrices of a clamped plane beam and an exponential integrator, for the reference solutions beside this file.

The beam: equal elements, linear stretch u1 = N1 p, Hermite bending u2 = N2 p, consistent mass, no rotary inertia,
root fixed. All integrals by Gauss points, exact for the shape functions. Coordinates p: stretches, then (w, w') of
each node, then turned to modes of (K, M) scaled to unit mass, axial and bending apart."""
import numpy as np

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(6)


def shapes(n, length, x):
    """rows N1, N2, N2' and N2'' of a beam of n elements at x, root fixed: 3n columns"""
    h = length / n
    e = min(int(x / h), n - 1)
    s = x / h - e
    axial, bend, slope, curve = (np.zeros(k) for k in (n + 1, 2 * n + 2, 2 * n + 2, 2 * n + 2))
    axial[e : e + 2] = 1 - s, s
    bend[2 * e : 2 * e + 4] = 1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)
    slope[2 * e : 2 * e + 4] = np.array([6 * s**2 - 6 * s, h * (1 - 4 * s + 3 * s**2), 6 * s - 6 * s**2, h * (3 * s**2 - 2 * s)]) / h
    curve[2 * e : 2 * e + 4] = np.array([12 * s - 6, h * (6 * s - 4), 6 - 12 * s, h * (6 * s - 2)]) / h**2
    no1, no2 = np.zeros(n), np.zeros(2 * n)
    return np.r_[axial[1:], no2], np.r_[no1, bend[2:]], np.r_[no1, slope[2:]], np.r_[no1, curve[2:]]


def integrate(n, length, f):
    """integral of f(x, N1, N2, N2', N2'', N1') over the beam"""
    h, total = length / n, 0
    for e in range(n):
        stretch = np.zeros(3 * n)
        stretch[e] = 1 / h
        if e:
            stretch[e - 1] = -1 / h
        for p, w in zip(POINTS, WEIGHTS):
            x = h * (e + 0.5 + 0.5 * p)
            total = total + 0.5 * h * w * f(x, *shapes(n, length, x), stretch)
    return total


class Beam:
    """Integrals of floating-frame dynamics of a beam whose root is r0 from the axis, with a mass and a rotary
    inertia at its tip; K_F: foreshortening of the tip, K_f: the sum of foreshortening along it, K_w: work of the
    centrifugal forces on it and on the tip's particles as it turns. All in modal coordinates."""

    def __init__(self, n, L, I, A, E, rho, r0, tip_mass=0.0, tip_inertia=0.0):
        def sums(f):
            return integrate(n, L, f)

        outer, m = np.outer, rho * A
        mass = sums(lambda x, a, b, s, c, d: m * (outer(a, a) + outer(b, b)))
        stiffness = sums(lambda x, a, b, s, c, d: E * A * outer(d, d) + E * I * outer(c, c))
        cross = sums(lambda x, a, b, s, c, d: m * outer(a, b))
        b1 = sums(lambda x, a, b, s, c, d: m * (r0 + x) * a)
        b2 = sums(lambda x, a, b, s, c, d: m * (r0 + x) * b)
        tip1, tip2, turn, _ = shapes(n, L, L)
        end = r0 + L
        pull = lambda x: m * (end**2 - (r0 + x) ** 2) / 2 + tip_mass * end
        self.J = m * (end**3 - r0**3) / 3 + tip_mass * end**2 + tip_inertia
        own = mass.copy()
        mass += tip_mass * (outer(tip1, tip1) + outer(tip2, tip2)) + tip_inertia * outer(turn, turn)
        cross += tip_mass * outer(tip1, tip2)
        b1 += tip_mass * end * tip1
        b2 += tip_mass * end * tip2 + tip_inertia * turn
        # modes of the flexibility: the low ones keep all digits (floating-frame theory, section 6)
        X, w = np.zeros((3 * n, 3 * n)), np.zeros(3 * n)
        for part in (slice(0, n), slice(n, 3 * n)):
            R = np.linalg.cholesky(mass[part, part])
            values, vectors = np.linalg.eigh(R.T @ np.linalg.solve(stiffness[part, part], R))
            X[part, part] = np.linalg.solve(R.T, vectors[:, ::-1])
            w[part] = 1 / np.sqrt(values[::-1])
        self.n, self.L, self.end, self.w = n, L, end, w
        self.K = X.T @ stiffness @ X
        self.K = (self.K + self.K.T) / 2
        self.M, self.own = np.eye(3 * n), X.T @ own @ X
        self.G = X.T @ (cross - cross.T) @ X
        self.b1, self.b2, self.tip1, self.tip2, self.turn = X.T @ b1, X.T @ b2, X.T @ tip1, X.T @ tip2, X.T @ turn
        slope = lambda weight: X.T @ sums(lambda x, a, b, s, c, d: weight(x) * outer(s, s)) @ X
        self.K_F, self.K_f, self.K_w = slope(lambda x: 1.0), slope(lambda x: L - x), slope(pull)
        # in its plane a tip that turns keeps its moment of inertia: to second order its particles come nearer to its centre
        self.K_w += tip_inertia * outer(self.turn, self.turn)
        self.sum1, self.sum2 = X.T @ sums(lambda x, a, b, s, c, d: a), X.T @ sums(lambda x, a, b, s, c, d: b)
        self.span = (end**2 - r0**2) / 2
        self.D = np.zeros_like(self.M)

    def damp(self, zeta=0.0, damp_M=0.0, damp_K=0.0):
        """modal damping of ratio zeta (of a beam without tip mass), and Rayleigh's by the beam's own mass"""
        self.D = np.diag(2 * zeta * self.w) + damp_M * self.own + damp_K * self.K
        return self

    def reduced(self, V):
        """the same of p = V z; V's columns are made orthonormal and turned to the modes of the reduced beam"""
        Q, _ = np.linalg.qr(V)
        values, vectors = np.linalg.eigh(Q.T @ self.K @ Q)
        V = Q @ vectors
        small = object.__new__(Beam)
        small.__dict__.update(self.__dict__)
        small.w, small.V = np.sqrt(values), V
        for name in ("K", "M", "G", "K_F", "K_f", "K_w", "D"):
            setattr(small, name, V.T @ getattr(self, name) @ V)
        for name in ("b1", "b2", "tip1", "tip2", "turn", "sum1", "sum2"):
            setattr(small, name, V.T @ getattr(self, name))
        return small


def exponential(A):
    """of a matrix, by Taylor's series, scaled and squared"""
    squarings = max(0, int(np.ceil(np.log2(max(np.abs(A).sum(axis=1).max(), 1e-300)))) + 2)
    A = A / 2.0**squarings
    total, term = np.eye(len(A)), np.eye(len(A))
    for k in range(1, 20):
        term = term @ A / k
        total = total + term
    for _ in range(squarings):
        total = total @ total
    return total


def phi_functions(A):
    """exp(A), phi_1, phi_2, phi_3 of it"""
    n = len(A)
    big = np.zeros((4 * n, 4 * n))
    big[:n, :n] = A
    for k in range(3):
        big[k * n : (k + 1) * n, (k + 1) * n : (k + 2) * n] = np.eye(n)
    big = exponential(big)
    return [big[:n, k * n : (k + 1) * n] for k in range(4)]


class Exponential:
    """y' = L y + N(y, t) with L exactly and N by the fourth order scheme of Krogstad (2005): the step follows the
    slow motion, and vibrations of any frequency are neither damped nor shifted."""

    def __init__(self, L, h):
        self.h = h
        self.half, p1, p2, _ = phi_functions(L * h / 2)
        self.a, self.b1, self.b2 = h / 2 * p1, h * (p1 / 2 - p2), h * p2
        self.full, p1, p2, p3 = phi_functions(L * h)
        self.c1, self.c2 = h * (p1 - 2 * p2), h * 2 * p2
        self.d1, self.d2, self.d3 = h * (p1 - 3 * p2 + 4 * p3), h * (2 * p2 - 4 * p3), h * (4 * p3 - p2)

    def step(self, y, t, N):
        h = self.h
        n1 = N(y, t)
        half, full = self.half @ y, self.full @ y
        n2 = N(half + self.a @ n1, t + h / 2)
        n3 = N(half + self.b1 @ n1 + self.b2 @ n2, t + h / 2)
        n4 = N(full + self.c1 @ n1 + self.c2 @ n3, t + h)
        return full + self.d1 @ n1 + self.d2 @ (n2 + n3) + self.d3 @ n4
