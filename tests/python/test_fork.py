"""os.fork while other threads compute: the child works with models and files of its own, and objects that another
thread was using at the fork refuse work in words. Nothing hangs, and files of the parent are not touched."""
import os
import signal
import sys
import tempfile
import threading
import time
import unittest
import warnings

import support

import gossamer as gos

warnings.simplefilter("ignore")
TURNS = 60
LIMIT = 5  # [s] for a child that needs 0.1 s

# functions of time without numbers for constants: expressions are evaluated and compiled; heat for files with more data
MODEL = support.PENDULUM.replace("torque, 0]", "'torque*sin(40*t)', 0]")


def work(folder, name):
    """Compiles expressions, factorises, writes and reads a file."""
    path = os.path.join(folder, name)
    system = gos.load(MODEL).system()
    run = system.run(path, until=0.02, progress=False)
    return run["tip"].values[-1].tolist()


def in_child(function):
    """Exit code of a forked child that calls the function; negative: the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.alarm(LIMIT)
            code = function()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Fork(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.stop = False
        self.failures = []

    def tearDown(self):
        self.folder.cleanup()

    def busy(self, name):
        expected = work(self.folder.name, name)
        try:
            while not self.stop:
                if work(self.folder.name, name) != expected:
                    raise AssertionError("a run in the parent has changed")
        except Exception as error:  # reported by the main thread
            self.failures.append(error)

    def beside(self, function):
        """Calls the function in children while two threads work."""
        threads = [threading.Thread(target=self.busy, args=(f"busy{i}.h5",)) for i in range(2)]
        for thread in threads:
            thread.start()
        try:
            time.sleep(0.05)
            for turn in range(TURNS):
                code = in_child(function)
                self.assertEqual(code, 0, f"fork {turn}: {signal.Signals(-code).name if code < 0 else code}")
        finally:
            self.stop = True
            for thread in threads:
                thread.join()
        self.assertEqual(self.failures, [])

    def test_own_work(self):
        expected = work(self.folder.name, "reference.h5")
        self.beside(lambda: 0 if work(self.folder.name, f"child{os.getpid()}.h5") == expected else 2)

    def test_shared_system(self):
        """A system that other threads use at the fork serves the child."""
        system = gos.load(MODEL).system()
        expected = system.run(until=0.02, progress=False)["tip"].values[-1].tolist()

        def use():
            while not self.stop:
                system.run(until=0.02, progress=False)

        thread = threading.Thread(target=use)
        thread.start()
        try:
            self.beside(lambda: 0 if system.run(until=0.02, progress=False)["tip"].values[-1].tolist() == expected else 2)
        finally:
            self.stop = True
            thread.join()

    def test_exit_of_a_child(self):
        """A child that ends by exit() while the parent writes results does not write into them."""
        path = os.path.join(self.folder.name, "long.h5")
        system = gos.load(MODEL).system()
        expected = system.run(os.path.join(self.folder.name, "alone.h5"), until=0.3, progress=False)["tip"].values.tolist()
        thread = threading.Thread(target=system.run, args=(path,), kwargs={"until": 0.3, "progress": False})
        thread.start()
        while thread.is_alive():
            pid = os.fork()
            if pid == 0:
                import ctypes
                signal.alarm(LIMIT)
                ctypes.CDLL(None).exit(0)  # runs HDF5's exit handler
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        thread.join()
        self.assertEqual(gos.open_run(path)["tip"].values.tolist(), expected)


if __name__ == "__main__":
    if support.SANITIZED:
        # clang 14's AddressSanitizer does not unlock its allocator in a child: any malloc after a fork may hang
        print("skipped: the sanitizer's allocator does not support a fork beside other threads")
        sys.exit(77)
    unittest.main()
