"""The progress bar of runs."""
import sys


def in_notebook():
    """Does the interpreter run in a notebook?"""
    try:
        return get_ipython().__class__.__name__ == "ZMQInteractiveShell"  # noqa: F821, defined by IPython
    except NameError:
        return False


class Bar:
    """A progress bar on a terminal or in a notebook."""

    WIDTH = 30

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.last = ""
        self.display = None
        if in_notebook():
            from IPython.display import display

            self.display = display({"text/plain": ""}, raw=True, display_id=True)

    def __call__(self, fraction, seconds, text):
        if seconds < 0:  # estimated duration of work that reports no progress
            text, seconds = f"{text} takes about {-seconds:.0f} s", 0.0
        full = int(self.WIDTH * min(max(fraction, 0.0), 1.0))
        line = f"[{'#' * full}{'.' * (self.WIDTH - full)}] {100 * fraction:5.1f} % {seconds:7.1f} s {text}"
        if self.display is not None:
            self.display.update({"text/plain": line}, raw=True)
        else:
            self.stream.write("\r" + line.ljust(len(self.last)))
            self.stream.flush()
        self.last = line

    def close(self):
        """Remove the bar."""
        if self.last and self.display is None:
            self.stream.write("\r" + " " * len(self.last) + "\r")
            self.stream.flush()
        self.last = ""


class watching:
    """Context manager for progress output: None (a bar on terminals and in notebooks), True, False, or a function of
    (fraction, seconds, text) that returns False to stop. Negative seconds: the work cannot report progress; -seconds is its
    estimated duration."""

    def __init__(self, progress):
        self.bar = None
        if callable(progress):
            self.function = progress
        elif progress or (progress is None and (in_notebook() or sys.stderr is not None and sys.stderr.isatty())):
            self.function = self.bar = Bar()
        else:
            self.function = None

    def __enter__(self):
        return self.function

    def __exit__(self, *_):
        if self.bar:
            self.bar.close()
