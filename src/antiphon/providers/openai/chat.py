"""OpenAI's Chat Completions, streaming, and every server that speaks them, with OpenAI's SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import EndReason, Fault, FaultKind, ModelTurn, Text, Usage
from antiphon.providers import faults
from antiphon.providers.auth import (
    is_openai,
    kind_of_transport,
    openai_key,
    redact_key,
    tls_context,
)
from antiphon.providers.lazy_client import LazyClient
from antiphon.providers.openai.history import messages
from antiphon.providers.openai.message import ChatMessage, ChatToolCall
from antiphon.providers.port import Access, Capabilities, Connection, Provider, ProviderFault, Setup
from antiphon.providers.text import ModelAnswer, TextConnection, identified

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ADDRESS = "https://api.openai.com/v1"

_REASONS: Mapping[str, EndReason] = {
    "length": "max_tokens",
    "model_length": "max_tokens",
    "content_filter": "refused",
}
# What an error inside a stream says, which has no HTTP status of its own.
_KINDS: Mapping[str, FaultKind] = {
    "invalid_request_error": "bad_request",
    "context_length_exceeded": "bad_request",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "model_not_found": "not_found",
    "requests": "rate_limited",
    "tokens": "rate_limited",
    "rate_limit_error": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "insufficient_quota": "rate_limited",
}


class OpenAIChat(Provider):
    """Provider of Chat Completions, of OpenAI and of every server that speaks them."""

    api = "openai-chat"

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._client = LazyClient(self._make, _closed)
        self.own_address = is_openai(self.address)
        # What this server turned out to take; not every one knows what OpenAI's does.
        self.counts_usage = True
        self.limit = "max_completion_tokens" if self.own_address else "max_tokens"

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities()

    async def connect(self, setup: Setup) -> Connection:
        """Return a connection; nothing is sent before the first prompt."""
        return OpenAIChatConnection(self, await self._client.get(), setup)

    async def probe(self, seconds: float) -> None:
        client = await self._client.get()
        try:
            async with asyncio.timeout(seconds):
                await client.models.list()
        except TimeoutError:
            detail = f"no answer in {seconds:g} s"
            what = faults.fault("openai", "timeout", detail, where=self.address)
            raise ProviderFault(what) from None
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            raise ProviderFault(self.fault(error)) from None

    async def close(self) -> None:
        await self._client.close()

    @property
    def address(self) -> str:
        return self.access.base_url or ADDRESS

    def learn(self, error: Exception) -> bool:
        """Tell whether a request that was refused is worth another try, put in other words."""
        import openai

        if not isinstance(error, openai.APIStatusError) or error.status_code not in (400, 422):
            return False
        said = f"{error.param} {error.message}"
        if self.counts_usage and ("stream_options" in said or "include_usage" in said):
            self.counts_usage = False
            return True
        if self.limit == "max_tokens" and "max_completion_tokens" in said:
            self.limit = "max_completion_tokens"
            return True
        return False

    def _make(self) -> AsyncOpenAI:
        key = openai_key(self.access, self.address)
        try:
            import openai

            from antiphon.providers import event_stream
        except ImportError as error:
            raise faults.missing_sdk("openai", error) from None
        context = tls_context("openai", self.access)
        try:
            return openai.AsyncOpenAI(
                api_key=key,
                base_url=self.address,
                max_retries=0,
                timeout=None,  # how long an answer may take is watched over by TextConnection
                http_client=openai.DefaultAsyncHttpxClient(
                    verify=context or True,
                    event_hooks={"response": [event_stream.hook(_wrong)]},
                ),
            )
        except Exception as error:  # noqa: BLE001 - whatever it finds wrong with an address
            what = faults.fault("openai", "unreachable", repr(error), where=self.address)
            raise ProviderFault(redact_key(what, self.access)) from None

    def fault(self, error: Exception, model: str | None = None) -> Fault:
        """Return the fault that an exception of any layer means."""
        return redact_key(self._fault(error, model), self.access)

    def _fault(self, error: Exception, model: str | None) -> Fault:
        import openai

        match error:
            case openai.APIStatusError():
                kind = faults.kind_of_status(error.status_code)
                what = faults.fault(
                    "openai",
                    kind,
                    f"{error.code or error.type or error.status_code}: {error.message}",
                    retry_after=faults.retry_after(error.response.headers),
                    code=error.status_code,
                    where=_place(kind, model, self.address),
                    said=_said(error.body),
                )
            case openai.APITimeoutError():
                return faults.fault("openai", "timeout", repr(error.__cause__ or error))
            case openai.APIConnectionError():
                kind = kind_of_transport(error.__cause__) or "unreachable"
                why = repr(error.__cause__ or error)
                return faults.fault("openai", kind, why, where=_place(kind, model, self.address))
            case openai.APIResponseValidationError():
                return faults.fault("openai", "protocol", error.message)
            case openai.APIError():  # inside a stream
                kind = _kind_in_stream(error.code, error.type)
                said = f"{error.code or error.type}: {error.message}"
                what = faults.fault("openai", kind, said, said=error.message)
            case _:
                kind = kind_of_transport(error) or "protocol"
                return faults.fault("openai", kind, repr(error))
        if error.code == "insufficient_quota":
            what.retryable = False  # no waiting helps
        return what


class OpenAIChatConnection(TextConnection):
    """One conversation over Chat Completions."""

    def __init__(self, provider: OpenAIChat, client: AsyncOpenAI, setup: Setup) -> None:
        super().__init__("openai", setup, provider.capabilities(setup.model))
        self._provider = provider
        self._client = client
        self._form = provider.access.catalogue.facts("openai", setup.model).tool_form
        if self._form == "openaiResponses":  # a model of another API, asked here all the same
            self._form = "openai"

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """Those of a whole completion; a chunk of a stream has none that is complete."""
        body = message if isinstance(message, dict) else message.to_dict()
        if body.get("object") == "chat.completion.chunk":
            return []
        whole = ChatMessage()
        whole.take(body)
        return list(self._answer(whole).turn.calls)

    def _fault(self, error: Exception) -> Fault:
        return self._provider.fault(error, self.setup.model)

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        from antiphon.providers import event_stream

        message = ChatMessage()
        trouble = event_stream.watch()
        async with await self._open() as stream:
            async for chunk in stream:
                # A text without letters is a sign of life, when the model thinks or calls.
                yield Text("" if trouble else self._added(message, chunk, trouble))
        if trouble:
            raise trouble[0]
        if message.usage is not None:
            yield message.usage
        if message.reason is not None:
            yield self._answer(message)

    def _added(self, message: ChatMessage, chunk: Any, trouble: list[Exception]) -> str:
        """Return the text of one chunk. The stream is read to its end also when it makes no
        sense."""
        try:
            return message.take(chunk)
        except (TypeError, AttributeError) as error:
            trouble.append(error)
            return ""

    async def _open(self) -> Any:
        while True:
            try:
                return await self._client.chat.completions.create(**self._body())
            except Exception as error:
                if not self._provider.learn(error):
                    raise

    def _body(self) -> dict[str, Any]:
        setup = self.setup
        request: dict[str, Any] = {
            "model": setup.model,
            "messages": messages(setup.instructions, self.history_in(self._form)),
            "stream": True,
            self._provider.limit: setup.max_tokens,
        }
        if self._provider.counts_usage:
            request["stream_options"] = {"include_usage": True}
        tools = setup.tools.declared(self._form)
        if tools:  # an empty list is refused
            request["tools"] = tools
        return request

    def _answer(self, message: ChatMessage) -> ModelAnswer:
        if message.reason == "error":  # of servers that stand between us and others
            raise ProviderFault(faults.fault("openai", "overloaded", "the answer ended in error"))
        ended = _REASONS.get(message.reason or "", "complete")
        if message.refused:
            ended = "refused"
        if ended != "complete":
            # What is not run must not come back either: its answer would be missing.
            lost = bool(message.calls) and ended == "max_tokens"
            return ModelAnswer(ModelTurn(message.text), ended, lost_call=lost)
        calls = identified(map(self._call, message.calls))
        native = [call.body(made.id or "") for call, made in zip(message.calls, calls, strict=True)]
        turn = ModelTurn(
            message.text, calls, native or None, self._provider.api if native else None
        )
        return ModelAnswer(turn, ended)

    def _call(self, call: ChatToolCall) -> ToolCall:
        args = self.setup.tools.arguments(self._form, call.name, call.arguments())
        return ToolCall(call.id, call.name, args)


def _wrong(body: Any) -> Exception | None:
    """Return what is wrong with the data of one event, where the SDK would give up."""
    import httpx2
    import openai

    if not isinstance(body, dict):
        return TypeError(f"a chunk is {body!r}")
    error = body.get("error")
    if not error:
        return None
    message = error.get("message") if isinstance(error, dict) else error
    return openai.APIError(str(message), httpx2.Request("POST", "/"), body=error)


async def _closed(client: AsyncOpenAI) -> None:
    await client.close()


def _said(body: Any) -> str:
    """Return the service's own words; of `error.message` the SDK makes the whole body."""
    return str(body.get("message") or "") if isinstance(body, dict) else ""


def _place(kind: FaultKind, model: str | None, address: str) -> str | None:
    if kind == "not_found":
        return f"{model} at {address}" if model else address
    return address if kind == "unreachable" else None


def _kind_in_stream(code: str | None, kind: str | None) -> FaultKind:
    for word in (code, kind):
        if word is not None and word.isdecimal():
            return faults.kind_of_status(int(word))
        if word is not None and word in _KINDS:
            return _KINDS[word]
    return "overloaded"
