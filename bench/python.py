#!/usr/bin/env python3
"""What Python costs: a step with one input and three outputs beside the same loop in C (processor time, in turns, medians), and
two runs in two threads beside one after the other (wall time; of two idle cores).

    PYTHONPATH=build/python /usr/bin/python3 bench/python.py [--steps N] [--turns N]
"""
import argparse
import hashlib
import os
import statistics
import subprocess
import tempfile
import threading
import time

import gossamer as gos

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CART = """
bodies: {cart: {type: rigid, mass: 2, inertia: [1, 1, 1]}}
loads: {push: {type: force, on: cart, value: [0, 0, 0]}}
probes: {place: {at: cart, quantity: position}}
analysis: {end: 1000, step: 1.0e-3}
"""
H = 1e-3


def loop(path, steps):
    """(seconds, sum of outputs) of the loop in Python."""
    run = gos.load(path).system().stepper(["push.x"], ["place"])
    total, y = 0.0, run.y
    begin = time.process_time()
    for _ in range(steps):
        run.step(H, 1 - y[0])
        total += y[0] + y[1] + y[2]
    return time.process_time() - begin, total


def steps(arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cart.yaml")
        with open(path, "w") as out:
            out.write(CART)
        c, python = [], []
        for _ in range(arguments.turns):
            said = subprocess.run([os.path.join(ROOT, "build", "bench", "bench_python_step"), path, str(arguments.steps), str(H)],
                                  capture_output=True, text=True, check=True).stdout.split()
            c.append(float(said[0]))
            seconds, total = loop(path, arguments.steps)
            python.append(seconds)
            assert total == float(said[1]), "the digits differ"
        n = arguments.steps / 1e6
        print("what,microseconds a step")
        print(f"C,{statistics.median(c) / n:.2f}")
        print(f"Python,{statistics.median(python) / n:.2f}")
        print(f"Python above C,{statistics.median(p - q for p, q in zip(python, c)) / n:.2f}")


def threads(arguments):
    model = gos.load(os.path.join(ROOT, "examples", "thermal-pendulum", "model.yaml"), n=64)
    system = model.system()

    def work():
        system.run(progress=False)

    data = bytes(100_000_000)

    def control():
        hashlib.sha256(data).digest()  # releases the interpreter, and shares nothing

    print("what,one after the other over two threads")
    for name, function in (("runs", work), ("hashes (what this machine allows now)", control)):
        function()
        ratios = [ratio(function) for _ in range(arguments.turns)]
        print(f"{name}; median,{statistics.median(ratios):.2f}")
        print(f"{name}; best,{max(ratios):.2f}")


def ratio(function):
    begin = time.perf_counter()
    function()
    function()
    apart = time.perf_counter() - begin
    both = [threading.Thread(target=function) for _ in range(2)]
    begin = time.perf_counter()
    for t in both:
        t.start()
    for t in both:
        t.join()
    return apart / (time.perf_counter() - begin)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100000)
    parser.add_argument("--turns", type=int, default=7)
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    steps(given)
    threads(given)
