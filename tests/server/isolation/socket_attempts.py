"""Attempts at `/ws/vox`: every type of message with the ids, tokens and secrets of others.

The server says itself which types there are, and their fields are those of its typed messages.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter
from tests.server.isolation.attempts import form_of
from tests.server.isolation.exchange import Answer, Request
from tests.server.isolation.verdict import Verdict
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from antiphon.server.ws.client_messages import parse

WAIT = 60
# Fields that take ids of one kind; every other text gets some of each.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "session_token": ("session token",),
    "conversation": ("session",),
    "user": ("user",),
    "id": ("confirmation",),
    "token": ("confirmation token",),
    "fn_call_id": ("task", "run"),
}
# They are heard, said or shown, not looked up; one is enough.
TEXTS = frozenset({"text", "systemPrompt", "pending_request", "data"})
BASE: Mapping[str, Mapping[str, Any]] = {
    "start": {"profile": "plain", "greeting": False},
    "text": {"text": "hello"},
    "browser_function_result": {"fn_call_id": "nobody's", "result": {}},
    "playback": {"turn_id": 1, "played_ms": 1},
    "confirmation_response": {"id": "nobody's", "token": "v1.0.a.b", "approve": True},
    "activity": {"active": False},
    "audio": {"data": ""},
}
BEFORE, DURING = "before a conversation", "in a conversation"


def fields_of(kind: str) -> dict[str, Any]:
    """The fields of the messages of a type by the names that they have on the wire, with their
    schemas."""
    model = type(parse(json.dumps({"type": kind, **BASE.get(kind, {})})))
    found: dict[str, Any] = TypeAdapter(model).json_schema().get("properties", {})
    return {name: each for name, each in found.items() if name not in ("ignored", "pcm")}


class Line:
    """One socket, opened anew after it was closed."""

    def __init__(self, port: int, headers: Mapping[str, str]) -> None:
        self._address = f"ws://127.0.0.1:{port}/ws/vox"
        self._headers = headers
        self._socket: ClientConnection | None = None
        self._marks = 0

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def kinds(self) -> list[str]:
        """The types of messages that there are, as the server lists them."""
        self._send({"type": "zz"})
        [answer] = self.answered("error")
        return re.findall(r"\w+", answer["message"].partition("There are ")[2])

    def ask(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What is answered to a message until it is dealt with."""
        self._send(message)
        if message["type"] == "end":
            return self._rest()
        self._marks += 1
        mark = f"zz{self._marks}"
        self._send({"type": mark})
        found = list(self._until(lambda each: each.get("about") == mark))
        if message["type"] == "confirmation_response" and not _has(found, "error"):
            found += self.answered("error")
        return found

    def answered(self, type: str) -> list[dict[str, Any]]:
        """What comes up to a message of that type."""
        last: list[dict[str, Any]] = []

        def over(message: dict[str, Any]) -> bool:
            last.append(message)
            return bool(message["type"] == type)

        return [*self._until(over), last[-1]]

    def _rest(self) -> list[dict[str, Any]]:
        """What comes until the server closes the socket."""
        found: list[dict[str, Any]] = []
        with contextlib.suppress(ConnectionClosed):
            found += self._until(lambda _: False)
        self.close()
        return found

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._socket is None:
            self._socket = connect(
                self._address, additional_headers=self._headers, max_size=None, max_queue=None
            )
        self._socket.send(json.dumps(message))

    def _until(self, over: Callable[[dict[str, Any]], bool]) -> Iterator[dict[str, Any]]:
        assert self._socket is not None
        while True:
            raw = self._socket.recv(timeout=WAIT)
            message = json.loads(raw) if isinstance(raw, str) else {"type": "binary"}
            if over(message):
                return
            yield message


def attack(
    port: int,
    headers: Mapping[str, str],
    ids: Mapping[str, list[str]],
    ghost: Callable[[str], str],
    chance: random.Random,
    verdict: Verdict,
) -> None:
    """Try every message with the ids of others, and judge what comes."""
    every = sorted({thing for each in ids.values() for thing in each if not thing.isdigit()})
    controls: dict[tuple[str, ...], tuple[Request, Answer]] = {}
    with Line(port, headers) as line:
        kinds = line.kinds()
        assert {"start", "confirmation_response", "browser_function_result"} <= set(kinds)
        for stage in (BEFORE, DURING):
            if stage == DURING:
                begun = line.ask({"type": "start", **BASE["start"]})
                if not _has(begun, "setup_complete"):
                    begun += line.answered("setup_complete")
            for kind in kinds:
                if stage == DURING and kind in ("start", "end"):
                    continue
                for name, schema in fields_of(kind).items():
                    if not _takes(schema):
                        continue
                    fitting = [
                        thing for each in FIELDS.get(name, ()) for thing in ids.get(each, [])
                    ]
                    few = chance.sample([thing for thing in every if thing not in fitting], 2)
                    tried = [*fitting, *few] if name not in TEXTS else few[:1]
                    for thing in tried:
                        key = (stage, kind, name, form_of(thing))
                        if key not in controls:
                            controls[key] = _said(line, verdict, stage, kind, name, ghost(thing))
                        request, answer = _said(line, verdict, stage, kind, name, thing)
                        verdict.compare(
                            f"/ws/vox {stage}: {kind}.{name}", request, answer, *controls[key]
                        )


def _takes(schema: Mapping[str, Any]) -> bool:
    return (
        any(each.get("type") == "string" for each in (schema, *schema.get("anyOf", ())))
        and "enum" not in schema
    )


def _has(messages: list[dict[str, Any]], type: str) -> bool:
    return any(each["type"] == type for each in messages)


def _said(
    line: Line, verdict: Verdict, stage: str, kind: str, name: str, thing: str
) -> tuple[Request, Answer]:
    """What is answered to a message with the id; a conversation that began is ended again."""
    message = {"type": kind, **BASE.get(kind, {}), name: thing}
    found = line.ask(message)
    if stage == BEFORE and kind == "start" and not _has(found, "error"):
        if not _has(found, "setup_complete"):
            found += line.answered("setup_complete")
        line.ask({"type": "end"})
    if stage == DURING and kind == "text" and not _has(found, "turn_complete"):
        found += line.answered("turn_complete")
    for each in found:
        each.pop("seq", None)
    request = Request("WS", kind, (), json.dumps(message).encode(), (thing,))
    whole = Answer(0, (), json.dumps(found).encode())
    verdict.note_secrets(f"/ws/vox {stage}: {kind}.{name}", request, whole)
    if stage == DURING:
        # The rest is the course of the conversation, which goes on beside it.
        found = [each for each in found if each["type"] == "error"]
    body = json.dumps(found, sort_keys=True, separators=(",", ":")).encode()
    return request, Answer(0, (), body)
