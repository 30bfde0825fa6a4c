"""Everything of the package that writes refuses links, pipes, devices, files and folders of others, and leaves them as they were."""
import os
import tempfile
import warnings

import support

import gossamer

MODEL = """
parameters: {shift: 1}
materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3}}
sections: {s: {type: rectangle, height: 0.02, width: 0.02}}
bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2}}
joints: {pin: {type: clamp, between: [ground, rod.start]}}
loads: {tip: {type: force, on: rod.end, value: [0, 0, 1.0e-3]}}
probes: {tip: {at: rod.end, quantity: position}}
analysis: {end: 0.02, step: 5.0e-3}
output: {every: 0.01}
reduction: {method: rotation_closed, fields: polynomials, number: 4}
"""


def make(kind):
    """A hostile output; its path."""
    if kind == "device":
        return "/dev/full"
    if kind == "link":
        os.symlink("precious", "out")
    elif kind == "dangling":
        os.symlink("missing", "out")
    elif kind == "to_folder":
        os.mkdir("theirs")
        os.symlink("theirs", "out")
    elif kind == "pipe":
        os.mkfifo("out")
    elif kind == "file":
        with open("out", "w", encoding="ascii") as file:
            file.write("precious")
    elif kind == "folder":
        os.mkdir("out")
        with open("out/letter", "w", encoding="ascii") as file:
            file.write("precious")
    return "out"


def look():
    """All names with their inodes, sizes and times, and the device."""
    found = [os.stat("/dev/full").st_rdev, os.stat("/dev/full").st_ino]
    for folder, folders, files in os.walk("."):
        for name in sorted(folders + files):
            state = os.lstat(os.path.join(folder, name))
            found.append((folder, name, state.st_ino, state.st_size, state.st_mode, state.st_mtime_ns if files else 0))
    return found


def clear():
    for path in ("out/letter", "out"):
        if os.path.lexists(path):
            (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
    if os.path.isdir("theirs"):
        assert not os.listdir("theirs")
        os.rmdir("theirs")


def refuses(name, write, kind):
    path = make(kind)
    before = look()
    try:
        write(path)
    except (gossamer.Error, OSError) as error:
        assert path in str(error), (name, kind, str(error))
    else:
        raise AssertionError(f"{name} wrote to {kind}")
    assert look() == before, (name, kind)
    clear()


def main():
    model = gossamer.load(MODEL)
    run = model.run(path="run.h5", progress=False)
    system = model.system()
    linear = system.linearise()
    with open("precious", "w", encoding="ascii") as file:
        file.write("precious")
    reduced = system.reduce(progress=False)
    doors = {
        "run": lambda path: model.run(path=path, progress=False),
        "save": run.save,
        "report": lambda path: run.report(path=path),
        "view": lambda path: run.view(path=path),
        "picture": lambda path: run.picture().save(path),
        "write_vtu": run.write_vtu,
        "save_reduced": reduced.save_reduced,
        "linear": linear.save,
        "write_folder": linear.write_folder,
        "state_space": lambda path: linear.write_folder(path, state_space=True),
        "sweep": lambda path: gossamer.sweep(model, {"shift": [1, 2]}, folder=path, jobs=1, progress=False),
    }
    for name, write in doors.items():
        for kind in ("link", "dangling", "to_folder", "pipe", "device", "file", "folder"):
            if (name, kind) != ("sweep", "folder"):  # it adds files to folders
                refuses(name, write, kind)
    run.save("copy.h5")
    run.save("copy.h5")  # one of this program may be replaced
    with open("run.h5", "rb") as one, open("copy.h5", "rb") as other:
        assert one.read() == other.read()
    assert not [name for name in os.listdir(".") if name.endswith(".part")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        warnings.simplefilter("ignore")  # of loads and costs
        main()
    print("outputs: good")
