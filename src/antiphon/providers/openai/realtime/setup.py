"""Realtime session setup: session settings and the history as conversation items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from antiphon.contracts.events import (
    OUTPUT_RATE,
    AnswersTurn,
    CallAnswer,
    ModelTurn,
    UserTurn,
)
from antiphon.providers.models import ModelCatalogue
from antiphon.providers.port import Setup

FORM = "openaiResponses"
SILENCE_MS = 500  # after so much of it the person has finished
MAX_TOKENS = 4096  # more the service does not take

_PCM = {"type": "audio/pcm", "rate": OUTPUT_RATE}
_TRANSCRIBER = "gpt-transcribe"
_TOOL = ("type", "name", "description", "parameters")  # and nothing else is taken


def session(setup: Setup, catalogue: ModelCatalogue) -> dict[str, Any]:
    """Return the body of session.update."""
    transcription = {"model": _TRANSCRIBER}
    if setup.language:
        transcription["language"] = setup.language.partition("-")[0].lower()
    listens = {
        "type": "server_vad",
        "threshold": 0.5,
        "prefix_padding_ms": 300,
        "silence_duration_ms": SILENCE_MS,
        "create_response": True,
        "interrupt_response": True,
    }
    tools = [
        {key: tool[key] for key in _TOOL if key in tool} for tool in setup.tools.declared(FORM)
    ]
    body: dict[str, Any] = {
        "type": "realtime",
        "output_modalities": [setup.output],
        "instructions": setup.instructions,
        "tools": tools,
        "tool_choice": "auto",
        "max_output_tokens": max(1, min(setup.max_tokens, MAX_TOKENS)),
        "audio": {
            "input": {
                "format": _PCM,
                "transcription": transcription,
                "turn_detection": None if setup.manual_activity else listens,
            },
            "output": {"format": _PCM, "voice": setup.voice or catalogue.voices("openai")[0].id},
        },
    }
    if tools and catalogue.facts("openai", setup.model).parallel_tool_calls:
        body["parallel_tool_calls"] = True
    return body


def history(setup: Setup) -> Iterator[dict[str, Any]]:
    """Return the items of the conversation so far. Calls get new ids: those of another provider may
    be too long here, or missing."""
    number = 0
    waiting: list[tuple[str | None, str, str]] = []  # id, name and new id of calls
    for turn in setup.history:
        match turn:
            case UserTurn(text):
                yield message("user", text)
            case ModelTurn():
                if turn.text:
                    yield message("assistant", turn.text)
                waiting.clear()
                for call in turn.calls:
                    number += 1
                    waiting.append((call.id, call.name, f"call_before_{number}"))
                    yield {
                        "type": "function_call",
                        "call_id": waiting[-1][2],
                        "name": call.name,
                        "arguments": written(call.args),
                    }
            case AnswersTurn(answers):
                for answer in answers:
                    yield _answer(answer, waiting)


def message(role: str, text: str) -> dict[str, Any]:
    """Return a conversation item with a text."""
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def output(call_id: str, answer: CallAnswer) -> dict[str, Any]:
    """Return a conversation item with the result of a call."""
    return {
        "type": "function_call_output",
        "call_id": call_id,
        "output": orjson.dumps(answer.envelope).decode(),
    }


def written(args: Any) -> str:
    """Return arguments as JSON text; those that were no JSON stay as they came."""
    return args if isinstance(args, str) else orjson.dumps(args).decode()


def _answer(answer: CallAnswer, waiting: list[tuple[str | None, str, str]]) -> dict[str, Any]:
    for place, (old, name, new) in enumerate(waiting):
        if old == answer.id and name == answer.name:
            del waiting[place]
            return output(new, answer)
    # Without its call the service refuses an output; what it says is worth keeping all the same.
    # Not as the system: it may hold text of others.
    return message("user", f"Result of {answer.name}: {orjson.dumps(answer.envelope).decode()}")
