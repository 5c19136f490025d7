"""Gemini over generateContent, streaming, with Google's own SDK."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import EndReason, Fault, Grounded, ModelTurn, Text, Usage
from antiphon.providers import faults
from antiphon.providers.auth import key_of, kind_of_transport, redact_key, tls_context
from antiphon.providers.gemini.config import SEARCHED
from antiphon.providers.gemini.history import Part, contents
from antiphon.providers.lazy_client import LazyClient
from antiphon.providers.port import Access, Capabilities, Connection, Provider, ProviderFault, Setup
from antiphon.providers.text import ModelAnswer, TextConnection, identified

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client, types

logger = logging.getLogger(__name__)

ADDRESS = "https://generativelanguage.googleapis.com"

_REASONS: Mapping[str, EndReason] = {
    "STOP": "complete",
    "MAX_TOKENS": "max_tokens",
    "SAFETY": "refused",
    "RECITATION": "refused",
    "LANGUAGE": "refused",
    "BLOCKLIST": "refused",
    "PROHIBITED_CONTENT": "refused",
    "SPII": "refused",
    "IMAGE_SAFETY": "refused",
    "IMAGE_PROHIBITED_CONTENT": "refused",
    "IMAGE_RECITATION": "refused",
}


# After these the model has failed, whatever came before.
_FAILED = frozenset(
    (
        *("MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL"),
        *("TOO_MANY_TOOL_CALLS", "NO_IMAGE", "IMAGE_OTHER"),
    )
)
# Where arguments that are no object are kept, of which the SDK could make nothing.
_NO_OBJECT = "antiphon:arguments"


class GeminiText(Provider):
    """Provider of Gemini's generateContent."""

    api = "gemini"

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._client = LazyClient(self._make, self._closed)
        self._http: httpx2.AsyncClient | None = None

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities(search=True)

    async def connect(self, setup: Setup) -> Connection:
        """Return a connection; nothing is sent before the first prompt."""
        return GeminiTextConnection(self, await self._client.get(), setup)

    async def probe(self, seconds: float) -> None:
        client = await self._client.get()
        try:
            async with asyncio.timeout(seconds):
                await client.aio.models.list(config={"page_size": 1})
        except TimeoutError:
            detail = f"no answer in {seconds:g} s"
            what = faults.fault("gemini", "timeout", detail, where=self.address)
            raise ProviderFault(what) from None
        except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
            raise ProviderFault(self.fault(error)) from None

    async def close(self) -> None:
        await self._client.close()

    async def _closed(self, client: Client) -> None:
        await client.aio.aclose()
        client.close()
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    @property
    def address(self) -> str:
        return self.access.base_url or ADDRESS

    def _make(self) -> Client:
        key = key_of("gemini", self.access)
        try:
            import httpx2
            from google.genai import Client, types

            from antiphon.providers import event_stream
        except ImportError as error:
            raise faults.missing_sdk("gemini", error) from None
        context = tls_context("gemini", self.access)
        try:
            self._http = httpx2.AsyncClient(
                verify=context or True,
                timeout=None,  # how long an answer may take is watched over by TextConnection
                event_hooks={"response": [event_stream.hook(_wrong)]},
            )
            # A slash at the end would be doubled.
            options = types.HttpOptions(
                base_url=self.address.rstrip("/"), httpx_async_client=self._http
            )
            # Without `vertexai` the environment could send the key somewhere else.
            return Client(api_key=key, vertexai=False, http_options=options)
        except Exception as error:  # noqa: BLE001 - whatever it finds wrong with an address
            what = faults.fault("gemini", "unreachable", repr(error), where=self.address)
            raise ProviderFault(redact_key(what, self.access)) from None

    def fault(self, error: Exception, model: str | None = None) -> Fault:
        """Return the fault that an exception of any layer means."""
        return redact_key(self._fault(error, model), self.access)

    def _fault(self, error: Exception, model: str | None) -> Fault:
        from google.genai import errors

        if isinstance(error, errors.APIError):
            return _refusal(error, model)
        kind = kind_of_transport(error)
        if kind is not None:
            where = self.address if kind == "unreachable" else None
            return faults.fault("gemini", kind, repr(error), where=where)
        # Half JSON, wrong types, and whatever the SDK stumbles over in what it was sent.
        return faults.fault("gemini", "protocol", repr(error))


