"""The Python package: models, errors, runs, results, callbacks, doctests."""
import doctest
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import support
import numpy as np

import gossamer as gos


class Models(unittest.TestCase):
    def test_sources(self):
        """A file, a text and a dict mean the same."""
        text = support.PENDULUM
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pendulum.yaml")
            with open(path, "w") as out:
                out.write(text)
            model = gos.load(path, n=2)
        made = gos.Model({
            "parameters": {"n": 2, "L": 1.2, "torque": 0},
            "materials": {"rubber": {"density": 2000, "young": 1.0e8, "poisson": 0.3}},
            "sections": {"bar": {"type": "rectangle", "height": 0.01, "width": 0.02}},
            "bodies": {"rod": {"type": "ancf_cable", "material": "rubber", "section": "bar", "from": np.zeros(3),
                               "to": ["L", 0, 0], "elements": "n"}},
            "joints": {"pin": {"type": "spherical", "between": ["ground", "rod.start"]}},
            "gravity": (0, -9.81, 0),
            "loads": {"push": {"type": "force", "on": "rod.end", "value": [0, "torque", 0]}},
            "probes": {"tip": {"at": "rod.end", "quantity": "position"}},
            "analysis": {"end": 0.2, "step": 1e-3}, "output": {"every": 0.05}})
        runs = [m.run()["tip"].values for m in (model, gos.load(text, n=2), made)]
        self.assertEqual(len(runs[0]), 201)
        for other in runs[1:]:
            np.testing.assert_array_equal(runs[0], other)

    def test_settings(self):
        model = gos.load(support.PENDULUM)
        model.set("n", 6)
        model["bodies.rod.elements"] = "2*n"
        self.assertEqual(model["bodies.rod.elements"], "2*n")
        self.assertEqual(model.check().elements, 12)
        with self.assertRaises(KeyError):
            model["bodies.nothing"]
        self.assertEqual(model.name, "driven pendulum")

    def test_errors(self):
        """All errors at once, each with its place and remedy."""
        with self.assertRaises(gos.InputError) as caught:
            gos.load("bodies:\n  rod: {type: ancf_cabel}\n  hub: {type: rigid, mass: -1, inertia: [1, 1, 1]}\n").check()
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.object), ("model", 2, 15, "body 'rod'"))
        self.assertEqual(error.message, "unknown type 'ancf_cabel'; did you mean 'ancf_cable'?")
        self.assertEqual(error.remedy, "did you mean 'ancf_cable'?")
        self.assertEqual([m.line for m in error.messages], [2, 3])
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(gos.FileError):
            gos.load("/nowhere/model.yaml")
        with self.assertRaises(gos.FileError):
            gos.open_run(support.example("thermal-pendulum"))

    def test_help(self):
        self.assertIn("ancf_cable (in bodies)", gos.describe("ancf_cable"))
        with self.assertRaisesRegex(gos.InputError, "did you mean 'ancf_cable'"):
            gos.describe("ancf_cabel")
        self.assertIn("HDF5", gos.versions())


