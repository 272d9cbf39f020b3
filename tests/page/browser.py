"""A headless Chromium, driven through its DevTools protocol over two pipes: nothing listens on any port.

Each wait has an end (LIMIT); the browser and all that it has started are gone when the context ends.
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

LIMIT = 60  # seconds for one answer; only a failure comes to it


class Trouble(Exception):
    """The browser did not do what it was told."""


class Browser:
    """`executable`: its path."""

    def __init__(self, executable):
        self.executable = executable

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="dampi-page-")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()
        # It reads from descriptor 3 and writes to 4, wherever the pipes are in this process.
        high = [os.dup2(descriptor, 50 + i, inheritable=True) for i, descriptor in enumerate((to_browser, from_browser))]
        command = ["bash", "-c", f'exec 3<&{high[0]} 4>&{high[1]} {high[0]}<&- {high[1]}>&-; exec "$@"', "bash", self.executable,
                   "--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + self.folder,
                   # In a container, or as root, there is no sandbox to be had; it sees only our own pages.
                   "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-breakpad", "--disable-background-networking", "--disable-component-update",
                   "--disable-extensions", "--disable-sync", "--hide-scrollbars", "about:blank"]
        environment = dict(os.environ, HOME=self.folder, XDG_RUNTIME_DIR=self.folder)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        pass_fds=high, start_new_session=True, env=environment)
        for descriptor in (to_browser, from_browser, *high):
            os.close(descriptor)
        self.buffer = b""
        self.number = 0
        self.events = []
        return self

    def __exit__(self, *_):
        for descriptor in (self.out, self.inp):
            os.close(descriptor)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(LIMIT)
        self.log.close()
        deadline = time.monotonic() + LIMIT
        while self.is_left() and time.monotonic() < deadline:
            time.sleep(0.02)
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_left(self):
        """Whether a process that it had started has not ended yet."""
        try:
            os.killpg(self.process.pid, 0)
            return True
        except ProcessLookupError:
            return False

    def read(self, deadline):
        """The next message."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.inp], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.inp, 1 << 20) if ready else b""
            if not part:
                raise Trouble(("the browser has ended" if ready else f"no answer in {LIMIT} s") + ": " + self.words())
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def words(self):
        """The end of what it has printed."""
        with open(self.log.name, "rb") as file:
            return file.read()[-2000:].decode(errors="replace")

    def call(self, method, session=None, **parameters):
        """The result of a command; what happens meanwhile is added to `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.out, rest):]
        deadline = time.monotonic() + LIMIT
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Trouble(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def wait_for_event(self, method, session):
        deadline = time.monotonic() + LIMIT
        while not any(event.get("method") == method and event.get("sessionId") == session for event in self.events):
            self.events.append(self.read(deadline))

    def open(self, path, width=1280, height=900):
        return Tab(self, path, width, height)


class Tab:
    """A page that is open. `faults` is what went wrong in it so far."""

    def __init__(self, browser, path, width, height):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.url = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.url)
        browser.wait_for_event("Page.loadEventFired", self.session)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def value(self, expression):
        """What a JavaScript expression, or its promise, comes to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Trouble(f"{expression}: {details.get('exception', {}).get('description') or details['text']}")
        return answer["result"].get("value")

    def wait(self, expression, what):
        """Until the expression holds."""
        deadline = time.monotonic() + LIMIT
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise Trouble(f"{what}: not in {LIMIT} s")
            time.sleep(0.02)

    def click(self, selector):
        """With the mouse, in the middle of the first such element, which nothing may cover."""
        found = self.value("""(async () => {
            const find = () => document.querySelector(%s);
            find()?.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
            // What is drawn only where it is in sight may be drawn anew.
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const element = find();
            if (!element) { return 'there is none'; }
            const box = element.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const there = document.elementFromPoint(x, y);
            if (!there || !(element.contains(there) || there.contains(element) || there.parentNode === element.parentNode)) {
                return 'it is covered by ' + (there ? there.outerHTML.slice(0, 120) : 'nothing: it is out of sight');
            }
            return [x, y];
        })()""" % json.dumps(selector))
        if isinstance(found, str):
            raise Trouble(f"click on {selector}: {found}")
        x, y = found
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path, whole=False):
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def faults(self):
        """Errors, warnings, and whatever was fetched beside the page itself, as sentences."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append("exception: " + (details.get("exception", {}).get("description") or details["text"]))
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append("console: " + json.dumps(parameters["args"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append("log: " + parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if url.split("#")[0] != self.url and not url.startswith(("data:", "about:")):
                    found.append("fetched: " + url)
        return found
