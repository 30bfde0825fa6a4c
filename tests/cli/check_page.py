"""Does a report's page work? Opened in a headless Chromium: no errors, nothing loaded, plots drawn, the
animation plays, mouse, keys and fingers do what they should, in light and dark, on a desk and a phone.
Used by test_report.c, test_sweep.c and test_sweep_draws.c.

    check_page.py REPORT.html [--family] [--fans N] [--text WORD]

--family: the page of a sweep. --fans: it has N plots of quantiles, with two areas each. --text: a word that the page must show as it is.
Exit codes: 0 good, 1 not, 77 no browser.
"""
import argparse
import csv
import io
import json
import sys
import time

import browser

READY = "document.documentElement && Number(document.documentElement.dataset.ready)"
DRAWN = "document.documentElement && Number(document.documentElement.dataset.drawn)"
CURVES = "[...document.querySelectorAll('path.curve')]"
LONG = CURVES + ".filter(p => p.getAttribute('d').split('L').length > 10).length"
SLIDER = "Number(document.querySelector('.transport input').value)"
PIXELS = """[...document.querySelector('canvas.scene').toDataURL()]
    .reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 1000000007, 7)"""
LIMIT = 2000  # [ms] until the first screen is drawn


def box(b, selector, number=0):
    """Left, top, width, height of an element, scrolled into sight."""
    b.run(f"document.querySelectorAll({selector!r})[{number}].scrollIntoView({{block: 'center', behavior: 'instant'}})")
    time.sleep(0.15)
    return b.run(f"""(r => [r.x, r.y, r.width, r.height])
        (document.querySelectorAll({selector!r})[{number}].getBoundingClientRect())""")


def changes(b, script, act, what):
    """An action after which a script's value is another one."""
    before = b.run(script)
    act()
    b.wait(f"({script}) !== {json.dumps(before)}", 5)
    print(f"check_page: {what}")


def press(b, label):
    b.run(f"[...document.querySelectorAll('button')].find(x => x.textContent.trim() === {label!r}).click()")


def check_opening(b, path, dark):
    b.open(path)
    ready = b.wait(READY, 20)
    drawn = b.wait(DRAWN, 20)
    assert ready < LIMIT, f"ready only after {ready} ms"
    assert b.run("document.images.length") == 0 and b.run("document.scripts.length") == 2
    shade = b.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
    assert (sum(shade) < 150) == dark, f"background {shade}"
    wide = b.run("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide"
    print(f"check_page: ready after {ready:.0f} ms, drawn after {drawn:.0f} ms, {'dark' if dark else 'light'}")


def check_plots(b):
    assert b.run(LONG) > 0, "no curve has more than ten points"
    assert b.run(CURVES + ".every(p => !/NaN|Infinity/.test(p.getAttribute('d')))")
    chips = "[...document.querySelectorAll('.figure figcaption')].find(f => f.querySelectorAll('.chip[aria-pressed]').length > 1)"
    if b.run(f"Boolean({chips})"):
        state = f"[...({chips}).querySelectorAll('.chip')].map(c => c.getAttribute('aria-pressed')).join() + {CURVES}.length"
        changes(b, state, lambda: b.run(f"({chips}).querySelectorAll('.chip')[1].click()"), "a component switches")
    # hovering shows values, dragging zooms all plots, 0 shows everything again
    x, y, w, h = box(b, ".figure .area[tabindex]")
    b.mouse("mouseMoved", x + w / 2, y + h / 3, held=False)
    b.wait("[...document.querySelectorAll('.tip')].some(t => !t.hidden && t.textContent.length > 5)", 5)
    ticks = "[...document.querySelectorAll('.figure .area[tabindex] .tick')].map(t => t.textContent).join()"
    changes(b, ticks, lambda: b.drag((x + 0.4 * w, y + h / 3), (x + 0.6 * w, y + h / 3)), "dragging zooms")
    b.run("document.querySelector('.figure .area[tabindex]').focus()")
    changes(b, "document.querySelector('.area .unseen').textContent", lambda: b.key("ArrowRight"), "keys read values out")
    changes(b, ticks, lambda: b.key("+"), "keys zoom")
    changes(b, ticks, lambda: b.key("0"), "0 shows the whole time")


SAVED = """(async () => {
    let blob = null;
    const real = URL.createObjectURL;
    URL.createObjectURL = x => { blob = x; return real.call(URL, x); };
    document.querySelector('.figure .save').click();
    URL.createObjectURL = real;
    return blob.text();
})()"""


def check_table(b):
    """The CSV of a plot: a head for each column, and only numbers below."""
    rows = list(csv.reader(io.StringIO(b.run(SAVED))))
    assert len(rows) > 2 and len(rows[0]) >= 2, f"the table is {rows[:2]}"
    assert all(head.endswith("]") for head in rows[0]), f"columns without units: {rows[0]}"
    assert all(len(row) == len(rows[0]) for row in rows)
    first = [float(x) for x in (row[0] for row in rows[1:]) if x]
    assert first == sorted(first), "times do not increase"
    print(f"check_page: a table of {len(rows) - 1} rows and columns {rows[0]}")


def check_animation(b):
    x, y, w, h = box(b, "canvas.scene")
    changes(b, SLIDER, lambda: b.run("document.querySelector('.play').click()"), "it plays")
    changes(b, PIXELS, lambda: None, "the picture moves")
    b.run("document.querySelector('canvas.scene').focus()")
    b.key(" ")
    time.sleep(0.1)
    at = b.run(SLIDER)
    time.sleep(0.3)
    assert b.run(SLIDER) == at, "Space does not pause"
    changes(b, SLIDER, lambda: b.key("ArrowRight"), "arrows step")
    changes(b, SLIDER, lambda: b.key("Home"), "Home goes to the start")
    changes(b, SLIDER, lambda: b.key("End"), "End goes to the end")
    changes(b, PIXELS, lambda: b.key("ArrowLeft", shift=True), "Shift and arrows turn")
    changes(b, PIXELS, lambda: b.drag((x + w / 2, y + h / 2), (x + w / 2 + 80, y + h / 2 + 30)), "dragging turns")
    changes(b, PIXELS, lambda: b.key("+"), "it zooms")
    for label in ("Top", "3D", "Front"):
        changes(b, PIXELS, lambda: press(b, label), f"view {label}")
    # dragging the slider, here as a program would
    b.run("(s => { s.value = 250; s.dispatchEvent(new Event('input')); })(document.querySelector('.transport input'))")
    assert abs(b.run(SLIDER) - 250) < 1
    moment = "[...document.querySelectorAll('.moment')].some(m => m.getAttribute('visibility') === 'visible')"
    box(b, ".figure .area[tabindex]")
    b.wait(moment, 5)


def check_colours(b, name):
    """The animation is coloured by `name`, with a legend that says so."""
    b.run("(t => { t.value = 900; t.dispatchEvent(new Event('input')); })(document.querySelector('.transport input'))")
    choose = """(name => { const s = [...document.querySelectorAll('select')].find(x => [...x.options].some(o => o.text === name));
        s.value = [...s.options].find(o => o.text === name).value; s.dispatchEvent(new Event('change')); })('%s')"""
    b.run(choose % "one colour")
    changes(b, PIXELS, lambda: b.run(choose % name), f"coloured by {name}")
    assert b.run("document.querySelector('.player .legend').innerText").startswith(f"{name} [")


def touch(b, kind, points):
    b.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])


