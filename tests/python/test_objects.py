"""Objects of the package as Python users expect them: deleting, copying, comparing, arrays, plots, environments,
interrupted calls."""
import copy
import importlib.util
import io
import os
import pickle
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

import support
import numpy as np

import gossamer as gos
from gossamer import _core, _progress

HERE = os.path.dirname(os.path.abspath(__file__))


def needs(module, package):
    return unittest.skipUnless(importlib.util.find_spec(module), f"{module} is not installed (Debian: {package})")


def linearised():
    with warnings.catch_warnings():  # of rigid motion
        warnings.simplefilter("ignore")
        return gos.load(support.PENDULUM).system().linearise()


class Models(unittest.TestCase):
    def setUp(self):
        self.model = gos.load(support.PENDULUM)

    def test_delete(self):
        """A model without an entry is the model that never had it."""
        model = self.model
        del model.loads["push"]
        del model["parameters.torque"]
        del model.probes["height"]
        lines = [line for line in support.PENDULUM.splitlines() if not line.strip().startswith(("push:", "height:"))]
        other = gos.load("\n".join(lines).replace(", torque: 0", "").replace("loads:", "loads: {}"))
        self.assertEqual(model, other)
        self.assertEqual((list(model.loads), list(model.probes)), ([], ["tip"]))
        np.testing.assert_array_equal(model.run(progress=False)["tip"], other.run(progress=False)["tip"])
        with self.assertRaisesRegex(KeyError, "loads has no 'push'; it has none"):
            del model.loads["push"]
        with self.assertRaisesRegex(KeyError, "no entry 'bodies.rodd'"):
            del model["bodies.rodd"]
        del model.bodies["rod"]
        with self.assertRaises(gos.InputError):
            model.check()

    def test_deleted_text(self):
        """The text stored in results repeats the deletion, so an interrupted run can be resumed."""
        model = self.model
        model["analysis.step"] = 2e-3
        del model.loads["push"]
        model.loads["pull"] = {"type": "force", "on": "rod.end", "value": [0, 1, 0]}
        text = model.system().text
        self.assertTrue(text.endswith("# remove loads.push\n# set loads.pull: " + gos.model.flow(model.loads["pull"]) + "\n"), text[-300:])

    def test_entries(self):
        """Entries are views: they read and change the model; lists cannot be changed in place."""
        model, rod = self.model, self.model.bodies["rod"]
        rod["elements"] = 6
        self.assertEqual((model["bodies.rod.elements"], model["n"], rod["to"]), (6, 4, ["L", 0, 0]))
        self.assertEqual(rod["from"], (0, 0, 0))
        with self.assertRaises(TypeError):
            rod["from"][0] = 1
        model.bodies["twin"] = rod
        self.assertEqual(model.bodies["twin"], rod)
        self.assertEqual(list(model.bodies), ["rod", "twin"])
        self.assertEqual(dict(model.probes["tip"]), {"at": "rod.end", "quantity": "position"})
        self.assertEqual([name for name, entry in model.probes.items() if "direction" in entry], ["height"])
        self.assertIn("bodies.rod", model)
        self.assertNotIn("bodies.nothing", model)
        self.assertIsNone(model.get("bodies.nothing"))
        self.assertEqual(list(model)[:3], ["name", "parameters", "materials"])
        self.assertEqual(dict(model)["gravity"], [0, -9.81, 0])
        del model.bodies["twin"]
        with self.assertRaisesRegex(KeyError, "any more"):
            gos.Entry(model, "bodies.twin").to_dict()

    def test_equal(self):
        model = self.model
        self.assertEqual(model, gos.load(support.PENDULUM))
        self.assertEqual(gos.Model(model.to_dict()), model)
        self.assertNotEqual(model, gos.load(support.PENDULUM, n=5))
        self.assertNotEqual(model, "text")
        one, two = (gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}")) for _ in range(2))
        one.callback("law", abs, probes=1)
        self.assertNotEqual(one, two)
        two.callback("law", abs, probes=1)
        self.assertEqual(one, two)
        with self.assertRaises(TypeError):
            hash(model)

    def test_copies(self):
        """A copy is independent and has the functions, with the digits of the original."""
        model = gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}"))
        model.callback("law", lambda t, angle: 5 - 10 * angle)
        model["loads.law.on"] = "b"
        for made in (model.copy(), copy.copy(model), copy.deepcopy({"m": model})["m"]):
            self.assertEqual(made, model)
            self.assertEqual(made.name, model.name)
            np.testing.assert_array_equal(made.run(progress=False)["angle"], model.run(progress=False)["angle"])
            made["bodies.b.mass"] = 3
            self.assertNotEqual(made, model)
        self.assertEqual(model["bodies.b.mass"], 2)
        made = gos.load(support.example("thermal-pendulum")).copy()
        self.assertGreater(made.check().points, 0)  # tables are still found in its folder

    def test_other_copies(self):
        system = self.model.system()
        state = system.state()
        state.inputs["push.y"] = 3.0
        other = copy.deepcopy(state)
        other.inputs["push.y"] = 4.0
        self.assertEqual(state.inputs["push.y"], 3.0)
        self.assertIs(copy.deepcopy(system), system)
        run = system.run(until=0.01, progress=False)
        self.assertIs(copy.copy(run), run)
        series = copy.deepcopy(run["tip"])
        np.testing.assert_array_equal(series.at(0.0042), run["tip"].at(0.0042))
        with self.assertRaisesRegex(TypeError, "save"):
            copy.copy(system.stepper())

    def test_pickling(self):
        """Refused with the remedy; records and plain results can be pickled."""
        system = self.model.system()
        run = system.run(until=0.01, progress=False)
        linear = gos.matrices(M=[[1]], K=[[4]], B=[[1]], C=[[1]])
        for thing, remedy in ((self.model, "to_dict"), (system, "to_dict"), (system.state(), "coordinates"),
                              (system.stepper(), "restore"), (run, "open_run"), (run["tip"], "values"), (linear, "read_linear"),
                              (system.equations(), "Jacobians"), (self.model.bodies, "to_dict")):
            with self.assertRaisesRegex(TypeError, "objects cannot be pickled: .*" + remedy):
                pickle.dumps(thing)
        record = system.record(until=0.01, progress=False)
        for thing in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
            np.testing.assert_array_equal(thing["tip"].at(0.0042), record["tip"].at(0.0042))
        response, modes = linear.response([1.0]), linear.modes(1)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(response)), response)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(modes)).frequencies, modes.frequencies)


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = gos.load(support.PENDULUM).run(progress=False)

    def test_series(self):
        """A series computes as the array of its values; components are x, y, z and nothing else has these names."""
        tip, height, values = self.run_["tip"], self.run_["height"], np.array(self.run_["tip"].values)
        np.testing.assert_array_equal(2 * tip - 1, 2 * values - 1)
        np.testing.assert_array_equal(np.hypot(tip.x, tip.y), np.hypot(values[:, 0], values[:, 1]))
        np.testing.assert_array_equal(tip.y, height)
        np.testing.assert_array_equal(tip.t, self.run_.time)
        self.assertEqual((tip.shape, tip.ndim, tip.size, height.shape, tip.dtype), ((201, 3), 2, 603, (201,), float))
        self.assertEqual((np.max(height), height.min(), np.sum(tip)), (values[:, 1].max(), values[:, 1].min(), values.sum()))
        self.assertTrue((tip == values).all() and (height <= height.max()).all())
        self.assertEqual(len(list(tip)), 201)
        with self.assertRaisesRegex(AttributeError, "height is a scalar; there is no .y.. All values are .values, their times .t"):
            height.y
        with self.assertRaisesRegex(AttributeError, "tip has the components x, y, z"):
            tip.time
        self.assertEqual(list(self.run_.keys()), ["tip", "height"])
        self.assertEqual(set(dict(self.run_)), {"tip", "height"})

    def test_response(self):
        """One type with and without frequencies."""
        linear = linearised()
        given, default = linear.response(1.5), linear.response()
        for response in (given, default):
            self.assertIsInstance(response, gos.Response)
            self.assertEqual(response.shape, (len(response.f), 4, 3))
        np.testing.assert_array_equal(given["tip.y", "push.y"], given["height"][:, 1])
        np.testing.assert_array_equal(np.abs(given), given.magnitude)
        self.assertEqual((default.outputs[3], default.inputs[1]), ("height.value", "push.y"))
        with self.assertRaisesRegex(KeyError, "no output 'top'; there are tip.x"):
            given["top"]
        with self.assertRaisesRegex(KeyError, "no input 'pull'"):
            given["height", "pull"]

    @needs("pandas", "python3-pandas")
    def test_pandas(self):
        frame = self.run_["tip"].to_pandas()
        self.assertEqual((list(frame.columns), frame.index.name, frame.attrs["unit"]), (["tip.x", "tip.y", "tip.z"], "t", "m"))
        np.testing.assert_array_equal(frame["tip.y"].to_numpy(), self.run_["height"])
        self.assertEqual(list(self.run_.to_pandas().columns), ["tip.x", "tip.y", "tip.z", "height"])
        self.assertEqual(list(self.run_.to_pandas("height").columns), ["height"])
        linear = gos.matrices(M=[[1]], K=[[4]], B=[[1]], C=[[1]], inputs=["f"], outputs=["q"])
        np.testing.assert_allclose(linear.response([0.0]).to_pandas()["q", "f"], [0.25])

    @needs("xarray", "python3-xarray")
    def test_xarray(self):
        array = self.run_["tip"].to_xarray()
        self.assertEqual((array.dims, array.attrs["units"]), (("t", "component"), "m"))
        np.testing.assert_array_equal(array.sel(component="y"), self.run_["height"].to_xarray())
        self.assertEqual(set(self.run_.to_xarray().data_vars), {"tip", "height"})
        linear = gos.matrices(M=[[1]], K=[[4]], B=[[1]], C=[[1]], inputs=["f"], outputs=["q"])
        self.assertEqual(linear.response([0.0, 1.0]).to_xarray().sel(output="q", input="f").shape, (2,))

    def test_missing(self):
        """Without an optional package the error has the command that installs it."""
        linear = gos.matrices(M=[[1]], K=[[4]], B=[[1]], C=[[1]])
        with mock.patch.dict(sys.modules, {"pandas": None, "xarray": None, "matplotlib": None, "matplotlib.pyplot": None}):
            for call, package in ((self.run_["tip"].to_pandas, "pandas"), (self.run_.to_xarray, "xarray"),
                                  (self.run_.plot, "matplotlib"), (linear.modes(1).plot, "matplotlib"),
                                  (linear.bode, "matplotlib"), (linear.response().to_pandas, "pandas")):
                with self.assertRaisesRegex(ImportError, f"apt install python3-{package}, or pip install {package}"):
                    call()