class GeminiTextConnection(TextConnection):
    """One conversation over generateContent."""

    def __init__(self, provider: GeminiText, client: Client, setup: Setup) -> None:
        super().__init__("gemini", setup, provider.capabilities(setup.model))
        self._provider = provider
        self._client = client
        self._form = provider.access.catalogue.facts("gemini", setup.model).tool_form

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """Those of one chunk, or of a whole response: Gemini sends every call in one piece."""
        return list(identified(map(self._call, _calls(_parts(message)))))

    def _call(self, part: Part) -> ToolCall:
        call = part["functionCall"]
        name, args = call.get("name") or "", call.get("args") or {}
        if _NO_OBJECT in args:  # dispatch refuses them, and says so to the model
            return ToolCall(call.get("id"), name, args[_NO_OBJECT])
        return ToolCall(call.get("id"), name, self.setup.tools.arguments(self._form, name, args))

    def _fault(self, error: Exception) -> Fault:
        return self._provider.fault(error, self.setup.model)

    async def _stream(self) -> AsyncIterator[Text | Usage | Grounded | ModelAnswer]:
        from antiphon.providers import event_stream

        parts: list[Part] = []
        reason: str | None = None
        usage: Usage | None = None
        trouble = event_stream.watch()
        chunks = await self._client.aio.models.generate_content_stream(
            model=self.setup.model, contents=self._contents(), config=self._config()
        )
        async for chunk in chunks:
            found = _parts(chunk)
            # A text without letters is a sign of life, when the model thinks or calls.
            if _is_grounded(chunk, found):
                yield Grounded(SEARCHED)
            yield Text(_said(found))
            parts += found
            reason = _reason(chunk) or reason
            usage = _usage(chunk) or usage
        if trouble:
            raise trouble[0]
        if usage is not None:
            yield usage
        if reason is not None:
            yield self._answer(parts, reason)

    def _contents(self) -> list[types.Content]:
        from google.genai import types

        # Only from JSON does the SDK read signatures as what they are.
        return [
            types.Content.model_validate_json(_json(content))
            for content in contents(self.history_in(self._form))
        ]

    def _config(self) -> types.GenerateContentConfig:
        from google.genai import types

        setup = self.setup
        declared = setup.tools.declared(self._form)
        # Models that want tools in the older form refuse both kinds at once; ours come first.
        search = setup.search and not (declared and self._form == "geminiNative")
        tools: list[Any] = []
        try:
            if declared:
                functions = [types.FunctionDeclaration.model_validate(d) for d in declared]
                tools.append(types.Tool(function_declarations=functions))
            if search:
                tools.append(types.Tool(google_search=types.GoogleSearch()))
            return types.GenerateContentConfig(
                system_instruction=setup.instructions or None,
                max_output_tokens=setup.max_tokens,
                tools=tools or None,
                tool_config=types.ToolConfig(include_server_side_tool_invocations=True)
                if search and declared
                else None,
                automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            )
        except Exception as error:  # noqa: BLE001 - its checks raise errors of several kinds
            what = faults.fault("gemini", "bad_request", f"the SDK refuses the tools: {error}")
            raise ProviderFault(what) from None

    def _answer(self, parts: list[Part], reason: str) -> ModelAnswer:
        called = list(_calls(parts))
        ended = _REASONS.get(reason)
        if ended is None and called and reason not in _FAILED:
            ended = "complete"  # a reason that is new to us; calls come in one piece
        if ended is None:
            detail = f"the answer ended with {reason}"
            raise ProviderFault(faults.fault("gemini", "protocol", detail, fatal=False))
        if called and ended != "complete":
            # What is not run must not come back either: its answer would be missing.
            parts = [part for part in parts if "functionCall" not in part]
        calls = identified(map(self._call, called)) if ended == "complete" else ()
        native = {"role": "model", "parts": _joined(parts)} if parts else None
        turn = ModelTurn(_said(parts), calls, native, "gemini" if native else None)
        return ModelAnswer(turn, ended, lost_call=bool(called) and ended == "max_tokens")


def _json(content: Mapping[str, Any]) -> bytes:
    import orjson

    return orjson.dumps(content)


def _parts(chunk: Any) -> list[Part]:
    """Return the parts of the one candidate, as data, without those that the SDK could make nothing
    of."""
    candidates = chunk.candidates or []
    content = candidates[0].content if candidates else None
    found = (
        part.model_dump(mode="json", by_alias=True, exclude_none=True)
        for part in (content.parts if content else None) or []
    )
    return [part for part in found if part]