def check_fingers(b):
    x, y, w, h = box(b, "canvas.scene")
    def sideways():
        touch(b, "touchStart", [(x + 60, y + h / 2)])
        for i in range(1, 8):
            touch(b, "touchMove", [(x + 60 + 20 * i, y + h / 2)])
        touch(b, "touchEnd", [])
    changes(b, PIXELS, sideways, "a finger turns")
    def pinch():
        touch(b, "touchStart", [(x + 100, y + h / 2), (x + 160, y + h / 2)])
        for i in range(1, 6):
            touch(b, "touchMove", [(x + 100 - 8 * i, y + h / 2), (x + 160 + 8 * i, y + h / 2)])
        touch(b, "touchEnd", [])
    changes(b, PIXELS, pinch, "two fingers zoom")
    x, y, w, h = box(b, ".figure .area[tabindex]")
    touch(b, "touchStart", [(x + w / 2, y + h / 3)])
    touch(b, "touchEnd", [])
    b.wait("[...document.querySelectorAll('.tip')].some(t => !t.hidden && t.textContent.length > 5)", 5)
    print("check_page: a tap shows values")


def check_family(b):
    rows = "[...document.querySelectorAll('.sortable tbody tr')].map(r => r.textContent).join('|')"
    button = "document.querySelectorAll('.sortable thead button')[0]"
    if b.run("document.querySelectorAll('.sortable tbody tr').length") > 1:
        changes(b, rows, lambda: b.run(button + ".click()"), "the table sorts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--family", action="store_true")
    parser.add_argument("--fans", type=int)
    parser.add_argument("--text", action="append", default=[])
    parser.add_argument("--colour", help="a field that the animation can be coloured by")
    options = parser.parse_args()
    if browser.find() is None:
        print("check_page: SKIPPED, no chromium is installed")
        return 77
    with browser.Browser(90) as b:
        b.screen(1280, 900)
        check_opening(b, options.page, False)
        for text in options.text:
            assert text in b.run("document.body.innerText"), f"'{text}' is not shown"
        if options.fans:
            areas = b.run("[...document.querySelectorAll('svg.plot')].map(p => p.querySelectorAll('path.area').length).filter(Boolean)")
            assert areas == [2] * options.fans, f"areas in plots: {areas}"
        check_table(b)
        check_plots(b)
        if options.family:
            check_family(b)
        else:
            check_animation(b)
        if options.colour:
            check_colours(b, options.colour)
        b.screen(390, 844, phone=True, dark=True)
        check_opening(b, options.page, True)
        if not options.family:
            check_fingers(b)
        loaded = [address for address in b.requests if not address.startswith("file:///")]
        assert not loaded and len(b.requests) == 2, f"loaded {b.requests}"
        assert not b.complaints, f"console: {b.complaints}"
    print("check_page: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