@needs("matplotlib", "python3-matplotlib")
class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import matplotlib

        matplotlib.use("agg")
        cls.run_ = gos.load(support.PENDULUM + "  # one more\n").run(progress=False, until=0.05)

    def test_histories(self):
        (axes,) = self.run_.plot("tip", "height")
        self.assertEqual([line.get_label() for line in axes.lines], ["tip.x", "tip.y", "tip.z", "height"])
        np.testing.assert_array_equal(axes.lines[1].get_ydata(), self.run_["height"])
        self.assertEqual(axes.get_ylabel(), "[m]")
        (same,) = self.run_.plot("tip.y", axes=axes, color="k")
        self.assertIs(same, axes)
        self.assertEqual((len(axes.lines), axes.lines[-1].get_label(), axes.lines[-1].get_color()), (5, "tip.y", "k"))
        self.assertEqual(len(self.run_["tip"].plot()), 1)
        with self.assertRaisesRegex(KeyError, "no probe 'top'"):
            self.run_.plot("top")
        with self.assertRaisesRegex(ValueError, "1 axes are needed"):
            self.run_.plot("tip", axes=[axes, axes])

    def test_linear(self):
        linear = linearised()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (axes,) = linear.modes(3).plot()
        self.assertEqual(axes.get_ylabel(), "effective mass [kg]")
        magnitude, phase = linear.bode([0.1, 1, 10], outputs="height", inputs=["push.y"])
        np.testing.assert_allclose(magnitude.lines[0].get_ydata(), 20 * np.log10(np.abs(linear.response([0.1, 1, 10])["height", "push.y"])))
        self.assertEqual((len(phase.lines), phase.lines[0].get_label()), (1, "height.value / push.y"))


