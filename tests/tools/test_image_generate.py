"""image_generate and send_image: made once, kept, shown to its owner and to nobody else."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.net.test_egress import reply, serving
from tests.scenarios import run_in
from tests.tools.calendar_world import MONDAY, World, within
from tests.tools.kb_world import registry

from antiphon import ErrorType, ToolCall, ToolError
from antiphon.net.egress import Egress
from antiphon.workspace import Workspace
from antiphon.workspace.images import GeneratedImage, Generator, Images


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

    async def __call__(self, prompt: str, shape: Any) -> GeneratedImage | None:
        self.asked.append((prompt, shape))
        if self.error is not None:
            raise self.error
        return GeneratedImage(self.content, "openai", "gpt-image-1")


def with_images(
    scenario: Callable[[World, Images], Awaitable[None]],
    folder: Path,
    painter: Generator | None = None,
    egress: Egress | None = None,
    **how: Any,
) -> None:
    images = Images(folder / "images", painter, egress)

    async def running(world: World) -> None:
        await scenario(world, images)

    run_in(within(workspace=Workspace(images=images), **how), running)


def test_the_providers_image_is_kept_and_described(tmp_path: Path) -> None:
    painter = Painter()

    async def scenario(world: World, images: Images) -> None:
        found = await world.data("image_generate", prompt=" A lighthouse ", shape="landscape")
        assert painter.asked == [("A lighthouse", "landscape")]
        assert (found["provider"], found["model"]) == ("openai", "gpt-image-1")
        assert (found["media_type"], found["width"], found["height"]) == ("image/png", 3, 2)
        assert "placeholder" not in found
        assert found["url"] == f"/api/images/{found['image_id']}"
        stored = await images.stored(found["image_id"])
        assert stored is not None
        assert stored.content == painter.content

    with_images(scenario, tmp_path, painter)


def shapes(svg: bytes) -> Counter[str]:
    root = ElementTree.fromstring(svg)
    return Counter(element.tag.partition("}")[2] for element in root.iter())


@pytest.mark.parametrize("shape", ["square", "landscape", "portrait"])
def test_without_a_provider_what_the_prompt_names_is_drawn(tmp_path: Path, shape: str) -> None:
    prompt = "a lighthouse, </title><script>alert(1)</script> & \x07 on a cliff at night"

    async def scenario(world: World, images: Images) -> None:
        found = await world.data("image_generate", prompt=prompt, shape=shape)
        assert (found["provider"], found["media_type"]) == ("built-in", "image/svg+xml")
        assert "made without an image model" in found["note"]
        assert "Not shown: title, script, alert." in found["note"]
        stored = await images.stored(found["image_id"])
        assert stored is not None
        tags = shapes(stored.content)
        assert set(tags) <= DRAWN_WITH
        assert tags["g"] == 2  # the lighthouse and the cliff
        root = ElementTree.fromstring(stored.content)
        size = (root.get("width"), root.get("height"))
        assert size == (str(found["width"]), str(found["height"]))
        again = await images.stored(
            (await world.data("image_generate", prompt=prompt, shape=shape))["image_id"]
        )
        assert again is not None
        assert again.content == stored.content  # the same prompt, the same picture

    with_images(scenario, tmp_path)


DRAWN_WITH = {
    *("svg", "title", "defs", "linearGradient", "stop", "g"),
    *("rect", "circle", "ellipse", "polygon", "path"),
}


def test_everything_in_the_vocabulary_can_be_drawn() -> None:
    from antiphon.workspace.pictures import draw_picture, known_subjects

    subjects = known_subjects()
    assert len(subjects) >= 40
    for name in subjects:
        drawing = draw_picture(f"a {name}")
        assert drawing is not None, name
        assert drawing.left_out == [], name
        assert set(shapes(drawing.svg.encode())) <= DRAWN_WITH


@pytest.mark.parametrize(
    ("prompt", "groups", "colour"),
    [
        ("three red boats on the sea at sunset", 4, "#c93a36"),  # and the sun
        ("A watercolour painting of two blue cars", 2, "#2f6fb3"),
        ("a house with a green tree in the rain", 5, "#3f8d45"),  # three clouds
        ("the sea at dusk", 0, "#4d4f86"),
        ("a cat and a dog", 2, "#b07d4b"),
        ("a rocket in space", 1, "#0f1836"),
    ],
)
def test_counts_colours_time_and_weather_come_from_the_prompt(
    prompt: str, groups: int, colour: str
) -> None:
    from antiphon.workspace.pictures import draw_picture

    drawing = draw_picture(prompt, "landscape")
    assert drawing is not None
    assert shapes(drawing.svg.encode())["g"] == groups
    assert colour in drawing.svg


@pytest.mark.parametrize(
    "prompt", ["a fox in a forest", "a bowl of soup", "My company's logo", "?"]
)
def test_what_cannot_be_drawn_is_refused_with_what_can(tmp_path: Path, prompt: str) -> None:
    async def scenario(world: World, images: Images) -> None:
        error = await world.error("image_generate", prompt=prompt)
        assert error["type"] == "PERMANENT"
        assert "OPENAI_API_KEY or GEMINI_API_KEY" in error["message"]
        assert {"lighthouse", "boat", "sea"} <= set(error["subjects"])
        assert list((tmp_path / "images").glob("img_*")) == []

    with_images(scenario, tmp_path)


def test_the_same_key_makes_one_image(tmp_path: Path) -> None:
    painter = Painter()

    async def scenario(world: World, images: Images) -> None:
        who = {"user": "ada", "session": "s", "now": MONDAY}
        made = await asyncio.gather(
            *(images.generate("A cat", key="k", **who) for _ in range(3)),
            images.generate("A cat", key="other", **who),
        )
        assert len({one["image_id"] for one in made[:3]}) == 1
        assert made[3]["image_id"] != made[0]["image_id"]
        assert len(painter.asked) == 2
        again = await Images(tmp_path / "images").generate("A cat", key="k", **who)
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
def test_a_provider_that_fails_is_no_drawing(tmp_path: Path, error: ToolError, type: str) -> None:
    async def scenario(world: World, images: Images) -> None:
        found = await world.error("image_generate", prompt="A cat")
        assert found["type"] == type
        assert found["message"] == error.message
        assert list((tmp_path / "images").glob("img_*")) == []

    with_images(scenario, tmp_path, Painter(error=error))


@pytest.mark.parametrize("content", [b"", b"<svg onload='alert(1)'/>", b"<html>", b"\x89PNG"])
def test_only_pictures_are_kept(tmp_path: Path, content: bytes) -> None:
    async def scenario(world: World, images: Images) -> None:
        found = await world.error("image_generate", prompt="A cat")
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
        error = await world.error("image_generate", prompt="A cat")
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
    ("image", "type"),
    [
        ("/api/images/../../etc/passwd", "NOT_FOUND"),
        ("/api/images/img_" + "0" * 32, "NOT_FOUND"),
        ("img_.secret", "NOT_FOUND"),
        ("cat.png", "NOT_FOUND"),
        ("file:///etc/passwd", "VALIDATION"),
        ("javascript:alert(1)", "VALIDATION"),
        ("https://user:pass@example.org/cat.png", "VALIDATION"),
        ("http://127.0.0.1:9/cat.png", "PERMANENT"),
        ("http://[::1]/cat.png", "PERMANENT"),
        ("http://169.254.169.254/latest/meta-data", "PERMANENT"),
    ],
)
def test_what_is_no_image_of_the_person_or_of_the_web_is_not_sent(
    tmp_path: Path, image: str, type: str
) -> None:
    async def scenario(world: World, images: Images) -> None:
        error = await world.error("send_image", image_url=image)
        assert error["type"] == type
        assert "/image_url" in str(error) or type != "VALIDATION"
        assert world.messages == []
        assert list((tmp_path / "images").glob("img_*")) == []

    with_images(scenario, tmp_path, egress=Egress())


def webp(width: int = 3, height: int = 2) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size


@pytest.mark.parametrize(("picture", "media_type"), [(png(), "image/png"), (webp(), "image/webp")])
def test_a_picture_of_the_web_is_fetched_once_and_served_from_here(
    tmp_path: Path, picture: bytes, media_type: str
) -> None:
    answers = {"/go": reply(status="302 Found", Location="/cat"), "/cat": reply(picture)}

    async def scenario(world: World, images: Images) -> None:
        async with serving(answers) as (host, asked):
            egress.allowed = [host]
            url = f"http://{host}/go"
            call = ToolCall("one-call", "send_image", {"image_url": url, "caption": "Mia"})
            sent = (await world.session.dispatch(call))["data"]
            assert (await world.session.dispatch(call))["data"] == sent
            assert [head.split()[1] for head in asked] == ["/go", "/cat"]
        (message,) = world.messages
        assert (message["url"], message["caption"]) == (sent["url"], "Mia")
        assert (message["mediaType"], message["width"], message["height"]) == (media_type, 3, 2)
        assert message["alt"] == "A picture from 127.0.0.1"
        stored = await images.stored(sent["image_id"])
        assert stored is not None
        assert (stored.content, stored.media_type) == (picture, media_type)
        # From here on it is an image of the person like any other.
        assert (await world.data("send_image", image_url=sent["url"]))["url"] == sent["url"]
        other = await world.other("grace").error("send_image", image_url=sent["url"])
        assert other["type"] == "NOT_FOUND"

    egress = Egress()
    with_images(scenario, tmp_path, egress=egress)


@pytest.mark.parametrize(
    ("answer", "type", "words"),
    [
        (reply(b"<html>"), "PERMANENT", "no PNG, JPEG, GIF or WebP"),
        (reply(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "PERMANENT", "no PNG"),
        (reply(b""), "PERMANENT", "0 bytes"),
        (reply(png() + bytes(5000)), "PERMANENT", "too large"),
        (reply(webp(16_000, 16_000)), "PERMANENT", "16000 by 16000 pixels"),
        (reply(status="404 Not Found"), "NOT_FOUND", "nothing at"),
        (reply(status="403 Forbidden"), "AUTH", "not open"),
        (reply(status="503 Busy"), "TRANSIENT", "right now"),
        (reply(status="302 Found", Location="http://127.0.0.2:8099/"), "PERMANENT", "not a public"),
        (None, "TRANSIENT", "did not answer"),
    ],
)
def test_a_picture_that_cannot_be_had_says_why(
    tmp_path: Path, answer: bytes | None, type: str, words: str
) -> None:
    async def scenario(world: World, images: Images) -> None:
        async with serving({} if answer is None else {"/a": answer}) as (host, _):
            egress.allowed = [host]
            error = await world.error("send_image", image_url=f"http://{host}/a")
        assert error["type"] == type
        assert words in error["message"]
        assert world.messages == []
        assert list((tmp_path / "images").glob("img_*")) == []

    egress = Egress(limit=4000, seconds=0.5 if answer is None else 15)
    with_images(scenario, tmp_path, egress=egress)


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


@pytest.mark.real_time
async def test_a_voice_session_can_show_an_image_too(tmp_path: Path) -> None:
    images = Images(tmp_path / "images")

    async with within(mode="voice", workspace=Workspace(images=images)) as world:
        made = await images.generate(
            "A cat", key="k", user="ada", session="text session", now=MONDAY
        )
        assert (await world.data("send_image", image_url=made["url"]))["sent"] is True
