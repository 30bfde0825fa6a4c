"""A study of parameters: how a pendulum's length and stiffness change its swing. Runs go into processes of their own; with
matplotlib the curves are drawn.

    python3 study.py [PICTURE.png]
"""
import os
import sys

import numpy as np

import gossamer as gos

HERE = os.path.dirname(os.path.abspath(__file__))

model = gos.load(os.path.join(HERE, "..", "thermal-pendulum", "model.yaml"), n=8)
study = gos.sweep(model, {"L": [0.8, 1.0, 1.2], "materials.rubber.young": [1e8, 1e9]}, until=0.6)
assert not study.failures, study.failures

for i in range(len(study)):
    run = study.run(i)
    length = study.value("L")[i]
    print(f"L {length:.1f} m, E {study.value('materials.rubber.young')[i]:.0e} Pa: lowest point of the tip "
          f"{run['tip'].y.min():.4f} m, end at {np.degrees(np.arctan2(run['tip'].y[-1], run['tip'].x[-1])):.1f} degrees")

# stiff pendulums swing like rods: the angle after a given time is a function of t sqrt(g / L) alone
stiff = [study.run(i) for i in range(len(study)) if study.value("materials.rubber.young")[i] == 1e9]
angles = [np.arctan2(r["tip"].at(0.3 * np.sqrt(L / 0.8))[1], r["tip"].at(0.3 * np.sqrt(L / 0.8))[0])
          for r, L in zip(stiff, (0.8, 1.0, 1.2))]
print("angles at equal t sqrt(g/L):", ", ".join(f"{a:.4f}" for a in angles))
assert np.ptp(angles) < 0.02

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed: no picture")
else:
    figure, axes = plt.subplots()
    for i in range(len(study)):
        run = study.run(i)
        axes.plot(run["tip"].x, run["tip"].y, label=f"L = {study.value('L')[i]:.1f} m")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_aspect("equal")
    axes.legend()
    path = sys.argv[1] if len(sys.argv) > 1 else "study.png"
    figure.savefig(path)
    print("picture in", path)