ENVIRONMENT = """
import sys, types
import numpy as np, support
BASE
import gossamer as gos
assert "gossamer.environment" not in sys.modules
env = gos.Env(gos.load(support.PENDULUM).system(), ["push.y"], ["tip"], 0.01, limits=(-2, 2), end=0.05)
y, info = env.reset(seed=1)
assert y in env.observation_space and env.observation_space.shape == (3,)
assert env.action_space.sample().shape == (1,) and [3.0] not in env.action_space
while True:
    y, reward, terminated, truncated, info = env.step(env.action_space.sample())
    if truncated:
        break
assert abs(info["time"] - 0.05) < 1e-12
for wrong in (5.0, float("nan"), [1.0, 2.0]):
    try:
        env.step(wrong)
    except ValueError as error:
        assert "inside the limits" in str(error)
    else:
        raise AssertionError(wrong)
print([c.__module__ for c in type(env).__mro__])
"""
STAND_IN = """
class Env:
    np_random = None
    def reset(self, *, seed=None, options=None):
        self.np_random = np.random.default_rng(seed)
class Box:
    def __init__(self, low, high, shape=None, dtype=None):
        self.low, self.high, self.shape = low, high, shape if shape is not None else low.shape
    def __contains__(self, x):
        return np.shape(x) == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))
    contains = __contains__
    def sample(self):
        return np.zeros(self.shape)
for name, content in (("gymnasium", {"Env": Env}), ("gymnasium.spaces", {"Box": Box})):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
Env.__module__ = "gymnasium.core"
"""