class Runs(unittest.TestCase):
    def test_results(self):
        run = gos.load(support.PENDULUM).run()
        self.assertTrue(run.complete)
        tip = run["tip"]
        self.assertEqual((tip.unit, tip.components), ("m", ("x", "y", "z")))
        self.assertEqual(tip.values.shape, (201, 3))
        np.testing.assert_array_equal(tip.y, run["height"].values)
        np.testing.assert_array_equal(run["tip.y"], np.asarray(tip)[:, 1])
        self.assertFalse(tip.values.flags.writeable)
        np.testing.assert_array_equal(tip.at(run.time[7]), tip[7])
        np.testing.assert_allclose(run.frame_times, [0, 0.05, 0.1, 0.15, 0.2], rtol=1e-14)
        self.assertEqual(run.positions.shape, (5, 5, 3))
        np.testing.assert_array_equal(run.frame(-1).position[-1], tip[-1])
        # rates are those of the values: central differences of steps of 1 ms have errors of a few 1e-4 here
        rate = (tip.y[102] - tip.y[100]) / (run.time[102] - run.time[100])
        self.assertAlmostEqual(tip.rates[101, 1], rate, delta=2e-3)
        # energy is kept, to the second order of the steps
        self.assertLess(abs(run.energy["balance"]).max(), 1e-4 * abs(run.energy["gravity"]).max())
        self.assertEqual(run.statistics["steps"], 200)
        self.assertIn("driven pendulum", repr(run))
        self.assertEqual(list(run), ["tip", "height"])

    def test_lifetimes(self):
        """Arrays outlive the run, its file, the system and the model."""
        model = gos.load(support.PENDULUM)
        system = model.system()
        del model
        run = system.run()
        del system
        values, path = run["tip"].values, run.path
        copy = values.copy()
        del run
        self.assertFalse(os.path.exists(path))
        np.testing.assert_array_equal(values, copy)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            run = gos.load(support.PENDULUM).run(path=path)
            again = gos.open_run(path)
            np.testing.assert_array_equal(run["tip"].values, again["tip"].values)
            self.assertEqual(run.compare(again).worst, 0)
            page = run.view(against=run)
            self.assertIn("error of position", page)
            self.assertEqual(run.view(path=os.path.join(folder, "view.html")), os.path.join(folder, "view.html"))
            with self.assertRaises(TypeError):
                run.view(against="run.h5")
            page = run.report()
            self.assertTrue(page.lstrip().lower().startswith("<!doctype html"))
            self.assertIn("<svg", run.picture())
            self.assertIn("srcdoc", run._repr_html_())
            foreign = os.path.join(folder, "notes.html")
            with open(foreign, "w", encoding="utf-8") as out:
                out.write("notes of another program")
            for write in (run.report, run.view, run.picture().save):
                with self.assertRaises(gos.UseError):
                    write(path=foreign)
                write(path=os.path.join(folder, "own-" + write.__name__))
                write(path=os.path.join(folder, "own-" + write.__name__))  # its own is replaced
            with open(foreign, encoding="utf-8") as text:
                self.assertEqual(text.read(), "notes of another program")
            run.write_vtu(os.path.join(folder, "end.vtu"))
            self.assertTrue(os.path.getsize(os.path.join(folder, "end.vtu")) > 100)

    def test_progress(self):
        seen = []

        def stop(fraction, seconds, text):
            seen.append(fraction)
            return False

        model = gos.load(support.PENDULUM, n=16)
        model["analysis.end"] = 1000
        with self.assertRaises(gos.Interrupted) as caught:
            model.run(progress=stop)
        self.assertTrue(seen)
        # what was computed is kept
        self.assertGreater(len(caught.exception.partial.time), 1)

        def fail(fraction, seconds, text):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            model.run(progress=fail)

    def test_keyboard(self):
        """Ctrl-C stops a run, by KeyboardInterrupt."""
        code = ("import signal, threading, os, gossamer as gos, support\n"
                "m = gos.load(support.PENDULUM, n=16); m['analysis.end'] = 100000; m['output.limit'] = 1e15\n"
                "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "try:\n    m.run(progress=False)\n"
                "except KeyboardInterrupt as e:\n    print('stopped', len(e.partial.time) > 1)\n")
        done = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(os.path.abspath(__file__)),
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.stdout, "stopped True\n", done.stderr)

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            gos.load(support.PENDULUM).system().modes(2)
        self.assertTrue(any(issubclass(w.category, gos.GossamerWarning) for w in said))

    def test_threads(self):
        """Runs of one system in four threads have the same digits."""
        system = gos.load(support.PENDULUM).system()
        got = [None] * 4

        def work(i):
            got[i] = system.run(progress=False)["tip"].values

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for values in got[1:]:
            np.testing.assert_array_equal(values, got[0])

    def test_reduced(self):
        model = gos.load(support.example("thermal-pendulum"))
        full = model.run(until=0.5)
        with warnings.catch_warnings():  # of an error that is not known: it is measured here
            warnings.simplefilter("ignore")
            reduced = model.run(reduced=True, until=0.5)
        comparison = full.compare(reduced)
        # the model's tolerance is 2e-3 of the extent
        self.assertLess(comparison["position"]["max"] / comparison["position"]["scale"], 2e-3)
        self.assertIn("tip", str(comparison))
        model["reduction"] = {"method": "auto", "tolerance": 2e-3}
        with warnings.catch_warnings():  # of what is not worth reducing here
            warnings.simplefilter("ignore")
            system = model.system(reduced=True)
        self.assertLess(system.report.predicted, 2e-3)
        self.assertGreater(system.report.points, 0)
        self.assertIn("predicted error", str(system.report))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rom.h5")
            system.save_reduced(path)
            again = model.system().load_reduced(path).run(until=0.5)
            np.testing.assert_array_equal(again["tip"].values, system.run(until=0.5)["tip"].values)

    def test_acceptance(self):
        """A model of given order is compared with a full run, or refused with the reason."""
        model = gos.load(support.PENDULUM)
        model["reduction"] = {"method": "rotation_closed", "number": 8}
        system = model.system()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = system.reduce(progress=False).report
            unknown = system.reduce(progress=False, compare=False).report
            coarse = dict(model.system().reduce(progress=False, runs=1).report)
        self.assertGreater(known.predicted, 0)
        self.assertLess(known.predicted, 1e-3)
        self.assertEqual(known.reached, 1)
        self.assertEqual(unknown.predicted, 0)
        self.assertEqual(unknown.refused, "its error is unknown, because it was not compared with a full run")
        self.assertEqual(coarse["served"], 1)
        self.assertEqual(coarse["refused"], "it costs more than the full model")  # the comparison includes a full run


