"""OpenTelemetry spans around calls, by the conventions for generative AI; needs the otel extra."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ToolCall
from antiphon.secrecy.crash_output import traceback_text
from antiphon.secrecy.redaction import clean_log

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

    from antiphon.orchestrator.session import Session

MAX_NAME = 64


class Tracing:
    """Tracing of calls, for `Orchestrator(tracing=...)`; without a provider the global one is used.

    Arguments and results are not part of a span: they may hold what must not be written down.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        from opentelemetry import trace

        self._tracer = trace.get_tracer("antiphon", tracer_provider=provider)
        self._kind = trace.SpanKind.INTERNAL
        self._error = trace.Status(trace.StatusCode.ERROR)

    async def around(
        self, session: Session, call: ToolCall, source: str, work: Coroutine[Any, Any, Envelope]
    ) -> Envelope:
        """Await `work` inside a span; what the handler traces becomes a part of it."""
        name = str(call.name)[:MAX_NAME]
        tool = session.snapshot.tools.get(name)
        attributes: dict[str, str | int] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.conversation.id": session.id,
            "antiphon.mode": session.mode,
            "antiphon.turn": session.view.turn.number,
            "antiphon.source": source,
            "antiphon.registry.version": session.snapshot.version,
        }
        if isinstance(call.id, str):
            attributes["gen_ai.tool.call.id"] = call.id
        if tool is not None:
            attributes["gen_ai.tool.description"] = tool.definition.description
        with self._tracer.start_as_current_span(
            f"execute_tool {name}",
            kind=self._kind,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                envelope = await work
            except Exception as error:
                self._record(span, error)
                raise
            self._close(span, envelope)
        return envelope

    def _record(self, span: Span, error: Exception) -> None:
        """Note an error as the SDK would, without secrets in its words and its traceback."""
        kind = type(error)
        attributes = {
            "exception.type": f"{kind.__module__}.{kind.__qualname__}",
            "exception.message": clean_log(str(error)),
            "exception.stacktrace": traceback_text(kind, error, error.__traceback__),
        }
        span.add_event("exception", attributes)
        span.set_status(self._error)

    def _close(self, span: Span, envelope: Envelope) -> None:
        meta = envelope["meta"]
        span.set_attribute("antiphon.replayed", bool(meta.get("replayed")))
        if "variant" in meta:
            span.set_attribute("antiphon.variant", meta["variant"])
        if not envelope["ok"]:
            span.set_attribute("error.type", str(envelope["error"]["type"]))
            span.set_status(self._error)
