"""The console as people use it: the real server, the real page, a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from antiphon.app.local_model import PHRASES
from antiphon.workspace.playbooks import FOLDER as PLAYBOOK_INDEX

ANTIPHON = str(Path(sys.executable).parent / "antiphon")
PATIENCE_MS = 30_000  # a machine that is busy with other things takes its time
expect.set_options(timeout=PATIENCE_MS)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
# How many times slower than it is the browser's machine shall be: whoever waits for nothing is
# found out.
SLOW = float(os.environ.get("CONSOLE_SLOW") or 1)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"),
    "--autoplay-policy=no-user-gesture-required",
)


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """In place of the check of all other tests: the driver keeps an event loop for a module."""
    before = set(threading.enumerate())
    yield
    left = [t.name for t in set(threading.enumerate()) - before if not t.daemon]
    assert not left, f"threads are left: {left}"


def chromium() -> str:
    # The first is the same browser without its windows and menus, which take most of its time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: scripts/ensure-chromium.sh installs it")
        pytest.skip("Chromium is missing: scripts/ensure-chromium.sh installs it")
    return path


# What a first start works out, which takes four seconds, and every later one finds.
_WORKED_OUT = (PHRASES, PLAYBOOK_INDEX)
_prepared = tempfile.TemporaryDirectory(prefix="console-")


def _copy(source: Path, target: Path) -> None:
    for name in _WORKED_OUT:
        if not (source / name).exists() or (target / name).exists():
            continue
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        else:
            shutil.copy(source / name, target / name)


def _loaded(address: str) -> None:
    """Waits for the built-in model: a busy machine may need longer than an answer may take."""
    for _ in range(20):
        with urllib.request.urlopen(f"{address}/api/vox/status?probe=true", timeout=90) as answer:
            if json.load(answer)["local_available"]:
                return
    pytest.fail("the built-in model is not loaded")


@contextmanager
def serving(
    data: Path, *, built_in: bool = False, port: int = 0, **environment: str
) -> Iterator[str]:
    """`antiphon serve` as a process of its own, on a free port or a given one; its address. With
    `built_in` the built-in model is loaded; few tests ask it, and to load it takes longer than many
    a test."""
    data.mkdir(parents=True, exist_ok=True)
    _copy(Path(_prepared.name), data)
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    kept["ANTIPHON_SERVER__WARM_UP"] = str(built_in).lower()
    process = subprocess.Popen(
        [ANTIPHON, "serve", "--port", str(port), "--data", str(data)],
        env={**kept, **environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    lines: list[str] = []
    drain = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
    try:
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        else:
            pytest.fail("the server did not start:\n" + "".join(lines))
        drain.start()
        if built_in:
            _loaded(found[0])
        yield found[0]
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            pytest.fail("the server did not stop:\n" + "".join(lines[-50:]))
        if drain.ident is not None:
            drain.join(5)
        process.stdout.close()
    _copy(data, Path(_prepared.name))


def go(page: Page, at: str) -> None:
    """Goes to an address like `tools`; what is looked for afterwards is of there, and all there."""
    page.goto(f"/#/{at}")
    # An address that differs after its `#` is told to the page a little later.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(page.locator("main .spinner, main [aria-busy=true]")).to_have_count(0)


def until(page: Page, true: str, argument: Any = None) -> None:
    """Waits for an expression; the page's own way to do that would need a laxer CSP."""
    for _ in range(PATIENCE_MS // 50):
        if page.evaluate(true, argument):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"this did not come true: {true}")


@pytest.fixture(scope="module")
def further_hosts() -> list[str]:
    """Hosts with ports that a module's server answers under beside its own; a module has others by
    a fixture of the same name."""
    return []


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    further_hosts: list[str],
) -> Iterator[str]:
    """One server for the tests of a module; its address. A module with ASKS_BUILT_IN asks the
    built-in model."""
    built_in = getattr(request.module, "ASKS_BUILT_IN", False)
    hosts = {"ANTIPHON_SERVER__HOSTS": ",".join(further_hosts)} if further_hosts else {}
    with serving(tmp_path_factory.mktemp("console"), built_in=built_in, **hosts) as address:
        yield address


