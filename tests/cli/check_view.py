"""Do pages of `gossamer view` work? Their HTML is well formed; then, in a headless Chromium with WebGL in software: no errors, nothing
loaded, something is drawn, in the colours of both ends of the legend, it plays, turns, is coloured, cut, shows modes, and gives
pictures, frames and films. Used by test_view.c, which checks several pages by one browser.

    check_view.py PAGE.html [--colour NAME]... [--still] [--sky X,Y,Z] [--earth X,Y,Z] [--joints N] [--magnify] [--controls] [--cut] [--mode] [--frames] [--film] [--phone] [--text WORD]
        [--shots PREFIX] [--next PAGE.html ...]

--still: nothing moves but modes. --colour: a quantity that it can be coloured by, with an end of the legend that must be shown after `=`.
--sky, --earth: unit vectors to the Sun and the Earth at the start, drawn with a switch. --joints: this many joints are listed with their
symbols, and drawn. --magnify: the slider of the displacements changes the picture. --controls: playing, keys, zoom and views, besides dragging. --phone: opened once more on a dark phone. --shots: keep pictures of the
screen at three widths, light and dark, to be looked at. With GOS_TEST_LONG=1 the screen is larger, and each page has --controls and
--phone. Exit codes: 0 good, 1 not, 77 no browser or one without WebGL.
"""
import argparse
import base64
import html.parser
import json
import os
import re
import sys
import time

import browser

LONG = os.environ.get("GOS_TEST_LONG") == "1"
# software draws and compresses each pixel: a small screen, but not one for narrow pages
SCREEN = (1280, 720) if LONG else (720, 440)
READY = "document.documentElement && Number(document.documentElement.dataset.ready)"
SLIDER = "Number(document.querySelector('.transport input').value)"
VOID = {"meta", "link", "input", "br", "img", "hr"}

# files that the page gives to the browser are kept here, too
HOOK = """(() => {
    window.kept = [];
    const real = URL.createObjectURL;
    URL.createObjectURL = blob => { window.kept.push(blob); return real.call(URL, blob); };
})()"""
# of the last picture: sizes, how many pixels are neither ground nor grid, and how near the ends of the legend's colours come
LOOK = """(async () => {
    const bitmap = await createImageBitmap(kept[kept.length - 1]);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    const pen = canvas.getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    pen.clearRect(bitmap.width - 240, 0, 240, 70); // the legend
    pen.clearRect(0, 0, 240, 34); // title and time
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    const ends = [[13, 8, 135], [254, 189, 42]], least = [1e9, 1e9]; // least squares of distances
    let drawn = 0, sum = 7;
    for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        sum = (sum * 31 + r + 7 * g + 13 * b) % 1000000007;
        if (data[i + 3]) {
            drawn += r + g + b < 3 * 255 - 90; // darker than the ground and the grid
            for (let k = 0; k < 2; k++) {
                const end = ends[k], square = (r - end[0]) ** 2 + (g - end[1]) ** 2 + (b - end[2]) ** 2;
                least[k] = square < least[k] ? square : least[k];
            }
        }
    }
    return [bitmap.width, bitmap.height, drawn, least.map(Math.sqrt), sum];
})()"""
HEAD = """(async () => Array.from(new Uint8Array(await kept[kept.length - 1].arrayBuffer()).subarray(0, 4)))()"""
ENTRIES = """(async () => { // of a ZIP archive: what its end says, and how many pictures begin in it
    const bytes = new Uint8Array(await kept[kept.length - 1].arrayBuffer());
    const view = new DataView(bytes.buffer), end = bytes.length - 22;
    let at = view.getUint32(end + 16, true), n = 0, good = view.getUint32(end, true) === 0x06054b50;
    for (; at < end; n++) {
        const file = view.getUint32(at + 42, true), name = view.getUint16(at + 28, true);
        const inside = file + 30 + view.getUint16(file + 26, true);
        good = good && view.getUint32(at, true) === 0x02014b50 && view.getUint32(file, true) === 0x04034b50 && view.getUint32(inside, false) === 0x89504e47;
        at += 46 + name;
    }
    return [good, n, view.getUint16(end + 10, true)];
})()"""


