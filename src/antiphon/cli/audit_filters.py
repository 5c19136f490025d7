"""Audit filters: the options that choose lines of the audit, declared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

Event = Annotated[str | None, typer.Option(help="Only this event, such as tool_decision.")]
SessionId = Annotated[str | None, typer.Option("--session", help="Only of this session.")]
ToolId = Annotated[str | None, typer.Option("--tool", help="Only of this tool.")]
Decision = Annotated[
    str | None, typer.Option(help="Only so decided: run, refuse, confirm, replay.")
]
Rule = Annotated[str | None, typer.Option(help="Only decided by this rule, such as budget.calls.")]
Ok = Annotated[bool | None, typer.Option("--ok/--failed", help="Only what succeeded, or did not.")]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="Not before: ISO 8601, or epoch seconds.")
]
Until = Annotated[str | None, typer.Option(metavar="TIME", help="Before this time.")]
AfterSeq = Annotated[int, typer.Option(min=0, help="Only lines after this one.")]

_FILTERS: dict[str, Any] = {
    "event": Event,
    "session": SessionId,
    "tool": ToolId,
    "decision": Decision,
    "rule": Rule,
    "ok": Ok,
    "since": Since,
    "until": Until,
}
_COLUMNS = {"session": "session_id", "tool": "tool_id"}


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each filter; it gets them in its parameter `filters`, as
    `Store.audit_lines` takes them."""

    @wraps(command)
    def run(**given: Any) -> None:
        chosen = {_COLUMNS.get(name, name): given.pop(name) for name in _FILTERS}
        times = {name: seconds_of(f"--{name}", chosen[name]) for name in ("since", "until")}
        command(filters={**chosen, **times}, **given)

    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in _FILTERS.items()
    ]
    own = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for each in own.parameters.values():
        alone = each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        parameters += options if each.name == "filters" else [alone]
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def seconds_of(option: str, text: str | None) -> float | None:
    """A time as seconds of the epoch. Raises BadParameter for a text that is none."""
    from datetime import UTC, datetime

    from pydantic import TypeAdapter, ValidationError

    if text is None:
        return None
    try:
        moment = TypeAdapter(datetime).validate_python(text)
    except ValidationError:
        raise typer.BadParameter(
            f"{text!r} is no time; write 2026-03-01, 2026-03-01T09:30:00Z or epoch seconds.",
            param_hint=option,
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
