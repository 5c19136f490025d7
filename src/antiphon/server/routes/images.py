"""Images over HTTP: pictures that were generated or sent."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from pydantic import BaseModel, Field
from starlette.responses import Response

from antiphon.contracts import ToolError
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.server.shares import shared_conversation
from antiphon.workspace.images import Images, StoredImage

# The line of the audit by which an image that was sent is shown again.
IMAGE_SENT = "image_sent"


class ImageShown(BaseModel):
    """A picture in a conversation, as the message `image` has it."""

    id: str = Field(description="Of the message; the same where it comes twice.")
    url: str = Field(examples=["/api/images/img_4f8a2c0d9b7e61f35a8c0e2d4f8a2c0d"])
    caption: str
    imageId: str
    mediaType: str = Field(examples=["image/png"])
    width: int | None
    height: int | None
    alt: str = Field(description="What it shows, for those who cannot see it.")


def image_shown(line: dict[str, Any]) -> ImageShown | None:
    """The picture that a line of the audit is about; None for any other line, and for one of an
    older version, which had no more than the id."""
    details = line.get("details") or {}
    if line["event"] != IMAGE_SENT or "url" not in details:
        return None
    return ImageShown(**details)


router = APIRouter(prefix="/api/images", tags=["images"])

_PICTURE = {"schema": {"type": "string", "format": "binary"}}
# An SVG that is opened by itself is a document: it may not run, load or embed anything.
_HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": "inline",
}


@router.get(
    "/{image_id}",
    summary="An image that was generated or sent",
    description="The picture itself, of whoever asks or of a conversation that was shared. An "
    "image never changes, so it may be kept for ever.",
    response_class=Response,
    responses={
        200: {
            "description": "The image.",
            "content": {
                f"image/{kind}": _PICTURE for kind in ("png", "jpeg", "gif", "webp", "svg+xml")
            },
        },
        **documented(404, 422, 503),
    },
)
async def get_image(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    image_id: Annotated[
        str, InPath(max_length=64, examples=["img_4f8a2c0d9b7e61f35a8c0e2d4f8a2c0d"])
    ],
    share: Annotated[
        str | None,
        Query(max_length=200, description="The token of the shared conversation that shows it."),
    ] = None,
) -> Response:
    images: Images = application.images
    try:
        found = await images.stored(image_id)
    except ToolError as error:
        raise ProblemError(503, error.message) from None
    if found is None or not (
        http_sessions.scope.owns(found.user) or await _is_shared(http_sessions, found, share)
    ):
        raise ProblemError(404, f"There is no image `{image_id}`.")
    return Response(found.content, media_type=found.media_type, headers=_HEADERS)


async def _is_shared(http_sessions: HttpSessions, image: StoredImage, token: str | None) -> bool:
    """Whether the image is of the conversation that was shared by this token."""
    store = http_sessions.scope.store
    row = None if token is None else await shared_conversation(store, http_sessions.scope, token)
    if row is None or row.user != image.user:
        return False
    return image.session in {session.id for session in await store.sessions_of(row.id)}
