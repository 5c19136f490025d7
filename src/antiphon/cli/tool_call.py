"""`antiphon tools call`: one call of one tool, through the same gates as every other."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.completion import tool_ids
from antiphon.cli.confirmation_text import confirmation_text
from antiphon.cli.options import ConfigOption, DataOption, check_mode, settings_of
from antiphon.cli.status import ExitStatus, stop

if TYPE_CHECKING:
    from antiphon.cli.agent_thread import AgentThread
    from antiphon.contracts import Envelope
    from antiphon.contracts.definition import Mode

COMMAND = "tools call"
MAX_ARGUMENTS = 1_000_000


def call(
    tool_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="The tool, such as kb_search.", autocompletion=tool_ids),
    ],
    args: Annotated[
        str, typer.Argument(metavar="ARGS", help="Its arguments as JSON; - reads standard input.")
    ] = "{}",
    mode: Annotated[str, typer.Option(help="Call it as in text or voice.")] = "text",
    session: Annotated[str | None, typer.Option(help="Call it in this session, by its id.")] = None,
    key: Annotated[
        str | None,
        typer.Option("--idempotency-key", help="The same key in the same session runs it once."),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole envelope.")] = False,
) -> None:
    """Call a tool on the data folder itself; no server and no model is needed.

    A tool that needs an approval asks for it at a terminal. A tool that runs in the background is
    waited for.
    """
    from antiphon.app.key_files import KeyFileError
    from antiphon.cli.agent_thread import AgentThread, opening_of
    from antiphon.cli.serve import registry_of
    from antiphon.storage import StoreError

    check_mode(mode)
    given = _arguments(args)
    settings = settings_of(COMMAND, data, config, export=True)
    registry = registry_of(settings)
    try:
        with AgentThread(opening_of(settings, registry), warm=False) as agent:
            agent.load_servers()
            plain = tool_id.replace("-", "_")
            name = plain if plain in registry.tools else tool_id
            how: Mode = "voice" if mode == "voice" else "text"
            envelope = agent.call(name, given, mode=how, session_id=session, key=key)
            if envelope is None:
                raise stop(COMMAND, f"the session {session!r} does not exist or has ended.")
            envelope = _approved(agent, envelope)
            envelope = agent.outcome(envelope)
            if session is None:
                agent.end()
    except (StoreError, KeyFileError) as error:
        raise stop(COMMAND, str(error)) from None
    _print(envelope, as_json)
    raise typer.Exit(ExitStatus.DONE if envelope["ok"] else ExitStatus.FOUND_WRONG)


def _arguments(text: str) -> dict[str, Any]:
    import json

    if text == "-":
        text = sys.stdin.buffer.read(MAX_ARGUMENTS + 1).decode("utf-8", "replace")
    if len(text) > MAX_ARGUMENTS:
        raise typer.BadParameter(f"more than {MAX_ARGUMENTS:,} characters", param_hint="ARGS")
    try:
        value = json.loads(text)
    except ValueError as error:
        hint = 'write a JSON object in single quotes, such as \'{"query": "ada"}\''
        raise typer.BadParameter(f"no JSON ({error}); {hint}", param_hint="ARGS") from None
    if not isinstance(value, dict):
        raise typer.BadParameter("must be one JSON object", param_hint="ARGS")
    return value


def _approved(agent: AgentThread, envelope: Envelope) -> Envelope:
    """Ask the person at this terminal for approval and return the outcome; without a terminal the
    envelope as it was."""
    requests = agent.waiting()
    if not requests or not sys.stdin.isatty():
        if requests:
            words = "it needs a person's approval: call it at a terminal, where you are asked."
            typer.echo(f"antiphon {COMMAND}: {words}", err=True)
        return envelope
    from antiphon.registry.findings import plain

    for request in requests:
        for line in confirmation_text(request).splitlines():
            typer.echo(plain(line), err=True)
        typer.echo("Approve? [y/N] ", nl=False, err=True)
        answer = sys.stdin.readline().strip().lower()
        envelope = agent.confirm(request, answer in ("y", "yes"))
    return envelope


def _print(envelope: Envelope, as_json: bool) -> None:
    import json

    from antiphon.registry.findings import plain

    if as_json:
        typer.echo(json.dumps(envelope, ensure_ascii=False))
    elif envelope["ok"]:
        typer.echo(json.dumps(envelope["data"], ensure_ascii=False, indent=2))
    else:
        error = envelope["error"]
        typer.echo(f"antiphon {COMMAND}: {error['type']}: {plain(error['message'])}", err=True)
        for wrong in error.get("errors", ()):
            at = wrong.get("pointer") or "arguments"
            words = plain(f"  {at} {wrong['message']}; expected {wrong.get('expected', '')}")
            typer.echo(words, err=True)