def _is_grounded(chunk: Any, parts: Iterable[Part]) -> bool:
    """Whether Gemini has searched for what it says."""
    candidates = chunk.candidates or []
    if candidates and candidates[0].grounding_metadata is not None:
        return True
    return any("toolCall" in part or "toolResponse" in part for part in parts)


def _calls(parts: Iterable[Part]) -> Iterable[Part]:
    return (part for part in parts if "functionCall" in part)


def _said(parts: Iterable[Part]) -> str:
    return "".join(p.get("text", "") for p in parts if not p.get("thought"))


def _joined(parts: Iterable[Part]) -> list[Part]:
    """Join pieces of plain text; whatever has a signature or a meaning of its own stays apart."""
    joined: list[Part] = []
    for part in parts:
        if joined and part.keys() == {"text"} == joined[-1].keys():
            joined[-1] = {"text": joined[-1]["text"] + part["text"]}
        elif part != {"text": ""}:
            joined.append(part)
    return joined


def _reason(chunk: Any) -> str | None:
    """Return why the answer ended, in the service's word."""
    if chunk.candidates:
        reason = chunk.candidates[0].finish_reason
        return None if reason is None else str(getattr(reason, "value", reason))
    blocked = chunk.prompt_feedback.block_reason if chunk.prompt_feedback else None
    return "SAFETY" if blocked is not None else None


def _usage(chunk: Any) -> Usage | None:
    counted = chunk.usage_metadata
    if counted is None:
        return None
    return Usage(
        counted.prompt_token_count or 0,
        (counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0),
        counted.cached_content_token_count or 0,
        counted.model_dump(mode="json", by_alias=True, exclude_none=True),
    )


def _wrong(body: Any) -> Exception | None:
    """Return what is wrong with the data of one event, where the SDK would give up. A value that it
    only knows no name for is made one that it knows."""
    from google.genai import errors, types

    if not isinstance(body, dict):
        return TypeError(f"a chunk is {body!r}")
    if "error" in body:
        inner = body["error"] if isinstance(body["error"], dict) else {}
        code = inner.get("code")
        return errors.APIError(code if isinstance(code, int) else 500, body)
    candidates = body.get("candidates") or []
    if not isinstance(candidates, list):
        return TypeError(f"candidates are {candidates!r}")
    for candidate in candidates:
        content = (candidate.get("content") if isinstance(candidate, dict) else None) or {}
        parts = (content.get("parts") if isinstance(content, dict) else None) or []
        if not isinstance(candidate, dict) or not isinstance(parts, list):
            return TypeError(f"a candidate is {candidate!r}")
        reason = candidate.get("finishReason")
        if isinstance(reason, str) and reason not in types.FinishReason.__members__:
            logger.info("an answer of Gemini ended with %s, which is new to its SDK", reason[:80])
            candidate["finishReason"] = "OTHER"
        for part in parts:
            if not isinstance(part, dict):
                return TypeError(f"a part is {part!r}")
            call = part.get("functionCall")
            if isinstance(call, dict) and not isinstance(call.get("args"), dict | None):
                call["args"] = {_NO_OBJECT: call["args"]} if call["args"] != "" else {}
    return None


def _refusal(error: Any, model: str | None) -> Fault:
    """Return what an error of the service says, by HTTP or inside a stream."""
    body = error.details if isinstance(error.details, dict) else {}
    inner = body.get("error", body)
    details = inner.get("details") if isinstance(inner, dict) else None
    details = [d for d in details or [] if isinstance(d, dict)]
    code = error.code if isinstance(error.code, int) else 0
    kind = faults.kind_of_status(code)
    if any(d.get("reason") == "API_KEY_INVALID" for d in details):
        kind = "auth"  # which comes with status 400
    wait = _delay(details)
    if wait is None and getattr(error.response, "headers", None) is not None:
        wait = faults.retry_after(error.response.headers)
    return faults.fault(
        "gemini",
        kind,
        f"{error.status or code}: {error.message or error.details}",
        retry_after=wait,
        code=code or None,
        where=model if kind == "not_found" else None,
        said=error.message,
    )


def _delay(details: Iterable[Mapping[str, Any]]) -> float | None:
    """Return the seconds of a RetryInfo, such as "34s"."""
    for detail in details:
        if str(detail.get("@type", "")).endswith("RetryInfo"):
            return faults.retry_after({"retry-after": str(detail.get("retryDelay")).rstrip("s")})
    return None
