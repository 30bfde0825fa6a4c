"""The attitude of a satellite under a controller in Python: a PD law, sampled twice a second, stops its spin.

    python3 attitude.py [END]
"""
import os
import sys

import gossamer as gos

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = 0.5  # [s]
STIFFNESS, DAMPING = 4.0e4, 2.5e5  # torque on each heavy body by angle [N m/rad] and by rate [N m s/rad]
end = float(sys.argv[1]) if len(sys.argv) > 1 else 25.0

satellite = gos.load(os.path.join(HERE, "..", "dumbbell-satellite", "model.yaml"), spin=0.01, t_end=end).system()
loop = satellite.stepper(inputs=["wheel_a.x", "wheel_b.x"], outputs=["b_rotation.x", "b_rotation.x'"])

k = 0
most = 0.0
while loop.time < end:
    angle, rate = loop.y
    torque = -STIFFNESS * angle - DAMPING * rate
    if k % 8 == 0:
        print(f"t {loop.time:4.1f} s: angle {angle:8.5f} rad, rate {rate:8.5f} rad/s, torques {torque:7.1f} N m")
    k += 1
    loop.advance(k * SAMPLE, torque, torque)
    most = max(most, abs(loop.y[0]))

angle, rate = loop.y
print(f"at the end: {angle:.5f} rad, {rate:.2e} rad/s; at most {most:.4f} rad")
if end >= 25:
    assert abs(rate) < 1e-3 < most
