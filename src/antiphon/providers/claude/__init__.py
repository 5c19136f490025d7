"""Claude over the Messages API, streaming, with Anthropic's own SDK."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import EndReason, Fault, FaultKind, ModelTurn, Text, Usage
from antiphon.providers import faults
from antiphon.providers.auth import key_of, kind_of_transport, redact_key, tls_context
from antiphon.providers.claude.history import messages
from antiphon.providers.claude.message import ClaudeMessage, NotAMessage, StreamError
from antiphon.providers.lazy_client import LazyClient
from antiphon.providers.port import Access, Capabilities, Connection, Provider, ProviderFault, Setup
from antiphon.providers.text import ModelAnswer, TextConnection, identified

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

logger = logging.getLogger(__name__)

ADDRESS = "https://api.anthropic.com"

# A model that uses the service's own tools may pause; more often than this is a loop.
MOST_PAUSES = 8
_SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 5}
_GRACE = 0.5  # seconds for the end of a stream, after the end of the message
_CACHED = {"type": "ephemeral"}

_REASONS: Mapping[str, EndReason] = {
    "end_turn": "complete",
    "stop_sequence": "complete",
    "tool_use": "complete",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refused",
}
# What an error inside a stream says, whose HTTP status was 200 long ago.
_KINDS: Mapping[str, FaultKind] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "not_found_error": "not_found",
    "invalid_request_error": "bad_request",
    "request_too_large": "bad_request",
    "rate_limit_error": "rate_limited",
    "timeout_error": "timeout",
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
}


class Claude(Provider):
    """Provider of Claude's Messages API."""

    api = "claude"

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._client = LazyClient(self._make, _closed)

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities(search=True)

    async def connect(self, setup: Setup) -> Connection:
        """Return a connection; nothing is sent before the first prompt."""
        return ClaudeConnection(self, await self._client.get(), setup)

    async def probe(self, seconds: float) -> None:
        client = await self._client.get()
        try:
            async with asyncio.timeout(seconds):
                await client.models.list(limit=1)
        except TimeoutError:
            detail = f"no answer in {seconds:g} s"
            what = faults.fault("claude", "timeout", detail, where=self.address)
            raise ProviderFault(what) from None
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            raise ProviderFault(self.fault(error)) from None

    async def close(self) -> None:
        await self._client.close()

    @property
    def address(self) -> str:
        return self.access.base_url or ADDRESS

    def _make(self) -> AsyncAnthropic:
        key = key_of("claude", self.access)
        try:
            import anthropic
        except ImportError as error:
            raise faults.missing_sdk("claude", error) from None
        http_client = None
        if (context := tls_context("claude", self.access)) is not None:
            # The SDK takes no other client than its own kind.
            http_client = anthropic.DefaultAsyncHttpxClient(verify=context)
        try:
            return anthropic.AsyncAnthropic(
                api_key=key,
                base_url=self.address,
                max_retries=0,  # it would wait for as long as the service tells it to
                http_client=http_client,
            )
        except Exception as error:  # noqa: BLE001 - whatever it finds wrong with an address
            what = faults.fault("claude", "unreachable", repr(error), where=self.address)
            raise ProviderFault(redact_key(what, self.access)) from None

    def fault(self, error: Exception, model: str | None = None) -> Fault:
        """Return the fault that an exception of any layer means."""
        return redact_key(self._fault(error, model), self.access)

    def _fault(self, error: Exception, model: str | None) -> Fault:
        import anthropic

        kind: FaultKind
        match error:
            case anthropic.APIStatusError():
                status: int = error.status_code
                kind = faults.kind_of_status(status)
                return faults.fault(
                    "claude",
                    kind,
                    f"{error.type or status}: {error.api_message or error.message}",
                    retry_after=faults.retry_after(error.response.headers),
                    code=status,
                    where=model if kind == "not_found" else None,
                    said=error.api_message,
                )
            case anthropic.APIResponseValidationError():
                return faults.fault("claude", "protocol", error.message)
            case anthropic.APITimeoutError():
                return faults.fault("claude", "timeout", repr(error))
            case anthropic.APIConnectionError():
                why = repr(error.__cause__ or error)
                return faults.fault("claude", "unreachable", why, where=self.address)
            case StreamError():
                kind = _KINDS.get(error.type, "protocol")
                return faults.fault("claude", kind, f"{error.type}: {error}", said=error)
            case NotAMessage():
                return faults.fault("claude", "protocol", str(error))
        # A line that was cut inside a stream: the SDK lets that through. Or broken text, and
        # whatever else it stumbles over in what it was sent.
        if (below := kind_of_transport(error)) is not None:
            return faults.fault("claude", below, repr(error), where=self.address)
        return faults.fault("claude", "protocol", repr(error))


async def _closed(client: AsyncAnthropic) -> None:
    await client.close()


