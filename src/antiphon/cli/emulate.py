"""`antiphon emulate`: a provider on loopback, to try an agent with neither key nor network."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.status import ExitStatus, stop

if TYPE_CHECKING:
    from antiphon.emulators.base import Emulator
    from antiphon.emulators.wire import WireEvent

APIS = ("gemini", "openai", "anthropic")
_SHOWN = 400  # characters of a message on one line


def register(app: typer.Typer) -> None:
    app.command("emulate")(emulate)


def emulate(
    api: Annotated[str, typer.Argument(help="gemini, openai or anthropic.", show_default=False)],
    script: Annotated[
        Path | None,
        typer.Option(help="YAML of what the model does; without it, it does as it is told."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on, of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 0,
    key: Annotated[
        str, typer.Option(help="The key that is accepted; an empty one accepts any.")
    ] = "test-key",
    tls: Annotated[
        bool | None,
        typer.Option("--tls/--no-tls", help="TLS; only Gemini needs it, for its Live API."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option(
            help="Folder that keeps the test CA, or a .pem file to write its certificate to."
        ),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="End when the script is played and the clients are gone.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Stand in for a model provider: play a script, and show every message in and out."""
    from antiphon.config.binding import is_loopback
    from antiphon.emulators import ScriptError, make

    if api not in APIS:
        raise typer.BadParameter(f"{api!r} is none of {', '.join(APIS)}", param_hint="API")
    if not is_loopback(host) or ":" in host:
        raise typer.BadParameter(
            f"{host} is not an IPv4 address of this machine; use 127.0.0.1", param_hint="--host"
        )
    if ca is not None and tls is False:
        raise typer.BadParameter("there is no CA without TLS", param_hint="--ca")
    to_file = ca is not None and (ca.suffix in (".pem", ".crt") or ca.is_file())
    show = _Show(as_json=as_json)
    try:
        emulator = make(
            api,
            _script(script),
            host="127.0.0.1" if host == "localhost" else host,
            port=port,
            key=key or None,
            tls=True if ca is not None else tls,
            folder=None if to_file else ca,
            watch=show.traffic,
        )
    except ScriptError as error:
        raise stop("", str(error)) from None
    try:
        asyncio.run(_serve(emulator, show, once, ca if to_file else None))
    except KeyboardInterrupt:
        pass  # where signals cannot be handled in the event loop
    except _CannotStart as error:
        raise stop("", str(error)) from None
    show.end(emulator)
    if emulator.playback.problems or emulator.playback.unfinished():
        raise typer.Exit(ExitStatus.FOUND_WRONG)


def _script(path: Path | None) -> Any:
    """The script, with every file that it names looked at before anybody waits for it."""
    from antiphon.emulators import Script, base

    script = Script.load(path or Path(base.__file__).with_name("default.yaml"))
    for step in (*script.steps, *script.rules):
        for beat in step.reply:
            if "wav" in beat.options:
                base.read_wav(Path(beat.options["wav"]))
    return script


class _CannotStart(Exception):
    """The message says why, and what to do."""


async def _serve(emulator: Emulator, show: _Show, once: bool, certificate: Path | None) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:
            break  # not on this system; Ctrl-C is a KeyboardInterrupt then
    if once:
        show.when_gone = lambda: stop.set() if _played(emulator) else None
    await _start(emulator, certificate)
    try:
        show.start(emulator, certificate)
        await stop.wait()
    finally:
        await emulator.stop()


async def _start(emulator: Emulator, certificate: Path | None) -> None:
    try:
        await emulator.start()
    except ValueError as error:  # a CA that is of no use
        raise _CannotStart(str(error)) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise _CannotStart(
            f"cannot start: {why}. Choose another --port (0 takes a free one), or another --ca."
        ) from None
    if certificate is not None and emulator.ca_file is not None:
        try:
            await asyncio.to_thread(shutil.copyfile, emulator.ca_file, certificate)
        except OSError as error:
            await emulator.stop()
            raise _CannotStart(f"cannot write {certificate}: {error.strerror}.") from None


def _played(emulator: Emulator) -> bool:
    """Whether nothing more can come of it: everything was played, or something went wrong."""
    return emulator.playback.next_step is None or bool(emulator.playback.problems)


class _Show:
    """Says what happens, one line each."""

    def __init__(self, *, as_json: bool) -> None:
        self._json = as_json
        self._clients: set[int] = set()
        self._asked = False
        self.when_gone: Callable[[], None] = lambda: None

    def start(self, emulator: Emulator, certificate: Path | None) -> None:
        playback = emulator.playback
        steps, rules = len(playback.script.steps), len(playback.script.rules)
        ca_file = certificate or emulator.ca_file
        variables = emulator.environment
        if ca_file is not None:
            variables["SSL_CERT_FILE"] = str(ca_file)
        if self._json:
            body = {"api": emulator.api, "url": emulator.base_url, "key": emulator.key}
            shown = {"ca_file": str(ca_file) if ca_file else None, "environment": variables}
            self._print({**body, **shown, "steps": steps, "rules": rules})
            return
        self._line(f"{emulator.api} is emulated at {emulator.base_url} ({_count(steps, 'step')}, ")
        self._line(f"{_count(rules, 'rule')}). Ctrl-C ends it. For the client:\n")
        for name, value in variables.items():
            self._line(f"  export {name}={value}\n")

    def traffic(self, seen: WireEvent) -> None:
        if seen.what == "open":
            self._clients.add(seen.client)
            return
        if seen.what == "request":
            self._asked = True
        if seen.what != "gone" or self._asked:
            self._show(seen)
        if seen.what == "gone":
            self._clients.discard(seen.client)
            if self._asked and not self._clients:
                self.when_gone()

    def end(self, emulator: Emulator) -> None:
        problems = emulator.playback.problems
        unfinished = emulator.playback.unfinished()
        if self._json:
            ok = not problems and not unfinished
            self._print({"ok": ok, "problems": problems, "unfinished": unfinished})
            return
        for problem in (*problems, *unfinished):
            typer.echo(f"antiphon: {problem}", err=True)

    def _show(self, seen: WireEvent) -> None:
        facts, text = _described(seen)
        if self._json:
            self._print({"client": seen.client, "way": seen.way, "what": seen.what, **facts})
            return
        arrow = "<-" if seen.way == "in" else "->"
        line = " ".join(text.splitlines())
        shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]} … ({len(line)} characters)"
        self._line(f"{seen.client} {arrow} {shown}\n")

    def _print(self, body: dict[str, Any]) -> None:
        self._line(json.dumps(body, ensure_ascii=False, default=str) + "\n")

    def _line(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _described(seen: WireEvent) -> tuple[dict[str, Any], str]:
    """The same for programs and for people. Headers are left out: they hold the key."""
    match seen.what:
        case "request":
            request = seen.data
            body = _text(request.body)
            facts = {"method": request.method, "path": request.path, "body": _parsed(body)}
            return facts, f"{request.method} {request.path} {body}".rstrip()
        case "message" | "body" | "piece":
            text = _text(seen.data)
            return {"data": _parsed(text)}, text.strip()
        case "status":
            return {"status": seen.data}, f"HTTP {seen.data}"
        case "close":
            code, reason = seen.data
            return {"code": code, "reason": reason}, f"close {code} {reason}".rstrip()
        case "cut":
            return {}, "(cut)"
    return {}, "(gone)"


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "replace")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
