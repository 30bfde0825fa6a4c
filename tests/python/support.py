"""What the tests of the Python package share: where things are, and what is skipped without numpy."""
import os
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed (Debian: python3-numpy)")
    sys.exit(77)

SOURCE = os.environ.get("GOS_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BUILD = os.environ.get("GOS_BUILD_DIR", os.path.join(SOURCE, "build"))
PROGRAM = os.environ.get("GOS_PROGRAM", os.path.join(BUILD, "gossamer"))
SANITIZED = bool(os.environ.get("GOS_SANITIZED"))


def example(name):
    """The model file of an example."""
    return os.path.join(SOURCE, "examples", name, "model.yaml")


# a rod on a hinge, driven by a torque; small and fast
PENDULUM = """
name: driven pendulum
parameters: {n: 4, L: 1.2, torque: 0}
materials:
  rubber: {density: 2000, young: 1.0e8, poisson: 0.3}
sections:
  bar: {type: rectangle, height: 0.01, width: 0.02}
bodies:
  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [L, 0, 0], elements: n}
joints:
  pin: {type: spherical, between: [ground, rod.start]}
gravity: [0, -9.81, 0]
loads:
  push: {type: force, on: rod.end, value: [0, torque, 0]}
probes:
  tip: {at: rod.end, quantity: position}
  height: {at: rod.end, quantity: position, direction: [0, 1, 0]}
analysis: {end: 0.2, step: 1.0e-3}
output: {every: 0.05}
"""

# an arm on a hinge under a law of Python: loads.law calls `law` with the angle and its rate
ARM = """
bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], points: {o: [-1, 0, 0]}}}
joints: {h: {type: revolute, between: [ground, b.o], axis: [0, 0, 1]}}
gravity: [0, -9.81, 0]
loads: {law: {type: moment, on: b, moment: [0, 0, AMOUNT]}}
probes: {angle: {at: b, quantity: angle, axis: [0, 0, 1]}, rate: {at: b, quantity: angular_velocity, direction: [0, 0, 1]}}
analysis: {end: 2, step: 0.01}
"""
