"""Output of `gossamer COMMAND --json`: valid by docs/json-output.schema.json, and equal to the text output."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import support

try:
    import jsonschema
except ImportError:
    print("skipped: jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

with open(os.path.join(support.SOURCE, "docs", "json-output.schema.json"), encoding="utf-8") as text:
    SCHEMA = json.load(text)
MODEL = support.PENDULUM + "events: {low: {signal: height, limit: -0.1}}\n"
CONTROLLED = support.PENDULUM.replace("type: spherical", "type: clamp").replace("gravity: [0, -9.81, 0]", "") + """
controllers: {hold: {type: designed, design: calm}}
designs: {calm: {type: lqg, inputs: push.y, signals: height, noise: 1.0e-4, design_modes: 1, plant_modes: 1}}
"""

COLUMN = """
materials: {steel: {density: 7800, young: 2e11, poisson: 0.3, damping: {normal: 1e-4, shear: 1e-4}}}
sections: {bar: {type: circle, radius: 0.01}}
bodies: {rod: {type: ancf_beam, material: steel, section: bar, from: [0, 0, 0], to: [0, 0, 1], elements: 4}}
joints: {root: {type: clamp, between: [ground, rod.start]}}
loads: {push: {type: force, on: rod.end, value: [0, 0, -1]}}
probes: {tip: {at: rod.end, quantity: acceleration}}
"""
ROTOR = """
materials: {m: {density: 0.1, young: 2e11, poisson: 0.3}}
sections: {s: {type: rectangle, height: 0.01, width: 0.01}}
bodies:
  disc: {type: rigid, mass: 5, inertia: [0.0225, 0.0225, 0.01], position: [0, 0, 0.5]}
  shaft: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [0, 0, 0.5], elements: 1}
joints:
  bearing: {type: spherical, between: [ground, shaft.start]}
  fit: {type: clamp, between: [disc.node, shaft.end], rigid: false}
  end: {type: point_on_line, between: [ground, disc], direction: [0, 0, 1]}
