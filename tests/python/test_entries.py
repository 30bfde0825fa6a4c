"""Entries by calls, their help and type stubs, and that everything public is explained."""
import doctest
import inspect
import os
import subprocess
import sys
import unittest

import support
import numpy as np

import gossamer as gos
from gossamer.system import _options


class Entries(unittest.TestCase):
    def test_model(self):
        """A model by calls runs as the text does."""
        model = gos.Model()
        model["parameters"] = {"n": 4, "L": 1.2, "torque": 0}
        model.materials["rubber"] = gos.material(density=2000, young=1e8, poisson=0.3)
        model.sections["bar"] = gos.section.rectangle(height=0.01, width=0.02)
        model.bodies["rod"] = gos.body.ancf_cable(material="rubber", section="bar", from_=[0, 0, 0], to=["L", 0, 0],
                                                  elements="n")
        model.joints["pin"] = gos.joint.spherical(between=["ground", "rod.start"])
        model["gravity"] = [0, -9.81, 0]
        model.loads["push"] = gos.load.force(on="rod.end", value=[0, "torque", 0])
        model.probes["tip"] = gos.probe(at="rod.end", quantity="position")
        model["analysis"] = gos.analysis(end=0.2, step=1e-3)
        model["output"] = gos.output(every=0.05)
        np.testing.assert_array_equal(model.run(progress=False)["tip"].values,
                                      gos.load(support.PENDULUM).run(progress=False)["tip"].values)

    def test_examples(self):
        """Each type of the program's tables has a function that explains every key."""
        seen = 0
        for section, name, doc, example, keys in gos._core.types():
            plural = {"bodies": "body", "meshes": "mesh", "analysis": "analysis"}
            place = getattr(gos.entries, plural.get(section, section[:-1] if section.endswith("s") else section))
            function = getattr(place, name, place)
            self.assertTrue(callable(function))
            self.assertTrue(function.__doc__.startswith(doc))
            for key in keys:
                self.assertIn(key[0], function.__doc__)
            required = [k[0] for k in keys if k[6] and "." not in k[0]]
            if required:
                with self.assertRaisesRegex(TypeError, "needs"):
                    function()
            seen += 1
        self.assertGreater(seen, 60)

    def test_values(self):
        """Words of options and quantities of probes come from the program's tables."""
        self.assertIn("wheel", gos.probe.values["quantity"])
        self.assertIn("charge [C]: charge of an electrode", gos.probe.__doc__)
        self.assertEqual(gos.event.values["direction"], ["both", "rising", "falling"])
        self.assertEqual(_options({"integrator": "bdf", "analysis": "static", "step": 0.1}),
                         {"integrator": 1, "analysis": 1, "step": 0.1})
        with self.assertRaisesRegex(ValueError, "must be one of stable, any"):
            _options({"branch": "left"})

    def test_keys(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'elements'"):
            gos.body.ancf_cable(material="m", section="s", from_=[0, 0, 0], to=[1, 0, 0], elemnts=3)
        with self.assertRaisesRegex(TypeError, "needs material"):
            gos.body.ancf_cable(section="s", from_=[0, 0, 0], to=[1, 0, 0])
        self.assertEqual(gos.entries.reduction.krylov(order=4)["method"], "krylov")
        # a section whose plain entries have no type beside some that have one
        plies = [{"material": "cfrp", "thickness": 1e-4, "angle": 0}]
        self.assertEqual(gos.material.laminate(plies=plies), {"type": "laminate", "plies": plies})
        self.assertEqual(gos.material(density=1, young=2), {"density": 1, "young": 2})
        self.assertIn("laminate", repr(gos.material))

    def test_stubs(self):
        """The type stubs are up to date."""
        done = subprocess.run([sys.executable, os.path.join(support.SOURCE, "script", "python-stubs"), "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_help(self):
        """help() has something to say of everything public."""
        for name in gos.__all__:
            thing = getattr(gos, name)
            if name == "notes":
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if isinstance(thing, type):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(getattr(thing, member)), f"{name}.{member}")


def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite("gossamer.entries"))
    return tests


if __name__ == "__main__":
    unittest.main(verbosity=2)
