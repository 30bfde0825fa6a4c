"""Do labels of pages overlap? Opened in a headless Chromium at 400, 900 and 1600 px, light or dark: no two texts of a
picture (or of a scene on a canvas, which reports the positions of its labels) cover each other, all are inside the page, none
is smaller than 8 px or pale. Used by test_pictures.c.

    check_labels.py PAGE.html... [--pictures DIR]

Colours move no label: dark pages are looked at in the middle width, in all with GOS_TEST_LONG=1. --pictures: keep what was seen. Exit codes: 0 good, 1 not, 77 no browser.
"""
import argparse
import itertools
import os
import sys

import browser

SCREENS = [(width, dark) for width in (400, 900, 1600) for dark in (False, True)
           if not dark or width == 900 or os.environ.get("GOS_TEST_LONG") == "1"]
DRAWN = "document.readyState === 'complete' && (document.scripts.length === 0 || Number(document.documentElement.dataset.drawn))"
# of each picture the boxes of its texts, from the left upper corner of the page; hidden ones are not there
BOXES = """[...document.querySelectorAll('svg')].map(s => [...s.querySelectorAll('text')].map(t => {
    const r = t.getBoundingClientRect(); return [r.left, r.top + scrollY, r.right, r.bottom + scrollY, t.textContent]; })
    .filter(b => b[2] > b[0])).filter(l => l.length)"""
CANVASES = "[...document.querySelectorAll('canvas')].map(c => (c.labels || []).map(b => [...b.slice(0, 4), 'label'])).filter(l => l.length)"
SLACK = 1.5  # [px] boxes of lines are higher than their letters


def overlaps(boxes):
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            across = min(a[2], b[2]) - max(a[0], b[0])
            along = min(a[3], b[3]) - max(a[1], b[1])
            if across > SLACK and along > 2 * SLACK:
                yield f"'{a[4]}' and '{b[4]}' by {across:.1f} x {along:.1f} px"


def check(b, page, width, dark):
    b.screen(width, 900, dark=dark)
    b.open(page)
    b.wait(DRAWN, 30)
    b.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    wide = b.run("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px too wide"
    shade = b.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
    assert (sum(shade) < 150) == dark, f"background {shade}"
    pictures = b.run(BOXES)
    scenes = b.run(CANVASES)
    faults = [text for boxes in pictures + scenes for text in overlaps(boxes)]
    pale = b.run("[...document.querySelectorAll('svg text')].filter(t => getComputedStyle(t).fillOpacity < 1).length")
    assert pale == 0, f"{pale} labels are pale"
    small = [box[4] for boxes in pictures for box in boxes if box[3] - box[1] < 8]
    assert not faults, f"{len(faults)} labels overlap: {faults[:8]}"
    assert not small, f"too small to be read: {small[:8]}"
    print(f"check_labels: {width} px, {'dark' if dark else 'light'}: {sum(map(len, pictures))} texts of {len(pictures)} pictures, "
          f"{sum(map(len, scenes))} labels of {len(scenes)} scenes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", nargs="+")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    if browser.find() is None:
        print("check_labels: SKIPPED, no chromium is installed")
        return 77
    with browser.Browser(120) as b:
        for page, (width, dark) in itertools.product(options.page, SCREENS):
            try:
                check(b, page, width, dark)
            except AssertionError as fault:
                print(f"check_labels: {page}, {width} px, {'dark' if dark else 'light'}: {fault}", file=sys.stderr)
                return 1
            finally:
                if options.pictures:
                    stem = os.path.splitext(os.path.basename(page))[0]
                    b.picture(f"{options.pictures}/{stem}-{width}{'-dark' if dark else ''}.png", whole=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
