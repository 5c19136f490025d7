"""Gemini Live configuration: the SDK client, the session config and the history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from antiphon.contracts.events import AnswersTurn, HistoryTurn, ModelTurn, UserTurn
from antiphon.providers.auth import key_of, redact_key, tls_context
from antiphon.providers.faults import fault, missing_sdk
from antiphon.providers.models import Facts
from antiphon.providers.port import Access, ProviderFault, Setup

SEARCHED = "web pages found by Google Search"
ADDRESS = "https://generativelanguage.googleapis.com"

# Seconds for the other side to follow our close; nothing that it could still say matters then.
CLOSING = 0.5
# The service is known to take half a minute to answer a ping, which is no sign of a dead line.
SLOW_PONG = 60.0


def client(access: Access) -> Any:
    """Return the SDK's client. Raises ProviderFault without the SDK, a key or certificates."""
    key = key_of("gemini", access)
    context = tls_context("gemini", access)
    try:
        from google.genai import Client, types
    except ImportError as error:
        raise missing_sdk("gemini", error) from None

    from antiphon.providers.gemini.transport import GeminiTransport

    arguments: dict[str, Any] = {
        "create_connection": GeminiTransport,
        "max_size": None,  # of 1 MiB otherwise, which a long piece of audio exceeds
        "compression": None,  # nothing to gain with audio
        "open_timeout": None,  # we have our own
        "close_timeout": CLOSING,
        "ping_timeout": SLOW_PONG,
    }
    if context is not None:
        arguments |= {"ssl": context, "verify": context}
    # A slash at the end would be doubled.
    address = (access.base_url or ADDRESS).rstrip("/")
    options = types.HttpOptions(base_url=address, async_client_args=arguments)
    try:
        # Without `vertexai` the environment could send the key somewhere else.
        return Client(api_key=key, vertexai=False, http_options=options)
    except Exception as error:  # noqa: BLE001 - whatever it finds wrong with an address
        what = fault("gemini", "unreachable", repr(error), where=address)
        raise ProviderFault(redact_key(what, access)) from None


def config(setup: Setup, facts: Facts) -> Any:
    """Return the SDK's configuration of one connection, never to be used for another."""
    from google.genai import types

    aloud = setup.output == "audio"
    found = types.LiveConnectConfig(
        response_modalities=[types.Modality.AUDIO if aloud else types.Modality.TEXT],
        system_instruction=setup.instructions or None,
        tools=_tools(setup, facts),
        context_window_compression=types.ContextWindowCompressionConfig(
            sliding_window=types.SlidingWindow()
        ),
        input_audio_transcription=types.AudioTranscriptionConfig(),
        # Some models refuse a handle that is null: without one, it is left out.
        session_resumption=types.SessionResumptionConfig(handle=setup.resume)
        if setup.resume is not None
        else types.SessionResumptionConfig(),
    )
    if aloud:
        found.output_audio_transcription = types.AudioTranscriptionConfig()
    if setup.voice is not None or setup.language is not None:
        found.speech_config = types.SpeechConfig(language_code=setup.language)
        if setup.voice is not None:
            found.speech_config.voice_config = types.VoiceConfig(
                prebuilt_voice_config=types.PrebuiltVoiceConfig(voice_name=setup.voice)
            )
    if setup.manual_activity:
        found.realtime_input_config = types.RealtimeInputConfig(
            automatic_activity_detection=types.AutomaticActivityDetection(disabled=True)
        )
    if announces_history(setup, facts):
        found.history_config = types.HistoryConfig(initial_history_in_client_content=True)
    return found


def _tools(setup: Setup, facts: Facts) -> list[Any] | None:
    from google.genai import types

    found = []
    declarations = []
    for declared in setup.tools.declared(facts.tool_form):
        declaration = types.FunctionDeclaration.model_validate(declared)
        if facts.blocking_calls == "explicit":
            declaration.behavior = types.Behavior.BLOCKING
        declarations.append(declaration)
    if declarations:
        found.append(types.Tool(function_declarations=declarations))
    if setup.search:
        found.append(types.Tool(google_search=types.GoogleSearch()))
    return found or None


def announces_history(setup: Setup, facts: Facts) -> bool:
    """Tell whether the setup has to announce the history: only then is it taken as content."""
    return facts.text_input == "realtime" and bool(setup.history) and setup.resume is None


def history(turns: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
    """Return the conversation so far in words.

    Calls are left out, for a session knows only its own; what they brought is told.
    """
    found = []
    for turn in turns:
        match turn:
            case UserTurn(text):
                found.append(_content("user", text))
            case ModelTurn(text):
                found.append(_content("model", text))
            case AnswersTurn(answers):
                redact_key = [
                    f"Result of {a.name}: {json.dumps(a.envelope, ensure_ascii=False)}"
                    for a in answers
                ]
                found.append(_content("user", "\n".join(redact_key)))
    return [content for content in found if content["parts"][0]["text"]]


def _content(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}
