"""The web pages in a real browser: Debian's chromium, driven by its chromium-driver.

All classes of a process share one browser, and each has a `nim-arena web`; a test opens pages of its
own, or goes on within the play page. What the browser says is part of every test: an error or a warning
on the console, a violation of the Content-Security-Policy or an alert fails it.

NIMARENA_BIN names the folder of the programs, NIMARENA_WEB_FOLDER one for pictures and axe-core. With
NIMARENA_WEB_PICTURES=1 a picture of each state that is looked at is kept there, and of what does not come.
"""
import atexit
import base64
import contextlib
import ctypes
import fcntl
import functools
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "e2e"))

from arena import ARENA, BIN, ENGINE, ROOT, player, zoo  # noqa: E402, F401 (tests use them)
from selenium import webdriver  # noqa: E402
from selenium.common.exceptions import (  # noqa: E402
    JavascriptException, NoSuchElementException, TimeoutException, WebDriverException)
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

from axe import AXE_RUN, axe_source  # noqa: E402

PATIENCE = 300  # seconds, for what hangs
FOLDER = pathlib.Path(os.environ.get("NIMARENA_WEB_FOLDER", BIN.parent / "tests" / "web"))
SCREENSHOTS = FOLDER / "screenshots"
KEEPS_PICTURES = bool(os.environ.get("NIMARENA_WEB_PICTURES"))

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # of sched.h
SIOCSIFFLAGS, IFF_UP = 0x8914, 1  # of sys/ioctl.h and net/if.h

WIDE = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}

# Installed before the first script of each page: observes it, and leaves out its short pauses, which
# are for the eye, where no animations are wanted. __once(holds, act) is for tests: each look comes
# later than the one before, or what a busy machine delays would make it busier.
WATCH = """
{
  const later = window.setTimeout, still = matchMedia("(prefers-reduced-motion: reduce)");
  window.setTimeout = (run, ms, ...rest) => later(run, still.matches && ms < 500 ? 0 : ms, ...rest);
  window.__once = (holds, act, pause = 5) => holds() ? act()
    : later(window.__once, pause, holds, act, Math.min(1.3 * pause, 200));
}
window.__trouble = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__trouble.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
for (const name of ["alert", "confirm", "prompt"])
  window[name] = (text) => { window.__trouble.push(`${name}: ${text}`); };
window.addEventListener("unhandledrejection", (event) =>
  window.__trouble.push(`rejection: ${event.reason}`));
"""


# However busy the machine is, the server knows what it can know, and bots are never late.
UNHURRIED = ("--think", "60000", "--movetime", "60000")
WEB = ("web", "--listen", "127.0.0.1:0", "--seed", "7")


class Server:
    """`nim-arena web`, or another command with --web, on a free port; `said` is what it writes before
    its address. `url` has no slash at its end."""

    def __init__(self, *arguments, said="listening on ",
                 command=(*WEB, *UNHURRIED)):
        self.complaints = tempfile.TemporaryFile()
        self.process = subprocess.Popen([ARENA, *command, *map(str, arguments)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.complaints)
        line = self.process.stdout.readline().decode()
        if not line.startswith(said):
            self.stop()
            raise AssertionError(f"no server: {line!r}")
        self.url = "/".join(line.split()[-1].split("/")[:3])

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.complaints.close()

    def ask(self, path, **keys):
        """The JSON of the server's response, whatever the status."""
        request = urllib.request.Request(self.url + path)
        if keys:
            request.data = json.dumps(keys).encode()
            request.add_header("Content-Type", "application/json")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)


def truth(position):
    """The evaluation of a position by nim-engine."""
    done = subprocess.run([ENGINE, "eval", "--json", position], stdout=subprocess.PIPE,
                          timeout=PATIENCE, check=True)
    return json.loads(done.stdout)