class ClaudeConnection(TextConnection):
    """One conversation over the Messages API."""

    def __init__(self, provider: Claude, client: AsyncAnthropic, setup: Setup) -> None:
        super().__init__("claude", setup, provider.capabilities(setup.model))
        self._provider = provider
        self._client = client
        self._form = provider.access.catalogue.facts("claude", setup.model).tool_form

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """Those of a whole message. One that ended for another reason than its calls has none: the
        SDK makes a valid call of half a one."""
        body = message if isinstance(message, dict) else message.to_dict()
        if body.get("stop_reason") != "tool_use":
            return []
        blocks = [b for b in body.get("content") or [] if b.get("type") == "tool_use"]
        found = (self._call(b.get("id"), b.get("name"), b.get("input")) for b in blocks)
        return list(identified(found))

    def _call(self, id: Any, name: Any, args: Any) -> ToolCall:
        name = str(name or "")
        return ToolCall(id, name, self.setup.tools.arguments(self._form, name, args))

    def _fault(self, error: Exception) -> Fault:
        return self._provider.fault(error, self.setup.model)

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        said = messages(self.history_in(self._form))
        before: list[dict[str, Any]] = []  # blocks of the turn until it paused
        usage = Usage()
        for _ in range(MOST_PAUSES):
            message = ClaudeMessage()
            stream = await self._client.messages.create(**self._parameters(said))
            # Not the stream itself, which would leave its readers behind when it meets an error.
            events = stream.raw_events(stream.response)
            try:
                while (event := await anext(events, None)) is not None:
                    # A text without letters is a sign of life, when the model thinks or calls.
                    yield Text(message.take(event.event, event.data))
                    if message.over:
                        break
            finally:
                await _close(stream, events, ended=message.over)
            if not message.over:
                return
            usage = _sum(usage, message.usage())
            if message.reason != "pause_turn":
                yield usage
                yield self._answer(message, before)
                return
            before += message.whole_blocks()
            said = [*said, {"role": "assistant", "content": message.whole_blocks()}]
            if not before:
                break
        raise NotAMessage("the model paused again and again")

    def _parameters(self, said: list[dict[str, Any]]) -> dict[str, Any]:
        import anthropic

        setup = self.setup
        request: dict[str, Any] = {
            "model": setup.model,
            "max_tokens": setup.max_tokens,
            "messages": said,
            "stream": True,
            # How long an answer may take is watched over by TextConnection.
            "timeout": anthropic.Timeout(None, connect=setup.deadlines.connect),
        }
        tools = [dict(tool) for tool in setup.tools.declared(self._form)]
        if setup.search and all(tool["name"] != _SEARCH["name"] for tool in tools):
            tools.append(dict(_SEARCH))
        # Everything up to the mark is the same in every request, and cheaper when it is cached:
        # the tools, and after them the instructions.
        if setup.instructions.strip():
            text = {"type": "text", "text": setup.instructions, "cache_control": _CACHED}
            request["system"] = [text]
        elif tools:
            tools[-1]["cache_control"] = _CACHED
        if tools:
            request["tools"] = tools
        return request

    def _answer(self, message: ClaudeMessage, before: list[dict[str, Any]]) -> ModelAnswer:
        reason = _REASONS.get(message.reason or "", "complete")
        if reason == "refused":
            # The service asks for it: what its rules stopped is not to be shown to it again.
            return ModelAnswer(ModelTurn(), reason)
        calling = message.reason == "tool_use"
        asked = list(message.calls()) if calling else []
        good = [call for call in asked if call.complete]
        lost = message.called > len(good)
        calls = identified(self._call(c.block.get("id"), c.block.get("name"), c.args) for c in good)
        for call, made in zip(good, calls, strict=True):
            # What goes back must be an object, and bear the id that its answer will name.
            call.block |= {"id": made.id, "name": made.name}
            call.block["input"] = call.args if isinstance(call.args, dict) else {}
        kept = [id(call.block) for call in good]
        blocks = [*before, *_returned(message.whole_blocks(), kept)]
        if calling and not calls:
            reason = "failed"
        text = "".join(b["text"] for b in blocks if b.get("type") == "text")
        native = blocks if any(b.get("type") != "thinking" for b in blocks) else None
        return ModelAnswer(
            ModelTurn(text, calls, native, "claude" if native else None), reason, lost
        )


async def _close(stream: Any, events: AsyncIterator[Any], *, ended: bool) -> None:
    """Close a stream, and let the SDK's readers see it: they are generators inside generators,
    which nothing else would end at once. A message that has `ended` is read to the very end, after
    which the connection can serve the next one."""
    if not ended:
        await stream.close()
    try:
        async with asyncio.timeout(_GRACE):
            while await anext(events, None) is not None:
                pass
    except Exception as error:  # noqa: BLE001 - the line is closed, as they each say in their way
        logger.debug("a stream of Claude was closed before its end: %r", error)
    finally:
        await stream.close()


def _returned(blocks: list[dict[str, Any]], calls: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the blocks that the service takes back of an answer: no call that is not run, no empty
    text, and no thoughts that lead to nothing."""
    kept = [
        block
        for block in blocks
        if (block["type"] != "tool_use" or id(block) in calls)
        and (block["type"] != "text" or block["text"].strip())
    ]
    while kept and kept[-1]["type"] in ("thinking", "redacted_thinking"):
        kept.pop()
    yield from kept


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.input_tokens + other.input_tokens,
        one.output_tokens + other.output_tokens,
        one.cached_tokens + other.cached_tokens,
        other.details,
        cache_write_tokens=one.cache_write_tokens + other.cache_write_tokens,
    )
