"""The pytest plug-in: async tests and fixtures, as a project that uses it writes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def outcome(folder: Path, text: str) -> tuple[str, int]:
    """What pytest prints for a file of tests, and its status."""
    (folder / "test_it.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "antiphon.testing.pytest_plugin"]
    done = subprocess.run(
        [*command, "-p", "no:randomly", "-p", "no:cacheprovider", "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout, done.returncode


def test_async_tests_and_fixtures_share_a_loop_of_virtual_time(tmp_path: Path) -> None:
    text, status = outcome(
        tmp_path,
        """
import asyncio, time
import pytest

entered = []

@pytest.fixture
async def outer():
    entered.append(asyncio.get_running_loop())
    yield "outer"
    assert asyncio.get_running_loop() is entered[0]
    entered.append("left")

@pytest.fixture
async def inner(outer, tmp_path):
    yield f"{outer} and inner"

async def test_a_day_passes_at_once(inner, outer):
    begun = time.monotonic()
    await asyncio.sleep(86400)
    assert asyncio.get_running_loop().time() >= 86400
    assert time.monotonic() - begun < 60
    assert (inner, outer) == ("outer and inner", "outer")
    assert asyncio.get_running_loop() is entered[0]

def test_the_fixture_was_left():
    assert entered[1] == "left"

@pytest.mark.real_time(timeout=20)
async def test_real_time():
    assert type(asyncio.get_running_loop()).__name__ != "VirtualTimeLoop"

@pytest.mark.virtual_time(start=1000.0)
@pytest.mark.parametrize("number", [1, 2])
async def test_options(number):
    assert asyncio.get_running_loop().wall_offset == 1000.0
""",
    )
    assert status == 0, text
    assert "5 passed" in text


def test_the_mark_of_a_test_counts_more_than_that_of_its_module(tmp_path: Path) -> None:
    text, status = outcome(
        tmp_path,
        """
import asyncio
import pytest

pytestmark = pytest.mark.real_time(timeout=20)

async def test_real():
    assert type(asyncio.get_running_loop()).__name__ != "VirtualTimeLoop"

@pytest.mark.virtual_time
async def test_virtual():
    assert type(asyncio.get_running_loop()).__name__ == "VirtualTimeLoop"
""",
    )
    assert status == 0, text


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (
            "async def test_it():\n    asyncio.create_task(asyncio.Event().wait())",
            "LeakError",
        ),
        ("async def test_it():\n    await asyncio.Event().wait()", "DeadlockError"),
        ("def test_it(made):\n    pass", "is no async test, but uses the async fixture 'made'"),
        (
            "async def test_it(shared):\n    pass",
            "an async fixture can only have scope 'function'",
        ),
    ],
)
def test_what_cannot_work_fails_with_words(tmp_path: Path, test: str, words: str) -> None:
    fixtures = (
        "import asyncio\nimport pytest\n\n"
        "@pytest.fixture\nasync def made():\n    yield 1\n\n"
        "@pytest.fixture(scope='module')\nasync def shared():\n    yield 1\n\n"
    )
    text, status = outcome(tmp_path, fixtures + test)
    assert status == 1, text
    assert words in text
