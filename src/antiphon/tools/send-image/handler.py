"""Image delivery to the person's chat: one of theirs, or a picture of the web."""

from __future__ import annotations

import hashlib
from typing import Any

from antiphon import ErrorType, fail, ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    session = context.session
    if not session.is_active:
        return fail(ErrorType.SESSION_INACTIVE, "The image cannot be sent: the session has ended.")
    key = context.idempotency_key
    image = await context.workspace.images.find(
        args["image_url"], key=key, user=session.user, session=session.id, now=context.now()
    )
    caption = args["caption"].strip()
    message = {
        # A client that gets the message twice knows by its id that it is the same one.
        "id": hashlib.sha256(key.encode()).hexdigest()[:24],
        "url": image["url"],
        "caption": caption,
        "imageId": image["image_id"],
        "mediaType": image["media_type"],
        "width": image["width"],
        "height": image["height"],
        "alt": image["alt"],
    }
    await context.messaging.send({"type": "image", **message})
    # The line is what the conversation shows again after a reload.
    context.audit.log("image_sent", message)
    return ok(
        {"image_id": image["image_id"], "url": image["url"], "caption": caption, "sent": True}
    )
