"""`antiphon talk`: speak with the agent in the terminal, or have it answer a WAV file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.confirmation_text import confirmation_text
from antiphon.cli.options import BackendOption, ConfigOption, DataOption, ProfileOption, settings_of
from antiphon.cli.status import stop
from antiphon.cli.terminal import abbreviate, sanitize, write

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.registry import Registry


def register(app: typer.Typer) -> None:
    app.command("talk")(talk)


def talk(
    wav: Annotated[
        Path | None,
        typer.Option("--wav", help="Say what is in this WAV file instead of the microphone."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the spoken answer to this WAV file.")
    ] = None,
    backend: BackendOption = None,
    profile: ProfileOption = None,
    headset: Annotated[
        bool, typer.Option("--headset", help="The microphone does not hear the loudspeaker.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON message a line.")] = False,
) -> None:
    """Speak with the agent. It works on the data folder itself; no server is needed.

    What you type is said too, and y or n answers what needs your approval. Ctrl+C hangs up.
    """
    import asyncio

    from antiphon.app.key_files import KeyFileError
    from antiphon.cli.audio_devices import SoundError, read_wav
    from antiphon.cli.serve import registry_of
    from antiphon.providers import ProviderFault
    from antiphon.storage import StoreError

    if out is not None and wav is None:
        raise typer.BadParameter("needs --wav", param_hint="--out")
    if out is not None and not out.parent.is_dir():
        raise _stop(f"{out} cannot be written: there is no folder {out.parent}.")
    settings = settings_of("talk", data, config, export=True)
    try:
        pcm = read_wav(wav) if wav is not None else None
    except SoundError as error:
        raise _stop(str(error)) from None
    start = {
        "mode": backend or settings.agent.backend,
        "profile": profile or settings.agent.profile,
        "greeting": pcm is None,
    }
    screen = _Lines() if as_json else _Screen()
    _quiet()
    try:
        status = asyncio.run(
            _talk(settings, registry_of(settings), start, screen, pcm, out, headset)
        )
    except (SoundError, StoreError, KeyFileError) as error:
        raise _stop(str(error)) from None
    except ProviderFault as failed:
        raise _stop(failed.fault.message) from None
    raise typer.Exit(status)


async def _talk(
    settings: Settings,
    registry: Registry,
    start: dict[str, Any],
    screen: _Screen | _Lines,
    pcm: bytes | None,
    out: Path | None,
    headset: bool,
) -> int:
    from antiphon.cli.audio_devices import Devices, write_wav
    from antiphon.cli.talk_client import connected
    from antiphon.cli.talk_session import FileTalk, LiveTalk
    from antiphon.providers.local.speech_port import Manner

    local = start["mode"] == "local"
    if pcm is not None:
        manner = Manner(lead=None)
        async with connected(settings, registry, manner, local=local) as line:
            filed = FileTalk(line, screen, pcm, patient=not local)
            status = await filed.run(start)
        if out is not None and (filed.spoken or not status):
            write_wav(out, bytes(filed.spoken))
            screen.wrote(out, len(filed.spoken))
        return status
    with Devices() as devices:  # before anything is loaded: without a device there is no talk
        manner = Manner(echo_cancelled=headset)
        async with connected(settings, registry, manner, local=local) as line:
            return await LiveTalk(line, screen, devices).run(start)


def _stop(*messages: str) -> typer.Exit:
    return stop("talk", *messages)


def _quiet() -> None:
    """Silence the log unless ANTIPHON_DEBUG is set; the conversation tells what matters."""
    import logging

    if not os.environ.get("ANTIPHON_DEBUG"):
        logging.getLogger("antiphon").addHandler(logging.NullHandler())


class _Lines:
    """The server's messages as JSON lines, for programs."""

    asks = False

    def show(self, message: dict[str, Any]) -> None:
        import orjson

        write(orjson.dumps(message).decode() + "\n")

    def wrote(self, path: Path, size: int) -> None:
        self.show({"type": "written", "file": str(path), "seconds": round(size / 48_000, 3)})

    def note(self, text: str) -> None:
        self.show({"type": "notice", "message": text})


class _Screen:
    """The conversation for people: what is said on stdout, all else on stderr."""

    asks = True

    def __init__(self) -> None:
        from rich.console import Console

        self._aside = Console(stderr=True, highlight=False)
        self._said = ""

    def show(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "transcript":
                self._transcript(message)
            case "text" if not message.get("filler"):
                self._said += message["text"]
            case "turn_complete":
                self._line()
            case "interrupted":
                self._line(" …")
            case "function_call":
                self._call(message)
            case "function_result":
                self.note(_result(message["name"], message["result"], message.get("meta")))
            case "confirmation_required":
                self.note(confirmation_text(message), "yellow")
            case "confirmation_resolved":
                self.note(f"{message['tool']}: {message['outcome']}")
            case "voice_session_end":
                self._line()
                if message.get("textResponse"):
                    write(f"{sanitize(message['textResponse'])}\n")
            case "waiting":
                self.note(message["message"])
            case "error" | "timeout":
                self.note(message["message"], "red")

    def wrote(self, path: Path, size: int) -> None:
        self.note(f"{size / 48_000:.1f} s of speech are in {path}.")

    def note(self, text: str, style: str = "dim") -> None:
        self._aside.print(sanitize(text), style=style, markup=False, soft_wrap=True)

    def _transcript(self, message: dict[str, Any]) -> None:
        if message["role"] == "user":
            write(f"You: {sanitize(message['text'].strip())}\n")
        else:
            self._said += message["text"]

    def _line(self, tail: str = "") -> None:
        said, self._said = self._said.strip(), ""
        if said:
            write(f"Agent: {sanitize(said)}{tail}\n")

    def _call(self, message: dict[str, Any]) -> None:
        args = abbreviate(message["args"])
        decision = message["decision"] or {"outcome": "run", "rule": "run"}
        self.note(f"{message['name']} {args}: {decision['outcome']} ({decision['rule']})")


def _result(name: str, result: Any, meta: Any) -> str:
    took = f", {meta['duration']:g} ms" if isinstance(meta, dict) else ""
    if isinstance(result, dict) and result.get("success") is False:
        return f"{name}: {result.get('error_type', 'failed')}{took}: {result.get('error')}"
    return f"{name}: ok{took}"
