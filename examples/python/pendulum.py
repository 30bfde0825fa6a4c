"""A thermal pendulum, full and reduced: positions, temperatures, errors, a page.

    python3 pendulum.py [REPORT.html]
"""
import os
import sys

import gossamer as gos

HERE = os.path.dirname(os.path.abspath(__file__))

model = gos.load(os.path.join(HERE, "..", "thermal-pendulum", "model.yaml"), n=32)
model["reduction"] = {"method": "auto", "tolerance": 2e-3}
print(model.check())

full = model.run()
for t in (0.5, 1.0, 1.5, 2.0):
    x, y, _ = full["tip"].at(t)
    print(f"t {t:.1f} s: tip at ({x:.4f}, {y:.4f}) m, {full['tip_temperature'].at(t)[0]:.3f} K warmer")

system = model.system(reduced=True)
print(system.report)
reduced = system.run()
comparison = full.compare(reduced)
print(comparison)

error = comparison["position"]["max"] / comparison["position"]["scale"]
assert error < 2e-3, "the tolerance that was asked for"
if len(sys.argv) > 1:
    print("report in", full.report(reduced, path=sys.argv[1]))