class Nesting(html.parser.HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> at {self.getpos()} closes nothing"


def check_form(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    nesting = Nesting()
    nesting.feed(text)
    nesting.close()
    assert not nesting.open, f"not closed: {nesting.open}"
    assert text.startswith("<!DOCTYPE html>") and nesting.seen.count("script") == 2
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["runs"][0]["mesh"]["nodes"] > 0
    return data


def press(b, label):
    b.run(f"[...document.querySelectorAll('button')].find(x => x.textContent.trim() === {label!r}).click()")


def choose(b, name):
    b.run("""(name => { const s = [...document.querySelectorAll('select')].find(x => [...x.options].some(o => o.text === name));
        s.value = [...s.options].find(o => o.text === name).value; s.dispatchEvent(new Event('change')); })('%s')""" % name)


def seek(b, part):
    b.run(f"(s => {{ s.value = {1000 * part}; s.dispatchEvent(new Event('input')); }})(document.querySelector('.transport input'))")


def kept_after(b, label, seconds=60):
    before = b.run("kept.length")
    press(b, label)
    b.wait(f"kept.length > {before}", seconds)


def look(b):
    """A picture is taken: how many pixels are drawn beside the legend, how near they come to both ends of the colours, a sum of all."""
    kept_after(b, "Picture")
    width, height, drawn, least, total = b.run(LOOK)
    assert (width, height) == (b.run("document.querySelector('canvas.scene').width & ~1"), b.run("document.querySelector('canvas.scene').height & ~1"))
    return drawn, least, total


def differs(b, act, what, before=None):
    """An action that changes the picture; before: its sum if that is known. Returns the new sum."""
    before = before or look(b)[2]
    act()
    after = look(b)[2]
    assert after != before, f"{what}: the picture is the same"
    print(f"check_view: {what}")
    return after


def legend(b):
    return b.run("[...document.querySelectorAll('.legend b')].map(x => x.textContent)")


def check_colours(b, colours):
    for colour in colours:
        name, _, end = colour.partition("=")
        choose(b, name)
        drawn, _, _ = look(b)
        assert drawn > 500, f"{name}: {drawn} pixels"
        if end:
            assert end in legend(b), f"{name}: the legend ends with {legend(b)}, not {end}"
        print(f"check_view: coloured by {name}, {legend(b)}")


def extremes(run):
    """When temperatures are least and largest, as parts of the whole time."""
    frames = run["frames"]
    if "temperature" not in frames:
        return []
    codes = memoryview(base64.b64decode(frames["temperature"]["parts"])).cast("H")
    time = [frames["time"]["middle"] + x for x in memoryview(base64.b64decode(frames["time"]["floats"])).cast("f")]
    at = [time[list(codes).index(f(codes)) // run["mesh"]["nodes"]] for f in (min, max)]
    return [(t - time[0]) / (time[-1] - time[0]) for t in at]


def check_scene(b, run):
    """Not blank, and where nodes come to the ends of the range, both colours are there."""
    shade = b.run("[...document.querySelectorAll('button')].some(x => x.textContent === 'Shade')")
    if shade:
        press(b, "Shade")  # it darkens colours
    nearest, most = [1e9, 1e9], 0
    for part in (0, 0.5, 1, *extremes(run)):
        seek(b, part)
        drawn, least, _ = look(b)
        nearest = [min(a, c) for a, c in zip(nearest, least)]
        most = max(most, drawn)
    assert most > 500, f"{most} pixels are drawn"
    assert max(nearest) < 25, f"the colours of the legend's ends are {nearest} away from the nearest pixels"
    print(f"check_view: {most} pixels drawn, ends of the colours within {[round(x, 1) for x in nearest]} of 255")


def check_controls(b):
    seek(b, 0)
    b.run("document.querySelector('.play').click()")
    b.wait(SLIDER + " > 100", 20)
    b.run("document.querySelector('canvas.scene').focus()")
    b.key(" ")
    at = b.run(SLIDER)
    time.sleep(0.3)
    assert b.run(SLIDER) == at, "Space does not pause"
    now = differs(b, lambda: b.key("End"), "End goes to the end")
    now = differs(b, lambda: b.key("+"), "it zooms", now)
    for label in ("Top", "3D"):
        now = differs(b, lambda label=label: press(b, label), f"view {label}", now)


def check_turning(b):
    x, y, w, h = b.run("(r => [r.x, r.y, r.width, r.height])(document.querySelector('canvas.scene').getBoundingClientRect())")
    start = (x + 0.4 * w, y + 0.55 * h)
    differs(b, lambda: b.drag(start, (start[0] + 100, start[1] + 40)), "dragging turns")


def check_mode(b):
    name = b.run("""[...document.querySelectorAll('select')].flatMap(s => [...s.options]).map(o => o.text).find(t => /^mode \\d+: .*Hz/.test(t))""")
    assert name, "no mode has a frequency"
    differs(b, lambda: choose(b, name), f"{name} is shown")
    b.run("document.querySelector('.play[aria-label=Pause]') && document.querySelector('.play').click()")
    differs(b, lambda: seek(b, 0.75), "it swings")
    assert b.run("document.querySelector('.clock').textContent") == "75 % of a cycle"


def start_of(run, key):
    packed = run["sky"][key]
    return [packed["middle"] + x for x in memoryview(base64.b64decode(packed["floats"])).cast("f")[:3]]


def check_sky(b, run, options):
    for key, wanted in (("sun", options.sky), ("earth", options.earth)):
        if wanted:
            away = max(abs(a - float(w)) for a, w in zip(start_of(run, key), wanted.split(",")))
            assert away < 1e-6, f"the direction to {key} is {start_of(run, key)}, not {wanted}"
    title = " and ".join(name for name, given in (("Sun", options.sky), ("Earth", options.earth)) if given)
    differs(b, lambda: press(b, title), f"{title} can be hidden")


def check_joints(b, number):
    text = b.run("document.querySelector('.panel details').textContent")
    listed = sum(len(names.split(",")) for names in re.findall(r"(?:Square|Ring with dot|Diamond|Filled circle|Wide rectangle): [a-z_]+ \(([^)]*)\)", text))
    assert listed == number, f"{listed} joints are listed, not {number}"
    differs(b, lambda: press(b, "Joints"), "joints can be hidden")


def check_magnification(b):
    def slide():
        b.run("(s => { s.value = 1; s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); })(document.querySelector('.magnify'))")
    seek(b, 1)
    before = b.run("document.querySelector('.magnify + output').textContent")
    differs(b, slide, "the displacements are magnified")
    assert b.run("document.querySelector('.magnify + output').textContent") != before


def choose_speed(b, behind):
    """The fastest speed, or one that is so many places behind it."""
    b.run("(s => { s.selectedIndex = s.options.length - 1 - %d; s.dispatchEvent(new Event('change')); })([...document.querySelectorAll('label.choice')].find(l => l.textContent.startsWith('Speed')).querySelector('select'))" % behind)


def check_film(b):
    """A busy machine records nothing of a short film: then a slower one."""
    for behind in range(4):
        choose_speed(b, behind)
        kept_after(b, "Film", 120)
        assert b.run(HEAD) == [0x1A, 0x45, 0xDF, 0xA3], "the film is no WebM"
        size = b.run("kept[kept.length - 1].size")
        if size > 1000:
            print(f"check_view: a film of {size} bytes")
            return
    raise AssertionError(f"the film has {size} bytes")


def check_files(b, options):
    if options.frames:
        choose_speed(b, 0)
        kept_after(b, "Frames", 120)
        good, n, said = b.run(ENTRIES)
        assert good and n == said >= 2, f"the archive holds {n} files, says {said}"
        print(f"check_view: {n} frames")
    if options.film:
        check_film(b)


def shots(b, page, prefix):
    for width, height, phone, dark in ((1600, 900, False, False), (900, 700, False, True), (400, 800, True, False), (400, 800, True, True)):
        b.screen(width, height, phone=phone, dark=dark)
        b.open(page)
        b.wait(READY, 30)
        seek(b, 0.6)
        time.sleep(0.5)
        b.picture(f"{prefix}-{width}{'-dark' if dark else ''}.png")


def check(b, options, run):
    b.screen(*SCREEN)
    b.open(options.page)
    b.wait(READY, 30)
    b.run(HOOK)
    if options.text:
        assert options.text in b.run("document.body.innerText"), f"'{options.text}' is not shown"
    wide = b.run("[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]")
    assert max(wide) <= 0, f"the page is larger than the screen by {wide}"
    if not options.still:
        check_scene(b, run)
        if options.controls or LONG:
            check_controls(b)
        check_turning(b)
    check_colours(b, options.colour)
    if options.cut:
        now = differs(b, lambda: choose(b, "mesh"), "lines of the mesh")
        now = differs(b, lambda: choose(b, "edges"), "edges", now)
        differs(b, lambda: choose(b, "normal to x"), "a cut", now)
    if options.sky or options.earth:
        check_sky(b, run, options)
    if options.joints:
        check_joints(b, options.joints)
    if options.magnify:
        check_magnification(b)
    if options.mode:
        check_mode(b)
    check_files(b, options)
    if options.phone or LONG:
        b.screen(390, 844, phone=True, dark=True)
        b.open(options.page)
        b.wait(READY, 30)
        shade = b.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
        assert sum(shade) < 150, f"not dark: {shade}"
    if options.shots:
        shots(b, options.page, options.shots)
    loaded = [address for address in b.requests if not address.startswith(("file:///", "blob:"))]
    assert not loaded, f"loaded {loaded}"
    assert not b.complaints, f"console: {b.complaints}"


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--colour", action="append", default=[])
    parser.add_argument("--text")
    parser.add_argument("--shots")
    parser.add_argument("--sky")
    parser.add_argument("--earth")
    parser.add_argument("--joints", type=int)
    for flag in ("--magnify", "--still", "--controls", "--cut", "--mode", "--frames", "--film", "--phone"):
        parser.add_argument(flag, action="store_true")
    pages = [[]]
    for word in arguments:
        if word == "--next":
            pages.append([])
        else:
            pages[-1].append(word)
    return [parser.parse_args(page) for page in pages]


def main():
    pages = parse(sys.argv[1:])
    runs = [check_form(options.page)["runs"][0] for options in pages]
    if browser.find() is None:
        print("check_view: SKIPPED, no chromium is installed")
        return 77
    with browser.Browser(300, browser.SOFTWARE_GL) as b:
        if not b.run("Boolean(document.createElement('canvas').getContext('webgl2'))"):
            print("check_view: SKIPPED, this chromium has no WebGL 2")
            return 77
        for options, run in zip(pages, runs):
            print(f"check_view: {options.page}", flush=True)
            check(b, options, run)
    print("check_view: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
