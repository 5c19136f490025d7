"""Pytest plug-in: `async def` tests and fixtures, run under virtual time and checked for leaks.

Enable it with `-p antiphon.testing.pytest_plugin`. Each async test gets an event loop of its own,
through `antiphon.testing.run`; the mark `virtual_time(...)` passes options to it, and the mark
`real_time(...)` uses `run_real` instead. Async fixtures are generators with function scope: the
loop of the test that asks for them enters and leaves them.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from antiphon.testing.running import run, run_real


@dataclass(eq=False, slots=True)
class _UnopenedFixture:
    """An async fixture that the test's own loop has yet to enter."""

    function: Callable[..., AsyncIterator[Any]]
    arguments: dict[str, Any]


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
    if not inspect.isasyncgenfunction(fixturedef.func):
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
    _runner(pyfuncitem)(_within_fixtures(pyfuncitem))
    return True


def _runner(item: pytest.Function) -> Callable[[Coroutine[Any, Any, None]], None]:
    # The closest mark counts: a test may differ from its module.
    marks = (mark for mark in item.iter_markers() if mark.name in ("real_time", "virtual_time"))
    mark = next(marks, None)
    if mark is not None and mark.name == "real_time":
        return lambda main: run_real(main, **mark.kwargs)
    options = {} if mark is None else mark.kwargs
    return lambda main: run(main, **options)


async def _within_fixtures(item: pytest.Function) -> None:
    """Enter the async fixtures of a test, those of its fixtures first, and call it."""
    async with AsyncExitStack() as stack:
        entered: dict[_UnopenedFixture, Any] = {}

        async def value_of(given: Any) -> Any:
            if not isinstance(given, _UnopenedFixture):
                return given
            if given not in entered:
                arguments = {name: await value_of(each) for name, each in given.arguments.items()}
                opened = asynccontextmanager(given.function)(**arguments)
                entered[given] = await stack.enter_async_context(opened)
            return entered[given]

        values = {name: await value_of(given) for name, given in item.funcargs.items()}
        wanted = inspect.signature(item.obj).parameters
        await item.obj(**{name: values[name] for name in wanted if name in values})
