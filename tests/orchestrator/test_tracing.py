"""Calls become spans by the conventions for generative AI, without arguments or results."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.shipped import shipped_artifact

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.orchestrator.tracing import Tracing
from antiphon.testing import run_real


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(shipped_artifact())


def spans_of(registry: Registry, *calls: ToolCall) -> list[ReadableSpan]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    async def main() -> None:
        async with Orchestrator(registry, tracing=Tracing(provider)) as orchestrator:
            session = orchestrator.session(mode="text", user="ada", id="session-1")
            for call in calls:
                await session.dispatch(call)

    run_real(main())
    provider.shutdown()
    return list(exporter.get_finished_spans())


CALL: dict[str, Any] = {"value": "2026-03-03T14:30:00Z", "style": "iso"}


def test_a_call_is_one_span_named_after_its_tool(registry: Registry) -> None:
    (span,) = spans_of(registry, ToolCall("call_0123456789", "format_datetime", CALL))
    assert span.name == "execute_tool format_datetime"
    assert span.attributes is not None
    assert span.attributes["gen_ai.operation.name"] == "execute_tool"
    assert span.attributes["gen_ai.tool.name"] == "format_datetime"
    assert span.attributes["gen_ai.tool.call.id"] == "call_0123456789"
    assert span.attributes["gen_ai.conversation.id"] == "session-1"
    assert span.attributes["antiphon.replayed"] is False
    assert span.status.is_ok or span.status.is_unset


def test_arguments_and_results_are_not_in_a_span(registry: Registry) -> None:
    (span,) = spans_of(registry, ToolCall("call_0123456789", "format_datetime", CALL))
    assert "2026-03-03" not in span.to_json()


def test_a_refused_call_is_an_error_with_its_type(registry: Registry) -> None:
    (span,) = spans_of(registry, ToolCall("call_0123456789", "no_such_tool", {}))
    assert span.attributes is not None
    assert span.attributes["error.type"] == "NOT_FOUND"
    assert not span.status.is_ok


def test_a_replay_says_that_it_is_one(registry: Registry) -> None:
    call = ToolCall("call_0123456789", "format_datetime", CALL)
    first, second = spans_of(registry, call, call)
    assert first.attributes is not None
    assert second.attributes is not None
    assert first.attributes["antiphon.replayed"] is False
    assert second.attributes["antiphon.replayed"] is True
