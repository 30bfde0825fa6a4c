"""The lightest boom: radius of a tube of given wall such that the first frequency of a boom with a camera at its end is
2 Hz; by scipy where it is installed, else by halving.

    python3 boom.py
"""
import numpy as np

import gossamer as gos

WANTED = 2.0  # [Hz]
BOOM = """
parameters: {r: 0.03, w: 0.5e-3, L: 4, camera: 1.5}
materials: {cfrp: {density: 1600, young: 1.2e11, poisson: 0.3}}
sections: {tube: {type: annulus, outer: r, inner: r - w}}
bodies:
  boom: {type: ancf_cable, material: cfrp, section: tube, from: [0, 0, 0], to: [L, 0, 0], elements: 12}
  camera: {type: rigid, mass: camera, inertia: [0.01, 0.01, 0.01], position: [L, 0, 0]}
joints:
  root: {type: clamp, between: [ground, boom.start]}
  mount: {type: clamp, between: [boom.end, camera]}
"""


def frequency(radius):
    """First frequency of bending [Hz]; a cable has no torsion, so the camera turns freely about its axis."""
    modes = gos.load(BOOM, r=radius).system().modes(3)
    return next(m["frequency"] for m in modes if m["kind"] == "elastic")


def excess(radius):
    return frequency(radius) - WANTED


try:
    from scipy.optimize import brentq
except ImportError:
    print("scipy is not installed: by halving")
    low, high = 0.02, 0.06
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    radius = 0.5 * (low + high)
else:
    radius = brentq(excess, 0.02, 0.06, xtol=1e-9)

system = gos.load(BOOM, r=radius).system()
mass = system.sizes["mass"] - 1.5
print(f"radius {1e3 * radius:.3f} mm, {frequency(radius):.6f} Hz, boom of {mass:.4f} kg")

# a massless beam with the camera and 33/140 of its own mass at the end, the camera's inertia left out
inertia = np.pi / 4 * (radius**4 - (radius - 0.5e-3) ** 4)
estimate = np.sqrt(3 * 1.2e11 * inertia / 4**3 / (1.5 + 33 / 140 * mass)) / (2 * np.pi)
print(f"Rayleigh's estimate: {estimate:.4f} Hz")
assert abs(excess(radius)) < 1e-5 and abs(estimate / WANTED - 1) < 5e-3
