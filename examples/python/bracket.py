"""A bracket from a mesher, shaken and heated: its modes, whole and reduced runs, a picture.

    python3 bracket.py [PICTURE.svg]
"""
import os
import sys

import numpy as np

import gossamer as gos

HERE = os.path.dirname(os.path.abspath(__file__))
model = gos.load(os.path.join(HERE, "..", "bracket", "model.yaml"), t_end=0.01)
print(model.check())

reduced = model.run(reduced=True)
top = reduced["top"]
print(reduced)
print(f"the top moves {1e6 * np.abs(top.values).max():.2f} um against the table, the front warms by "
      f"{reduced['T_front'].values.max():.3f} K")

# the table drifts as a rigid mass under F sin(w t): x = F/(m w) (t - sin(w t)/w)
F, w = 30.0, 2 * np.pi * 400
m = model.system(reduced=True).sizes["mass"]
t = reduced.time
drift = F / (m * w) * (t - np.sin(w * t) / w)
error = np.abs(reduced["shaker"].x - drift).max() / np.abs(drift).max()
print(f"the table moves as a rigid mass of {m:.4f} kg to {100 * error:.2f} %")
assert error < 0.05

picture = reduced.picture()
if len(sys.argv) > 1:
    picture.save(sys.argv[1])
assert picture.startswith("<") and len(picture) > 1000
