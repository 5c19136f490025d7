"""Shows one of the person's own images in their chat."""

from __future__ import annotations

import hashlib
from typing import Any

from antiphon import ErrorType, fail, ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    if not context.session.is_active:
        return fail(ErrorType.SESSION_INACTIVE, "The image cannot be sent: the session has ended.")
    session = context.session
    image = await context.workspace.images.find(args["image_url"], session.user, session.id)
    caption = args["caption"].strip()
    # A client that gets the message twice knows by its id that it is the same one.
    message_id = hashlib.sha256(context.idempotency_key.encode()).hexdigest()[:24]
    await context.messaging.send(
        {
            "type": "image",
            "id": message_id,
            "url": image["url"],
            "caption": caption,
            "imageId": image["image_id"],
            "mediaType": image["media_type"],
            "width": image["width"],
            "height": image["height"],
            "alt": image["alt"],
            "placeholder": image["placeholder"],
        }
    )
    context.audit.log("image_sent", {"imageId": image["image_id"]})
    return ok(
        {"image_id": image["image_id"], "url": image["url"], "caption": caption, "sent": True}
    )
