"""Does the picture of a motion show it? Opened in a headless Chromium. Used by test_pictures.c.

    check_scene.py REPORT.html [--view NAME] [--seen PART] [--area PART] [--coloured PART] [--grey N] [--colours N] [--constant TEXT] [--path NAMES] [--still]

--view: the first view has this name; --seen: it shows at least this part of the motion (1: none of it is towards the eye);
--area: its picture is at least this part of the largest one as large. --colours: the picture has as many colours of the legend at least.
--coloured: at least this part of the picture's pixels have colours of the legend; --grey: at least N have the colour of bodies without value.
--constant: with one value, the legend says TEXT and nothing is coloured. --path: paths of these probes ("tip, mid") are
seen, and gone when switched off.
--still: nothing offers to play. Exit codes: 0 good, 1 not, 77 no browser.
"""
import argparse
import sys
import time

import browser

DRAWN = "document.documentElement && Number(document.documentElement.dataset.drawn)"
SCENE = "document.querySelector('canvas.scene')"
# how many pixels have each colour
PIXELS = """(c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, n = {};
    for (let i = 0; i < d.length; i += 4) { if (d[i + 3] > 250) { const k = `${d[i]},${d[i + 1]},${d[i + 2]}`; n[k] = (n[k] || 0) + 1; } }
    return n; })(document.querySelector('canvas.scene'))"""
PATH = "getComputedStyle(document.documentElement).getPropertyValue('--s0').trim()"


def pixels(b):
    time.sleep(0.1)
    b.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return b.run(PIXELS)


def choose(b, name):
    b.run("""(name => { const s = [...document.querySelectorAll('select')].find(x => [...x.options].some(o => o.text === name));
        s.value = [...s.options].find(o => o.text === name).value; s.dispatchEvent(new Event('change')); })('%s')""" % name)


def check_view(b, options):
    view = b.run(f"({{...{SCENE}.dataset}})")
    print("check_scene: first view", view)
    assert options.view in (None, view["view"]), view
    assert float(view["seen"]) >= options.seen, view
    assert float(view["area"]) >= options.area, view


def saturated(colour):
    r, g, b = map(int, colour.split(","))
    return max(r, g, b) - min(r, g, b) > 60


def check_first(b, coloured, grey):
    found = pixels(b)
    part = sum(n for colour, n in found.items() if saturated(colour)) / b.run(f"{SCENE}.width * {SCENE}.height")
    ghost = b.run("getComputedStyle(document.documentElement).getPropertyValue('--ghost').trim()")
    n = found.get(",".join(str(int(ghost[i:i + 2], 16)) for i in (1, 3, 5)), 0)
    print(f"check_scene: {100 * part:.1f} % of the pixels coloured, {n} grey")
    assert part >= coloured, "the bodies are edge-on or small"
    assert n >= grey, "bodies without values are not grey"


def check_constant(b, text):
    choose(b, "temperature")
    found = {colour: n for colour, n in pixels(b).items() if saturated(colour) and n > 30}
    legend = b.run("document.querySelector('.player .legend').innerText").strip()
    assert legend == text, legend
    assert b.run("document.querySelectorAll('.player .legend .ends').length") == 0
    axes = b.run("['--s3', '--s0', '--s2'].map(n => getComputedStyle(document.documentElement).getPropertyValue(n).trim())")
    rgb = {",".join(str(int(c[i:i + 2], 16)) for i in (1, 3, 5)) for c in axes}
    assert set(found) <= rgb, f"coloured: {found}"


def check_path(b, names):
    chip = "[...document.querySelectorAll('.player .chip')].find(c => c.textContent.startsWith('Paths'))"
    said = b.run(f"({chip}).textContent")
    assert said == f"Paths of {names}", said
    b.run("(t => { t.value = 1000; t.dispatchEvent(new Event('input')); })(document.querySelector('.transport input'))")
    colour = b.run(PATH)
    key = ",".join(str(int(colour[i:i + 2], 16)) for i in (1, 3, 5))
    seen = pixels(b).get(key, 0)
    b.run(f"({chip}).click()")
    left = pixels(b).get(key, 0)
    print(f"check_scene: {seen} pixels of the path, {left} without it")
    assert seen - left > 100, "the path is not seen"


def check_still(b):
    assert b.run("document.querySelectorAll('.play, .transport').length") == 0
    words = b.run("document.body.innerText + [...document.querySelectorAll('[aria-label]')].map(n => n.getAttribute('aria-label')).join()")
    offers = [word for word in ("play", "pause", "Space", "Animation") if word in words]
    assert not offers, offers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--view")
    parser.add_argument("--seen", type=float, default=0)
    parser.add_argument("--area", type=float, default=0)
    parser.add_argument("--coloured", type=float, default=0)
    parser.add_argument("--grey", type=int, default=0)
    parser.add_argument("--colours", type=int)
    parser.add_argument("--constant")
    parser.add_argument("--path")
    parser.add_argument("--still", action="store_true")
    options = parser.parse_args()
    if browser.find() is None:
        print("check_scene: SKIPPED, no chromium is installed")
        return 77
    with browser.Browser(90) as b:
        b.screen(1280, 900)
        b.open(options.page)
        b.wait(DRAWN, 30)
        check_view(b, options)
        check_first(b, options.coloured, options.grey)
        if options.colours:
            b.run("(t => { if (t) { t.value = 1000; t.dispatchEvent(new Event('input')); } })(document.querySelector('.transport input'))")
            many = sum(n > 3 and saturated(colour) for colour, n in pixels(b).items())
            print(f"check_scene: {many} colours")
            assert many >= options.colours, f"{many} colours"
        if options.constant:
            check_constant(b, options.constant)
        if options.path:
            check_path(b, options.path)
        if options.still:
            check_still(b)
        complaints = [c for c in b.complaints if "willReadFrequently" not in c]  # of this script
        assert not complaints, f"console: {complaints}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
