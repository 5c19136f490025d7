"""`antiphon chat`: talk with the agent in the terminal, or ask it one thing in a pipeline."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.confirmation_text import confirmation_text
from antiphon.cli.options import BackendOption, ConfigOption, DataOption, ProfileOption, settings_of
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import abbreviate, sanitize, write

if TYPE_CHECKING:
    from rich.console import Console

    from antiphon.agents.text_turn import Event
    from antiphon.app import Application
    from antiphon.cli.agent_thread import AgentThread

MAX_MESSAGE = 32_000
TOO_LONG = f"A message has at most {MAX_MESSAGE:,} characters."
# Refusals and faults that no further message of the same person can mend.
HOPELESS = frozenset({"unknown", "ended", "mismatch", "profile", "not_configured", "missing_sdk"})


def register(app: typer.Typer) -> None:
    app.command("chat")(chat)


def chat(
    message: Annotated[
        str | None, typer.Option("--message", "-m", help="Ask this, print the answer, and end.")
    ] = None,
    backend: BackendOption = None,
    model: Annotated[str | None, typer.Option(help="A model of that backend.")] = None,
    profile: ProfileOption = None,
    session: Annotated[
        str | None, typer.Option(help="Go on with this conversation, by its id.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON event a line.")] = False,
) -> None:
    """Talk with the agent. It works on the data folder itself; no server is needed.

    Ctrl+C stops an answer, twice leaves; Ctrl+D leaves. A message may come through a pipe.
    """
    from antiphon.cli.serve import registry_of

    settings = settings_of("chat", data, config, export=True)
    if message is None and not sys.stdin.isatty():
        message = _piped()
    if message is not None and len(message) > MAX_MESSAGE:
        raise _stop(TOO_LONG, status=ExitStatus.WRONG_USAGE)
    chosen = {"backend": backend, "model": model, "profile": profile, "session_id": session}
    options = {name: value for name, value in chosen.items() if value is not None}
    _quiet()
    from antiphon.app.key_files import KeyFileError
    from antiphon.cli.agent_thread import opening_of
    from antiphon.storage import StoreError

    try:
        opening = opening_of(settings, registry_of(settings))
        status = converse(opening, message, options, as_json=as_json, goes_on=True)
    except (StoreError, KeyFileError) as error:
        raise _stop(str(error)) from None
    raise typer.Exit(status)


def converse(
    opening: Callable[[], AbstractAsyncContextManager[Application]],
    message: str | None = None,
    options: dict[str, Any] | None = None,
    *,
    as_json: bool = False,
    goes_on: bool = False,
) -> int:
    """Hold a conversation at the terminal with the application that `opening` gives, or ask it one
    `message`; return the exit status. `options` are those of `TextAgent.open`. `goes_on`: the
    person is told how `antiphon chat` goes on with it.

    Raises what opening it raises.
    """
    from antiphon.cli.agent_thread import AgentThread

    with AgentThread(opening) as agent:
        talk = _Talk(agent, options or {}, as_json=as_json, goes_on=goes_on)
        return talk.converse() if message is None else talk.ask(message)


def _stop(*messages: str, status: ExitStatus = ExitStatus.FOUND_WRONG) -> typer.Exit:
    return stop("chat", *messages, status=status)


def _piped() -> str:
    text = sys.stdin.buffer.read(4 * MAX_MESSAGE + 1).decode("utf-8", "replace")
    if not text.strip():
        words = "there is nothing to ask: the pipe is empty. Use --message TEXT."
        raise _stop(words, status=ExitStatus.WRONG_USAGE)
    return text


def _quiet() -> None:
    """Silence the log unless ANTIPHON_DEBUG is set; the conversation tells what matters."""
    import logging

    if not os.environ.get("ANTIPHON_DEBUG"):
        logging.getLogger("antiphon").addHandler(logging.NullHandler())


class _Talk:
    """One conversation at the terminal."""

    def __init__(
        self, agent: AgentThread, options: dict[str, Any], *, as_json: bool, goes_on: bool
    ) -> None:
        self._agent = agent
        self._options = options
        self._screen: _Screen | _Lines = _Lines() if as_json else _Screen(goes_on=goes_on)
        self._prompt = "" if as_json else "> "

    def ask(self, message: str) -> int:
        """Ask one question; return the exit status."""
        status = self._turn(message)
        while not status and self._agent.finish_tasks():
            status = self._turn(None)
        self._screen.end(self._agent)
        return status

    def converse(self) -> int:
        """Converse until the person leaves; return the exit status. Raises KeyboardInterrupt when
        they leave by Ctrl+C."""
        with suppress(ImportError):  # where it is there, lines can be edited and come back
            import readline  # noqa: F401
        self._screen.begin()
        stopped = False  # by Ctrl+C: the next one leaves
        while True:
            try:
                message = input(self._prompt).strip()
                if not message:
                    continue
                stopped = False
                status = self._turn(message)
                if status and self._screen.hopeless:
                    return status
            except EOFError:
                self._screen.end(self._agent)
                return 0
            except KeyboardInterrupt:
                if stopped:
                    self._screen.end(self._agent)
                    raise
                stopped = True
                self._screen.stopped()

    def _turn(self, message: str | None) -> int:
        """Run one turn and the confirmations that it asks for; return the exit status."""
        if message is not None and len(message) > MAX_MESSAGE:
            self._screen.refused("too_long", TOO_LONG)
            return 1
        status = self._said(message)
        requests = self._agent.waiting()
        screen = self._screen
        if not requests:
            return status
        if not isinstance(screen, _Screen) or not sys.stdin.isatty():
            screen.unanswered(requests, self._agent)
            return status
        news = False
        for request in requests:
            approve = screen.approves(request)
            envelope = self._agent.confirm(request, approve)
            screen.resolved(request, approve, envelope)
            news = news or envelope["meta"]["toolId"] == request["tool"]  # the answer was taken
        return self._turn(None) if news else status

    def _said(self, message: str | None) -> int:
        from antiphon.agents.text import TurnRefused
        from antiphon.providers.port import ProviderFault
        from antiphon.storage import StoreError

        events = self._agent.say(message, **self._options)
        self._options.pop("session_id", None)  # from now on it is the agent's
        try:
            return self._screen.show(events)
        except TurnRefused as refused:
            self._screen.refused(refused.kind, refused.message)
        except ProviderFault as failed:
            self._screen.refused(failed.fault.kind, failed.fault.message)
        except StoreError as error:
            self._screen.refused("store", str(error))
        finally:
            events.close()
        return 1


class _Lines:
    """Events as JSON lines, for programs."""

    hopeless = False

    def begin(self) -> None:
        pass

    def show(self, events: Iterable[Event]) -> int:
        finish = "failed"
        for event in events:
            self._print(event)
            finish = event.get("finish", finish)
        return int(finish == "failed")

    def refused(self, kind: str, message: str) -> None:
        self.hopeless = kind in HOPELESS
        self._print(
            {"type": "error", "kind": kind, "message": message, "retryable": False}
            | {"retry_after": None}
        )

    def stopped(self) -> None:
        self._print({"type": "notice", "kind": "stopped", "message": "Stopped."})

    def unanswered(self, requests: list[dict[str, Any]], agent: AgentThread) -> None:
        del requests, agent  # they are among the events

    def end(self, agent: AgentThread) -> None:
        del agent

    def _print(self, event: Event) -> None:
        import orjson

        write(orjson.dumps(event).decode() + "\n")


class _Screen:
    """The conversation for people: what is said on stdout, all else on stderr."""

    def __init__(self, *, goes_on: bool) -> None:
        from rich.console import Console

        self._goes_on = goes_on
        self._aside: Console = Console(stderr=True, highlight=False)
        self._column = 0  # where the answer stands, so that an aside starts a line of its own
        self.hopeless = False

    def begin(self) -> None:
        self._note("Ctrl+C stops an answer, twice leaves; Ctrl+D leaves.")

    def show(self, events: Iterable[Event]) -> int:
        finish = "failed"
        for event in events:
            self._event(event)
            finish = event.get("finish", finish)
        self._line()
        return int(finish == "failed")

    def _event(self, event: Event) -> None:
        match event["type"]:
            case "text":
                self._say(event["delta"])
            case "tool_call":
                decision = event["decision"]
                args = abbreviate(event["args"])
                self._note(f"{event['name']} {args}: {decision['outcome']} ({decision['rule']})")
            case "tool_result" | "late_result":
                self._note(_result(event["name"], event["envelope"]))
            case "progress":
                self._note(f"{event['name']}: {event['message']}")
            case "async_task_started":
                self._note(f"{event['function']}: started, task {event['task_id']}")
            case "async_task_progress":
                self._note(f"{event['function']}: {event['message']}")
            case "timeout":
                self._note("This conversation is paused for a while.", "yellow")
            case "voice_session_start":
                self._note("The agent asks to go on by voice.")
            case "image":
                self._note(f"Picture: {event['caption'] or event['alt']} ({event['url']})")
            case "message":
                self._note(abbreviate(event["message"]))
            case "notice" if event["kind"] == "waiting":
                self._note(event["message"])
            case "error":
                self._note(event["message"], "red")

    def refused(self, kind: str, message: str) -> None:
        self.hopeless = kind in HOPELESS
        self._note(message, "red")

    def stopped(self) -> None:
        self._line()
        self._note("Stopped. Ctrl+C once more leaves.")

    def unanswered(self, requests: list[dict[str, Any]], agent: AgentThread) -> None:
        for request in requests:
            self._note(f"Not done without your approval: {request['preview']}", "yellow")
        assert agent.session is not None
        if self._goes_on:
            self._note(f"Approve or deny with: antiphon chat --session {agent.session.id}")

    def approves(self, request: dict[str, Any]) -> bool:
        self._note(confirmation_text(request), "yellow")
        self._aside.print("Approve? [y/N] ", end="", markup=False)
        try:
            return input().strip().lower() in ("y", "yes")
        except EOFError:
            return False

    def resolved(self, request: dict[str, Any], approve: bool, envelope: dict[str, Any]) -> None:
        taken = envelope["meta"]["toolId"] == request["tool"]
        if taken and not approve:
            self._note(f"{request['tool']}: not done.")
        else:
            self._note(_result(request["tool"], envelope))

    def end(self, agent: AgentThread) -> None:
        if agent.session is not None and self._goes_on:
            self._note(f"Go on with: antiphon chat --session {agent.session.id}")

    def _say(self, text: str) -> None:
        text = sanitize(text)
        if not self._column:  # an aside has ended the line already
            text = text.removeprefix("\n")
        write(text)
        self._column = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else self._column)

    def _line(self) -> None:
        if self._column:
            write("\n")
            self._column = 0

    def _note(self, text: str, style: str = "dim") -> None:
        self._line()
        self._aside.print(sanitize(text), style=style, markup=False, soft_wrap=True)


def _result(name: str, envelope: dict[str, Any]) -> str:
    took = f"{envelope['meta']['duration']:g} ms"
    if envelope["ok"]:
        return f"{name}: ok, {took}"
    return f"{name}: {envelope['error']['type']}, {took}: {envelope['error']['message']}"