class SharedDriver:
    """The driver and the browser that modules of this folder share, as long as one follows the
    other: to start both takes longer than many a test."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._playing: Playwright | None = None
        self._browser: Browser | None = None

    @property
    def playwright(self) -> Playwright:
        if self._playing is None:
            self._playing = self._stack.enter_context(sync_playwright())
        return self._playing

    @property
    def browser(self) -> Browser:
        if self._browser is None:
            chromes = self.playwright.chromium
            self._browser = chromes.launch(executable_path=chromium(), args=[*FLAGS])
            self._stack.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        self._playing = self._browser = None
        self._stack.close()


_DRIVER = SharedDriver()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Outside this folder the driver's event loop would be in the way of the tests."""
    try:
        yield
    finally:
        if nextitem is None or not nextitem.nodeid.startswith("tests/console/"):
            _DRIVER.close()


@pytest.fixture(scope="module")
def playwright() -> Playwright:
    return _DRIVER.playwright


@pytest.fixture(scope="module")
def launch(playwright: Playwright) -> Iterator[Callable[..., Browser]]:
    """Starts a browser; what `wav` holds is spoken into its microphone, once."""
    with ExitStack() as stack:

        def start(wav: Path | None = None, *flags: str) -> Browser:
            spoken = [f"--use-file-for-fake-audio-capture={wav}%noloop"] if wav else []
            browser = playwright.chromium.launch(
                executable_path=chromium(), args=[*FLAGS, *spoken, *flags]
            )
            stack.callback(browser.close)
            return browser

        yield start


@pytest.fixture(scope="module")
def browser() -> Browser:
    return _DRIVER.browser


@dataclass
class Watch:
    """What a page must never do: write errors, fail, or ask anybody but its own server."""

    origin: str
    wrong: list[str] = field(default_factory=list)
    # Parts of messages that a test provokes.
    expected: list[str] = field(default_factory=lambda: ["Service Worker registration blocked"])

    def on(self, context: BrowserContext) -> None:
        context.on("page", self._page)

    def _page(self, page: Page) -> None:
        page.on("console", lambda m: self._note(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(f"{error}"))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        local = (self.origin, self.origin.replace("http", "ws", 1), "data:", "blob:")
        if not url.startswith(local):
            self._note(f"asked elsewhere: {url}")

    def _note(self, text: str) -> None:
        self.wrong.append(text)

    def check(self) -> None:
        bad = [text for text in self.wrong if not any(part in text for part in self.expected)]
        assert not bad, "\n".join(bad)


@pytest.fixture
def watch(server: str) -> Watch:
    return Watch(server)


@pytest.fixture
def opened(browser: Browser, server: str, watch: Watch) -> Iterator[Callable[..., Page]]:
    """Opens the console at an address like `#/tools`, with a storage of its own."""
    with ExitStack() as stack:

        def stored(values: dict[str, Any], cookies: list[Any]) -> Any:
            kept = [{"name": name, "value": json.dumps(v)} for name, v in values.items()]
            return {"cookies": cookies, "origins": [{"origin": server, "localStorage": kept}]}

        def open_page(
            at: str = "",
            *,
            width: dict[str, int] = DESKTOP,
            prefs: Any = None,
            clock: bool = False,
            cookies: list[Any] | None = None,
            arrived: str = "main .page",
            **options: Any,
        ) -> Page:
            # To keep all files for later takes longer than many a test.
            options.setdefault("service_workers", "block")
            context = options.pop("browser", browser).new_context(
                viewport=width,
                base_url=server,
                permissions=["microphone", "clipboard-read", "clipboard-write"],
                # What fades has two colours for a while, and is not where it will be.
                reduced_motion=options.pop("reduced_motion", "reduce"),
                storage_state=stored({"antiphon.prefs": prefs} if prefs else {}, cookies or []),
                **options,
            )
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            watch.on(context)
            page = context.new_page()
            if SLOW > 1:
                line = context.new_cdp_session(page)
                line.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
            if clock:  # of the page; it goes on as ever until the test moves it
                page.clock.install()
            page.goto(at if "://" in at else f"/{at}")
            page.locator(arrived).wait_for()
            return page

        yield open_page
        watch.check()


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    return opened()
