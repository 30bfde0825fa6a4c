"""The gallery examples/python: each script runs, and what it asserts holds."""
import os
import subprocess
import sys
import tempfile
import unittest

import support


class Gallery(unittest.TestCase):
    def script(self, name, *arguments, words=()):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, os.path.join(support.SOURCE, "examples", "python", name + ".py"), *arguments],
                                  cwd=folder, capture_output=True, text=True, timeout=1500)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for word in words:
                self.assertIn(word, done.stdout)
            for argument in arguments:
                if "." in argument and not argument.endswith(".png") and not argument[0].isdigit():
                    self.assertGreater(os.path.getsize(os.path.join(folder, argument)), 1000)

    def test_pendulum(self):
        self.script("pendulum", "report.html", words=["t 2.0 s: tip at", "predicted error", "times faster"])

    def test_attitude(self):
        self.script("attitude", "25", words=["t  0.0 s", "at the end"])

    def test_study(self):
        self.script("study", "study.png", words=["lowest point of the tip", "angles at equal"])

    def test_boom(self):
        self.script("boom", words=["Rayleigh's estimate"])

    def test_matrices(self):
        self.script("matrices", words=["relative error"])

    def test_bracket(self):
        self.script("bracket", "bracket.svg", words=["rigid mass"])

    def test_identification(self):
        self.script("identification", words=["identified"])

    def test_ensemble(self):
        self.script("ensemble", "100", words=["100 runs in"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
