#!/usr/bin/env python3
"""Pictures a second of the page of `gossamer view` in a headless Chromium that renders in software (SwiftShader), at 1280 x 720: a
sheet of 10^5 cells under a wave, played again and again: with the coarser mesh that the page takes while it plays where the browser
does not keep up, and with the whole one. CSV on standard output; on a busy machine look at the CPU time of a picture.

    bench/view.py [BUILD] [--cells N] [--seconds S]

BUILD: where gossamer and bench/bench_view are (build). A picture counts when the browser requires the next one, which it does when it
has shown the last.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
import browser  # noqa: E402

COUNT = """new Promise(done => {
    const from = performance.now(), times = [];
    const next = now => {
        times.push(now);
        now - from < %d ? requestAnimationFrame(next) : done([times.length - 1, (times[times.length - 1] - times[0]) / 1000]);
    };
    requestAnimationFrame(next);
})"""


def press(b, label):
    b.run(f"[...document.querySelectorAll('button')].find(x => x.textContent.trim() === {label!r}).click()")


def used(process):
    """CPU seconds of a process and all below it so far."""
    below = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        below.setdefault(int(fields[1]), []).append((int(name), int(fields[11]) + int(fields[12])))
    total, todo = 0, [process]
    while todo:
        for child, ticks in below.get(todo.pop(), []):
            total += ticks
            todo.append(child)
    return total / os.sysconf("SC_CLK_TCK")


def play(b, seconds):
    b.run(COUNT % 2000)
    before = used(b.process.pid)
    pictures, passed = b.run(COUNT % (1000 * seconds))
    return pictures, passed, used(b.process.pid) - before


def measure(page, seconds):
    with browser.Browser(600, browser.SOFTWARE_GL) as b:
        b.screen(1280, 720)
        begun = time.monotonic()
        b.open(page)
        b.wait("document.documentElement && document.documentElement.dataset.ready", 120)
        opened = time.monotonic() - begun
        press(b, "Repeat")
        b.run("document.querySelector('.play').click()")
        coarser = play(b, seconds)
        press(b, "Coarser while it plays")
        whole = play(b, seconds)
        assert not b.complaints, b.complaints
        return opened, coarser, whole


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("--cells", type=int, default=100000)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    if browser.find() is None:
        print("bench/view.py: no chromium is installed", file=sys.stderr)
        return 77
    folder = tempfile.mkdtemp(prefix="gossamer_view_")
    try:
        run = os.path.join(folder, "wave.h5")
        subprocess.run([os.path.join(options.build, "bench", "bench_view"), run, str(options.cells)], check=True)
        begun = time.monotonic()
        subprocess.run([os.path.join(options.build, "gossamer"), "view", run], check=True, stdout=subprocess.DEVNULL)
        written = time.monotonic() - begun
        page = os.path.join(folder, "wave.view.html")
        size = os.path.getsize(page) / 1e6
        opened, *plays = measure(page, options.seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("cells,mesh,write_s,page_MB,open_s,pictures_a_second,cpu_ms_a_picture,load")
    for mesh, (pictures, passed, cpu) in zip(("coarser", "whole"), plays):
        print(f"{options.cells},{mesh},{written:.2f},{size:.1f},{opened:.2f},{pictures / passed:.1f},{1000 * cpu / pictures:.0f},{os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
