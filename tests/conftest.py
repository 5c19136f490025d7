"""For every test: nothing it starts may outlive it. Hypothesis is deterministic in CI."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.effort import examples

from antiphon.testing.leaks import open_files
from antiphon.testing.reports import describe_thread, is_pool_thread

# How long an example takes says more about the machine than about what is tested.
UNTIMED: dict[str, Any] = {
    "deadline": None,
    "max_examples": examples(100),
    "suppress_health_check": [HealthCheck.too_slow],
}
settings.register_profile("here", **UNTIMED)
settings.register_profile("ci", **UNTIMED, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")

# A browser, speech, other processes, or a server for each test.
LONG = (
    *("tests/console/", "tests/speech/", "tests/server/", "tests/providers/local/"),
    *("tests/chaos/", "tests/tasks/", "tests/knowledge/", "tests/orchestrator/test_endurance.py"),
    *("tests/test_spoken_conversation.py", "tests/test_cli", "tests/test_docs.py"),
    *("tests/test_release.py", "tests/test_extras.py", "tests/test_regexes_linear.py"),
    *("tests/adapters/", "tests/tools/catalogue/", "tests/test_snippets.py"),
)
# They serve the whole process once something has started them.
# A server that outlives the test keeps those for its next calls.
WORKER = "antiphon.workers.child"
HELPERS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")


def pytest_configure() -> None:
    """A shell starts background jobs with SIGINT ignored, which the programs under test would
    inherit: Ctrl-C must reach them however the suite was started."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Whatever is imported stays: looking through all of it again and again took a seventh of the
    # time. Tests that need cycles to be gone collect them.
    gc.set_threshold(5_000, 10, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    # Only a test that leaves something waits so long; a busy machine needs it for what is ending.
    parser.addini("leak_patience", "seconds for what is on its way out", default="10")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long go first: begun last, one would keep everybody else waiting."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: the garbage collector need not look at them each time."""
    gc.collect()
    gc.freeze()


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if not thread.daemon}


def loops() -> set[int]:
    """Descriptors of the selectors of open event loops."""
    return {number for number, target in open_files().items() if "[eventpoll]" in target}


def children() -> set[int]:
    """Processes of ours that run, or that nobody has waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()  # nearly always; the search below is slow
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1]
        except OSError:
            continue  # gone meanwhile
        pid = int(stat.parent.name)
        if int(parent) == os.getpid() and not any(name in command(pid) for name in HELPERS):
            found.add(pid)
    return found


def command(pid: int) -> str:
    try:
        text = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        text = ""
    return text or "ended, but nobody waited for it"


def shared_workers() -> set[int]:
    """Processes that outlive a test on purpose, where there are any."""
    module = sys.modules.get("tests.shared_workers")
    return set() if module is None else module.pids()


def left_behind(before: tuple[set[threading.Thread], set[int], set[int]]) -> Iterator[str]:
    old_threads, old_loops, old_children = before
    # A server that outlives the test may give its pools another thread or process meanwhile.
    main = threading.main_thread()
    serving = any(t is not main and not is_pool_thread(t) for t in old_threads)
    for thread in threads() - old_threads:
        if not (serving and is_pool_thread(thread)):
            yield describe_thread(thread)
    for number in loops() - old_loops:
        yield f"an event loop that is not closed (descriptor {number})"
    for pid in children() - old_children - shared_workers():
        if serving and WORKER in command(pid):
            continue
        yield f"child process {pid}: {command(pid)}"


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    before = threads(), loops(), children()
    yield
    if asyncio._get_running_loop() is not None:
        pytest.fail(f"{request.node.nodeid} leaves an event loop running", pytrace=False)
    until = time.monotonic() + float(request.config.getini("leak_patience"))
    while left := list(left_behind(before)):
        if time.monotonic() < until:
            time.sleep(0.01)
            continue
        text = "\n".join(f"- {thing}" for thing in left)
        pytest.fail(f"{request.node.nodeid} leaves behind:\n{text}", pytrace=False)
