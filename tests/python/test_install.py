"""`pip install` of a source distribution in a virtual environment that has the system's packages, without a network."""
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

import support

SCRIPT = """
import gossamer as gos, os, sys
assert sys.prefix in gos.__file__, gos.__file__
run = gos.load(sys.argv[1]).run(until=0.01, progress=False)
print(len(run.time) > 1, gos.__version__)
"""


class Install(unittest.TestCase):
    def run_quietly(self, *command, env=None):
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def sdist(self, folder):
        """Path of a source distribution made in the folder."""
        source = os.path.join(support.SOURCE, "python")
        made = self.run_quietly(sys.executable, "-c", "import backend, sys; print(backend.build_sdist(sys.argv[1]))", folder,
                                env=dict(os.environ, PYTHONPATH=source)).strip()
        return os.path.join(folder, made)

    def test_sdist(self):
        """It has all sources of the library, and CMake accepts them."""
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(self.sdist(folder)) as archive:
                names = set(archive.getnames())
                archive.extractall(folder)
            library = os.path.join(min(names, key=len).split("/")[0], "library")
            for part in ("src", "include", "cmake", "viewer"):
                for place, _, files in os.walk(os.path.join(support.SOURCE, part)):
                    for file in files:
                        self.assertIn(os.path.join(library, os.path.relpath(os.path.join(place, file), support.SOURCE)), names)
            self.run_quietly("cmake", "-S", os.path.join(folder, library), "-B", os.path.join(folder, "build"),
                             "-DGOS_PYTHON_PACKAGE=OFF", "-DGOS_TESTS=OFF", "-DGOS_BENCH=OFF")

    def test_pip(self):
        if support.SANITIZED:
            self.skipTest("built with sanitizers")
        try:
            import ensurepip  # noqa: F401
        except ImportError:
            self.skipTest("python3-venv is not installed")
        with tempfile.TemporaryDirectory() as folder:
            venv = os.path.join(folder, "venv")
            self.run_quietly(sys.executable, "-m", "venv", "--system-site-packages", venv)
            python = os.path.join(venv, "bin", "python")
            env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
            env.update(GOSSAMER_BUILD=support.BUILD, PIP_CONFIG_FILE=os.devnull, PIP_NO_INDEX="1",
                       PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_CACHE_DIR="1")
            # the library of this build saves the minutes of compiling that of the sdist
            self.run_quietly(python, "-m", "pip", "install", self.sdist(folder), env=env)
            env["HOME"] = folder
            said = self.run_quietly(python, "-c", SCRIPT, support.example("thermal-pendulum"), env=env)
            self.assertTrue(said.startswith("True "), said)
            # typing information comes with it
            self.run_quietly(python, "-m", "pip", "uninstall", "-y", "gossamer", env=env)

    def test_without_library(self):
        """What is missing is reported in words."""
        env = dict(os.environ, GOSSAMER_BUILD="/nowhere", PKG_CONFIG_PATH="/nowhere", PKG_CONFIG_LIBDIR="/nowhere")
        done = subprocess.run([sys.executable, "-c", "import backend; backend.build_wheel('/tmp')"],
                              cwd=os.path.join(support.SOURCE, "python"), env=env, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the C library was found neither in this checkout", done.stderr)
        self.assertIn("PKG_CONFIG_PATH", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
