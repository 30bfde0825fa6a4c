#!/usr/bin/env python3
"""Draws examples/gravity-boom/revolution.svg from a run of the example: light, temperature, deflection and pitch over one revolution.

    script/boom.py [PROGRAM]      PROGRAM is build/gossamer
"""
import csv
import io
import math
import pathlib
import subprocess
import sys
import tempfile

import plot

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "gravity-boom"
PITCH_RATIO = 1.2611  # libration frequency over orbital rate: sqrt(3 (I_y - I_x)/I_z), see the README of the example


def read(program):
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run.h5"
        subprocess.run([program, "run", EXAMPLE / "model.yaml", "--quiet", "-o", run], check=True)
        text = subprocess.run([program, "probe", run, "light", "T", "bend", "boom", "hub"], check=True, capture_output=True,
                              text=True).stdout
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def main():
    rows = read(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "gossamer")
    t = [row["time"] for row in rows]
    n = 2 * math.pi / t[-1]
    pitch = [math.degrees(math.atan2(r["boom.along"] - r["hub.along"], r["boom.radial"] - r["hub.radial"])) for r in rows]
    wave = [math.degrees(0.05 / PITCH_RATIO) * math.sin(PITCH_RATIO * n * x) for x in t]
    curves = (("part of the Sun's disc that is seen", [(("", [r["light.value"] for r in rows]))]),
              ("temperature of a panel's end over 290 K [K]", [("", [r["T.T"] for r in rows])]),
              ("its deflection [mm]", [("", [1e3 * r["bend.z"] for r in rows])]),
              ("pitch of the boom [degrees]", [("craft", pitch), ("closed form", wave)]))
    parts = []
    for k, (label, list_) in enumerate(curves):
        top = 40 + 170 * k
        low = min(min(y) for _, y in list_)
        high = max(max(y) for _, y in list_)
        margin = 0.08 * (high - low)
        axes = plot.Axes((90, top, 700, top + 110), (0, t[-1]), (low - margin, high + margin))
        axes.across(plot.round_ticks(0, t[-1]), "time [s]" if k == len(curves) - 1 else None)
        axes.up(plot.round_ticks(low, high, 4), label)
        for i, (_, y) in enumerate(list_):
            axes.curve(zip(t, y), plot.COLOURS[i], "5 4" if i else "")
        if len(list_) > 1:
            axes.key([(name, plot.COLOURS[i], "5 4" if i else "") for i, (name, _) in enumerate(list_)])
        parts += axes.parts
    (EXAMPLE / "revolution.svg").write_text(plot.page(830, 40 + 170 * len(curves) + 20, parts) + "\n", encoding="utf-8")


main()
