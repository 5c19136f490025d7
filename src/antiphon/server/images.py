"""Generated images over HTTP, and the provider that makes them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from starlette.responses import Response

from antiphon.config import Settings
from antiphon.contracts import ToolError
from antiphon.providers import Backends
from antiphon.providers.images import ImageVendor, Shape, make_image
from antiphon.server.problems import ProblemError, documented
from antiphon.workspace.images import Generated, Generator, Images

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
    summary="A generated image",
    description="The picture itself. An image never changes, so it may be kept for ever.",
    response_class=Response,
    responses={
        200: {
            "description": "The image.",
            "content": {"image/png": _PICTURE, "image/jpeg": _PICTURE, "image/svg+xml": _PICTURE},
        },
        **documented(404, 422, 503),
    },
)
async def get_image(
    request: Request,
    image_id: Annotated[
        str, InPath(max_length=64, examples=["img_4f8a2c0d9b7e61f35a8c0e2d4f8a2c0d"])
    ],
) -> Response:
    images: Images = request.app.state.images
    try:
        found = await images.stored(image_id)
    except ToolError as error:
        raise ProblemError(503, error.message) from None
    if found is None:
        raise ProblemError(404, f"There is no image `{image_id}`.")
    return Response(found.content, media_type=found.media_type, headers=_HEADERS)


def image_generator(settings: Settings, backends: Backends) -> Generator:
    """Asks the provider that is in force when the image is made; keys may be set at run time."""

    async def generate(prompt: str, shape: Shape) -> Generated | None:
        vendor = _vendor(settings, backends)
        if vendor is None:
            return None
        access = backends.provider((vendor, "text")).access
        made = await make_image(vendor, access, prompt, shape, settings.images.model)
        return Generated(made.content, made.provider, made.model)

    return generate


def _vendor(settings: Settings, backends: Backends) -> ImageVendor | None:
    chosen = settings.images.provider
    if chosen == "none":
        return None
    if chosen != "auto":
        return chosen if backends.configured(chosen) else None
    order: list[ImageVendor] = ["openai", "gemini"]
    # The agent's own provider goes first.
    order.sort(key=lambda vendor: vendor != backends.chosen)
    for vendor in order:
        # A server of one's own that needs no key seldom makes images.
        if backends.configured(vendor) and backends.provider((vendor, "text")).access.api_key:
            return vendor
    return None
