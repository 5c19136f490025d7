"""The pytest plug-in: async tests and fixtures, as a project that uses it writes them."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.testing.projects import run_project

from antiphon.testing import pytest_plugin

EVERY_TEST = "[pytest]\nantiphon_async_tests = true\n"

ASYNC = """
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
"""


def test_async_tests_and_fixtures_share_a_loop_of_virtual_time(tmp_path: Path) -> None:
    outcomes, text = run_project(tmp_path, ASYNC, pytest_ini=EVERY_TEST)
    assert len(outcomes) == 5, text
    assert set(outcomes.values()) == {"passed"}, text


def test_naming_the_plug_in_takes_in_every_async_test_too(tmp_path: Path) -> None:
    named = ("-p", "antiphon.testing.pytest_plugin")
    outcomes, text = run_project(tmp_path, ASYNC, *named, plugins=())
    assert len(outcomes) == 5, text
    assert set(outcomes.values()) == {"passed"}, text


def test_the_mark_of_a_test_counts_more_than_that_of_its_module(tmp_path: Path) -> None:
    outcomes, text = run_project(
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
    assert outcomes == {"test_real": "passed", "test_virtual": "passed"}, text


STRANGERS = """
import asyncio, inspect
import pytest

class Other:
    '''Another plug-in for async tests, with fixtures of its own.'''

    def pytest_fixture_setup(self, fixturedef, request):
        if inspect.isasyncgenfunction(fixturedef.func):
            fixturedef.cached_result = ("theirs", fixturedef.cache_key(request), None)
            return "theirs"

    def pytest_pyfunc_call(self, pyfuncitem):
        if inspect.iscoroutinefunction(pyfuncitem.obj):
            asyncio.run(pyfuncitem.obj(**{
                name: pyfuncitem.funcargs[name]
                for name in inspect.signature(pyfuncitem.obj).parameters
            }))
            return True

def pytest_configure(config):
    config.pluginmanager.register(Other())

@pytest.fixture(scope="session")
async def shared():
    yield 1
"""


def test_a_project_that_does_not_ask_is_left_alone(tmp_path: Path) -> None:
    outcomes, text = run_project(
        tmp_path,
        """
import asyncio

async def test_theirs(shared):
    assert shared == "theirs"
    assert type(asyncio.get_running_loop()).__name__ != "VirtualTimeLoop"

async def test_leaks_are_their_affair():
    asyncio.create_task(asyncio.sleep(0))

def test_plain(tmp_path):
    pass
""",
        conftest_py=STRANGERS,
    )
    assert len(outcomes) == 3, text
    assert set(outcomes.values()) == {"passed"}, text


def test_a_test_of_another_plug_in_stays_there(tmp_path: Path) -> None:
    tests = """
import pytest
from antiphon.testing import VirtualTimeLoop
import asyncio

pytestmark = pytest.mark.anyio

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.fixture
def antiphon_tools():
    return []

async def test_theirs(openai_emulator):
    assert not isinstance(asyncio.get_running_loop(), VirtualTimeLoop)

async def test_with_our_fixture(antiphon_app):
    assert antiphon_app.is_open
"""
    outcomes, text = run_project(tmp_path, tests, "-p", "anyio.pytest_plugin")
    assert outcomes == {"test_theirs": "passed", "test_with_our_fixture": "passed"}, text


def test_an_async_test_without_anybody_to_run_it_is_pytests_affair(tmp_path: Path) -> None:
    outcomes, text = run_project(tmp_path, "async def test_it():\n    pass\n")
    assert outcomes == {"test_it": "failed"}, text
    assert "async def functions are not natively supported" in text


def test_pytest_finds_the_plug_in_by_its_entry_point() -> None:
    import tomllib

    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    [(name, target)] = project["entry-points"]["pytest11"].items()
    assert EntryPoint(name, target, "pytest11").load() is pytest_plugin


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
        (
            "@pytest.fixture\ndef plain(made):\n    return made\n\n"
            "async def test_it(plain):\n    pass",
            "The fixture 'plain' is not async, but uses the async fixture 'made'",
        ),
    ],
)
def test_what_cannot_work_fails_with_words(tmp_path: Path, test: str, words: str) -> None:
    fixtures = (
        "import asyncio\nimport pytest\n\n"
        "@pytest.fixture\nasync def made():\n    yield 1\n\n"
        "@pytest.fixture(scope='module')\nasync def shared():\n    yield 1\n\n"
    )
    outcomes, text = run_project(tmp_path, fixtures + test, pytest_ini=EVERY_TEST)
    assert outcomes["test_it"] in ("failed", "error"), text
    assert words in text