class Environments(unittest.TestCase):
    def check(self, base):
        done = subprocess.run([sys.executable, "-c", ENVIRONMENT.replace("BASE", base)], cwd=HERE, capture_output=True, text=True,
                              timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_own(self):
        """Without gymnasium the class has spaces of its own kind."""
        self.assertNotIn("gymnasium", self.check("sys.modules['gymnasium'] = None"))

    def test_stand_in(self):
        self.assertIn("gymnasium.core", self.check(STAND_IN))

    @unittest.skipUnless(importlib.util.find_spec("gymnasium"), "gymnasium is not installed (pip install gymnasium)")
    def test_gymnasium(self):
        """Checked by gymnasium's own function."""
        code = ("from gymnasium.utils.env_checker import check_env\n" + ENVIRONMENT.replace("BASE", "import gymnasium") +
                "import warnings; warnings.simplefilter('ignore'); check_env(env, skip_render_check=True)\n")
        done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)


class Interrupted(unittest.TestCase):
    """Interrupted calls leave their results so far as `partial` of the exception."""

    def interrupt(self, call, n):
        """Results of call(n), interrupted as by Ctrl-C; n grows until the call lasts long enough."""
        def stop(fraction, seconds, text):
            raise KeyboardInterrupt

        for n in (n, 10 * n, 100 * n):
            try:
                with mock.patch.object(_progress, "Bar", lambda **_: stop), mock.patch.object(stop, "close", lambda: None, create=True):
                    with mock.patch.object(_progress, "in_notebook", lambda: True):
                        call(n)
            except KeyboardInterrupt as error:
                return error.partial
        self.fail("not interrupted")

    def test_record(self):
        model = gos.load(support.PENDULUM, n=16)
        model["analysis.end"] = 1000
        system = model.system()
        with self.assertRaises(gos.Interrupted) as caught:
            system.record(progress=lambda fraction, seconds, text: False)
        record = caught.exception.partial
        self.assertGreater(len(record.time), 1)
        whole = system.record(until=record.time[-1] + 1, progress=False)
        # the end time changes the rounding of the step size
        np.testing.assert_allclose(record["tip"], whole["tip"][:len(record["tip"])], rtol=0, atol=1e-6)

    def test_response(self):
        n = 300
        K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        K[0] += 1e-9
        linear = gos.matrices(M=np.eye(n), K=K, B=np.eye(n)[:, :1], C=np.eye(n)[:1])
        partial = self.interrupt(lambda m: linear.response(np.linspace(1, 2, m)), 100000)
        self.assertTrue(0 < len(partial) and np.isfinite(partial).all())
        np.testing.assert_array_equal(partial[:100], linear.response(partial.f[:100]))

    def test_transient(self):
        linear = gos.matrices(M=[[1]], K=[[4]], B=[[1]], C=[[1]])
        partial = self.interrupt(lambda m: linear.transient(np.ones((m, 1)), 1e-3), 2000000)
        self.assertTrue(0 < len(partial) and np.isfinite(partial).all())
        np.testing.assert_array_equal(partial[:1000], linear.transient(np.ones((1000, 1)), 1e-3))

    def test_sweep(self):
        """Runs that have ended before the interruption are in the partial sweep."""
        with tempfile.TemporaryDirectory() as folder:
            model = gos.load(support.PENDULUM)
            model["output.limit"] = 1e15

            def one_done():
                return any(name.endswith(".h5") for _, _, names in os.walk(folder) for name in names)

            def stop(fraction, seconds, text):
                return not (fraction > 0 and one_done())

            with self.assertRaises((gos.Interrupted, KeyboardInterrupt)) as caught:
                gos.sweep(model, {"analysis.end": ["0.01", "100000"]}, folder=folder, jobs=1, progress=stop)
            partial = caught.exception.partial
            self.assertEqual([row["has_results"] for row in partial.rows][0], True)
            self.assertEqual(len(partial.run(0).time), 11)


