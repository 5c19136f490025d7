"""End of the voice session: at the end of the turn, or once the closing message is spoken."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    if not context.voice.is_active():
        return fail(ErrorType.SESSION_INACTIVE, "There is no voice session to end.")
    pending = context.session.state["pending_end_voice_session"]
    if pending is not None and pending["after"] == "farewell_spoken":
        # A farewell on its way is not replaced by another; the answer is what will happen.
        return ok(
            build_ending(pending["reason"], pending["closingMessage"], pending["textResponse"])
        )
    data = build_ending(args["reason"], args.get("closing_message"), args.get("text_response"))
    after = "farewell_spoken" if data["finalMessage"] else "current_turn"
    return ok(data, [context.voice.end_session(after)])


def build_ending(reason: str, closing: str | None, text: str | None) -> dict[str, Any]:
    return {
        "reason": reason,
        "finalMessage": closing if closing and closing.strip() else None,
        "textResponse": text if text and text.strip() else None,
    }