"""


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.write("model.yaml", MODEL)
        cls.call("run", "model.yaml", "-o", "run.h5")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder.name, name), "w", encoding="utf-8") as out:
            out.write(text)

    @classmethod
    def call(cls, *arguments, code=0):
        done = subprocess.run([support.PROGRAM, *arguments], cwd=cls.folder.name, capture_output=True, text=True, timeout=600)
        if done.returncode != code:
            raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def once(self, pairs):
        """An object, whose keys are unique."""
        self.assertEqual(len(pairs), len(dict(pairs)), pairs)
        return dict(pairs)

    def json(self, *arguments, code=0, quiet=True, form=None):
        """The output, checked by the definition of the command, or of another form of it."""
        done = self.call(*arguments, "--json", code=code)
        if quiet:
            self.assertEqual(done.stderr, "")
        got = json.loads(done.stdout, object_pairs_hook=self.once)
        jsonschema.Draft7Validator({**SCHEMA, "oneOf": [{"$ref": "#/definitions/" + (form or arguments[0])}]}).validate(got)
        return got

    def test_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        commands = {entry["$ref"].rpartition("/")[2] for entry in SCHEMA["oneOf"]}
        with_json = set()
        folder = os.path.join(support.SOURCE, "cli", "help")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                if "  --json " in text.read():
                    with_json.add(name[:-4])
        self.assertEqual(commands, with_json)

    def test_run(self):
        got = self.json("run", "model.yaml", "-o", "again.h5")
        self.assertEqual((got["status"], got["results"], got["statistics"]["steps"]), ("done", "again.h5", 200))
        self.assertEqual([e["name"] for e in got["events"]], ["low"])
        reduced = self.json("run", "model.yaml", "--reduced", "--accept", "--set", "reduction={method: rotation_closed, number: 8}",
                            "-o", "reduced.h5")
        self.assertGreater(reduced["reduction"]["number"], 0)
        self.assertTrue(any(m["kind"] == "warning" for m in reduced["messages"]))
        failed = self.json("run", "model.yaml", "-o", "failed.h5", "--set", "loads.push.value=[0, '1/(t<0.1)', 0]", code=1, quiet=False)
        self.assertEqual(failed["status"], "failed")
        self.assertTrue(any(m["kind"] == "error" for m in failed["messages"]))
        self.call("run", "nothing.yaml", "--json", code=2)

    def test_reduce(self):
        got = self.json("reduce", "model.yaml", "--accept", "--set", "reduction={method: rotation_closed, number: 8}", "-o", "rom.h5")
        self.assertEqual((got["file"], got["sizes"]["reduced"]), ("rom.h5", True))
        self.assertEqual(self.json("info", "rom.h5")["kind"], "reduced model")
        linear = self.json("reduce", "model.yaml", "--method", "krylov", "--order", "4", "--band", "1:50", "-o", "linear.h5")
        self.assertEqual((linear["method"], linear["reduction"]["coordinates"]), ("krylov", 4))
        self.assertEqual(self.json("info", "linear.h5")["reduction"]["method"], "krylov")
        self.json("compare", "model.yaml", "linear.h5", "--band", "1:50")
        self.json("compare", "model.yaml", "linear.h5", "--over", "0.1")

    def test_check(self):
        self.assertTrue(self.json("check", "model.yaml")["valid"])
        wrong = self.json("check", "model.yaml", "--set", "bodies.rod.elements=0", code=2)
        self.assertEqual((wrong["valid"], wrong["messages"][0]["kind"]), (False, "error"))

    def test_probe(self):
        """The same numbers as in the table."""
        for arguments in (("run.h5",), ("run.h5", "tip", "--at", "0.05,0.123")):
            got = self.json("probe", *arguments)
            rows = list(csv.reader(io.StringIO(self.call("probe", *arguments).stdout)))
            self.assertEqual(got["time"], [float(row[0]) for row in rows[1:]])
            for k, name in enumerate(rows[0][1:], 1):
                probe, component = name.split(".")
                self.assertEqual(got["probes"][probe]["values"][component], [float(row[k]) for row in rows[1:]])

    def test_response(self):
        for arguments in (("--to", "tip", "--band", "1:50", "--points", "5"), ("--to", "height", "--over", "0.1", "--points", "5")):
            got = self.json("response", "model.yaml", *arguments)
            rows = list(csv.reader(io.StringIO(self.call("response", "model.yaml", *arguments).stdout)))
            columns = [got.get("frequency") or got["time"]]
            for pair in got["responses"]:
                columns += [pair[key] for key in ("magnitude", "phase", "values") if key in pair]
            self.assertEqual(columns, [[float(row[k]) for row in rows[1:]] for k in range(len(rows[0]))])
        stored = self.json("response", "model.yaml", "--band", "1:50", "--points", "5", "-o", "response.h5")
        self.assertEqual(len(stored["frequency"]), self.json("info", "response.h5")["frequencies"])
        self.write("push.csv", "time,push.y\n0,0\n0.1,1\n")
        self.assertEqual(self.json("response", "model.yaml", "--inputs", "push.csv")["responses"][0]["input"], None)

    def test_sweep(self):
        got = self.json("sweep", "model.yaml", "--vary", "L=1,1.2", "--until", "0.01", quiet=False)
        self.assertEqual([run["values"] for run in got["runs"]], [{"L": "1"}, {"L": "1.2"}])
        self.assertEqual(got["runs"][0]["probes"]["tip.x"]["max"], 1)
        drawn = self.json("sweep", "model.yaml", "--vary", "L=uniform:1:1.2", "--samples", "3", "--until", "0.01", "-o", "drawn", quiet=False)
        self.assertEqual((drawn["quantiles"][0]["complete"], len(drawn["runs"])), (3, 3))

    def test_mesh(self):
        self.write("mesh.yaml", "meshes: {block: {type: box, size: [1, 2, 3], cells: [1, 2, 3]}}\n" + MODEL)
        got = self.json("mesh", "mesh.yaml")["meshes"]["block"]
        self.assertEqual((got["nodes"], got["size"], got["extent"][2]), (24, 6, [0, 3]))
        self.assertEqual(sum(got["cells"].values()), 6)

    def test_others(self):
        self.assertEqual(self.json("compare", "run.h5", "run.h5")["worst_relative"], 0)
        self.assertEqual(len(self.json("modes", "model.yaml", "-n", "4", quiet=False)["modes"]), 4)
        self.json("modes", "model.yaml", "-n", "2", "--damped", quiet=False)
        self.write("column.yaml", COLUMN)
        self.json("modes", "column.yaml", "--buckling", "-n", "1", quiet=False, form="buckling")
        self.write("rotor.yaml", ROTOR)
        self.json("modes", "rotor.yaml", "--spin", "z:10:300", "-n", "2", quiet=False, form="campbell")
        self.write("psd.csv", "frequency,psd\n20,0.01\n200,0.01\n")
        self.json("response", "column.yaml", "--base", "ground:x", "--psd", "psd.csv", quiet=False, form="random")
        self.write("modes.csv", "frequency,tip.x,tip.y\n1,0,1\n")
        self.write("tip.yaml", COLUMN.replace("acceleration", "position"))
        got = self.json("correlate", "tip.yaml", "--test", "modes.csv", quiet=False)
        self.assertAlmostEqual(got["modes"][0]["mac"], 1, places=5)
        self.json("correlate", "tip.yaml", "--place", "2", "-n", "2", quiet=False, form="placement")
        self.write("wheel.csv", "order,push.z\n1,1e-6\n")
        got = self.json("jitter", "tip.yaml", "--harmonics", "wheel.csv", "--speed", "10:200", "--window", "0.1", quiet=False)
        self.assertEqual(got["outputs"][0]["order"], 1)
        for name, kind in (("model.yaml", "model"), ("run.h5", "results")):
            self.assertEqual(self.json("info", name, quiet=False)["kind"], kind)
        self.write("controlled.yaml", CONTROLLED)
        self.assertTrue(self.json("design", "controlled.yaml", "-o", "law.h5")["stable"])
        self.assertEqual(self.json("info", "law.h5")["kind"], "controller")


if __name__ == "__main__":
    unittest.main(verbosity=2)