class Progress(unittest.TestCase):
    def test_bar(self):
        """Nothing before two seconds; then the fraction, or the elapsed time of work that reports nothing."""
        with mock.patch.object(_progress, "FIRST_AFTER", 0.05), mock.patch.object(_progress, "SILENCE", 0.0):
            stream = io.StringIO()
            bar = _progress.Bar(stream, "compiling")
            bar(0.1, 0.01, "early")
            while "compiling: 0 s" not in stream.getvalue():
                time.sleep(0.01)
            bar(0.5, 3.0, "steps")
            bar.close()
            self.assertNotIn("early", stream.getvalue())
            self.assertIn("50.0 %     3.0 s steps", stream.getvalue())
            length = len(stream.getvalue())
            bar(0.6, 4.0, "late")
            self.assertEqual(len(stream.getvalue()), length)

    def test_calls(self):
        """Calls without the keyword report to the bar of their thread."""
        seen = []
        model = gos.load(support.PENDULUM, n=16)
        model["analysis.end"] = 1000
        system = model.system()
        outer = _core.watch(lambda fraction, seconds, text: seen.append(text) is not None)
        try:
            with self.assertRaises(gos.Interrupted):
                system._core.linearise(system._core.state(), 1, {}, 1000.0)
        finally:
            _core.watch(outer)
        self.assertEqual(len(seen), 1)
        self.assertIsNone(_core.watch(None))


if __name__ == "__main__":
    unittest.main(verbosity=2)
