"""A headless Chromium driven through its pipe, with nothing but Python: for tests of the report's page.

Commands and answers are JSON texts ended by a 0 byte; the browser reads them from its descriptor 3 and
writes to 4. Messages of the page's console, errors of its scripts and attempts to load anything are kept.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe")
# WebGL without a graphics card; pages themselves are composed by the processor, which takes half the time
SOFTWARE_GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
               "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas")
STALL = "GPU stall due to ReadPixels"  # the driver's remark on that


def find():
    """The browser's program, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, seconds=60, more=()):
        self.deadline = time.monotonic() + seconds
        self.folder = tempfile.mkdtemp(prefix="gossamer_browser_")
        # high numbers, so that the shell can move them to 3 and 4 without overwriting one
        low = [*os.pipe(), *os.pipe()]
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in low]
        for end in low:
            os.close(end)  # otherwise the end of the browser would not close its pipe
        read_there, self.write_end, self.read_end, write_there = ends
        command = ["bash", "-c", f'exec "$@" 3<&{read_there} 4>&{write_there}', "browser", find(), *(f for f in FLAGS if not (more and f == "--disable-gpu")), *more,
                   f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(read_there, write_there), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.held = b""
        self.last = 0
        self.session = None
        self.complaints = []  # errors and warnings of the page
        self.requests = []  # addresses that were requested
        pages = self.call("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.held:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            block = os.read(self.read_end, 1 << 20)
            if not block:
                raise EOFError("the browser has ended")
            self.held += block
        text, self.held = self.held.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and STALL not in params["entry"]["text"]:
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        """The value of a script in the page (awaited if it is a Promise)."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition, seconds=20):
        """Until a script gives something true, which is returned."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(condition)
            if value:
                return value
            time.sleep(0.02)
        raise TimeoutError(condition)

    def screen(self, width, height, phone=False, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))

    def key(self, key, shift=False):
        code = {" ": "Space"}.get(key, key)
        press = {"key": key, "code": code, "modifiers": 8 if shift else 0}
        if len(key) == 1:
            press["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def mouse(self, kind, x, y, held=True):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                  buttons=1 if held else 0, clickCount=1)

    def drag(self, start, end):
        self.mouse("mousePressed", *start)
        for i in range(1, 6):
            self.mouse("mouseMoved", *(a + (b - a) * i / 5 for a, b in zip(start, end)))
        self.mouse("mouseReleased", *end, held=False)

    def picture(self, path, whole=False):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
