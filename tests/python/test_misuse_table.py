"""A table of misuses: each expression raises the exception with these words."""
import copy
import os
import pickle
import tempfile
import unittest
import warnings

import support
import numpy as np

import gossamer as gos


def arm(law, derivative=None):
    model = gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}"))
    model.callback("law", law, derivative)
    return model


# expression  ->  exception: words of its message; without words the message is of Python or numpy
CASES = {
    "models": r"""
gos.Model(3)  ->  TypeError: a model is a dict, not int
gos.Model([1, 2])  ->  TypeError: a model is a dict, not list
gos.Model("bodies: {}")  ->  TypeError: a model is a dict, not str
gos.Model({"bodies": 3}).check()  ->  InputError: model:1:9: bodies: must be a map of named entries, like  name: {...}
gos.Model({}).check()  ->  InputError: model:1:1: the model has no bodies; add at least one under 'bodies:'
gos.Model({"bodies": {}}).check()  ->  InputError: model:1:1: the model has no bodies; add at least one under 'bodies:'
gos.Model({"bodis": {}}).check()  ->  InputError: model:1:1: unknown key 'bodis'; did you mean 'bodies'?
gos.Model({"bodies": {"a b": {"type": "rigid"}}}).check()  ->  InputError: model:2:3: bodies: 'a b' is not a valid name; use
gos.Model({"bodies": {"1a": {"type": "rigid"}}})  ->  InputError: model:2:3: bodies: '1a' is not a valid name; use letters,
gos.Model({"bodies": {"b": {"type": "rigid"}}}).check()  ->  InputError: model:2:3: body 'b': mass is missing; specify mass in
gos.Model({"bodies": {"b": {"type": "rigid", "mass": -1, "inertia": [1, 1, 1]}}}).check()  ->  InputError: model:2:28: body
gos.Model({"bodies": {"b": {"type": "rigid", "mass": float("nan"), "inertia": [1, 1, 1]}}})  ->  ValueError: nan is not finite
gos.Model({"bodies": {"b": {"type": "rigid", "mass": float("inf"), "inertia": [1, 1, 1]}}})  ->  ValueError: inf is not finite
gos.Model({"bodies": {"b": {"type": "rigid", "mass": 1j, "inertia": [1, 1, 1]}}})  ->  TypeError: complex cannot be used in a
gos.Model({"bodies": {"b": {"type": "rigid", "mass": "heavy", "inertia": [1, 1, 1]}}}).check()  ->  InputError: model:2:29:
gos.Model({"bodies": {"b": {"type": "rigid", "mass": 1, "inertia": [1, 1]}}}).check()  ->  InputError: model:2:31: body 'b':
gos.Model({"bodies": {"b": {"type": "rigid", "mass": 1, "inertia": [1, 1, 3]}}}).check()  ->  InputError: model:2:31: body 'b':
gos.Model({"bodies": {"b": {"type": "rigid", "mass": [1], "inertia": [1, 1, 1]}}}).check()  ->  InputError: model:2:28: body
gos.Model({"bodies": {"b": {"type": "rigid", "mass": 1, "inertia": np.eye(3)}}}).check()  ->  InputError: model:2:41: body 'b':
gos.Model({"bodies": {"b": {"type": "rigid", "mass": 1, "inertia": [1, 1, 1], "colour": "red"}}}).check()  ->  InputError: model
gos.Model({"bodies": {"b": {"type": "rgid", "mass": 1}}}).check()  ->  InputError: model:2:14: body 'b': unknown type 'rgid';
gos.Model({"bodies": {"b": {"type": 3}}}).check()  ->  InputError: model:2:13: body 'b': unknown type '3'; allowed are
gos.Model({"bodies": {"b": {"type": None}}}).check()  ->  InputError: model:2:3: body 'b': type is missing; give one of
gos.Model({"bodies": {"b": 5}}).check()  ->  InputError: model:2:6: body 'b': must be a map, like {type: ancf_cable, ...}
gos.Model({"bodies": {"b": np.datetime64("2020-01-01")}})  ->  TypeError: date cannot be used in a model: datetime.date(2020,
gos.Model({"bodies": {"b": {"type": "rigid", "mass": {1, 2}}}})  ->  TypeError: set cannot be used in a model: {1, 2}
gos.Model({"bodies": {b"b": {}}})  ->  TypeError: keys of a model are strings, not b'b'
gos.Model({("a",): 1})  ->  TypeError: keys of a model are strings, not ('a',)
gos.Model({"gravity": [0, 0]}).check()  ->  InputError: model:1:10: model: gravity must be a list of 3 numbers in m/s^2, got 2
gos.Model({"gravity": "down"}).check()  ->  InputError: model:1:11: model: gravity must be a list of 3 numbers in m/s^2, got a
gos.Model({"gravity": np.array([0, 0, np.nan])})  ->  ValueError: nan is not finite and cannot be used in a model
gos.Model({"gravity": np.array(["a", "b", "c"])}).check()  ->  InputError: model:1:12: model: gravity: unknown name 'a';
gos.Model(bodies={})  ->  TypeError
gos.load()  ->  TypeError
gos.load(None)  ->  TypeError: a model is read from a path, a text or a dict, not from NoneType
gos.load(3.5)  ->  TypeError: a model is read from a path, a text or a dict, not from float
gos.load([])  ->  TypeError: a model is read from a path, a text or a dict, not from list
gos.load("")  ->  FileError: cannot open file '': No such file or directory
gos.load("nothing.yaml")  ->  FileError: cannot open file 'nothing.yaml': No such file or directory
gos.load("/")  ->  FileError: cannot open file '/': not a regular file
gos.load(b"/nowhere.yaml")  ->  FileError: cannot open file '/nowhere.yaml': No such file or directory
gos.load("a\0b")  ->  ValueError
gos.load("\n")  ->  InputError: model:1:1: the model is empty; it needs at least 'bodies:'
gos.load("bodies: [\n")  ->  InputError: model:2:1: this is not valid YAML: did not find expected node content; correct it, or
gos.load("- a\n- b\n")  ->  InputError: model:1:1: a model is a map of keys like 'bodies:', not a list
gos.load("just text\n")  ->  InputError: model:1:1: a model is a map of keys like 'bodies:', not a single text
gos.load("a: &x 1\nb: *x\n")  ->  InputError: model:1:4: anchors (&name) are not allowed; use a parameter instead
gos.load("bodies:\n\tb: {}\n")  ->  InputError: model:2:1: this character cannot begin a value; use spaces instead of tabs, and
gos.load("bodies: {a: 1, a: 2}\n")  ->  InputError: model:1:16: key 'a' is given twice, first in line 1; remove one
gos.load(support.PENDULUM, wrong=1).check()  ->  KeyError: the model has no parameter 'wrong'; it has n, L, torque
gos.load(support.PENDULUM, L=None).check()  ->  InputError: (set parameters.L):1:1: parameter 'L': must be a number or an
gos.load(support.PENDULUM, L="abc").check()  ->  InputError: (set parameters.L):1:2: parameter 'L': unknown name 'abc'; declare
gos.load(support.PENDULUM, L=0).check()  ->  InputError: model:9:76: body 'rod': from and to are the same point; the body needs
gos.load(support.PENDULUM, L=[1]).check()  ->  InputError: (set parameters.L):1:1: parameter 'L': must be a number or an
gos.load(support.PENDULUM, n=0).check()  ->  InputError: model:9:101: body 'rod': elements must be >= 1 and <= 1000000, got 0
gos.load(support.PENDULUM, n=2.5).check()  ->  InputError: model:9:101: body 'rod': elements must be a whole number, got 2.5
gos.load(support.PENDULUM, n=10**9).check()  ->  InputError: model:9:101: body 'rod': elements must be >= 1 and <= 1000000, got
gos.load(support.PENDULUM, n="2*L*x").check()  ->  InputError: (set parameters.n):1:6: parameter 'n': unknown name 'x'; declare
gos.load(support.PENDULUM, torque="sin(t").system()  ->  InputError: (set parameters.torque):1:6: parameter 'torque': the time
gos.load(support.PENDULUM, torque=True).check()  ->  InputError: (set parameters.torque):1:1: parameter 'torque': unknown name
gos.load(support.PENDULUM, torque=float("nan"))  ->  ValueError: nan is not finite and cannot be used in a model
gos.load(support.PENDULUM, folder=3)  ->  TypeError
""",
    "entries": r"""
model["bodies"]["rodd"]  ->  KeyError: bodies has no 'rodd'; it has rod
model["bodys"]  ->  KeyError: the model has no entry 'bodys'; it has name, parameters, materials, sections, bodies, joints,
model["bodies.rod.mas"]  ->  KeyError: the model has no entry 'bodies.rod.mas'; bodies.rod has type, material, section, from,
model[3]  ->  TypeError: the path of an entry is a string like 'bodies.rod', not 3
model[None]  ->  TypeError: the path of an entry is a string like 'bodies.rod', not None
model[""]  ->  KeyError: the model has no entry ''; it has name, parameters, materials, sections, bodies, joints, gravity,
model["bodies."]  ->  KeyError: the model has no entry 'bodies.'; bodies has rod
model[".rod"]  ->  KeyError: the model has no entry '.rod'; it has name, parameters, materials, sections, bodies, joints,
model["bodies..rod"]  ->  KeyError: the model has no entry 'bodies..rod'; bodies has rod
model.bodys  ->  AttributeError: a model has no 'bodys'; its sections are parameters, materials, sections, meshes, bodies,
model.bodies["rodd"]  ->  KeyError: bodies has no 'rodd'; it has rod
model.bodies[3]  ->  TypeError: keys of a model are strings, not 3
model.bodies[""]  ->  KeyError: '' is not a key of bodies: keys are not empty and have no dots
model.bodies["rod.to"]  ->  KeyError: 'rod.to' is not a key of bodies: keys are not empty and have no dots
model.bodies["rod"]["mass"]  ->  KeyError: bodies.rod has no 'mass'; it has type, material, section, from, to, elements
model.bodies["rod"].mass  ->  AttributeError
model.bodies.rod  ->  AttributeError
model.copy().set("bodies.rod", object())  ->  TypeError
model.copy().set("", 1)  ->  InputError: cannot set '': it is neither a parameter nor an entry of the model
model.copy().set("bodies.", 1)  ->  InputError: (set bodies.):1:1: a name is missing in the path; write it like bodies.rod.mass
model.copy().set(3, 1)  ->  TypeError
model.copy().set("nonsense", 1)  ->  InputError: cannot set 'nonsense': it is neither a parameter nor an entry of the model
model.copy().set("bodies.rod.to.0", 1)  ->  InputError: (set bodies.rod.to.0):1:1: 'to' is not a map, so entries below it
model.copy().set("bodies", 3)  ->  InputError: (set bodies):1:1: bodies: must be a map of named entries, like  name: {...}
model.copy().set("gravity", lambda t: 0)  ->  TypeError
model.copy().set("gravity", {1, 2, 3})  ->  TypeError: set cannot be used in a model: {1, 2, 3}
model.copy().set("gravity", float("inf"))  ->  ValueError: inf is not finite and cannot be used in a model
model.copy().set("gravity")  ->  TypeError
model.copy().bodies.update({"a b": {"type": "rigid"}})  ->  InputError: (set bodies.a b):1:1: bodies: 'a b' is not a valid
model.copy().bodies.__setitem__("a.b", {})  ->  KeyError: 'a.b' is not a key of bodies: keys are not empty and have no dots
model.copy().bodies.__setitem__(1, {})  ->  TypeError: keys of a model are strings, not 1
model.copy().bodies["rod"]["to"].append(1)  ->  AttributeError
model.copy().bodies["rod"]["to"].__setitem__(0, 1)  ->  AttributeError
model.copy().__delitem__("bodies.nothing")  ->  KeyError: the model has no entry 'bodies.nothing'; bodies has rod
model.copy().__delitem__("nothing")  ->  KeyError: the model has no entry 'nothing'; it has name, parameters, materials,
model.copy().__delitem__(3)  ->  TypeError: the path of an entry is a string like 'bodies.rod', not 3
model.copy().__delitem__("")  ->  KeyError: the model has no entry ''; it has name, parameters, materials, sections, bodies,
model.copy().bodies.__delitem__("nothing")  ->  KeyError: bodies has no 'nothing'; it has rod
model.copy().joints["pin"].__delitem__("axis")  ->  KeyError: joints.pin has no 'axis'; it has type, between
model.copy().parameters["L"].x  ->  AttributeError
model.bodies.pop("nothing")  ->  KeyError: bodies has no 'nothing'; it has rod
hash(model)  ->  TypeError
len(model)  ->  TypeError
pickle.dumps(model)  ->  TypeError: Model objects cannot be pickled: send to_dict() and use Model(...) there, or send the path
pickle.dumps(model.bodies)  ->  TypeError: Entry objects cannot be pickled: send its to_dict()
{model: 1}  ->  TypeError
model + 1  ->  TypeError
model()  ->  TypeError
gos.Entry()  ->  TypeError
gos.Entry(model, "bodies.nothing").to_dict()  ->  KeyError: the model has no entry 'bodies.nothing' any more
""",
    "types": r"""
gos.body.rigid(1)  ->  TypeError
gos.body.rigid(mass=1, inertia=[1, 1, 1], inertai=2)  ->  TypeError: rigid has no key 'inertai'; did you mean 'inertia'?
gos.body.rgid  ->  AttributeError: there is no type 'rgid' of body; did you mean 'rigid'?
gos.body()  ->  TypeError
gos.joint.revolut(between=["a", "b"])  ->  AttributeError: there is no type 'revolut' of joint; did you mean 'revolute'?
gos.joint.revolute()  ->  TypeError: revolute needs between, axis
gos.load.force(on="a")  ->  TypeError: force needs value
gos.load.force(body="a", value=[0, 0, 0])  ->  TypeError: force has no key 'body'
gos.material()  ->  TypeError: material needs density, young
gos.material(density=1, densty=2)  ->  TypeError: material has no key 'densty'; did you mean 'density'?
gos.describe("nothing_like_it")  ->  InputError: unknown type 'nothing_like_it'; `help all` lists all
gos.describe(3)  ->  TypeError
gos.nothing  ->  AttributeError
gos.body.rigid(mass=1, inertia=[1, 1, 1]).system()  ->  AttributeError
""",
    "callbacks": r"""
model.copy().callback("f")  ->  TypeError
model.copy().callback("f", 3)  ->  TypeError: give the number of probes of the function by probes=
model.copy().callback("f", "sin")  ->  TypeError: give the number of probes of the function by probes=
model.copy().callback("f", None)  ->  TypeError: give the number of probes of the function by probes=
model.copy().callback("f", lambda: 0)  ->  ValueError: a callback needs arguments for the time and at least one probe: fn(t, y)
model.copy().callback("f", lambda t: 0)  ->  ValueError: a callback needs arguments for the time and at least one probe: fn(t,
model.copy().callback("f", lambda *a: 0)  ->  TypeError: give the number of probes of the function by probes=
model.copy().callback("f", print)  ->  TypeError: give the number of probes of the function by probes=
model.copy().callback(3, lambda t, y: 0)  ->  TypeError
model.copy().callback("a b", lambda t, y: 0)  ->  UseError: a callback needs a name (letters, digits and _) and a value function
model.copy().callback("", lambda t, y: 0)  ->  UseError: a callback needs a name (letters, digits and _) and a value function
model.copy().callback("f", lambda t, y: 0, derivative=3)  ->  TypeError: a callback must be callable
model.copy().callback("f", lambda t, y: 0, probes=0)  ->  ValueError: a callback needs arguments for the time and at least one
model.copy().callback("f", lambda t, y: 0, probes="one")  ->  TypeError
arm(lambda t, y: "text").run(progress=False)  ->  TypeError
arm(lambda t, y: None).run(progress=False)  ->  TypeError
arm(lambda t, y: 1j).run(progress=False)  ->  TypeError
arm(lambda t, y: float("nan")).run(progress=False)  ->  NonfiniteError: the coordinates are not finite at t = 0 s, first at
arm(lambda t, y: 1 / 0).run(progress=False)  ->  ZeroDivisionError
arm(lambda t, y: [1, 2]).run(progress=False)  ->  TypeError
arm(lambda t, y, z: 0).run(progress=False)  ->  InputError: model:5:58: load 'law': moment: 'of' lists 1 probes, but the
arm(lambda t, y: 0, lambda t, y: 3).run(progress=False)  ->  TypeError: a derivative must return a sequence
arm(lambda t, y: 0, lambda t, y: [1, 2]).run(progress=False)  ->  ValueError: a derivative must return 1 numbers, not 2
arm(lambda t, y: 0, lambda t, y: 1 / 0).run(progress=False)  ->  ZeroDivisionError
gos.load(support.ARM.replace("AMOUNT", "{call: law, of: [angle]}")).check()  ->  InputError: model:5:58: load 'law': moment:
model.copy().law("c", signals=["tip"], inputs=["push.y"], A=[[1, 2]])  ->  ValueError: A must be 1 x 1
model.copy().law("c", signals=[], inputs=[], D=[])  ->  UseError: controller 'c' has 0 states, 0 signals and 0 inputs; it needs
model.copy().law("c", signals=3, inputs=["push.y"])  ->  TypeError
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[[1, 2]])  ->  ValueError: D must be 1 x 1
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[["a"]])  ->  ValueError
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[[np.nan]])  ->  InputError: controller 'c' has an entry that is
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[[1]], period=-1)  ->  UseError: controller 'c' has the period -1
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[[1]], period="1 s")  ->  ValueError
model.copy().law("c", signals=["tip.y"], inputs=["push.y"], D=[[1]], limit=-1)  ->  InputError: controller 'c': the limit of
model.copy().law("c", ["tip.y"], ["push.y"])  ->  TypeError
""",
    "runs": r"""
model.system(limit=3)  ->  LimitError: model:9:91: body 'rod': the model would have 30 unknowns, at most 3 are allowed; use
model.system(limit="a")  ->  ValueError
model.system(threads=0)  ->  UseError: 0 threads: choose 1 to 256
model.system(threads=-1)  ->  UseError: -1 threads: choose 1 to 256
model.system(threads=10**6)  ->  UseError: 1000000 threads: choose 1 to 256
model.system(threads="two")  ->  ValueError
model.system(reduce=True)  ->  TypeError
model.run(reduce=True)  ->  ValueError: there is no option 'reduce'; see System.options
model.run(until="1 s", progress=False)  ->  ValueError
model.run(until=-1, progress=False)  ->  ValueError: until must be a time > 0
model.run(until=float("nan"), progress=False)  ->  ValueError: until must be a time > 0
model.run(until=[1], progress=False)  ->  TypeError
model.run(end=-1, progress=False)  ->  InputError: analysis: `end` must be > 0, got -1 s
model.run(step=-1e-3, progress=False)  ->  UseError: options of the integration are out of range: end 0.2 s, step -0.001 s,
model.run(step=float("nan"), progress=False)  ->  UseError: options of the integration are out of range: end 0.2 s, step nan s,
model.run(step="small", progress=False)  ->  ValueError: step: must be a number, not 'small'
model.run(step=None, progress=False)  ->  TypeError: step: must be a number, not None
model.run(stpe=1e-3, progress=False)  ->  ValueError: there is no option 'stpe'; see System.options
model.run(integrator="rk4", progress=False)  ->  ValueError: integrator: must be one of generalised_alpha, bdf, radau, auto, not 'rk4'
model.run(integrator=7, progress=False)  ->  ValueError: integrator: must be one of generalised_alpha, bdf, radau, auto, not 7
model.run(integrator=None, progress=False)  ->  TypeError: integrator: must be a number, not None
model.run(analysis="modal", progress=False)  ->  ValueError: analysis: must be one of dynamic, static, not 'modal'
model.run(tolerance=-1, progress=False)  ->  UseError: options of the integration are out of range: end 0.2 s, step 0.001 s,
model.run(path=3, progress=False)  ->  TypeError
model.run(path="", progress=False)  ->  FileError: : cannot write results: No such file or directory; no file was created
model.run(path="/", progress=False)  ->  UseError: /: exists and is not a regular file; choose another name
model.run(path="/nowhere/x.h5", progress=False)  ->  FileError: /nowhere/x.h5.gossamer.part: cannot create: No such file or
model.run(path="/dev/null", progress=False)  ->  UseError: /dev/null: exists and is not a regular file; choose another name
model.run(path=support.example("thermal-pendulum"), progress=False)  ->  UseError
model.run(threads=0, progress=False)  ->  UseError: 0 threads: choose 1 to 256
model.run(progress=lambda: None, until=1e4, **{"step": 1e-4})  ->  LimitError: model:19:17: output: 200001 output times and
system.record(until=-1)  ->  ValueError: until must be a time > 0
system.record(path="x.h5")  ->  ValueError: path: must be a number, not 'x.h5'
system.record(threads=0)  ->  UseError: 0 threads: choose 1 to 256
system.record(step=[1, 2])  ->  TypeError: step: must be a number, not [1, 2]
system.reduce(runs=-1, progress=False)  ->  ValueError: runs must be a number of runs, or 0 if it is unknown
system.reduce(threads=0, progress=False)  ->  UseError: 0 threads: choose 1 to 256
system.reduce(runs="many", progress=False)  ->  TypeError: '>=' not supported between instances of 'str' and 'int'
system.save_reduced("x.h5")  ->  UseError: only reduced models of method rotation_closed and auto can be stored
system.load_reduced("nothing.h5")  ->  FileError: nothing.h5: cannot open: No such file or directory
system.load_reduced(run.path)  ->  FileError
system.load_reduced(None)  ->  TypeError
gos.System(model)  ->  TypeError: a system is made by Model.system()
gos.System()  ->  TypeError
system.run("a", "b")  ->  TypeError
system.sizes.nothing  ->  AttributeError: there is no 'nothing'; there are bodies, joints, loads, heat, nodes, elements,
system.report.predicted  ->  AttributeError: there is no 'predicted'; there are none
system.probes["top"]  ->  KeyError: top
system.inputs["pull"]  ->  KeyError: pull
system.text = "x"  ->  AttributeError
pickle.dumps(system)  ->  TypeError: System objects cannot be pickled: send its model's to_dict() and compile it there
system == system and system()  ->  TypeError
gos.open_run()  ->  TypeError
gos.open_run(None)  ->  TypeError
gos.open_run("nothing.h5")  ->  FileError: nothing.h5: cannot open: No such file or directory
gos.open_run(support.example("thermal-pendulum"))  ->  FileError
gos.open_run(".")  ->  FileError: .: cannot open: not a regular file
gos.open_run(3)  ->  TypeError
gos.Run("nothing.h5")  ->  FileError: nothing.h5: cannot open: No such file or directory
""",
    "results": r"""
run["tipp"]  ->  KeyError: there is no probe 'tipp'; there are tip, height
run["tip.w"]  ->  KeyError: tip has the components x, y, z, not 'w'
run["tip."]  ->  KeyError: tip has the components x, y, z, not ''
run[".x"]  ->  KeyError: there is no probe '.x'; there are tip, height
run[0]  ->  KeyError: there is no probe 0; there are tip, height
run[None]  ->  KeyError: there is no probe None; there are tip, height
run[["tip"]]  ->  KeyError: there is no probe ['tip']; there are tip, height
run["tip", "height"]  ->  KeyError: there is no probe ('tip', 'height'); there are tip, height
run.tip  ->  AttributeError
run["tip"].w  ->  AttributeError: tip has the components x, y, z; there is no 'w'. All values are .values, their times .t
run["tip"].time  ->  AttributeError: tip has the components x, y, z; there is no 'time'. All values are .values, their times .t
run["tip"].data  ->  AttributeError: tip has the components x, y, z; there is no 'data'. All values are .values, their times .t
run["height"].y  ->  AttributeError: height is a scalar; there is no 'y'. All values are .values, their times .t
run["height"].x  ->  AttributeError: height is a scalar; there is no 'x'. All values are .values, their times .t
run["tip"]["w"]  ->  KeyError: tip has the components x, y, z, not 'w'
run["tip"][999]  ->  IndexError
run["tip"][0, 3]  ->  IndexError
run["tip"]["x", "y"]  ->  IndexError
run["tip"][None, None, 1.5]  ->  IndexError
run["tip"].at(-1)  ->  UseError
run["tip"].at(99)  ->  UseError
run["tip"].at(float("nan"))  ->  UseError
run["tip"].at("now")  ->  ValueError
run["tip"].at(None)  ->  TypeError
run["tip"].at()  ->  TypeError
run["tip"].at([0, 99])  ->  UseError
run["tip"].values.__setitem__(0, 1)  ->  ValueError
run["tip"].__setitem__(0, 1)  ->  AttributeError: tip has the components x, y, z; there is no '__setitem__'. All values are
run["tip"] + np.zeros(7)  ->  ValueError
run["tip"] @ np.zeros(7)  ->  ValueError
bool(run["tip"])  ->  ValueError
float(run["tip"])  ->  TypeError
hash(run["tip"])  ->  TypeError
int(run["height"])  ->  TypeError
run["tip"]()  ->  TypeError
run.frame(99)  ->  IndexError: there is no output time 99; the run has 2, see frame_times
run.frame(-99)  ->  IndexError: there is no output time -99; the run has 2, see frame_times
run.frame("last")  ->  TypeError: the number of an output time must be a whole number, not 'last'
run.frame(0.01)  ->  TypeError: the number of an output time must be a whole number, not 0.01
run.frame(None)  ->  TypeError: the number of an output time must be a whole number, not None
run.field("stress")  ->  KeyError: there is no field 'stress'; there are none
run.field("von_mises")  ->  KeyError: there is no field 'von_mises'; there are none
run.field(3)  ->  KeyError: there is no field 3; there are none
run.field("stress", 99)  ->  KeyError: there is no field 'stress'; there are none
run.compare()  ->  TypeError
run.compare(None)  ->  TypeError: a Run is needed, not NoneType
run.compare(run.path)  ->  TypeError: a Run is needed, not str
run.compare(system)  ->  TypeError: a Run is needed, not System
run.compare(record)  ->  TypeError: a Run is needed, not Record
run.compare(hot)  ->  UseError: nothing to compare: the meshes differ and the runs have no common probe
run.report(path=3)  ->  TypeError
run.report(path="/nowhere/report.html")  ->  FileError: /nowhere/report.html.gossamer.part: cannot create: No such file or
run.report("other.h5")  ->  TypeError: a Run is needed, not str
run.report(None)  ->  TypeError: a Run is needed, not NoneType
run.report(path=support.example("thermal-pendulum"))  ->  UseError
run.report(hot)  ->  UseError: nothing to compare: the meshes differ and the runs have no common probe
run.view(path="/nowhere/view.html")  ->  FileError: /nowhere/view.html.gossamer.part: cannot create: No such file or directory
run.view(against="x.h5")  ->  TypeError: a Run is needed, not str
run.view(against=hot)  ->  UseError: the meshes of the two runs differ, so nodes cannot be compared; `gossamer compare`
run.picture("x")  ->  TypeError: a Run is needed, not str
run.picture(hot).save("/nowhere/p.svg")  ->  FileError: /nowhere/p.svg.gossamer.part: cannot create: No such file or directory
run.picture().save()  ->  TypeError
run.write_vtu("/nowhere/x.vtu")  ->  FileError: /nowhere/x.vtu.gossamer.part: cannot create: No such file or directory
run.write_vtu("x.vtu", t=99)  ->  UseError: 99 s is outside the run, 0 to 0.01 s
run.write_vtu("x.vtu", t="end")  ->  ValueError
run.write_vtu(None)  ->  TypeError
run.save("/nowhere/run.h5")  ->  FileError: /nowhere/run.h5.gossamer.part: cannot create: No such file or directory
run.save()  ->  TypeError
run.energy["kinetics"]  ->  KeyError: kinetics
run.heat["nothing"]  ->  KeyError: nothing
run.statistics["nothing"]  ->  KeyError: nothing
run.mesh.positions  ->  AttributeError
run.plot("top")  ->  KeyError: there is no probe 'top'; there are tip, height
run.plot(3)  ->  KeyError: there is no probe 3; there are tip, height
run.plot("tip.w")  ->  KeyError: tip has the components x, y, z, not 'w'
run.time = 3  ->  AttributeError
run.__delitem__("tip")  ->  AttributeError
pickle.dumps(run)  ->  TypeError: Run objects cannot be pickled: keep its file (run.save(path)) and open it there by
pickle.dumps(run["tip"])  ->  TypeError: StoredSeries objects cannot be pickled: send its values and t
record["top"]  ->  KeyError: there is no probe 'top'; there are tip, height
record["tip"].at(99)  ->  ValueError: 99 s is outside the run, 0 to 0.01 s
record.frame(0)  ->  AttributeError
gos.Series()  ->  TypeError
gos.Record()  ->  TypeError
""",
    "stepping": r"""
system.stepper("pull")  ->  KeyError: there is no input 'pull'; there are push.x, push.y, push.z
system.stepper(3)  ->  TypeError
system.stepper(None)  ->  TypeError
system.stepper(["push.y", "push.y"]).step(-1)  ->  ValueError: a step must end at a later, finite time
system.stepper(["push"])  ->  KeyError: there is no input 'push'; there are push.x, push.y, push.z
system.stepper([1])  ->  KeyError: there is no input 1; there are push.x, push.y, push.z
system.stepper(outputs=["tip.w"])  ->  KeyError: tip has the components x, y, z, not 'w'
system.stepper(outputs=["tip''"])  ->  KeyError: there is no probe "tip'"; there are tip, height
system.stepper(outputs=[""])  ->  KeyError: there is no probe ''; there are tip, height
system.stepper(outputs=["'"])  ->  KeyError: there is no probe ''; there are tip, height
system.stepper(outputs=[3])  ->  TypeError: an output name must be a string, not 3
system.stepper(outputs=3)  ->  TypeError
system.stepper(state=3)  ->  TypeError: a State is needed, not int
system.stepper(state=other)  ->  ValueError: the state is of another system
system.stepper(stpe=1)  ->  ValueError: there is no option 'stpe'; see System.options
system.stepper(step=-1).step(0.1)  ->  UseError: options of the integration are out of range: end 0.2 s, step -1 s,
system.stepper(integrator="euler")  ->  ValueError: integrator: must be one of generalised_alpha, bdf, radau, auto, not 'euler'
gos.Stepper(model)  ->  TypeError: a System is needed, not Model
gos.Stepper()  ->  TypeError
loop.step()  ->  TypeError: a step needs a time and at most 1 inputs
loop.step(0)  ->  ValueError: a step must end at a later, finite time
loop.step(-1)  ->  ValueError: a step must end at a later, finite time
loop.step(float("nan"))  ->  ValueError: a step must end at a later, finite time
loop.step(float("inf"))  ->  ValueError: a step must end at a later, finite time
loop.step("0.1")  ->  TypeError
loop.step(None)  ->  TypeError
loop.step([0.1])  ->  TypeError
loop.step(0.1, 1, 2)  ->  TypeError: a step needs a time and at most 1 inputs
loop.step(0.1, "a")  ->  TypeError
loop.step(0.1, None)  ->  TypeError
loop.step(0.1, [1])  ->  TypeError
loop.step(0.1, u=1)  ->  TypeError
loop.advance(-1)  ->  ValueError: a step must end at a later, finite time
loop.advance(0)  ->  ValueError: a step must end at a later, finite time
loop.advance(float("nan"))  ->  ValueError: a step must end at a later, finite time
loop.advance("1")  ->  TypeError
loop.u.__setitem__(0, "a")  ->  ValueError
loop.u.__setitem__(5, 1)  ->  IndexError
loop.y.__setitem__(0, 1)  ->  ValueError
loop.restore(None)  ->  TypeError: a State is needed, not NoneType
loop.restore(loop.state)  ->  ValueError: this is the state of the stepper itself; use a copy
loop.restore(other)  ->  ValueError: the state is of another system
loop.restore(3)  ->  TypeError: a State is needed, not int
loop.time = 3  ->  AttributeError
copy.copy(loop)  ->  TypeError: a Stepper cannot be copied: save() is a state from which restore() continues
copy.deepcopy(loop)  ->  TypeError: a Stepper cannot be copied: save() is a state from which restore() continues
pickle.dumps(loop)  ->  TypeError: Stepper objects cannot be pickled: save() is a state from which restore() continues
system.stepper(["push.y"], ["tip"]).step(1e-3, 1e300)  ->  NonfiniteError: model:9:8: body 'rod': element 0 (of 0..3): the
gos.Env(system, [], [], -1)  ->  ValueError: dt must be greater than 0
gos.Env(system, [], [], "a")  ->  TypeError: '>' not supported between instances of 'str' and 'int'
gos.Env(system, ["push.y"], ["tip"], 0.1, limits=3)  ->  TypeError: cannot unpack non-iterable int object
gos.Env(system, ["push.y"], ["tip"], 0.1, limits=(1, -1))  ->  ValueError: limits: each low must be less than its high
gos.Env(system, ["push.y"], ["tip"], 0.1, limits=([1, 2], [3, 4]))  ->  ValueError: limits: low and high must be numbers, or 1
gos.Env(system, ["push.y"], ["tip"], 0.1, limits=(0, float("nan")))  ->  ValueError: limits: each low must be less than its high
gos.Env(system, ["pull"], ["tip"], 0.1)  ->  KeyError: there is no input 'pull'; there are push.x, push.y, push.z
gos.Env(system, ["push.y"], ["tip"], 0.1).step()  ->  TypeError
gos.Env(system, ["push.y"], ["tip"], 0.1).step(float("nan"))  ->  ValueError: an action must be 1 finite numbers inside the
gos.Env(system, ["push.y"], ["tip"], 0.1).step([1, 2])  ->  ValueError: an action must be 1 finite numbers inside the limits
gos.Env(system, ["push.y"], ["tip"], 0.1).step("a")  ->  ValueError
gos.Env(system, ["push.y"], ["tip"], 0.1, limits=(-1, 1)).step(2)  ->  ValueError: an action must be 1 finite numbers inside
gos.Env(system, ["push.y"], ["tip"], 0.1, start=3).reset()  ->  TypeError
gos.Env(system, ["push.y"], ["tip"], 0.1, reward=lambda y: 0).step(0)  ->  TypeError
gos.Env(system, ["push.y"], ["tip"], 0.1, reward=lambda y, u, t: None).step(0)  ->  TypeError
gos.Env(system, ["push.y"], ["tip"], 0.1).reset(3)  ->  TypeError
pickle.dumps(gos.Env(system, ["push.y"], ["tip"], 0.1))  ->  TypeError: Env objects cannot be pickled: make it from its model
""",
    "states": r"""
state["top"]  ->  KeyError: there is no probe 'top'; there are tip, height
state[0]  ->  KeyError: there is no probe 0; there are tip, height
state.rate("top")  ->  KeyError: there is no probe 'top'; there are tip, height
state.rate()  ->  TypeError
state.inputs["pull"]  ->  KeyError: there is no input 'pull'; there are push.x, push.y, push.z
state.inputs.__setitem__("push.y", "a")  ->  ValueError
state.inputs.__setitem__("push.y", None)  ->  TypeError
state.inputs.__setitem__("push.y", float("nan"))  ->  UseError: input 'push.y' cannot be set to nan at t = 0 s: not finite, or
state.inputs.__setitem__("push.y", [1, 2])  ->  TypeError
state.inputs.__setitem__("pull", 1)  ->  KeyError: there is no input 'pull'; there are push.x, push.y, push.z
state.inputs.push  ->  AttributeError
state.set_input("pull", 1)  ->  KeyError: there is no input 'pull'; there are push.x, push.y, push.z
state.set_input("push.y", "a")  ->  ValueError
state.set_input("push.y", 1, "a")  ->  TypeError
state.set_input("push.y", 1, until=-1)  ->  UseError: input 'push.y' cannot be set to 1 at t = -1 s: not finite, or before the
state.set_input("push.y", float("inf"))  ->  UseError: input 'push.y' cannot be set to inf at t = 0 s: not finite, or before
state.coordinate("rod")  ->  KeyError: there is no coordinate 'rod'; System.coordinates lists them
state.coordinate("rod.node(99).position")  ->  KeyError: there is no coordinate 'rod.node(99).position'; System.coordinates
state.coordinate(3)  ->  KeyError: there is no coordinate 3; System.coordinates lists them
state.set_coordinate("rod.node(2).position", 3)  ->  ValueError: rod.node(2).position: 3 numbers are needed, not 1
state.set_coordinate("rod.node(2).position", [1, 2])  ->  ValueError: rod.node(2).position: 3 numbers are needed, not 2
state.set_coordinate("rod.node(2).position", "abc")  ->  ValueError
state.set_coordinate("rod.node(2).position", [1, 2, float("nan")])  ->  UseError: values for 'rod.node(2).position' are not
state.set_coordinate("rod.node(2).position", rate=[1])  ->  ValueError: rod.node(2).position: 3 numbers are needed, not 1
state.set_coordinate("rod.nodes", [1, 2, 3])  ->  KeyError: there is no coordinate 'rod.nodes'; System.coordinates lists them
state.set_coordinate()  ->  TypeError
state.time = 3  ->  AttributeError
state.assign(3)  ->  TypeError: a State is needed, not int
state.assign(other)  ->  ValueError: the state is of another system
state.equilibrium(stpe=1)  ->  ValueError: there is no option 'stpe'; see System.options
state.equilibrium(tolerance="a")  ->  ValueError: tolerance: must be a number, not 'a'
state.nothing  ->  AttributeError
pickle.dumps(state)  ->  TypeError: State objects cannot be pickled: send values of its coordinates
gos.State()  ->  TypeError
equations.residual()  ->  TypeError
equations.residual(3)  ->  TypeError: a State is needed, not int
equations.residual(other)  ->  ValueError: the state is of another system
equations.residual(state, q=[1])  ->  ValueError: q: 30 numbers are needed, not 1
equations.residual(state, q="a")  ->  ValueError
equations.residual(state, w=1)  ->  TypeError: keywords are t, q, v, a, T, Td, lam, lam_T, not w
equations.residual(state, t="a")  ->  TypeError
equations.jacobian(state, by_rate="a")  ->  ValueError
equations.jacobian(state, 1, 2, 3)  ->  TypeError
equations.jacobian(state, q=np.zeros((2, 2)))  ->  ValueError: q: 30 numbers are needed, not 4
gos.Equations(model)  ->  TypeError: a System is needed, not Model
pickle.dumps(equations)  ->  TypeError: Equations objects cannot be pickled: send its residuals and Jacobians
system.linearise(3)  ->  TypeError: a State is needed, not int
system.linearise(other)  ->  ValueError: the state is of another system
system.linearise(at="a")  ->  ValueError
system.linearise(at=-1)  ->  UseError: the time of a state must be 0 or later, not -1 s
system.linearise(at=float("nan"))  ->  UseError: the time of a state must be 0 or later, not nan s
system.linearise(equilibrium=True, stpe=3)  ->  ValueError: there is no option 'stpe'; see System.options
system.modes(0)  ->  ValueError: the number of modes must be 1 to 100000
system.modes(-1)  ->  ValueError: the number of modes must be 1 to 100000
system.modes("a")  ->  TypeError: the number of modes must be a whole number, not 'a'
system.modes(2.5)  ->  TypeError: the number of modes must be a whole number, not 2.5
""",
    "linear": r"""
gos.matrices()  ->  InputError: neither M nor A is given; a linear model requires M and K, or A
gos.matrices(M=[[1]])  ->  InputError: M is given without K; a model of second order requires both
gos.matrices(M=[[1]], K="a")  ->  TypeError: K must be a matrix of real numbers
gos.matrices(M=[[1]], K=[[1, 2]])  ->  InputError: matrix K is 1 x 2, where 1 x 1 is needed; correct its file
gos.matrices(M=[[1]], K=[[float("inf")]])  ->  InputError: matrix K has an entry that is not finite (inf)
gos.matrices(M=[[1]], K=[[None]])  ->  TypeError: K must be a matrix of real numbers
gos.matrices(M=[[-1]], K=[[1]], B=[[1]], C=[[1]]).modes(1)  ->  SingularError: the mass matrix is singular on the constraints;
gos.matrices(M=[[0]], K=[[0]], B=[[1]], C=[[1]]).modes(1)  ->  SingularError: the mass matrix is singular on the constraints;
gos.matrices(M=[[1]], K=[[1]], A=[[1]])  ->  InputError: M and K belong to a second-order model, E and A to a first-order
gos.matrices(M=[[1]], K=[[1]], B=[[1], [2]])  ->  InputError: matrix B is 2 x 1, where 1 x any is needed; correct its file
gos.matrices(M=[[1]], K=[[1]], C=[[1, 2]])  ->  InputError: matrix C is 1 x 2, where any x 1 is needed; correct its file
gos.matrices(M=[[1]], K=[[1]], B=[[1]], C=[[1]], F=[[1, 2]])  ->  InputError: matrix F is 1 x 2, where 1 x 1 is needed; correct
gos.matrices(M=[[1]], K=[[1]], X=[[1]])  ->  TypeError
gos.matrices([[1]], [[1]])  ->  TypeError
gos.matrices(M=[[1]], K=[[1]], B=[[1]], C=[[1]], inputs=["a", "b"])  ->  ValueError: each input and each output needs one name
gos.matrices(M=[[1]], K=[[1]], B=[[1]], C=[[1]], outputs=[3])  ->  TypeError: inputs and outputs are names or pairs (name,
gos.matrices(M=[[1]], K=[[1]], B=[[1]], C=[[1]], inputs=[("a",)])  ->  TypeError: inputs and outputs are names or pairs (name,
gos.matrices(M=[[1, 2], [3, 4]], K=np.eye(2), symmetric=True)  ->  InputError: matrix M is declared symmetric, but is not: the
gos.matrices(M=gos.SparseMatrix((2, 2), [0, 1], [0], [1]), K=np.eye(2))  ->  ValueError: M: 3 numbers are needed, not 2
gos.matrices(M=gos.SparseMatrix((2, 2), [0, 1, 2], [0, 9], [1, 1]), K=np.eye(2))  ->  ValueError: M: row indices must increase
gos.matrices(M=gos.SparseMatrix((-2, 2), [0, 1, 2], [0, 1], [1, 1]), K=np.eye(2))  ->  ValueError: M: invalid size
gos.state_space(3)  ->  TypeError: four matrices are needed, or an object with attributes A, B, C and D
gos.state_space([[1]], [[1]], [[1, 2]], [[1]])  ->  InputError: matrix C is 1 x 2, where any x 1 is needed; correct its file
gos.state_space([[1, 2]], [[1]], [[1]], [[1]])  ->  InputError: matrix A is 1 x 2, where 1 x 1 is needed; correct its file
gos.state_space(A=[[1]])  ->  TypeError: four matrices are needed, or an object with attributes A, B, C and D
gos.read_linear("nothing")  ->  FileError: nothing: cannot open: No such file or directory
gos.read_linear(run.path)  ->  FileError
gos.read_linear(None)  ->  TypeError
gos.LinearModel(None)  ->  TypeError: a linear model is made by linearise, matrices, state_space or read_linear
linear.modes(0)  ->  ValueError: the number of modes must be 1 to 100000
linear.modes("a")  ->  TypeError: the number of modes must be a whole number, not 'a'
linear.modes(10**9)  ->  ValueError: the number of modes must be 1 to 100000
linear.modes(1, damped=True, shapes=True)  ->  ValueError: shapes are available for undamped modes only
linear.response("a")  ->  ValueError
linear.response(float("nan"))  ->  UseError: frequency 0 is not finite
linear.response(1j)  ->  TypeError
linear.response([[1, 2], [3, 4]])  ->  ValueError: frequencies must be a number or a list of numbers [Hz]
linear.response([1, None])  ->  UseError: frequency 1 is not finite
linear.response(1, 2)  ->  TypeError
linear.response([1.0])["top"]  ->  KeyError: there is no output 'top'; there are q
linear.response([1.0])["q", "pull"]  ->  KeyError: there is no input 'pull'; there are f
linear.response([1.0])["q", 0, "f"]  ->  IndexError
linear.response([1.0]).plot("top")  ->  KeyError: there is no output 'top'; there are q
linear.response([1.0])[5]  ->  IndexError
linear.response([1.0]).values.nothing  ->  AttributeError
linear.bode([1.0], outputs="top")  ->  KeyError: there is no output 'top'; there are q
linear.bode("a")  ->  ValueError
linear.transient([1, 2], 0)  ->  ValueError: a response needs a step > 0 and at least one time
linear.transient([1, 2], -1)  ->  ValueError: a response needs a step > 0 and at least one time
linear.transient([1, 2], float("nan"))  ->  ValueError: a response needs a step > 0 and at least one time
linear.transient([1, 2], "a")  ->  ValueError
linear.transient([[1, 2]], 0.1)  ->  ValueError: u must have a column for each of 1 inputs
linear.transient([], 0.1)  ->  ValueError: a response needs a step > 0 and at least one time
linear.transient("a", 0.1)  ->  ValueError
linear.transient([1, float("nan")], 0.1)  ->  ValueError: u has a value that is not finite
linear.transient([1], 0.1, "euler")  ->  ValueError: the scheme must be one of auto, exact, implicit
linear["Z"]  ->  KeyError: there is no block 'Z'
linear.Z  ->  AttributeError: a linear model has no 'Z'; its blocks are M, D, K, G, C_T, K_T, H_q, H_v, C, H, K_phi, G_phi,
linear[3]  ->  TypeError
linear.M.nothing  ->  AttributeError
linear.reduce("nothing")  ->  InputError: linear models have no reduction method 'nothing'; options are auto, complex_modes,
linear.reduce("krylov")  ->  InputError: specify an order, or a frequency band on which the tolerance must be met
linear.reduce("modal", order=-1)  ->  InputError: linear models have no reduction method 'modal', did you mean modes; options
linear.reduce("modal", order="a")  ->  ValueError
linear.reduce("modal", order=99)  ->  InputError: linear models have no reduction method 'modal', did you mean modes; options
linear.reduce("krylov", order=1, band=(1,))  ->  ValueError: a band must be (lowest, highest) frequency [Hz], not (1,)
linear.reduce("krylov", order=1, band=3)  ->  ValueError: a band must be (lowest, highest) frequency [Hz], not 3
linear.reduce("krylov", order=1, band=(10, 1))  ->  InputError: band from 62.8319 to 6.28319 rad/s: give two frequencies, the
linear.reduce("krylov", order=1, band=(0, float("nan")))  ->  InputError: band from 0 to nan rad/s: give two frequencies, the
linear.reduce("modal", order=1, ordr=2)  ->  TypeError
linear.reduce(3)  ->  TypeError
linear.reduce("modal", order=1, progress=lambda: None)  ->  InputError: linear models have no reduction method 'modal', did you
linear.reduce("modal", order=1).basis("pressure")  ->  InputError: linear models have no reduction method 'modal', did you mean
linear.basis()  ->  ValueError: this model is not reduced
linear.compare(3, (0, 1))  ->  TypeError: a LinearModel is needed
linear.compare(linear, 3)  ->  ValueError: a band must be (lowest, highest) frequency [Hz], not 3
linear.compare(linear, (1, 0))  ->  InputError: invalid band from 6.28319 to 0 rad/s
linear.save("/nowhere/x.h5")  ->  FileError: /nowhere/x.h5.gossamer.part: cannot create: No such file or directory
linear.save()  ->  TypeError
linear.save(3)  ->  TypeError
linear.write_folder("/nowhere/a/b")  ->  FileError: /nowhere/a/b: cannot create the folder: No such file or directory
linear.nothing  ->  AttributeError: a linear model has no 'nothing'; its blocks are M, D, K, G, C_T, K_T, H_q, H_v, C, H,
linear.info["nothing"]  ->  KeyError: nothing
pickle.dumps(linear)  ->  TypeError: LinearModel objects cannot be pickled: keep it in a file (save(path)) and read it there by
linear.M = 3  ->  AttributeError: M cannot be set: linear models are immutable; make another one by gossamer.matrices
""",
    "sweeps": r"""
gos.sweep(model, {})  ->  UseError: no parameter is varied; add one
gos.sweep(model, None)  ->  TypeError: vary must be a dict of parameters and their values, {'L': [1, 1.2]}
gos.sweep(model, {"L": []})  ->  UseError: expected NAME=FROM:TO:NUMBER, NAME=VALUE,VALUE... or, for random values,
gos.sweep(model, {"wrong": [1]}, progress=False)  ->  InputError: cannot set 'wrong': it is neither a parameter nor an entry of
gos.sweep(model, {3: [1]})  ->  InputError: cannot set '3': it is neither a parameter nor an entry of the model
gos.sweep(model, {"L": "a:b:c"})  ->  UseError: 'L=a:b:c': FROM, TO and NUMBER must be numbers
gos.sweep(model, {"L": "1:2"})  ->  UseError: expected NAME=FROM:TO:NUMBER, NAME=VALUE,VALUE... or, for random values,
gos.sweep(model, {"L": "1:2:1000000000"})  ->  UseError: 'L=1:2:1000000000': the number of values must be a whole number from 2
gos.sweep(model, {"L": "normal:1"})  ->  UseError: 'L=normal:1': normal requires the numbers MEAN:DEVIATION
gos.sweep(model, {"L": "normal:1:0.1"})  ->  UseError: 'L' is random; give the number of samples (--samples N)
gos.sweep(model, {"L": [1, float("nan")]})  ->  ValueError: nan is not finite and cannot be used in a model
gos.sweep(model, {"L": [object()]})  ->  TypeError
gos.sweep(model, {"L": [1]}, jobs=0.5)  ->  TypeError
gos.sweep(model, {"L": [1]}, jobs=-1)  ->  ValueError: a sweep must be prepared and needs at least one job
gos.sweep(model, {"L": [1]}, jobs="all")  ->  TypeError
gos.sweep(model, {"L": [1]}, draws=0)  ->  LimitError: the number of samples must be from 2 to 100000, got 0
gos.sweep(model, {"L": [1]}, draws=3)  ->  UseError: no parameter is random, so 3 samples cannot be drawn; add --vary
gos.sweep(model, {"L": [1]}, resume=True)  ->  ValueError: resume continues a sweep in one file: give its folder and
gos.sweep(model, {"L": [1]}, rom="nothing.h5", progress=False)  ->  FileError: nothing.h5: there is no such stored
gos.sweep(model, {"L": [1]}, folder="/nowhere/a/b", progress=False)  ->  FileError: /nowhere/a/b: cannot create the folder: No
gos.sweep(model, {"L": [1]}, until="a")  ->  ValueError
gos.sweep(system, {"L": [1]})  ->  TypeError
gos.sweep({"bodies": {}}, {"L": [1]})  ->  TypeError
gos.sweep(model)  ->  TypeError
study.value("n")  ->  KeyError: 'n' does not vary; the varied parameters are L
study.probe("top")  ->  KeyError: no run has a probe 'top'
study.probe("tip.x", "mean")  ->  ValueError: what must be one of last, least, largest, not 'mean'
study.run(99)  ->  IndexError: there is no run 99; the sweep has 2, from 0
study.run("a")  ->  TypeError: the number of a run must be a whole number, not 'a'
study.members("tip")  ->  ValueError: each run of this sweep has its own file; use run(i)
pickle.dumps(study)  ->  TypeError: Sweep objects cannot be pickled: send its rows
""",
}


