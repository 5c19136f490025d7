"""User block for a while: a message to them, no further calls, the voice session ended."""

from __future__ import annotations

import math
from typing import Any

from antiphon import ErrorType, Intent, ToolError, fail, ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    if not context.session.is_active:
        return fail(
            ErrorType.SESSION_INACTIVE, "The user cannot be blocked: the session has ended."
        )
    duration, farewell = args["duration_seconds"], args["farewell_message"]
    timeout_until = math.ceil((context.now().timestamp() + duration) * 1000)
    # Told first: a block cannot be taken back when the person turns out not to have been told.
    try:
        await context.messaging.send(
            {
                "type": "timeout",
                "timeoutUntil": timeout_until,
                "seconds": duration,
                "durationSeconds": duration,
                "farewellMessage": farewell,
                "message": farewell if farewell.strip() else f"Blocked for {duration:g} seconds.",
            }
        )
    except ToolError as error:
        if error.type is not ErrorType.TRANSIENT:
            raise
        context.audit.log("user_timeout_undelivered", {"duration": duration})
        return fail(
            ErrorType.TRANSIENT,
            "The timeout could not be delivered, so the user is not blocked. "
            "Call again if it is still called for.",
        )
    # What is left of it, so that the block ends when the person was told that it would.
    left = timeout_until / 1000 - context.now().timestamp()
    in_force = round(await context.users.block(left, "ignore_user") * 1000)
    # A longer block, from another session of the same person, stays in force.
    timeout_until = max(timeout_until, in_force)
    context.audit.log(
        "user_timeout",
        {"duration": duration, "timeoutUntil": timeout_until, "reason": "tool_invocation"},
    )
    final_message = farewell if farewell.strip() else None
    intents = [Intent.suppress_audio()]
    if context.mode == "voice":
        # Whatever else the model says in this turn is neither heard nor read; the farewell is.
        after = "farewell_spoken" if final_message else "current_turn"
        intents = [context.voice.end_session(after), *intents, Intent.suppress_transcript()]
    return ok(
        {
            "timeoutUntil": timeout_until,
            "duration": duration,
            "reason": "user_blocked",
            "finalMessage": final_message,
        },
        intents,
    )
