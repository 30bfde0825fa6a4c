"""Python has the digits of the command line, bit for bit: the pendulum full, the satellite reduced, the arm on a hub."""
import os
import re
import subprocess
import tempfile
import unittest
import warnings

import support
import numpy as np

import gossamer as gos

warnings.simplefilter("ignore", gos.GossamerWarning)


# kernels of OpenBLAS add in different orders: the program takes those that are in use here
KERNELS = re.search(r"kernels (\w+)", gos.versions())
ENVIRONMENT = dict(os.environ, **({"OPENBLAS_CORETYPE": KERNELS[1]} if KERNELS else {}))


class Digits(unittest.TestCase):
    def compare(self, name, until, reduced=False, **parameters):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            command = [support.PROGRAM, "run", support.example(name), "-o", path, "--until", str(until), "--quiet"]
            command += ["--reduced", "--accept"] if reduced else []
            for key, value in parameters.items():
                command += ["--set", f"{key}={value}"]
            done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
            self.assertEqual(done.returncode, 0, done.stderr)
            theirs = gos.open_run(path)
            ours = gos.load(support.example(name), **parameters).run(reduced=reduced, until=until, progress=False)
            self.assertGreater(len(ours.time), 5)
            np.testing.assert_array_equal(ours.time, theirs.time)
            self.assertEqual(ours.names, theirs.names)
            for probe in ours.names:
                np.testing.assert_array_equal(ours[probe].values, theirs[probe].values)
                np.testing.assert_array_equal(ours[probe].rates, theirs[probe].rates)
            np.testing.assert_array_equal(ours.positions, theirs.positions)
            np.testing.assert_array_equal(ours.temperatures, theirs.temperatures)
            for key, values in ours.energy.items():
                np.testing.assert_array_equal(values, theirs.energy[key])

    def test_pendulum(self):
        self.compare("thermal-pendulum", 0.5)

    def test_satellite(self):
        self.compare("dumbbell-satellite", 0.5, reduced=True)

    def test_hub_beam(self):
        self.compare("hub-beam", 0.5)

    def test_csv(self):
        """The printed digits of `gossamer probe` are those of the arrays."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            run = gos.load(support.example("thermal-pendulum")).run(path=path, until=0.1, progress=False)
            said = subprocess.run([support.PROGRAM, "probe", path, "tip"], capture_output=True, text=True, check=True).stdout
            rows = [[float(x) for x in line.split(",")] for line in said.splitlines()[1:]]
            np.testing.assert_array_equal(np.array(rows)[:, 1:4], run["tip"].values)


if __name__ == "__main__":
    unittest.main(verbosity=2)