def browser_command(folder):
    """The program to start. The shell of chromium has no windows and takes two thirds of its time; but
    chromium-driver waits for a page, which the shell does not open unless told so."""
    shell = pathlib.Path("/usr/lib/chromium/chromium-headless-shell")
    if not shell.exists():
        return shutil.which("chromium") or "/usr/bin/chromium"
    script = folder / "browser"
    script.write_text(f'#!/bin/sh\nexec {shell} "$@" about:blank\n')
    script.chmod(0o755)
    return str(script)


@functools.cache
def browser(touch):
    """The browser of this process, or the one that can be touched: to start one takes seconds."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    driver = open_browser(pathlib.Path(folder.name), touch)
    atexit.register(driver.quit)  # before the folder goes
    driver.set_script_timeout(PATIENCE)
    driver.set_page_load_timeout(PATIENCE)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    return driver


def browser_that_answers(touch):
    try:
        browser(touch).title
    except WebDriverException:  # it has crashed in an earlier class
        browser.cache_clear()
    return browser(touch)


def open_browser(folder, touch):
    options = webdriver.ChromeOptions()
    options.binary_location = browser_command(folder)
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
                 "--no-first-run", "--disable-background-networking", "--no-proxy-server",
                 "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
                 "--disable-extensions", "--disable-default-apps", "--hide-scrollbars",
                 "--disable-ipc-flooding-protection",  # tests go from game to game fast
                 # No threads to hand the work to, and no optimizing compilers, as pages are left
                 # before those would pay. Without a thread for it the shell draws no frame: pictures, for
                 # which it would wait, and touches need one.
                 *["--disable-threaded-compositing"] * (not touch and not KEEPS_PICTURES), "--in-process-gpu",
                 "--js-flags=--single-threaded,--no-opt,--no-maglev",
                 "--force-color-profile=srgb", "--lang=en", f"--user-data-dir={folder}/profile"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Its output is discarded: Debian's launcher and chromium itself print much.
    service = Service(shutil.which("chromedriver") or "/usr/bin/chromedriver",
                      log_path=os.devnull)
    return webdriver.Chrome(service=service, options=options)


@functools.cache
def leave_network():
    """Goes into a network of its own with loopback alone, where the system allows it: chromium breaks
    off all requests (ERR_NETWORK_CHANGED) whenever an interface of its network changes."""
    axe_source()  # which may have to be fetched
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWNET | (0 if user == 0 else CLONE_NEWUSER)) != 0:
        print(f"no network of its own: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        return
    if user != 0:
        pathlib.Path("/proc/self/setgroups").write_text("deny")
        pathlib.Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        pathlib.Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with socket.socket() as any_socket:
        request = struct.pack("16sh14x", b"lo", IFF_UP)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, request)


LOADS = itertools.count()

# The middle of an element, and what can be pressed there; an option itself; null if there is no such element.
MIDDLE = """
const node = document.querySelector(arguments[0]);
if (node === null || node.tagName === "OPTION") return node;
node.scrollIntoView({block: "center", inline: "nearest"});
const [box] = node.getClientRects();
if (box === undefined) return {free: false, seen: "nothing: it is not shown"};
const x = Math.floor(box.left + box.width / 2), y = Math.floor(box.top + box.height / 2);
const seen = document.elementFromPoint(x, y);
return {x, y, free: node.contains(seen), seen: seen?.outerHTML.slice(0, 200)}"""

# Takes a part out of the page, if there is one: axe-core reads the style of whatever is in the page.
TAKE_OUT = """
const part = arguments[0] && document.querySelector(arguments[0]), place = document.createComment("");
part?.replaceWith(place);
window.__putBack = () => part && place.replaceWith(part);
"""

# The width of the page, and what is wider than the screen.
WIDTH = """return [document.documentElement.scrollWidth, [...document.querySelectorAll("body *")]
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((node) =>
    `${node.tagName} ${node.id} ${node.className?.baseVal ?? node.className}`)]"""


class WebTest(unittest.TestCase):
    maxDiff = None
    server_arguments = ()
    touch = False  # whether the tests of the class touch the screen

    @classmethod
    def setUpClass(cls):
        leave_network()
        with contextlib.ExitStack() as stack:
            cls.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            cls.server = cls.start_server()
            stack.callback(lambda: cls.server.stop())
            cls.driver = browser_that_answers(cls.touch)
            stack.callback(cls.driver.get, "about:blank")  # first: no page may outlive its server
            cls.addClassCleanup(stack.pop_all().close)

    @classmethod
    def start_server(cls):
        return Server(*cls.server_arguments)

    @classmethod
    def command(cls, name, **keys):
        """A command of the Chrome DevTools Protocol."""
        return cls.driver.execute_cdp_cmd(name, keys)

    def setUp(self):
        self.allowed = []
        self.screen()
        self.driver.get_log("browser")  # drops the lines of an earlier test

    def tearDown(self):
        self.assertEqual(self.troubles(), [])

    # ---- what the browser says ----

    def allow(self, *words):
        """Console lines that hold one of these words are part of this test: the browser reports each
        refused request as an error."""
        self.allowed += words

    def troubles(self):
        lines = [entry["message"] for entry in self.driver.get_log("browser")
                 if entry["level"] in ("SEVERE", "WARNING")]
        lines = [line for line in lines if not any(word in line for word in self.allowed)]
        return lines + (self.run_js("return window.__trouble ?? []") or [])

    # ---- the screen ----

    def screen(self, size=WIDE, dark=False, still=True):
        """Sets the screen of the window. `still` asks for no animations."""
        wanted = (self.driver.current_window_handle, *size.values(), dark, still)
        if getattr(self.driver, "screen", None) == wanted:
            return  # else all would be laid out anew
        self.driver.screen = wanted
        self.command("Emulation.setDeviceMetricsOverride", **size)
        self.command("Emulation.setTouchEmulationEnabled", enabled=self.touch, maxTouchPoints=1)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def look(self, name, but=None):
        """Has axe-core and the layout checked, dark at the size of a phone and light on a wide screen,
        where axe-core only looks at the colours; and keeps pictures of both if they are wanted. `but`
        is a part of the page that is passed over."""
        looks = ((PHONE, "phone", True, None), (WIDE, "wide", False, ["color-contrast"]))
        for size, kind, dark, _ in looks if KEEPS_PICTURES else ():
            self.screen(size, dark)
            self.picture(f"{name}-{kind}")
        found = []
        self.run_js(TAKE_OUT, but)
        for size, kind, dark, rules in looks:
            self.screen(size, dark)
            found += [f"{name} ({kind}, {size['width']} px): {line}"
                      for line in self.violations(rules)]
            width, widest = self.run_js(WIDTH)
            if width > size["width"]:
                found.append(f"{name} ({kind}): the page is {width} px wide: {widest}")
        self.run_js("window.__putBack?.()")
        self.assertEqual(found, [])

    def picture(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        metrics = self.command("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "scale": 1, "width": metrics["width"],
                "height": min(metrics["height"], 4000)}
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def violations(self, rules=None):
        """What violates these rules of axe-core, or all."""
        source = axe_source()
        if source is None:
            return []
        if not self.run_js("return typeof axe === 'object'"):
            self.driver.execute_script(source)
        return self.driver.execute_async_script(AXE_RUN, rules)

    # ---- the page ----

    def run_js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, path):
        """Loads a page anew, even if only the part after # differs: no query was there before."""
        path, *rest = path.split("#", 1)
        self.driver.get("#".join([f"{self.server.url}{path}?{next(LOADS)}", *rest]))

    def leave(self):
        """Leaves a page that a test has changed."""
        self.driver.get("about:blank")

    def forget(self):
        """Clears what pages of this server have kept in the browser."""
        self.command("Storage.clearDataForOrigin", origin=self.server.url, storageTypes="local_storage")

    def find(self, selector):
        """The first such element, once there is one: the page may still ask the server for it."""
        with contextlib.suppress(NoSuchElementException):
            return self.driver.find_element(By.CSS_SELECTOR, selector)
        self.await_element(selector)
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def await_element(self, selector):
        self.until("document.querySelector(given[0]) !== null", selector, what=f"there is no {selector}")

    def asked(self, script, selector, *arguments):
        """What a script returns of the first such element; while there is none, it returns null."""
        found = self.run_js(script, selector, *arguments)
        if found is None:
            self.await_element(selector)
            found = self.run_js(script, selector, *arguments)
        return found

    def attribute(self, selector, name):
        """A property or else an attribute of the first such element; "" if it has none."""
        return self.asked("""const [selector, name] = arguments, node = document.querySelector(selector);
          return node && ((name in node ? node[name] : node.getAttribute(name)) ?? "")""", selector, name)

    def write(self, selector, text):
        """Types into a field, over what is there."""
        self.assertTrue(self.asked("""const field = document.querySelector(arguments[0]);
          field?.focus(); field?.select(); return field && document.activeElement === field""", selector),
                        f"{selector} takes no keys")
        ActionChains(self.driver).send_keys(text or Keys.BACKSPACE).perform()

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text in the document, visible or not."""
        return self.run_js("return document.querySelector(arguments[0])?.textContent ?? null",
                           selector)

    def texts(self, selector):
        """The texts that are seen. At once: the page may draw itself anew at any time."""
        return self.run_js("""return [...document.querySelectorAll(arguments[0])]
          .map((node) => node.innerText.replaceAll("\\t", " "))""", selector)

    def shown(self, selector):
        return self.run_js("""return [...document.querySelectorAll(arguments[0])].some((node) =>
          node.checkVisibility({visibilityProperty: true}) && node.getClientRects().length > 0)""", selector)

    def click(self, selector):
        """Scrolls to the element, and presses the mouse in its middle: this takes a sixth of what click()
        of WebDriver does. That opens the list of an option, too."""
        there = self.asked(MIDDLE, selector)
        if not isinstance(there, dict):
            return there.click()
        self.assertTrue(there["free"], f"{selector} is covered by {there['seen']}")
        for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
            self.command("Input.dispatchMouseEvent", type=kind, x=there["x"], y=there["y"], button="left",
                         buttons=buttons, clickCount=1)
        return None

    def wait(self, holds, what="it does not come to that"):
        """Waits; returns the first true value of `holds()`."""
        end = time.monotonic() + PATIENCE
        pause = 0.03  # longer each time, as within the page
        while not (value := holds()):
            if time.monotonic() > end:
                self.did_not_come(what)
            time.sleep(pause)
            pause = min(1.3 * pause, 0.5)
        return value

    def until(self, condition, *arguments, result="", what="it does not come to that"):
        """Waits for an expression of JavaScript to be true, within the page: each look from here
        costs what ten looks cost there. Returns another expression, `result`."""
        script = f"""const given = arguments, done = given[given.length - 1];
          __once(() => ({condition}), () => done({result}));"""
        while True:
            try:
                return self.run_until(script, *arguments, what=what)
            except JavascriptException as error:  # a page that is left cannot call back
                if "unloaded" not in str(error):
                    raise

    def run_until(self, script, *arguments, what):
        """Runs a script until it calls back; returns what it gives."""
        try:
            return self.driver.execute_async_script(script, *arguments)
        except TimeoutException:
            return self.did_not_come(what)

    def did_not_come(self, what):
        if self.touch or KEEPS_PICTURES:
            self.picture(f"failed-{self.id().rsplit('.', 1)[-1]}")
        self.fail(f"{what}; console: {self.troubles()}")

    def wait_text(self, selector, expected):
        self.wait(lambda: self.text(selector) == expected,
                  f"{selector} does not become {expected!r}, it is {self.text(selector)!r}")
