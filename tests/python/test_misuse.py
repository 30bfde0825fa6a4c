"""Wrong types, shapes, values and lifetimes, on every call there is: each ends in an exception, none in a crash."""
import gc
import os
import tempfile
import threading
import unittest
import warnings

import support
import numpy as np

import gossamer as gos
from gossamer import _core

warnings.simplefilter("ignore", gos.GossamerWarning)


def wrong_objects():
    """A wrong argument."""
    return [None, object(), "text", b"\xff\xfe", 3, -1, 2**70, 1.5, float("nan"), float("inf"), [], {}, (), [1, "a"], 1j,
            np.zeros((2, 2)), np.array(["a"]), np.zeros(3, int), np.zeros(4)[::2], np.array(5.0), lambda: None, type, {1: 2}]


class Everything(unittest.TestCase):
    """All methods of the compiled half with all wrong objects, in one and in several places."""

    calls = 0
    raised = 0

    @classmethod
    def setUpClass(cls):
        cls.model = gos.load(support.PENDULUM)
        cls.system = cls.model.system()
        cls.state = cls.system.state()
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_ = cls.system.run(os.path.join(cls.folder.name, "a.h5"), until=0.01, progress=False)
        cls.linear = gos.matrices(M=np.eye(2), K=np.eye(2), B=np.ones((2, 1)), C=np.ones((1, 2)))
        cls.reduced = cls.linear.reduce("modes", order=1)
        cls.objects = [cls.model, cls.system._core, cls.state._core, cls.system.stepper(["push.y"], ["tip"]),
                       _core.Equations(cls.system._core), cls.run_._core, cls.linear._core, cls.reduced._reduction,
                       _core.Sweep(cls.model)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def call(self, function, arguments):
        """An exception, or an answer; anything but the end of the process."""
        type(self).calls += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(*arguments)
        except (Exception, SystemError) as error:
            self.assertNotIsInstance(error, SystemError, (function, arguments, error))
            type(self).raised += 1

    def test_methods(self):
        # what has no wrong argument or works for long; files are written where a text is a path
        here = os.getcwd()
        os.chdir(self.folder.name)
        try:
            for thing in self.objects:
                for name in dir(thing):
                    method = getattr(type(thing), name, None)
                    if name.startswith("__") or not callable(method) or name in ("run",):
                        continue
                    bound = getattr(thing, name)
                    for x in wrong_objects():
                        if name in ("step", "advance", "reduce") and isinstance(x, (int, float)):
                            continue  # numbers are right, and may mean years of work
                        for n in (1, 2, 3, 5):
                            self.call(bound, [x] * n)
                    self.call(bound, [])
        finally:
            os.chdir(here)
        self.assertGreater(self.raised, 1000)

    def test_functions(self):
        here = os.getcwd()
        os.chdir(self.folder.name)
        try:
            for name in dir(_core):
                thing = getattr(_core, name)
                if callable(thing) and not name.startswith("_") and name != "setup":
                    for x in wrong_objects():
                        for n in (0, 1, 2, 3, 6):
                            self.call(thing, [x] * n)
            for name in gos.__all__:
                thing = getattr(gos, name)
                if callable(thing) and not (isinstance(thing, type) and issubclass(thing, BaseException)):
                    for x in wrong_objects():
                        for n in (0, 1, 2, 3):
                            self.call(thing, [x] * n)
        finally:
            os.chdir(here)


class Named(unittest.TestCase):
    """Common errors of use: the class of the exception and its message."""

    @classmethod
    def setUpClass(cls):
        cls.model = gos.load(support.PENDULUM)
        cls.system = cls.model.system()

    def refused(self, error, words, function, *args, **kwargs):
        with self.assertRaisesRegex(error, words):
            function(*args, **kwargs)

    def test_models(self):
        m = self.model
        self.refused(TypeError, "path, a text or a dict", gos.load, 3)
        self.refused(TypeError, "cannot be used in a model", gos.Model, {"name": object()})
        self.refused(ValueError, "not finite", m.set, "gravity", [0, float("nan"), 0])
        self.refused(TypeError, "keys of a model", gos.Model, {1: 2})
        deep = []
        for _ in range(100):
            deep = [deep]
        self.refused(ValueError, "64 levels", m.set, "bodies.rod.from", deep)
        self.refused(AttributeError, "has no 'bodys'", getattr, m, "bodys")
        self.refused(gos.InputError, "is missing in a list", gos.load, support.PENDULUM + "bad: [1, 2\n")

    def test_runs(self):
        s = self.system
        self.refused(ValueError, "there is no option 'stepp'", s.run, stepp=1)
        self.refused(ValueError, "one of generalised_alpha, bdf, radau", s.run, integrator="euler")
        self.refused(TypeError, "", s.run, step=[1])
        self.refused(gos.Error, "", s.run, step=-1.0)
        self.refused(ValueError, "until", s.run, until=-1)
        self.refused(gos.Error, "", s.run, path="/nowhere/run.h5")
        self.refused(ValueError, "null", s.run, path="a\0b")
        run = s.run(until=0.01, progress=False)
        self.refused(KeyError, "there are tip, height", lambda: run["tipp"])
        self.refused(KeyError, "components x, y, z", lambda: run["tip"]["w"])
        self.refused(AttributeError, "w", lambda: run["tip"].w)
        self.refused(IndexError, "", run.frame, 100)
        self.refused(gos.UseError, "", run["tip"].at, 99.0)
        self.refused(KeyError, "there is no field", run.field, "stress")
        self.refused(TypeError, "a Run is needed", run.compare, 3)
        self.refused(ValueError, "read-only|readonly", run["tip"].values.__setitem__, (0, 0), 1.0)
        self.refused(ValueError, "", run["tip"].values.setflags, write=True)

    def test_steppers(self):
        s = self.system
        self.refused(KeyError, "there is no input 'pull'", s.stepper, ["pull"])
        self.refused(KeyError, "there is no probe 'top'", s.stepper, [], ["top"])
        self.refused(KeyError, "components x, y, z", s.stepper, [], ["tip.w"])
        loop = s.stepper(["push.y"], ["tip"])
        self.refused(TypeError, "", loop.step)
        self.refused(TypeError, "at most 1 inputs", loop.step, 0.1, 1, 2)
        self.refused(ValueError, "end at a later, finite time", loop.step, 0.0)
        self.refused(ValueError, "end at a later, finite time", loop.step, float("nan"))
        self.refused(ValueError, "end at a later, finite time", loop.advance, -1)
        self.refused(TypeError, "", loop.step, "0.1")
        self.refused(TypeError, "State is needed", loop.restore, None)
        other = gos.load(support.PENDULUM).system().state()
        self.refused(ValueError, "another system", loop.restore, other)
        self.refused(ValueError, "another system", s.stepper, state=other)
        self.refused(ValueError, "itself", loop.restore, loop.state)
        self.refused(ValueError, "dt", gos.Env, s, [], [], 0)

    def test_states(self):
        state = self.system.state()
        self.refused(KeyError, "no coordinate", state.coordinate, "rod.node(99).position")
        self.refused(ValueError, "3 numbers are needed, not 2", state.set_coordinate, "rod.node(1).position", [1, 2])
        self.refused(gos.UseError, "", state.set_coordinate, "rod.node(1).position", [1, 2, float("nan")])
        self.refused(gos.UseError, "", state.set_input, "push.y", 1.0, -5.0)
        eq = self.system.equations()
        self.refused(ValueError, "q: 3[0-9] numbers are needed", eq.residual, state, q=np.zeros(3))
        self.refused(TypeError, "keywords are t", eq.residual, state, Q=1)
        self.refused(ValueError, "another system", eq.residual, gos.load(support.PENDULUM).system().state())

    def test_matrices(self):
        self.refused(gos.InputError, "", gos.matrices, M=np.eye(2), K=np.eye(3))
        self.refused(gos.InputError, "", gos.matrices, M=np.eye(2), K=np.eye(2) * float("nan"))
        self.refused(gos.Error, "", gos.matrices)
        self.refused(TypeError, "real numbers", gos.matrices, M=[[1j]])
        self.refused(ValueError, "matrix", gos.matrices, M=np.zeros((2, 2, 2)))
        self.refused(ValueError, "one name", gos.matrices, M=[[1]], K=[[1]], B=[[1]], inputs=["a", "b"])
        bad = gos.SparseMatrix((2, 2), [0, 1, 2], [0, 7], [1, 1])
        self.refused(ValueError, "be inside the matrix", gos.matrices, M=bad)
        bad = gos.SparseMatrix((2, 2), [0, 9, 2], [0, 1], [1, 1])
        self.refused(ValueError, "be inside the matrix", gos.matrices, M=bad)
        bad = gos.SparseMatrix((2, 2), [0, 2], [0, 1], [1, 1])
        self.refused(ValueError, "3 numbers are needed", gos.matrices, M=bad)
        linear = gos.matrices(M=np.eye(2), K=np.eye(2), B=np.ones((2, 1)), C=np.ones((1, 2)))
        self.refused(ValueError, "number of modes", linear.modes, 0)
        self.refused(ValueError, "a column for each", linear.transient, np.zeros((3, 2)), 0.1)
        self.refused(KeyError, "no block", lambda: linear["Z"])
        self.refused(ValueError, "is not reduced", linear.basis)

    def test_never_made(self):
        """Types that are not to be called, and objects whose making failed."""
        for name in ("System", "State", "Results", "Linear", "Reduction", "Block"):
            self.refused(TypeError, "cannot create", getattr(_core, name))
        for kind in (gos.System, gos.LinearModel):
            self.refused(TypeError, "made by", kind, None)

    def test_lifetimes(self):
        """Everything that something borrows from lives as long as it does."""
        loop = gos.load(support.PENDULUM).system().stepper(["push.y"], ["tip"])
        y, u = loop.y, loop.u
        gc.collect()
        loop.step(1e-3, 0.1)
        del loop
        gc.collect()
        self.assertEqual(len(y), 3)
        u[0] = 1
        equations = gos.load(support.PENDULUM).system().equations()
        gc.collect()
        state = equations.system.state()
        self.assertTrue(np.isfinite(equations.residual(state)).all())
        basis = gos.matrices(M=np.eye(3), K=np.diag([1.0, 2, 3]), B=np.ones((3, 1)), C=np.ones((1, 3))).reduce(
            "modes", order=2).basis()
        gc.collect()
        self.assertTrue(np.isfinite(basis).all())

    def test_busy(self):
        """A state that a thread steps is refused to others; a callback that steps its own stepper, too."""
        model = gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}"))
        box = []

        def law(t, angle):
            if box:
                box[0].step(0.01)
            return 0.0

        model.callback("law", law)
        loop = model.system().stepper(outputs=["angle"])
        box.append(loop)
        self.refused(RuntimeError, "is in use", loop.step, 0.01)

        loop = self.system.stepper(outputs=["tip"])
        refused, done = [], threading.Event()

        def work():
            while not done.is_set():
                try:
                    loop.observe()
                except RuntimeError as error:
                    refused.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        try:
            for _ in range(20):
                try:
                    loop.step(0.02)
                except RuntimeError as error:
                    refused.append(str(error))
        finally:
            done.set()
            thread.join()
        self.assertTrue(all("is in use" in text for text in refused))

    def test_callback_forgotten(self):
        """A function that only the model holds lives as long as its systems."""
        model = gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}"))
        model.callback("law", lambda t, angle: -100 * angle)
        system = model.system()
        del model
        gc.collect()
        self.assertTrue(system.run(progress=False).complete)
        self.assertTrue(system.state().copy() is not None)


if __name__ == "__main__":
    unittest.main(verbosity=2)
