"""Switch of the person's client from text to voice, with what they asked for handed over."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from antiphon import ErrorType, ToolError, fail, ok

PREVIEW = 100


async def execute(args: dict[str, Any], context: Any) -> Any:
    if context.mode == "voice":
        return fail(ErrorType.SESSION_ACTIVE, "This is a voice session already.")
    if not context.session.is_active:
        return fail(ErrorType.SESSION_INACTIVE, "Voice cannot be started: the session has ended.")
    pending_request = args["pending_request"].strip() or None
    # From the call's key, so that a call that is run again asks for the same voice session.
    name = f"{context.session.id}/{context.idempotency_key}"
    voice_session = f"voice-{sha256(name.encode()).hexdigest()[:12]}"
    try:
        await context.messaging.send(
            {
                "type": "voice_session_start",
                "sessionId": voice_session,
                "pendingRequest": pending_request,
            }
        )
    except ToolError as error:
        if error.type is not ErrorType.TRANSIENT:
            raise
        return fail(
            ErrorType.TRANSIENT,
            "The client could not be reached, so voice was not started. "
            "Go on in text, or try again.",
        )
    context.audit.log(
        "voice_session_start",
        {
            "voiceSessionId": voice_session,
            "hasPendingRequest": pending_request is not None,
            "pendingRequestPreview": pending_request and pending_request[:PREVIEW],
        },
    )
    return ok(
        {
            "voice_session_requested": True,
            "pending_request": pending_request,
            "message": "Voice session will be activated by client",
        }
    )
