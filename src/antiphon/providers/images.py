"""Images from providers over REST: OpenAI's generations and Gemini's image models."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.providers.auth import key_of, tls_context
from antiphon.providers.port import Access, ProviderFault
from antiphon.providers.vendors import GEMINI, OPENAI

ImageVendor = Literal["openai", "gemini"]
Shape = Literal["square", "landscape", "portrait"]

MODELS: Mapping[ImageVendor, str] = {"openai": "gpt-image-1", "gemini": "gemini-2.5-flash-image"}
ADDRESSES: Mapping[ImageVendor, str] = {
    "openai": "https://api.openai.com/v1",
    "gemini": "https://generativelanguage.googleapis.com",
}
_LABELS: Mapping[ImageVendor, str] = {"openai": OPENAI.label, "gemini": GEMINI.label}
SECONDS = 110.0
MAX_ANSWER = 48 * 1024 * 1024
_SIZES: Mapping[Shape, str] = {
    "square": "1024x1024",
    "landscape": "1536x1024",
    "portrait": "1024x1536",
}
_RATIOS: Mapping[Shape, str] = {"square": "1:1", "landscape": "3:2", "portrait": "2:3"}


@dataclass(frozen=True, slots=True)
class ProviderImage:
    """The bytes of a picture, and the model that made it."""

    content: bytes
    provider: ImageVendor
    model: str


async def make_image(
    vendor: ImageVendor, access: Access, prompt: str, shape: Shape, model: str | None = None
) -> ProviderImage:
    """One image of a prompt. Raises ToolError and nothing else."""
    chosen = model or MODELS[vendor]
    label = _LABELS[vendor]
    base = (access.base_url or ADDRESSES[vendor]).rstrip("/")
    try:
        key = key_of(vendor, access)
        if vendor == "openai":
            body = await _post(
                access,
                vendor,
                f"{base}/images/generations",
                {"authorization": f"Bearer {key}"},
                {"model": chosen, "prompt": prompt, "size": _SIZES[shape], "n": 1},
            )
            data = _openai_data(body)
        else:
            body = await _post(
                access,
                vendor,
                f"{base}/v1beta/models/{chosen}:generateContent",
                {"x-goog-api-key": key},
                {
                    "contents": [{"role": "user", "parts": [{"text": prompt}]}],
                    "generationConfig": {
                        "responseModalities": ["IMAGE"],
                        "imageConfig": {"aspectRatio": _RATIOS[shape]},
                    },
                },
            )
            data = _gemini_data(body)
    except ProviderFault as failed:
        raise ToolError(ErrorType.AUTH, failed.fault.message) from None
    if data is None:
        raise ToolError(
            ErrorType.PERMANENT,
            f"{label} made no image of this prompt{_why(body)}. Other words may help.",
        )
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        raise ToolError(
            ErrorType.TRANSIENT, f"{label} sent an image that cannot be read."
        ) from None
    return ProviderImage(content, vendor, chosen)


async def _post(
    access: Access, vendor: ImageVendor, url: str, headers: dict[str, str], body: Any
) -> dict[str, Any]:
    import httpx2

    label = _LABELS[vendor]
    content = bytearray()
    try:
        async with (
            httpx2.AsyncClient(
                verify=tls_context(vendor, access) or True, timeout=SECONDS
            ) as client,
            client.stream("POST", url, headers=headers, json=body) as answer,
        ):
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > MAX_ANSWER:
                    raise ToolError(ErrorType.PERMANENT, f"{label} sent too large an image.")
    except httpx2.TimeoutException as error:
        raise ToolError(
            ErrorType.TRANSIENT, f"{label} did not make the image within {SECONDS:g} seconds."
        ) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ToolError(
            ErrorType.TRANSIENT, f"{label} cannot be reached ({type(error).__name__})."
        ) from error
    try:
        read = orjson.loads(bytes(content))
    except orjson.JSONDecodeError:
        read = None
    found: dict[str, Any] = read if isinstance(read, dict) else {}
    if answer.status_code != 200:
        raise _refused(label, answer.status_code, answer.headers, found, access)
    return found


def _refused(
    label: str, status: int, headers: Any, body: dict[str, Any], access: Access
) -> ToolError:
    error = body.get("error")
    words = str(error.get("message", "")) if isinstance(error, dict) else ""
    if access.api_key:
        words = words.replace(access.api_key, "********")
    words = " ".join("".join(c if c.isprintable() else " " for c in words).split())[:300]
    told = f" ({status}{f': {words}' if words else ''})"
    if status in (401, 403):
        return ToolError(ErrorType.AUTH, f"{label} does not accept the key for images{told}.")
    if status == 429:
        after = headers.get("retry-after", "")
        return ToolError(
            ErrorType.RATE_LIMIT,
            f"{label} makes no more images for now{told}.",
            retry_after=float(after) if after.isdigit() else 60.0,
        )
    if status == 408 or status >= 500:
        return ToolError(ErrorType.TRANSIENT, f"{label} is in trouble{told}.")
    return ToolError(ErrorType.PERMANENT, f"{label} refused to make this image{told}.")


def _openai_data(body: dict[str, Any]) -> str | None:
    images = body.get("data")
    first = images[0] if isinstance(images, list) and images else None
    found = first.get("b64_json") if isinstance(first, dict) else None
    return found if isinstance(found, str) else None


def _gemini_data(body: dict[str, Any]) -> str | None:
    for candidate in _list(body.get("candidates")):
        content = candidate.get("content")
        for part in _list(content.get("parts") if isinstance(content, dict) else None):
            inline = part.get("inlineData")
            if isinstance(inline, dict) and isinstance(inline.get("data"), str):
                return str(inline["data"])
    return None


def _why(body: dict[str, Any]) -> str:
    """What Gemini says of a prompt that it does not follow."""
    feedback = body.get("promptFeedback")
    reasons = [feedback.get("blockReason")] if isinstance(feedback, dict) else []
    reasons += [candidate.get("finishReason") for candidate in _list(body.get("candidates"))]
    named = [str(reason) for reason in reasons if reason and reason != "STOP"]
    return f" ({', '.join(named)})" if named else ""


def _list(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
