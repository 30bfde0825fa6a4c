"""Writes docs/figures.md: the figures with description, command, and table if it is short."""
import csv
import shutil

HEAD = """# Figures

The figures of the publications that Gossamer follows, drawn from own runs by `script/figures NAME`, which also writes the table behind each; this page
is made by `script/figures --page`. What the publications print is drawn with them where it is known to us; where a publication does not
give its data (the pendulum, the satellite's drawing, Boley's material) they were chosen, as stated in each example. All figures take two
minutes of processor time, and nine with `--all`, which makes the stored runs (`figures/stored`: those with complex modes, and times) anew.
"""
MOST_ROWS = 16

PAGES = [
    ("Structures with large motion and heat", [
        ("boley", "Boley's beam", "A supported beam under a sudden flux on one face, for three ratios of thermal to mechanical time: deflection over the steady one, with "
         "the closed form of Boley (1956), and the difference. The formulas are linear, so the flux is a thousandth of the published one "
         "([example](../examples/boley-beam/README.md))."),
        ("pendulum-shapes", "Thermal pendulum: shapes", "A hot, soft rod released level ([example](../examples/thermal-pendulum/README.md))."),
        ("pendulum-tip", "Path of its tip", "Full, by the published scheme with 25 complex modes, and by ten rotation-closed fields."),
        ("pendulum-error", "Error over time", "RMS over the nodes of the distance from the full run with the same steps of 1e-4 s, for 35, 30 and 25 complex modes of 102 and for ten "
         "rotation-closed fields. The publication states 0.035 m at most ([complex-modes.md](complex-modes.md) explains the difference)."),
        ("satellite-temperatures", "Dumbbell satellite: temperatures", "Mean temperatures at the observation points, run S0 ([example](../examples/dumbbell-satellite/README.md))."),
        ("satellite-points", "Observation points", "Displacements, full and reduced."),
        ("satellite-error", "Error over time", "For several numbers of rotation-closed fields; each run chooses its own steps for 1 mm."),
        ("satellite-elements", "Time against elements", "Processor time of whole processes, start and output included. Time against the number of modes, with the published scheme: "
         "[satellite.md](satellite.md#times)."),
        ("orbit", "A satellite around the Earth", "A craft held upright by gravity, once around the Earth through its shadow, without the pressure of sunlight and with it "
         "([example](../examples/gravity-boom/README.md)). Not of a publication; pitch with its closed form."),
        ("flutter", "Thermal flutter", "A boom of the space telescope in the sun: real part of the root of its first bending mode (marks) with the closed form (curves), the "
         "incidence from which it flutters, and its tip after a push on either side ([example](../examples/hubble-boom/README.md)). After Thornton and Kim (1993)."),
        ("methods", "Methods of reduction on a nonlinear case", "A damped arm of 20 cables on a turning hub (large rotation, stiffening by the force along it), 1 s: the "
         "methods of the published Table 1 (Craig-Bampton, free interface, complex modal synthesis, local POD) beside the published scheme and ours, all against one full run. "
         "All but ours are linearised anew where a node has moved by 0.2 mm, here in each of the 2000 steps; with all modes that leaves 1.0e-3, "
         "which is what nearly all of them have from 25 vectors on ([complex-modes.md](complex-modes.md)). Before that complex modal synthesis is best for its number, which counts a mode with its two vectors and "
         "leaves out those for the joint to the hub; the free interface with six real modes, five of them rigid motions, runs away, "
         "and is right with eight. POD needs a full run first and costs least of these; one basis does better than eight, each of which has seen few of the 400 states of an "
         "arm that rings after a sudden load (with 2000 states 16 vectors miss half as much). Made of the first half of the run it does not hold the second one at all. None of them pays here: a "
         "linear model in each interval costs more than the full run, 60 to 160 times. Rotation-closed fields are not linearised: with few they are the worst, "
         "as three are spent on each direction of space, then their error falls on to 5e-5 in less time than the full run."),
        ("methods-floating", "Methods of reduction of a floating arm", "The same arm as a beam in the axes of its root, 3 s: bases of linear models, made once. Their error falls with the "
         "number of vectors, as the large motion is that of the frame; POD is of responses of the linear arm."),
    ]),
    ("Bodies in floating frames", [
        ("hub-beam-1", "Arm on a hub: angle", "Angle of the hub, and what bases of few vectors miss of it ([example](../examples/hub-beam/README.md))."),
        ("hub-beam-2", "Arm on a hub: extension", "Mean over 1 s."),
        ("hub-beam-3", "Arm on a hub: deflection", "Of the tip."),
        ("buckling-10", "Thermal buckling: deflection", "Of a heated bar between pins, with one half wave at rest ([example](../examples/thermal-buckling/README.md))."),
        ("buckling-11", "Thermal buckling: thrust", "At its pins."),
    ]),
    ("Heated finite elements and smart structures", [
        ("disc-7", "Thermal disc", "Mesh, and where it is heated and cooled ([example](../examples/thermal-disc/README.md))."),
        ("disc-8", "Modes of temperature", "And the circles that each deforms."),
        ("disc-9", "Displacements and temperatures", "Full, with response modes, and with plain modes."),
        ("sheet-2", "Smart sheet", "The loop ([example](../examples/smart-sheet/README.md))."),
        ("sheet-3", "Its 14 modes", ""),
        ("sheet-4", "Importance of all patches", ""),
        ("sheet-5", "The patches that are chosen", ""),
        ("sheet-6", "Acceleration and voltage", "Without control and with it."),
        ("sheet-frontier", "Designs on 60 modes", "What they reach against what they bear."),
    ]),
]


def table(file):
    """notes and rows of a table as Markdown, if it is short"""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    head, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    if len(rows) > MOST_ROWS:
        return []
    return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]


def notes(file):
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    words = " ".join(line[2:] for line in lines if line.startswith("# "))
    return ["Table: " + words.rstrip(".") + "."] if words else []


def page(docs):
    """the page of all figures in docs/figures"""
    out = [HEAD]
    for title, figures in PAGES:
        out += [f"## {title}", ""]
        for name, head, words in figures:
            if not (docs / "figures" / f"{name}.svg").exists():
                raise SystemExit(f"figures: docs/figures/{name}.svg is missing; run script/figures {name} --page")
            file = docs / "figures" / f"{name}.csv"
            out += [f"### {head}", "", *([words, ""] if words else []), f"![{head}](figures/{name}.svg)", "", f"    script/figures {name}", ""]
            out += [*notes(file), "", *table(file), ""] if file.exists() else []
    return "\n".join(out).rstrip() + "\n"


def write(folder, docs):
    """copies the contents of the folder to docs/figures and writes the page"""
    (docs / "figures").mkdir(exist_ok=True)
    for _, figures in PAGES:
        for name, *_ in figures:
            for made in (folder / f"{name}.svg", folder / f"{name}.csv"):
                if made.exists() and (made.suffix == ".svg" or table(made)):
                    shutil.copyfile(made, docs / "figures" / made.name)
    (docs / "figures.md").write_text(page(docs), encoding="utf-8")


def check(docs):
    """returns 1 with a message if the page is not up to date, else 0"""
    if (docs / "figures.md").read_text(encoding="utf-8") == page(docs):
        return 0
    print("figures: docs/figures.md is not up to date: run script/figures --page")
    return 1