class Records(unittest.TestCase):
    def test_digits(self):
        """A run in memory has the bits of one in a file, and follows the same cubics between its times."""
        system = gos.load(support.PENDULUM + "events: {low: {signal: height, limit: -0.1}}\n").system()
        run, record = system.run(progress=False), system.record(progress=False)
        self.assertEqual(record.names, run.names)
        np.testing.assert_array_equal(record.time, run.time)
        np.testing.assert_array_equal(record["tip"].values, run["tip"].values)
        np.testing.assert_array_equal(record["tip"].rates, run["tip"].rates)
        np.testing.assert_array_equal(record["height"].values, record["tip.y"])
        np.testing.assert_array_equal(record.frame_times, run.frame_times)
        np.testing.assert_array_equal(record.positions, run.positions)
        np.testing.assert_array_equal(record.velocities[-1], run.frame(-1).velocity)
        self.assertEqual(record.temperatures.shape, (len(run.frame_times), 0))
        self.assertEqual(record.events, tuple(run.events))
        self.assertEqual(len(record.events), 1)
        self.assertEqual(record.statistics["steps"], run.statistics["steps"])
        for t in (0, 0.0123, 0.2):
            np.testing.assert_allclose(record["tip"].at(t), run["tip"].at(t), rtol=0, atol=1e-14)
        with self.assertRaises(ValueError):
            record["tip"].at(0.3)
        with self.assertRaises(KeyError):
            record["nothing"]

    def test_between(self):
        """Reactions between steps, where a force switches, too: in memory as in a file."""
        system = gos.load("bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                          "joints: {h: {type: clamp, between: [ground, a.node]}}\n"
                          "loads: {f: {type: force, on: a, value: ['10*(t>0.35)', 'sin(9*t)', 0]}}\n"
                          "probes: {F: {joint: h, quantity: joint_force}}\nanalysis: {end: 1, integrator: radau}\n").system()
        run, record = system.run(progress=False), system.record(progress=False)
        for t in (0.0123, 0.34, 0.3501, 0.4, 0.777):
            np.testing.assert_array_equal(record["F"].at(t), run["F"].at(t))
            self.assertAlmostEqual(abs(record["F"].at(t)[0]), 10 if t > 0.35 else 0, places=9)

    def test_heat(self):
        run = gos.load(support.example("thermal-pendulum")).system()
        record = run.record(until=0.05, progress=False)
        self.assertEqual(record.temperatures.shape, record.positions.shape[:2])
        np.testing.assert_array_equal(record.temperatures, run.run(until=0.05, progress=False).temperatures)

    def test_law(self):
        """Laws of Python are called there, too."""
        model = gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle, rate]}"))
        model.callback("law", lambda t, angle, rate: 5 - 10 * angle - rate)
        system = model.system()
        np.testing.assert_array_equal(system.record(threads=2)["angle"].values, system.run()["angle"].values)

    def test_refused(self):
        system = gos.load(support.PENDULUM).system()
        with self.assertRaises(ValueError):
            system.record(until=-1)
        with self.assertRaises(ValueError):
            system.record(no_such_option=1)
        with self.assertRaises(gos.Interrupted):
            gos.load(support.PENDULUM, n=16).system().record(until=1000, progress=lambda part, seconds, text: False)


