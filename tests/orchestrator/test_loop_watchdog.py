"""The watchdog of the event loop: whoever holds it up is named and counted."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest
from tests.orchestrator.test_isolation import ASYNC, built, call, tool, until

import antiphon
from antiphon import Orchestrator, Registry
from antiphon.orchestrator.loop_watchdog import LoopWatchdog
from antiphon.orchestrator.metrics import Metrics
from antiphon.orchestrator.prometheus import render_metrics


@pytest.mark.real_time
@pytest.mark.parametrize(
    "body",
    [
        "    time.sleep(0.4)\n",
        "    await asyncio.sleep(0)\n    time.sleep(0.4)\n",
        # In C and without a moment for other threads. In between one of them may run: not always
        # the watchdog, so it has several chances.
        "    import re\n    for _ in range(5):\n"
        "        re.match('(?:a|.|[^b]|\\\\w)*b', 'a' * 11)\n",
    ],
)
async def test_a_handler_that_holds_the_loop_is_named_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    tool(tmp_path, "greedy", ASYNC + body + "    return ok({})\n", isolation="inline")
    tool(tmp_path, "polite", ASYNC + "    return ok({})\n", isolation="inline")
    metrics = Metrics()

    with caplog.at_level(logging.WARNING, "antiphon.orchestrator.loop_watchdog"):
        async with (
            Orchestrator(built(tmp_path), metrics=metrics) as orchestrator,
            LoopWatchdog(metrics, 0.1),
        ):
            session = orchestrator.session("text", "ada")
            for _ in range(3):
                assert (await call(session, "polite"))["ok"]
            assert (await call(session, "greedy"))["ok"]
            await until(lambda: metrics.loop_held["greedy"])
    assert metrics.loop_held["greedy"] == 1
    # A busy machine may be slow elsewhere as well.
    assert "the handler of greedy, at greedy/handler.py:" in caplog.text
    assert "goes on after" in caplog.text
    assert metrics.snapshot()["loopHeld"]["greedy"] == 1
    page = render_metrics(metrics, registry_version="1", registry_tools=2)
    assert 'antiphon_loop_held_total{tool="greedy"} 1' in page


@antiphon.tool(side_effects="none")
async def greedy_function() -> None:
    """Hold everybody up."""
    time.sleep(0.4)


@pytest.mark.real_time
async def test_a_function_that_holds_the_loop_is_named(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    with caplog.at_level(logging.WARNING, "antiphon.orchestrator.loop_watchdog"):
        async with (
            Orchestrator(Registry.of(greedy_function), metrics=metrics) as orchestrator,
            LoopWatchdog(metrics, 0.1),
        ):
            assert (await call(orchestrator.session("text", "ada"), "greedy_function"))["ok"]
            await until(lambda: metrics.loop_held["greedy_function"])
    said = "the handler of greedy_function, at orchestrator/test_loop_watchdog.py:"
    assert said in caplog.text
