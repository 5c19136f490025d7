"""Gemini's Live API over WebSocket: sessions that hear, speak and call, as a script says."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import orjson

from antiphon.emulators.base import Emulator
from antiphon.emulators.gemini import client_messages as gemini_client
from antiphon.emulators.gemini import setup as gemini_setup
from antiphon.emulators.gemini.client_messages import LiveClientMessage
from antiphon.emulators.gemini.request import error_body
from antiphon.emulators.gemini.setup import INVALID, LiveRefusal, get
from antiphon.emulators.gemini.turn_playback import (
    BAD_KEY,
    BY_SCRIPT,
    LiveServiceState,
    LiveTurnPlayback,
    close_of,
    kinds,
)
from antiphon.emulators.requests import result_facts, retry_headers
from antiphon.emulators.script import Beat, ScriptError, ScriptPlayback
from antiphon.emulators.wire import HttpRequest, ServerWebSocket, SocketGone, WebSocketUpgrade

_PATH = re.compile(
    r"/{1,2}ws/google\.ai\.generativelanguage\.(?:v1|v1beta|v1alpha)\.GenerativeService\."
    r"BidiGenerateContent(Constrained)?"
)
# In reply to a setup, these come in place of `setupComplete`.
_NO_SETUP = frozenset(("silent", "drop", "close", "error", "raw", "status"))
_NO_KEY = "Method doesn't allow unregistered callers (callers without established identity)."


async def serve(emulator: Emulator, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
    """Serve one WebSocket, from its upgrade to its end."""
    found = _PATH.fullmatch(request.path)
    if found is None:
        message = f"emulator: Gemini has no WebSocket at {request.path}"
        await upgrade.refuse(404, error_body(404, message))
        return
    refusal = _refusal(emulator.playback)
    if refusal is not None:
        status = refusal.value
        words = str(refusal.options.get("message", close_of(status, "NAME")[1]))
        await upgrade.refuse(status, error_body(status, words), retry_headers(refusal.options))
        return
    key = request.headers.get("x-goog-api-key") or request.query.get("key")
    if found[1]:  # ephemeral tokens, in a header of their own
        key = request.headers.get("authorization", "").removeprefix("Token ") or key
    socket = await upgrade.accept()
    await _LiveSession(emulator, socket, key).run()


def _refusal(playback: ScriptPlayback) -> Beat | None:
    """The `status` beat with which the script has the next upgrade refused."""
    step = playback.next_step
    for waiting in (step,) if step else playback.script.rules:
        if waiting.fits("connect", {}) is not None:
            first = waiting.reply[0] if waiting.reply else None
            if first is None or first.kind != "status":
                return None
            playback.next_reply("connect", {})
            return first
    return None


class _LiveSession(LiveTurnPlayback):
    """One Live session over one connection: the client's messages and their effects."""

    def __init__(self, emulator: Emulator, socket: ServerWebSocket, key: str | None) -> None:
        frames = emulator.playback.script.options.get("frames", "binary")
        if frames not in ("binary", "text"):
            raise ScriptError(f"options: frames: must be binary or text, not {frames!r}")
        state = emulator.state(LiveServiceState)
        super().__init__(socket, state, binary=frames == "binary")
        self.playback = emulator.playback
        self.emulator = emulator
        self.key = key
        self.ms = 0.0  # of audio heard since the last step
        self.speaking = False
        self.seeding = False
        self.untold = False  # the script's connect step waits for the history
        self.started = False

    async def run(self) -> None:
        try:
            await self._listen()
        except LiveRefusal as refused:
            if refused.mistake:
                self.playback.report_problem(f"{refused.mistake}")
            await self.close(refused.code, refused.reason)
        except SocketGone:
            pass  # the client may leave when it likes
        finally:
            await self.stop()
        if self.failed is not None:
            raise self.failed
        if not self.closed_by_us:
            self.playback.next_reply("close", {"code": self.socket.close_code})

    # -- the client

    async def _listen(self) -> None:
        first = await self._next()
        if first is None:
            return
        if first.kind != "setup":
            raise LiveRefusal(1007, "setup must be the first message of a session")
        await self._set_up(first.body)
        while (received := await self._next()) is not None:
            await self._take(received)

    async def _next(self) -> LiveClientMessage | None:
        message = await self.socket.receive()
        if message is None:
            return None
        try:
            body = orjson.loads(message)
        except orjson.JSONDecodeError as error:
            raise LiveRefusal(1007, f"Invalid JSON payload received. {error}") from None
        self.emulator.received.append(body)
        return gemini_client.read(body)

    async def _set_up(self, body: Any) -> None:
        if not self.key:
            raise LiveRefusal(1008, _NO_KEY, mistake=False)
        if self.emulator.key is not None and self.key != self.emulator.key:
            raise LiveRefusal(1007, BAD_KEY, mistake=False)
        setup = gemini_setup.read(body, self.playback.script.options.get("models"))
        if setup.handle is not None:
            if setup.handle not in self.state.handles:
                # A handle may be too old without any fault of the client.
                raise LiveRefusal(1007, "Invalid session resumption handle.", mistake=False)
            self.history = list(self.state.handles[setup.handle])
        self.setup = setup
        self.seeding = setup.seeded
        step = self.playback.next_step
        if step is not None and step.on == "connect" and "history" in step.match:
            self.untold = setup.handle is None
        beats = () if self.untold else self._connected()
        while beats and beats[0].kind == "wait":
            await asyncio.sleep(beats[0].value)
            beats = beats[1:]
        if not beats or beats[0].kind not in _NO_SETUP:
            self.state.sessions += 1
            await self.send({"setupComplete": {"sessionId": f"session-{self.state.sessions}"}})
        self.start("connect", beats)

    def _connected(self) -> tuple[Beat, ...]:
        facts = {
            "voice": self.setup.voice,
            "resume": self.setup.handle,
            "language": self.setup.language,
            "search": self.setup.search,
        }
        return self.playback.next_reply("connect", {**self._facts(), **facts}) or ()

    def _facts(self) -> dict[str, Any]:
        return {
            "model": self.setup.model,
            "instructions": self.setup.instructions,
            "tools": self.setup.tool_names,
            "history": list(self.history),
        }

    async def _take(self, received: LiveClientMessage) -> None:
        if self.untold and received.kind != "content":
            self._tell_history()
        match received.kind:
            case "setup":
                raise LiveRefusal(1007, "setup must be sent only once, as the first message")
            case "content":
                await self._content(received.turns, complete=received.complete)
            case "text":
                await self._text(received.text)
            case "audio":
                await self._audio(received)
            case "audio_end":
                if self.setup.manual:
                    raise LiveRefusal(1007, INVALID, mistake="audioStreamEnd with manual activity")
                self.speaking = False
                self.start("audio_end", self.playback.next_reply("audio_end", {}))
            case "activity":
                await self._activity(received.active)
            case "answers":
                await self._results(received.answers)
            case "update":
                self._update(received.body)
        self.started = True

    async def _content(self, turns: list[tuple[str, str]], *, complete: bool) -> None:
        texts = [text for _, text in turns]
        if self._is_seed(turns):
            self.history += texts
            self.seeding = self.seeding and not complete
            if self.untold:
                self._tell_history()
            return
        if self.setup.realtime_only:
            raise LiveRefusal(
                1007,
                INVALID,
                mistake=f"{self.setup.model} takes client_content only for the history at the "
                "start, with historyConfig.initialHistoryInClientContent; text goes through "
                "realtime_input",
            )
        if self.untold:
            self._tell_history()
        if complete:
            self.history += texts[:-1]
            await self._text(texts[-1] if texts else "")
        else:
            self.history += texts
            self.start("note", self.playback.next_reply("note", {"text": "\n\n".join(texts)}))

    def _is_seed(self, turns: list[tuple[str, str]]) -> bool:
        """Whether these turns seed the history, and are not part of the conversation now."""
        if self.setup.seeded:
            return self.seeding
        several = len(turns) > 1 or any(role == "model" for role, _ in turns)
        return not self.started and (several or self.untold) and not self.setup.realtime_only

    def _tell_history(self) -> None:
        self.untold = False
        self.start("connect", self._connected())

    async def _text(self, text: str) -> None:
        beats = self.playback.next_reply("text", {"text": text, **self._facts()})
        self.history.append(text)
        if beats is None:
            await self._unexpected()
            return
        await self.interrupt(beats)
        self.start("text", beats)

    async def _audio(self, received: LiveClientMessage) -> None:
        self.ms += received.ms
        begins = received.loud and not self.speaking and not self.setup.manual
        self.speaking = received.loud
        beats = self.playback.next_reply("audio", {"ms": round(self.ms)})
        if beats is not None:
            self.ms = 0.0
        if begins and self.setup.interruptible:
            if beats is not None or not self._script_will_interrupt():
                await self.interrupt(beats or ())
        elif beats and kinds(beats) & BY_SCRIPT:
            await self.stop_answer()
        self.start("audio", beats)

    def _script_will_interrupt(self) -> bool:
        """Whether the next step interrupts, once enough audio has arrived."""
        step = self.playback.next_step
        return step is not None and step.on == "audio" and bool(kinds(step.reply) & BY_SCRIPT)

    async def _activity(self, active: bool) -> None:
        if not self.setup.manual:
            raise LiveRefusal(
                1007,
                "Explicit activity control is not supported when automatic activity detection "
                "is enabled.",
            )
        beats = self.playback.next_reply("activity", {"active": active})
        if active and self.setup.interruptible:
            await self.interrupt(beats or ())
        self.start("activity", beats)

    def _update(self, body: dict[str, Any]) -> None:
        if (told := get(body, "systemInstruction")) is not None:
            self.setup.instructions = gemini_setup.text_of(told)
        if (tools := body.get("tools")) is not None:
            self.setup.tools = gemini_setup.read_tools(tools.get("tools") or [])
        self.start("update", self.playback.next_reply("update", self._facts()))

    async def _results(self, answers: list[dict[str, Any]]) -> None:
        for answer in answers:
            name = answer.get("name")
            id_ = answer.get("id") or f"name:{name}"  # where the call had none either
            if id_ in self.cancelled:
                self.playback.report_problem(
                    f"call {id_!r} of {name} is answered, but it was cancelled"
                )
                continue
            if id_ not in self.calls:
                raise LiveRefusal(1007, INVALID, mistake=f"there is no call {id_!r} of {name}")
            if not isinstance(answer.get("response"), dict):
                raise LiveRefusal(1007, INVALID, mistake=f"the answer to {id_!r} is no object")
            if get(answer, "willContinue"):
                continue
            del self.calls[id_]
            self.answers.append({"id": id_, "name": name, "envelope": answer["response"]})
        await self.resume_with_results()

    async def resume_with_results(self) -> None:
        if self.calls or not self.answers:
            return
        results, self.answers = self.answers, []
        facts = {**result_facts(results), **self._facts()}
        beats = self.playback.next_reply("results", facts)
        if beats is None:
            await self._unexpected()
        else:
            self.start("results", beats)

    async def _unexpected(self) -> None:
        await self.close(1011, f"emulator: {self.playback.problems[-1]}")