class Callbacks(unittest.TestCase):
    def run_arm(self, amount, **functions):
        model = gos.load(support.ARM.replace("AMOUNT", amount))
        for name, f in functions.items():
            model.callback(name, *f)
        return model.run()

    def test_law(self):
        """A law of Python gives what an expression gives."""
        calls = []

        def law(t, angle, rate):
            calls.append(t)
            return -300 * angle - 12 * rate * abs(rate)

        reference = self.run_arm('"-300*angle - 12*rate*abs(rate)"')["angle"].values
        with_differences = self.run_arm("{call: law, of: [angle, rate]}", law=(law,))["angle"].values
        exact = self.run_arm("{call: law, of: [angle, rate]}",
                             law=(law, lambda t, a, r: (-300.0, -24 * abs(r))))["angle"].values
        self.assertGreater(len(calls), 200)
        self.assertLess(abs(with_differences - reference).max(), 1e-11)
        self.assertLess(abs(exact - reference).max(), 1e-11)

    def test_raises(self):
        def law(t, angle):
            if t > 0.5:
                raise ZeroDivisionError("in the law")
            return -300 * angle

        with self.assertRaisesRegex(ZeroDivisionError, "in the law"):
            self.run_arm("{call: law, of: [angle]}", law=(law,))
        with self.assertRaises(TypeError):
            self.run_arm("{call: law, of: [angle]}", law=(lambda t, angle: "no number",))
        with self.assertRaisesRegex(gos.InputError, "lists 1 probes, but the function 'law' requires 2"):
            self.run_arm("{call: law, of: [angle]}", law=(lambda t, a, b: 0.0,))
        with self.assertRaises(ValueError):
            self.run_arm("{call: law, of: [angle]}", law=(lambda t, a: 0.0, lambda t, a: (1, 2)))


class Sweeps(unittest.TestCase):
    def test_grid(self):
        sweep = gos.sweep(gos.load(support.PENDULUM), {"n": [2, 4], "L": "1:1.2:2"}, jobs=2, progress=False)
        self.assertEqual(len(sweep), 4)
        np.testing.assert_array_equal(sweep.value("n"), [2, 2, 4, 4])
        alone = gos.load(support.PENDULUM, n=4, L=1).run()["tip"]
        self.assertEqual(sweep.probe("tip.y")[2], alone.y[-1])
        np.testing.assert_array_equal(sweep.run(2)["tip"].values, alone.values)
        self.assertFalse(sweep.failures)
        self.assertIn("tip.y", str(sweep))

    def test_one_file(self):
        with tempfile.TemporaryDirectory() as folder:
            rom, place = os.path.join(folder, "rom.h5"), os.path.join(folder, "runs")
            model = gos.load(support.PENDULUM + "reduction: {method: rotation_closed, fields: polynomials}\n")
            model.system().reduce().save_reduced(rom)
            # 5 N are half of what the rod weighs: it goes another way
            kept = gos.sweep(model, {"torque": [0, 5]}, rom=rom, one_file=True, folder=place, jobs=1, progress=False)
            self.assertFalse(kept.failures)
            self.assertTrue(os.path.exists(kept.one_file))
            alone = gos.load(support.PENDULUM, torque=5).system().load_reduced(rom).run()["tip"]
            self.assertLess(abs(kept.probe("tip.y")[1] - alone.y[-1]), 1e-6)
            self.assertGreater(abs(kept.probe("tip.y")[0] - alone.y[-1]), 1e-2)
            again = gos.sweep(model, {"torque": [0, 5]}, rom=rom, one_file=True, folder=place, resume=True, progress=False)
            np.testing.assert_array_equal(again.probe("tip.y"), kept.probe("tip.y"))
            with self.assertRaisesRegex(ValueError, "members"):
                kept.run(0)
            with self.assertRaisesRegex(ValueError, "folder"):
                gos.sweep(model, {"torque": [0, 5]}, one_file=True, resume=True)
            with self.assertRaisesRegex(gos.FileError, "no.h5"):
                gos.sweep(model, {"torque": [0, 5]}, rom=os.path.join(folder, "no.h5"), progress=False)
            try:
                import h5py  # noqa: F401
            except ImportError:
                self.skipTest("h5py is not installed (Debian: python3-h5py)")
            time, tip = kept.members("tip")
            np.testing.assert_allclose(time, [0, 0.05, 0.1, 0.15, 0.2])
            self.assertEqual(tip.shape, (2, 5, 3))
            self.assertEqual(tip[1, -1, 1], kept.probe("tip.y")[1])
            with self.assertRaises(KeyError):
                kept.members("nothing")

    def test_random(self):
        draws = [gos.sweep(gos.load(support.PENDULUM), {"L": "normal:1.2:0.01"}, draws=4, seed=7, until=0.01, progress=False)
                 for _ in range(2)]
        np.testing.assert_array_equal(draws[0].value("L"), draws[1].value("L"))
        self.assertEqual(len(set(draws[0].value("L"))), 4)


def load_tests(loader, tests, ignore):
    for name in ("model", "system", "linear", "_text"):
        tests.addTests(doctest.DocTestSuite("gossamer." + name))
    return tests


if __name__ == "__main__":
    unittest.main(verbosity=2)
