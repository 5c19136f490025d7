"""Pytest plug-in: `async def` tests under virtual time, checked for leaks, and fixtures for agents.

pytest finds it by its entry point. It leaves a test alone unless the test asks for it: by one of
the fixtures in `antiphon.testing.fixtures`, by the mark `virtual_time(...)` or `real_time(...)`, or
because the project has `antiphon_async_tests = true` in its settings of pytest, which takes in
every async test. `-p antiphon.testing.pytest_plugin` says the same.

Each async test gets an event loop of its own, through `antiphon.testing.run`; the mark
`virtual_time(...)` passes options to it, and the mark `real_time(...)` uses `run_real` instead, as
do tests with an emulator, which answers from another thread. Async fixtures are generators with
function scope: the loop of the test that asks for them enters and leaves them.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from antiphon.testing.fixtures import (
    anthropic_emulator,
    antiphon_app,
    antiphon_model,
    antiphon_session,
    antiphon_talk,
    antiphon_tools,
    gemini_emulator,
    openai_emulator,
)

__all__ = [
    "anthropic_emulator",
    "antiphon_app",
    "antiphon_model",
    "antiphon_session",
    "antiphon_talk",
    "antiphon_tools",
    "gemini_emulator",
    "openai_emulator",
]

_MARKS = ("real_time", "virtual_time")
_EMULATORS = frozenset({"anthropic_emulator", "gemini_emulator", "openai_emulator"})
_CLAIMING = _EMULATORS | {"antiphon_app", "antiphon_session", "antiphon_talk"}
# With an emulator: the vendor's SDK takes seconds to import, and more on a busy machine.
_VENDOR_SECONDS = 120.0
# Marks by which other plug-ins know their async tests.
_OTHERS = ("anyio", "asyncio", "trio")
_EVERY_TEST = "antiphon_async_tests"


@dataclass(eq=False, slots=True)
class _UnopenedFixture:
    """An async fixture that the test's own loop has yet to enter."""

    function: Callable[..., AsyncIterator[Any]]
    arguments: dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the setting that takes in every async test of a project."""
    parser.addini(
        _EVERY_TEST, "antiphon: run every async test and fixture", type="bool", default=False
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks that choose the clock of an async test."""
    config.addinivalue_line(
        "markers",
        "virtual_time(start, watchdog, patience, ignore): options of antiphon.testing.run",
    )
    config.addinivalue_line(
        "markers", "real_time(timeout, ignore): run the async test by antiphon.testing.run_real"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: Any
) -> _UnopenedFixture | None:
    """Put an async generator fixture aside until the test's loop runs."""
    if not _takes_every_test(request.config) and not _asks_for_us(request.node):
        return None
    if not inspect.isasyncgenfunction(fixturedef.func):
        _check_arguments(fixturedef, request)
        return None
    if fixturedef.scope != "function":
        raise pytest.UsageError(
            f"The async fixture {fixturedef.argname!r} has scope {fixturedef.scope!r}: each test "
            "has a loop of its own, so an async fixture can only have scope 'function'."
        )
    arguments = {name: request.getfixturevalue(name) for name in fixturedef.argnames}
    unopened = _UnopenedFixture(fixturedef.func, arguments)
    fixturedef.cached_result = (unopened, fixturedef.cache_key(request), None)
    return unopened


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in a loop of its own; leave every other test to pytest."""
    unopened = [
        name for name, value in pyfuncitem.funcargs.items() if isinstance(value, _UnopenedFixture)
    ]
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        if unopened:
            pytest.fail(
                f"{pyfuncitem.name} is no async test, but uses the async fixture {unopened[0]!r}.",
                pytrace=False,
            )
        return None
    if not _takes_every_test(pyfuncitem.config) and not _asks_for_us(pyfuncitem):
        return None
    _runner(pyfuncitem)(_within_fixtures(pyfuncitem))
    return True


def _check_arguments(fixturedef: pytest.FixtureDef[Any], request: Any) -> None:
    """Fail for a plain fixture of an async one, which would get something that is not open yet."""
    for name in fixturedef.argnames:
        if isinstance(request.getfixturevalue(name), _UnopenedFixture):
            pytest.fail(
                f"The fixture {fixturedef.argname!r} is not async, but uses the async fixture "
                f"{name!r}. Make it an async generator: `async def`, with `yield`.",
                pytrace=False,
            )


def _takes_every_test(config: pytest.Config) -> bool:
    return bool(config.getini(_EVERY_TEST)) or __name__ in (config.getoption("plugins") or ())


def _asks_for_us(node: Any) -> bool:
    """Whether a test uses our marks or fixtures; False for a module, class or session."""
    if not isinstance(node, pytest.Function):
        return False
    if any(node.get_closest_marker(name) is not None for name in _OTHERS):
        return False
    return not _CLAIMING.isdisjoint(node.fixturenames) or _mark(node) is not None


def _mark(item: pytest.Function) -> pytest.Mark | None:
    # The closest mark counts: a test may differ from its module.
    return next((mark for mark in item.iter_markers() if mark.name in _MARKS), None)


def _runner(item: pytest.Function) -> Callable[[Coroutine[Any, Any, None]], None]:
    from antiphon.testing.running import run, run_real

    mark = _mark(item)
    if mark is not None:
        runner = run_real if mark.name == "real_time" else run
        return lambda main: runner(main, **mark.kwargs)
    if not _EMULATORS.isdisjoint(item.fixturenames):
        return lambda main: run_real(main, timeout=_VENDOR_SECONDS)
    return run


async def _within_fixtures(item: pytest.Function) -> None:
    """Enter the async fixtures of a test, those of its fixtures first, and call it."""
    async with AsyncExitStack() as stack:
        entered: dict[_UnopenedFixture, Any] = {}

        async def value_of(name: str, given: Any) -> Any:
            if name in _EMULATORS:
                stack.callback(given.stop)  # before leaks are looked for
            if not isinstance(given, _UnopenedFixture):
                return given
            if given not in entered:
                arguments = {
                    name: await value_of(name, each) for name, each in given.arguments.items()
                }
                opened = asynccontextmanager(given.function)(**arguments)
                entered[given] = await stack.enter_async_context(opened)
            return entered[given]

        values = {name: await value_of(name, given) for name, given in item.funcargs.items()}
        wanted = inspect.signature(item.obj).parameters
        await item.obj(**{name: values[name] for name in wanted if name in values})