class Misuses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.before = tempfile.TemporaryDirectory(), os.getcwd()
        os.chdir(cls.folder.name)
        model = gos.load(support.PENDULUM)
        system = model.system()
        short = {"until": 0.01, "progress": False}
        cls.names = {
            "copy": copy, "pickle": pickle, "gos": gos, "np": np, "support": support, "arm": arm, "model": model, "system": system,
            "run": system.run(**short), "record": system.record(**short), "hot": gos.load(support.ARM.replace("AMOUNT", "0")).run(**short),
            "state": system.state(), "equations": system.equations(), "loop": system.stepper(["push.y"], ["tip"]),
            "other": gos.load(support.PENDULUM).system().state(),
            "linear": gos.matrices(M=np.eye(2), K=np.diag([1.0, 4]), B=np.ones((2, 1)), C=np.ones((1, 2)), inputs=["f"], outputs=["q"]),
            "study": gos.sweep(model, {"L": [1, 1.1]}, **short)}

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls.before)
        cls.folder.cleanup()

    def raised(self, expression):
        """The exception of an expression or statement; None: none."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    code = compile(expression, "misuse", "eval")
                except SyntaxError:
                    code = compile(expression, "misuse", "exec")
                eval(code, dict(self.names))
        except Exception as error:
            return error
        return None

    def test_all(self):
        n = 0
        for group, cases in CASES.items():
            for case in cases.strip().split("\n"):
                expression, _, expected = case.partition("  ->  ")
                name, _, words = expected.partition(": ")
                with self.subTest(group, case=case):
                    error = self.raised(expression)
                    kinds = [kind.__name__ for kind in type(error).__mro__]
                    self.assertIn(name, kinds, error)
                    text = error.args[0] if isinstance(error, KeyError) and error.args else str(error)
                    self.assertIn(words, str(text))
                n += 1
        self.assertGreaterEqual(n, 300)


if __name__ == "__main__":
    unittest.main(verbosity=2)
