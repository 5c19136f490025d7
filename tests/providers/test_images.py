"""Images of providers over real sockets: what is asked, what comes back, what goes wrong."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.workspace.http_server import Answer, HangUp, Request, serving

from antiphon import ToolError
from antiphon.providers import vendors
from antiphon.providers.images import ProviderImage
from antiphon.providers.port import Access

DATA = base64.b64encode(b"picture").decode()
OPENAI = {"data": [{"b64_json": DATA}]}
GEMINI = {
    "candidates": [
        {"content": {"parts": [{"text": "Here."}, {"inlineData": {"data": DATA}}]}},
    ]
}


def maker(vendor: str) -> Any:
    return {"openai": vendors.OPENAI, "gemini": vendors.GEMINI}[vendor].image_maker


def made(vendor: str, answer: Callable[[Request], Awaitable[Answer]], **how: Any) -> ProviderImage:
    async def running() -> ProviderImage:
        async with serving(answer) as url:
            access = Access("the-key", url, None)
            return await maker(vendor)(access, "A fox", how.pop("shape", "square"), **how)

    return asyncio.run(running())


def test_openai_is_asked_for_one_image() -> None:
    seen: list[Request] = []

    async def answer(request: Request) -> Answer:
        seen.append(request)
        return Answer(200, OPENAI)

    image = made("openai", answer, shape="landscape")
    assert image == ProviderImage(b"picture", "openai", "gpt-image-1")
    (request,) = seen
    assert request.path == "/images/generations"
    assert request.headers["authorization"] == "Bearer the-key"
    assert request.json == {
        "model": "gpt-image-1",
        "prompt": "A fox",
        "size": "1536x1024",
        "n": 1,
    }


def test_gemini_is_asked_for_an_image() -> None:
    seen: list[Request] = []

    async def answer(request: Request) -> Answer:
        seen.append(request)
        return Answer(200, GEMINI)

    image = made("gemini", answer, model="another-image-model")
    assert image == ProviderImage(b"picture", "gemini", "another-image-model")
    (request,) = seen
    assert request.path == "/v1beta/models/another-image-model:generateContent"
    assert request.headers["x-goog-api-key"] == "the-key"
    assert request.json["generationConfig"]["responseModalities"] == ["IMAGE"]


@pytest.mark.parametrize(
    ("vendor", "answer", "type", "said"),
    [
        (
            "openai",
            Answer(401, {"error": {"message": "Incorrect API key provided: the-key"}}),
            *("AUTH", "********"),
        ),
        ("gemini", Answer(403, {"error": {"message": "no"}}), "AUTH", "does not accept the key"),
        ("openai", Answer(429, {}, {"retry-after": "5"}), "RATE_LIMIT", "no more images"),
        ("openai", Answer(500), "TRANSIENT", "is in trouble"),
        (
            "openai",
            Answer(400, {"error": {"message": "Your request was rejected by safety"}}),
            *("PERMANENT", "rejected by safety"),
        ),
        ("openai", Answer(200, {"data": []}), "PERMANENT", "made no image"),
        ("openai", Answer(200, b"no json"), "PERMANENT", "made no image"),
        (
            "gemini",
            Answer(200, {"candidates": [{"finishReason": "IMAGE_SAFETY"}]}),
            *("PERMANENT", "IMAGE_SAFETY"),
        ),
        (
            "gemini",
            Answer(200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
            *("PERMANENT", "PROHIBITED_CONTENT"),
        ),
        ("openai", Answer(200, {"data": [{"b64_json": "%%"}]}), "TRANSIENT", "cannot be read"),
    ],
)
def test_what_goes_wrong_is_said_without_the_key(
    vendor: str, answer: Answer, type: str, said: str
) -> None:
    async def give(request: Request) -> Answer:
        return answer

    with pytest.raises(ToolError) as caught:
        made(vendor, give)
    assert caught.value.type == type
    assert said in caught.value.message
    assert "the-key" not in caught.value.message


def test_a_line_that_breaks_is_transient() -> None:
    async def hang_up(request: Request) -> Answer:
        raise HangUp

    with pytest.raises(ToolError) as caught:
        made("openai", hang_up)
    assert caught.value.type == "TRANSIENT"


def test_without_a_key_nothing_is_asked() -> None:
    with pytest.raises(ToolError, match="OPENAI_API_KEY"):
        asyncio.run(maker("openai")(Access(None, None, None), "A fox", "square"))
