"""image_generate and send_image: made once, kept, shown to its owner and to nobody else."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.tools.calendar_world import MONDAY, World, within
from tests.tools.kb_world import registry

from antiphon import ErrorType, ToolError
from antiphon.workspace import Workspace
from antiphon.workspace.images import Generated, Generator, Images


def png(width: int = 3, height: int = 2) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    rows = b"".join(b"\0" + b"\x80\x40\x20" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


class Painter:
    """A provider that paints, and remembers what it was asked."""

    def __init__(self, content: bytes | None = None, error: ToolError | None = None) -> None:
        self.content = png() if content is None else content
        self.error = error
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, prompt: str, shape: Any) -> Generated | None:
        self.asked.append((prompt, shape))
        if self.error is not None:
            raise self.error
        return Generated(self.content, "openai", "gpt-image-1")


def with_images(
    scenario: Callable[[World, Images], Awaitable[None]],
    folder: Path,
    painter: Generator | None = None,
    **how: Any,
) -> None:
    images = Images(folder / "images", painter)

    async def running(world: World) -> None:
        await scenario(world, images)

    within(running, workspace=Workspace(images=images), **how)


def test_the_providers_image_is_kept_and_described(tmp_path: Path) -> None:
    painter = Painter()

    async def scenario(world: World, images: Images) -> None:
        found = await world.data("image_generate", prompt=" A lighthouse ", shape="landscape")
        assert painter.asked == [("A lighthouse", "landscape")]
        assert (found["provider"], found["model"]) == ("openai", "gpt-image-1")
        assert (found["media_type"], found["width"], found["height"]) == ("image/png", 3, 2)
        assert found["placeholder"] is False
        assert found["url"] == f"/api/images/{found['image_id']}"
        stored = await images.stored(found["image_id"])
        assert stored is not None
        assert stored.content == painter.content

    with_images(scenario, tmp_path, painter)


@pytest.mark.parametrize("shape", ["square", "landscape", "portrait"])
def test_without_a_provider_it_is_a_card_that_says_so(tmp_path: Path, shape: str) -> None:
    prompt = "</text><script>alert(1)</script> & \x07 " + "many words " * 170

    async def scenario(world: World, images: Images) -> None:
        found = await world.data("image_generate", prompt=prompt, shape=shape)
        assert found["placeholder"] is True
        assert "placeholder card" in found["note"]
        stored = await images.stored(found["image_id"])
        assert stored is not None
        assert stored.media_type == "image/svg+xml"
        root = ElementTree.fromstring(stored.content)
        tags = {element.tag.partition("}")[2] for element in root.iter()}
        assert tags == {"svg", "title", "rect", "circle", "text"}
        assert "PLACEHOLDER: no image was generated" in "".join(root.itertext())
        assert (root.get("width"), root.get("height")) == (
            str(found["width"]),
            str(found["height"]),
        )
        lowest = max(int(e.get("y", 0)) for e in root.iter() if e.tag.endswith("text"))
        assert lowest < found["height"] - 60

    with_images(scenario, tmp_path)


def test_the_same_key_makes_one_image(tmp_path: Path) -> None:
    painter = Painter()

    async def scenario(world: World, images: Images) -> None:
        who = {"user": "ada", "session": "s", "now": MONDAY}
        made = await asyncio.gather(
            *(images.generate("A fox", key="k", **who) for _ in range(3)),
            images.generate("A fox", key="other", **who),
        )
        assert len({one["image_id"] for one in made[:3]}) == 1
        assert made[3]["image_id"] != made[0]["image_id"]
        assert len(painter.asked) == 2
        again = await Images(tmp_path / "images").generate("A fox", key="k", **who)
        assert again == made[0]

    with_images(scenario, tmp_path, painter)


@pytest.mark.parametrize(
    ("error", "type"),
    [
        (ToolError(ErrorType.AUTH, "The key is wrong."), "AUTH"),
        (ToolError(ErrorType.RATE_LIMIT, "Too many.", retry_after=9), "RATE_LIMIT"),
        (ToolError(ErrorType.PERMANENT, "Refused."), "PERMANENT"),
    ],
)
def test_a_provider_that_fails_is_no_placeholder(
    tmp_path: Path, error: ToolError, type: str
) -> None:
    async def scenario(world: World, images: Images) -> None:
        found = await world.error("image_generate", prompt="A fox")
        assert found["type"] == type
        assert found["message"] == error.message
        assert list((tmp_path / "images").glob("img_*")) == []

    with_images(scenario, tmp_path, Painter(error=error))


@pytest.mark.parametrize("content", [b"", b"<svg onload='alert(1)'/>", b"<html>", b"\x89PNG"])
def test_only_pictures_are_kept(tmp_path: Path, content: bytes) -> None:
    async def scenario(world: World, images: Images) -> None:
        found = await world.error("image_generate", prompt="A fox")
        assert found["type"] == "PERMANENT"
        assert list((tmp_path / "images").glob("img_*")) == []

    with_images(scenario, tmp_path, Painter(content))


def test_a_blank_prompt_is_refused(tmp_path: Path) -> None:
    async def scenario(world: World, images: Images) -> None:
        assert (await world.error("image_generate", prompt="  "))["type"] == "VALIDATION"

    with_images(scenario, tmp_path)


def test_the_contracts_are_those_of_the_matrix(tmp_path: Path) -> None:
    metadata = registry().metadata("image_generate")
    expected = {
        "category": "action",
        "sideEffects": "writes",
        "requiresConfirmation": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 5000,
    }
    assert {name: metadata[name] for name in expected} == expected

    async def scenario(world: World, images: Images) -> None:
        error = await world.error("image_generate", prompt="A fox")
        assert error["type"] == "MODE_RESTRICTED"

    with_images(scenario, tmp_path, mode="voice")


# -- send_image ----------------------------------------------------------------------------------


def test_an_image_is_shown_in_the_persons_channel(tmp_path: Path) -> None:
    async def scenario(world: World, images: Images) -> None:
        made = await world.data("image_generate", prompt="A lighthouse")
        sent = await world.data("send_image", image_url=made["url"], caption=" At dawn ")
        assert sent == {
            "image_id": made["image_id"],
            "url": made["url"],
            "caption": "At dawn",
            "sent": True,
        }
        (message,) = world.messages
        assert message.pop("id")
        assert message == {
            "type": "image",
            "url": made["url"],
            "caption": "At dawn",
            "imageId": made["image_id"],
            "mediaType": "image/png",
            "width": 3,
            "height": 2,
            "alt": "A lighthouse",
            "placeholder": False,
        }

    with_images(scenario, tmp_path, Painter())


@pytest.mark.parametrize(
    "form", ["{id}", "api/images/{id}", "/api/images/{id}", "http://127.0.0.1:8080/api/images/{id}"]
)
def test_an_image_may_be_named_by_id_path_or_address(tmp_path: Path, form: str) -> None:
    async def scenario(world: World, images: Images) -> None:
        made = await world.data("image_generate", prompt="A lighthouse")
        named = form.format(id=made["image_id"])
        sent = await world.data("send_image", image_url=named)
        assert sent["url"] == made["url"]

    with_images(scenario, tmp_path)


@pytest.mark.parametrize(
    "image",
    [
        "https://example.com/cat.png",
        "/api/images/../../etc/passwd",
        "/api/images/img_" + "0" * 32,
        "img_.secret",
        "file:///etc/passwd",
        "javascript:alert(1)",
    ],
)
def test_nothing_but_own_images_can_be_sent(tmp_path: Path, image: str) -> None:
    async def scenario(world: World, images: Images) -> None:
        error = await world.error("send_image", image_url=image)
        assert error["type"] == "NOT_FOUND"
        assert world.messages == []

    with_images(scenario, tmp_path)


def test_another_persons_image_is_not_there(tmp_path: Path) -> None:
    async def scenario(world: World, images: Images) -> None:
        made = await world.data("image_generate", prompt="A lighthouse")
        other = world.other("grace")
        error = await other.error("send_image", image_url=made["url"])
        assert error["type"] == "NOT_FOUND"
        assert other.messages == []
        mine = world.other("ada")  # another session of the same person
        assert (await mine.data("send_image", image_url=made["url"]))["sent"] is True

    with_images(scenario, tmp_path)


def test_an_image_that_does_not_arrive_is_said_to_be_so(tmp_path: Path) -> None:
    async def scenario(world: World, images: Images) -> None:
        made = await world.data("image_generate", prompt="A lighthouse")

        def gone(message: dict[str, Any]) -> None:
            raise BrokenPipeError("gone")

        world.session.channel = gone
        error = await world.error("send_image", image_url=made["url"])
        assert error["type"] == "TRANSIENT"
        assert error["retryable"] is True

    with_images(scenario, tmp_path)


def test_a_voice_session_can_show_an_image_too(tmp_path: Path) -> None:
    images = Images(tmp_path / "images")

    async def scenario(world: World) -> None:
        made = await images.generate(
            "A fox", key="k", user="ada", session="text session", now=MONDAY
        )
        assert (await world.data("send_image", image_url=made["url"]))["sent"] is True

    within(scenario, mode="voice", workspace=Workspace(images=images))
