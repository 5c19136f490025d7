"""Images from providers over REST: OpenAI's generations and Gemini's image models."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import (
    HttpClient,
    NetworkError,
    RequestTimeoutError,
    ResponseTooLargeError,
    parse_retry_after,
)
from antiphon.providers.auth import key_of, tls_context
from antiphon.providers.port import Access, ProviderFault
from antiphon.secrecy.redaction import redact

Shape = Literal["square", "landscape", "portrait"]

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
    """Bytes of a generated picture, and the model that made it."""

    content: bytes
    provider: str
    model: str


async def make_openai_image(
    access: Access, prompt: str, shape: Shape, model: str | None = None
) -> ProviderImage:
    """Generate one image by OpenAI's images API. Raises ToolError and nothing else."""
    chosen = model or "gpt-image-1"
    sent = {"model": chosen, "prompt": prompt, "size": _SIZES[shape], "n": 1}
    body = await _ask(
        "openai",
        "OpenAI",
        access,
        f"{(access.base_url or 'https://api.openai.com/v1').rstrip('/')}/images/generations",
        lambda key: {"authorization": f"Bearer {key}"},
        sent,
    )
    return ProviderImage(_decode("OpenAI", _openai_data(body), body), "openai", chosen)


async def make_gemini_image(
    access: Access, prompt: str, shape: Shape, model: str | None = None
) -> ProviderImage:
    """Generate one image by an image model of Gemini. Raises ToolError and nothing else."""
    chosen = model or "gemini-2.5-flash-image"
    sent = {
        "contents": [{"role": "user", "parts": [{"text": prompt}]}],
        "generationConfig": {
            "responseModalities": ["IMAGE"],
            "imageConfig": {"aspectRatio": _RATIOS[shape]},
        },
    }
    base = (access.base_url or "https://generativelanguage.googleapis.com").rstrip("/")
    body = await _ask(
        "gemini",
        "Gemini",
        access,
        f"{base}/v1beta/models/{chosen}:generateContent",
        lambda key: {"x-goog-api-key": key},
        sent,
    )
    return ProviderImage(_decode("Gemini", _gemini_data(body), body), "gemini", chosen)


async def _ask(
    vendor: str,
    label: str,
    access: Access,
    url: str,
    headers: Callable[[str], dict[str, str]],
    body: dict[str, Any],
) -> dict[str, Any]:
    """Return the answer of an image API, asked with the key of the access."""
    try:
        key = key_of(vendor, access)
        return await _post(vendor, label, access, url, headers(key), body)
    except ProviderFault as failed:
        raise ToolError(ErrorType.AUTH, failed.fault.message) from None


def _decode(label: str, data: str | None, body: dict[str, Any]) -> bytes:
    if data is None:
        raise ToolError(
            ErrorType.PERMANENT,
            f"{label} made no image of this prompt{_why(body)}. Other words may help.",
        )
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error:
        raise ToolError(
            ErrorType.TRANSIENT, f"{label} sent an image that cannot be read."
        ) from None


async def _post(
    vendor: str, label: str, access: Access, url: str, headers: dict[str, str], body: Any
) -> dict[str, Any]:
    client = HttpClient(
        timeout=SECONDS,
        max_bytes=MAX_ANSWER,
        tls=tls_context(vendor, access),
        secrets=[access.api_key or ""],
    )
    try:
        answer = await client.request("POST", url, headers=headers, json=body)
    except ResponseTooLargeError as error:
        raise ToolError(ErrorType.PERMANENT, f"{label} sent too large an image.") from error
    except RequestTimeoutError as error:
        raise ToolError(
            ErrorType.TRANSIENT, f"{label} did not make the image within {SECONDS:g} seconds."
        ) from error
    except NetworkError as error:
        raise ToolError(ErrorType.TRANSIENT, f"{label} cannot be reached ({error}).") from error
    finally:
        await client.close()
    try:
        read = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        read = None
    found: dict[str, Any] = read if isinstance(read, dict) else {}
    if answer.status != 200:
        raise _refused(label, answer.status, answer.headers, found, access)
    return found


def _refused(
    label: str, status: int, headers: Mapping[str, str], body: dict[str, Any], access: Access
) -> ToolError:
    error = body.get("error")
    words = str(error.get("message", "")) if isinstance(error, dict) else ""
    words = redact(words, [access.api_key or ""])
    told = f" ({status}{f': {words}' if words else ''})"
    if status in (401, 403):
        return ToolError(ErrorType.AUTH, f"{label} does not accept the key for images{told}.")
    if status == 429:
        after = parse_retry_after(headers.get("retry-after"))
        return ToolError(
            ErrorType.RATE_LIMIT,
            f"{label} makes no more images for now{told}.",
            retry_after=60.0 if after is None else after,
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
    """Return what Gemini says of a prompt that it does not follow."""
    feedback = body.get("promptFeedback")
    reasons = [feedback.get("blockReason")] if isinstance(feedback, dict) else []
    reasons += [candidate.get("finishReason") for candidate in _list(body.get("candidates"))]
    named = [str(reason) for reason in reasons if reason and reason != "STOP"]
    return f" ({', '.join(named)})" if named else ""


def _list(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
