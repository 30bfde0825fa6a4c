"""System identification: a pendulum's reduced linear model is excited, and its poles are found from what it answered alone
(eigensystem realisation of the pulse response).

    python3 identification.py
"""
import numpy as np

import gossamer as gos

CANTILEVER = """
materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, damping: {normal: 2.0e-5}}}
sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}
bodies: {beam: {type: ancf_cable, material: steel, section: bar, from: [0, 0, 0], to: [1, 0, 0], elements: 16}}
joints: {root: {type: clamp, between: [ground, beam.start]}}
loads: {push: {type: force, on: beam.end, value: [0, 0, 0]}}
probes: {tip: {at: beam.end, quantity: displacement, direction: [0, 1, 0]}}
"""
linear = gos.load(CANTILEVER).system().linearise()
print(linear)
modes = [m for m in linear.modes(12, damped=True) if m["frequency"] < 170]
small = linear.reduce("krylov", tolerance=1e-4, band=(1, 200))
print(small.report)

# a triangular pulse; what the sensor sees are samples, with noise
h, n = 1e-3, 2000
u = np.zeros((n, len(small.inputs)))
u[1, small.inputs.index("push.y")] = 1.0
y = small.transient(u, h, scheme="exact")[:, 0]
y += 1e-7 * np.abs(y).max() * np.random.default_rng(1).standard_normal(n)

rows = 700
H = np.lib.stride_tricks.sliding_window_view(y[2:2 + 2 * rows], rows)[:rows]
U, s, Vt = np.linalg.svd(H, full_matrices=False)
order = int(np.sum(s > 30 * np.median(s)))  # what stands out of the noise
observe = U[:, :order] * np.sqrt(s[:order])
A = np.linalg.lstsq(observe[:-1], observe[1:], rcond=None)[0]
found = np.log(np.linalg.eigvals(A).astype(complex)) / h
found = sorted((p for p in found if p.imag > 0), key=abs)

print(f"{order} states; frequency [Hz] and damping ratio: identified, of the model")
for p in found[:3]:
    near = min(modes, key=lambda m: abs(m["omega"] - abs(p)))
    print(f"{abs(p) / (2 * np.pi):9.4f} {-p.real / abs(p):9.5f}   {near['frequency']:9.4f} {near['damping']:9.5f}")
    assert abs(abs(p) / near["omega"] - 1) < 1e-3, "frequency"
    assert abs(-p.real / abs(p) - near["damping"]) < 1e-3, "damping"
