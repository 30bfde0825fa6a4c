"""An ensemble of reduced runs: how the place of a pendulum's tip spreads when its sun and its start are not known well. One reduced
model serves all of them.

    python3 ensemble.py [RUNS]
"""
import os
import sys
import time

import numpy as np

import gossamer as gos

HERE = os.path.dirname(os.path.abspath(__file__))
runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000

model = gos.load(os.path.join(HERE, "..", "thermal-pendulum", "model.yaml"), n=32)
model["reduction"] = {"method": "auto", "tolerance": 2e-3}
model["loads.wind"] = {"type": "force", "on": "rod.end", "value": [0, 0, 0]}
reduced = model.system(reduced=True)
print(reduced)

random = np.random.default_rng(1)
ends = np.empty((runs, 3))
begin = time.perf_counter()
loop = reduced.stepper(inputs=["wind.x", "wind.z"], outputs=["tip"])
start = loop.save()
for k in range(runs):
    loop.restore(start)
    ends[k] = loop.advance(0.3, *random.normal(0, 0.02, 2))
seconds = time.perf_counter() - begin

mean, deviation = ends.mean(axis=0), ends.std(axis=0, ddof=1)
print(f"{runs} runs in {seconds:.2f} s, {1e3 * seconds / runs:.2f} ms each")
print("tip after 0.3 s:", ", ".join(f"{c} {m:.4f} +- {d:.4f} m" for c, m, d in zip("xyz", mean, deviation)))

# across the swing it answers a wind as the rod about its pin: I w'' = F L, I = m L^2 / 3, while it is slow: z = 3 F t^2 / 2 m
mass = reduced.sizes["mass"]
expected = 0.02 * 3 * 0.3**2 / (2 * mass)
print(f"across the swing: +- {expected:.4f} m of a rigid rod without gravity")
assert 0.8 * expected < deviation[2] < 1.2 * expected or runs < 50
