"""The progress bar of computations that take longer than two seconds."""
import sys
import threading
import time

from . import _core

FIRST_AFTER = 2.0  # [s] until a bar is shown, as on the command line
SILENCE = 1.0  # [s] without a report of the library until the elapsed time is shown instead


def in_notebook():
    """Does the interpreter run in a notebook?"""
    try:
        return get_ipython().__class__.__name__ == "ZMQInteractiveShell"  # noqa: F821, defined by IPython
    except NameError:
        return False


class Bar:
    """A progress bar on a terminal or in a notebook. Work that reports no progress shows its elapsed time."""

    WIDTH = 30

    def __init__(self, stream=None, text="computing"):
        self.stream = stream or sys.stderr
        self.text = text
        self.last = ""
        self.display = None
        self.start = self.reported = time.monotonic()
        self._lock, self._done = threading.Lock(), threading.Event()
        self._clock = threading.Thread(target=self._tick, daemon=True)
        self._clock.start()

    def __call__(self, fraction, seconds, text):
        self.reported = time.monotonic()
        if seconds < 0:  # estimated duration of work that reports no progress
            self.text = f"{text} takes about {-seconds:.0f} s"
            return
        if self.reported - self.start >= FIRST_AFTER:
            full = int(self.WIDTH * min(max(fraction, 0.0), 1.0))
            self._show(f"[{'#' * full}{'.' * (self.WIDTH - full)}] {100 * fraction:5.1f} % {seconds:7.1f} s {text}")

    def _tick(self):
        self._done.wait(FIRST_AFTER)
        while not self._done.is_set():
            now = time.monotonic()
            if now - self.reported >= SILENCE:
                self._show(f"{self.text}: {now - self.start:.0f} s")
            self._done.wait(0.5)

    def _show(self, line):
        with self._lock:
            if self._done.is_set():
                return
            if in_notebook():
                self._show_in_notebook(line)
            else:
                self.stream.write("\r" + line.ljust(len(self.last)))
                self.stream.flush()
            self.last = line

    def _show_in_notebook(self, line):
        if self.display is None:
            from IPython.display import display

            self.display = display({"text/plain": ""}, raw=True, display_id=True)
        self.display.update({"text/plain": line}, raw=True)

    def close(self):
        """Remove the bar."""
        with self._lock:
            self._done.set()
            if self.last and self.display is None:
                self.stream.write("\r" + " " * len(self.last) + "\r")
                self.stream.flush()
            self.last = ""


class watching:
    """Context manager for progress output of the calls of the library in this thread: None (a bar on terminals and in
    notebooks), True, False, or a function of (fraction, seconds, text) that returns False to stop. Negative seconds: the
    work cannot report progress; -seconds is its estimated duration. ``text``: what is shown while nothing is reported."""

    def __init__(self, progress, text="computing"):
        self.bar = None
        if callable(progress):
            self.function = progress
        elif progress or (progress is None and (in_notebook() or sys.stderr is not None and sys.stderr.isatty())):
            self.function = self.bar = Bar(text=text)
        else:
            self.function = None

    def __enter__(self):
        self.outer = _core.watch(self.function)
        return self.function

    def __exit__(self, *_):
        _core.watch(self.outer)
        if self.bar:
            self.bar.close()
