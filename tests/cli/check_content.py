"""Content of a page without animation (design, model, response), in a headless Chromium, at 400 px and 1280 px, light
and dark. The page must load nothing, log nothing and fit its window. Used by tests of `gossamer report`.

    check_content.py PAGE.html [--text TEXT]... [--count SELECTOR=N]... [--starts SELECTOR=X,Y]...

--text: the page shows TEXT. --count: N elements match SELECTOR. --starts: the first path that matches SELECTOR begins
at X, Y, to 0.06 px. Exit codes: 0 good, 1 not, 77 no browser.
"""
import argparse
import re
import sys

import browser

DRAWN = "document.documentElement && Number(document.documentElement.dataset.drawn)"
SCREENS = ((1280, False), (400, True))


def check_screen(b, page, width, dark):
    b.screen(width, 900, dark=dark)
    b.open(page)
    b.wait(DRAWN, 20)
    wide = b.run("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide at {width} px"
    shade = b.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
    assert (sum(shade) < 150) == dark, f"background {shade}"


def check_content(b, options):
    # also texts in closed details, without the scripts
    text = b.run("[...document.querySelectorAll('header, main, footer')].map(n => n.textContent).join('\\n')")
    for wanted in options.text:
        assert wanted in text, f"'{wanted}' is not shown"
    wrong = re.search(r"\b(NaN|undefined|null|Infinity)\b|\[object", text)
    assert not wrong, f"the page shows '{wrong.group()}'"
    drawn = b.run("[...document.querySelectorAll('svg *')].every(n => [...n.attributes].every(a => !/NaN|nan|Infinity|undefined/.test(a.value)))")
    assert drawn, "a drawing has an attribute that is not a number"
    for selector, number in (entry.rsplit("=", 1) for entry in options.count):
        found = b.run(f"document.querySelectorAll({selector!r}).length")
        assert found == int(number), f"{found} of '{selector}'"
    for selector, place in (entry.rsplit("=", 1) for entry in options.starts):
        path = b.run(f"document.querySelector({selector!r}).getAttribute('d')")
        found = [float(v) for v in re.match(r"M(\S+) ([^LMVHh]+)", path).groups()]
        assert all(abs(x - float(y)) < 0.06 for x, y in zip(found, place.split(","))), f"'{selector}' starts at {found}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    for name in ("--text", "--count", "--starts"):
        parser.add_argument(name, action="append", default=[])
    options = parser.parse_args()
    if browser.find() is None:
        print("check_content: SKIPPED, no chromium is installed")
        return 77
    with browser.Browser(60) as b:
        for width, dark in SCREENS:
            check_screen(b, options.page, width, dark)
        check_content(b, options)
        loaded = [address for address in b.requests if not address.startswith(("file:///", "data:"))]
        assert not loaded, f"loaded {loaded}"
        assert not b.complaints, f"console: {b.complaints}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
