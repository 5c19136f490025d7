"""Changed call: what a person changed of a call before they approved it, checked like any call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import ErrorType, ToolCall, error_body
from antiphon.contracts.pointers import values_at
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_identity import canonical_args
from antiphon.orchestrator.call_records import canonical_json
from antiphon.orchestrator.pending_confirmation import PendingConfirmation, preview_call
from antiphon.orchestrator.refusals import prepare_refusal
from antiphon.policy import Case, decide
from antiphon.storage import ConfirmationRow

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session


@dataclass(frozen=True, slots=True)
class ChangedCall:
    """The arguments that a person wants a call to run with, validated. `changes` has each value
    that differs, as it was `asked` and as it was `approved`, without what is redacted. `error` says
    why the call may not run so."""

    args: dict[str, Any]
    changes: dict[str, Any]
    error: dict[str, Any] | None = None


async def change_call(
    session: Session, pending: PendingConfirmation, given: dict[str, Any]
) -> ChangedCall:
    """Check the arguments that a person has given in place of those that they were asked about:
    every rule, the tool's schema, and what its handler can refuse at once."""
    tool, view = pending.tool, session.view
    call = ToolCall(pending.call_id, pending.row.tool_id, given)
    view.now = session.orchestrator.now()
    case = Case(call, canonical_args(call), None, None, True)
    verdict = decide(case, tool, view)
    if verdict.error is not None:
        return ChangedCall(pending.args, {}, verdict.error)
    pointers = tool.definition.redact
    kept = [
        pointer
        for pointer in pointers
        if values_at(pending.args, pointer) != values_at(case.args, pointer)
    ]
    if kept:
        return ChangedCall(pending.args, {}, _unchangeable(kept))
    changes = _changes(_shown(pending.args, pointers), _shown(case.args, pointers))
    error = None
    if changes:
        error = await prepare_refusal(session, tool, case.args, pending.row.key)
    return ChangedCall(case.args, changes, error)


def changed_row(
    session: Session, pending: PendingConfirmation, checked: ChangedCall
) -> ConfirmationRow:
    """The row of a request whose arguments a person changed: nobody else has approved these."""
    row = pending.row
    if not checked.changes:
        return row
    earlier: dict[str, Any] = orjson.loads(row.changes)
    # Against what was asked at first, however often it was changed since.
    changes = {
        name: {**each, **{k: v for k, v in earlier.get(name, {}).items() if k == "asked"}}
        for name, each in {**earlier, **checked.changes}.items()
    }
    canonical = canonical_json(checked.args)
    preview = preview_call(session, pending.tool, checked.args)
    return replace(
        row,
        args=canonical,
        args_digest=sha256(canonical).hexdigest(),
        preview=preview.text,
        title=preview.title,
        approvers="[]",
        changes=orjson.dumps(changes).decode(),
    )


def told_changes(row: ConfirmationRow) -> dict[str, Any]:
    """What the audit says of the values that a person changed."""
    changes = orjson.loads(row.changes)
    return {"changes": changes} if changes else {}


def _shown(args: dict[str, Any], pointers: tuple[str, ...]) -> dict[str, Any]:
    shown: dict[str, Any] = redacted(orjson.loads(canonical_json(args)), pointers)
    return shown


def _changes(asked: dict[str, Any], approved: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in sorted(asked.keys() | approved.keys()):
        values = {
            word: values[name]
            for word, values in (("asked", asked), ("approved", approved))
            if name in values
        }
        if len(values) < 2 or values["asked"] != values["approved"]:
            found[name] = values
    return found


def _unchangeable(pointers: list[str]) -> dict[str, Any]:
    # After a crash nobody could tell any more what was approved.
    words = "cannot be changed here: it is never written down"
    listed = "; ".join(f"{pointer} {words}" for pointer in pointers)
    return error_body(
        ErrorType.VALIDATION,
        f"Invalid parameters: {listed}",
        errors=[
            {"pointer": pointer, "message": words, "expected": "the value that was asked"}
            for pointer in pointers
        ],
    )
