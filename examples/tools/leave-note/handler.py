"""leave_note: puts a note into the server's notes, under the key of the call."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    notes = context.workspace.notes
    note_id = f"note-{len(notes) + 1}"
    # Under the call's key, so that after a crash it can be told whether the note was left.
    notes[context.idempotency_key] = {"id": note_id, **args}
    return ok({"note_id": note_id})
