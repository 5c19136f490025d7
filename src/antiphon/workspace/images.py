"""Images of a person: generated or fetched from the web, once a call, kept for their owner."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import HttpResponse
from antiphon.net.egress import Egress
from antiphon.workspace.pictures import SIZES, Shape, draw_picture, known_subjects

FOLDER = "images"
ROUTE = "/api/images/"
MAX_BYTES = 25 * 1024 * 1024
MAX_FETCHED_BYTES = 10_000_000
# A few kilobytes may unpack to more pixels than the browser that shows them has memory for.
MAX_PIXELS = 50_000_000
BUILT_IN, DRAWN_BY = "built-in", "drawing"
MORE = (
    "Set OPENAI_API_KEY or GEMINI_API_KEY, or a key in the settings of the console, for any image."
)

MediaType = Literal["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]
Result = TypeVar("Result")

_ENDINGS: dict[str, str] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}
_ID = re.compile(r"img_[0-9a-f]{32}")
# An id, or a URL of this server; which host it was reached under does not matter.
_NAMED = re.compile(rf"(?:\S*\bapi/images/)?({_ID.pattern})")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class GeneratedImage:
    """A picture that a provider made, and by which model."""

    content: bytes
    provider: str
    model: str


# Makes an image of a prompt in a shape; None when no provider is configured. Raises ToolError.
Generator = Callable[[str, Shape], Awaitable[GeneratedImage | None]]


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An image as it is served, and whose it is."""

    content: bytes
    media_type: MediaType
    user: str
    session: str


class Images:
    """The images under a folder. Every method raises ToolError and nothing else.

    `generator` asks a provider; without one, or where it has no key, what is known is drawn here.
    `egress` fetches pictures from the web; without one only those that were generated are found.
    """

    def __init__(
        self, folder: Path, generator: Generator | None = None, egress: Egress | None = None
    ) -> None:
        self._folder = folder
        self._generator = generator
        self._egress = egress
        self._secret: bytes | None = None
        self._making: dict[str, tuple[asyncio.Lock, int]] = {}

    async def generate(
        self,
        prompt: str,
        *,
        key: str,
        user: str,
        session: str,
        now: datetime,
        shape: Shape = "square",
    ) -> dict[str, Any]:
        """Make one image for a key; the same key again gives the image that is there."""
        name = await self._do(self._id_of, key)
        async with self._alone(name):
            details = await self._do(self._read, name)
            if details is None:
                made = await self._generator(prompt, shape) if self._generator else None
                content, about = _drawn(prompt, shape) if made is None else _picture(made)
                details = {
                    "image_id": name,
                    "prompt": prompt,
                    "user": user,
                    "session": session,
                    "created_at": now.isoformat(timespec="seconds"),
                    **about,
                }
                await self._do(self._write, name, content, details)
            return _shown(details)

    async def find(
        self, image: str, *, key: str, user: str, session: str, now: datetime
    ) -> dict[str, Any]:
        """Return an image of this person or session by its id or URL, or a picture of the web by
        its own.

        A picture of the web is fetched once for a key and kept under an id of its own. Raises
        NOT_FOUND for an image of somebody else, as if it were not there.
        """
        text = image.strip()
        named = _NAMED.fullmatch(text)
        if named is None and _ABSOLUTE.match(text):
            return await self._fetched(text, key, user, session, now)
        details = await self._do(self._read, named[1]) if named else None
        if details is None or not (details["user"] == user or details["session"] == session):
            raise ToolError(
                ErrorType.NOT_FOUND,
                "There is no such image of this person. Use the `url` that image_generate "
                "returned, or the whole address of a picture on the web.",
            )
        return _shown(details)

    async def _fetched(
        self, url: str, key: str, user: str, session: str, now: datetime
    ) -> dict[str, Any]:
        if self._egress is None:
            raise ToolError(ErrorType.PERMANENT, "This server fetches no pictures from the web.")
        name = await self._do(self._id_of, key)
        async with self._alone(name):
            details = await self._do(self._read, name)
            if details is None:
                response = await fetch_picture(self._egress, url)
                content, about = _web_picture(url, response)
                details = {
                    "image_id": name,
                    "user": user,
                    "session": session,
                    "created_at": now.isoformat(timespec="seconds"),
                    **about,
                }
                await self._do(self._write, name, content, details)
            return _shown(details)

    async def stored(self, id: str) -> StoredImage | None:
        """Return the picture itself. Whoever asks on somebody's behalf checks that it is theirs."""
        return await self._do(self._load, id) if _ID.fullmatch(id) else None

    @asynccontextmanager
    async def _alone(self, id: str) -> AsyncIterator[None]:
        """Hold the lock of an image: nobody else makes it meanwhile."""
        lock, waiting = self._making.get(id, (asyncio.Lock(), 0))
        self._making[id] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._making.pop(id)
            if waiting > 1:
                self._making[id] = lock, waiting - 1

    # -- files; these block

    async def _do(self, work: Callable[..., Result], *arguments: Any) -> Result:
        try:
            return await asyncio.to_thread(work, *arguments)
        except OSError as error:
            raise ToolError(
                ErrorType.TRANSIENT,
                f"The folder of images cannot be used: {error.strerror or error}.",
            ) from error

    def _file(self, id: str, media_type: str) -> Path:
        return self._folder / f"{id}.{_ENDINGS[media_type]}"

    def _read(self, id: str) -> dict[str, Any] | None:
        try:
            found = orjson.loads((self._folder / f"{id}.json").read_bytes())
        except FileNotFoundError:
            return None
        except orjson.JSONDecodeError:
            return None  # cut off by a crash: the image is made again
        there: dict[str, Any] = found
        return there if self._file(id, there["media_type"]).is_file() else None

    def _load(self, id: str) -> StoredImage | None:
        details = self._read(id)
        if details is None:
            return None
        media_type: MediaType = details["media_type"]
        content = self._file(id, media_type).read_bytes()
        return StoredImage(content, media_type, details["user"], details["session"])

    def _write(self, id: str, content: bytes, details: dict[str, Any]) -> None:
        """Write the picture, then its details: where these are, it is there too."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(self._file(id, details["media_type"]), content)
        _replace(self._folder / f"{id}.json", orjson.dumps(details))

    def _id_of(self, key: str) -> str:
        """Return the id for a key: always the same, and not to be guessed from it."""
        if self._secret is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = self._folder / ".secret"
            if not file.exists():
                with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".new-") as out:
                    out.write(secrets.token_bytes(32))
                    out.flush()
                    with suppress(FileExistsError):  # another process was quicker
                        os.link(out.name, file)
            self._secret = file.read_bytes()
        digest = hmac.new(self._secret, key.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"img_{digest.hexdigest()[:32]}"


def _replace(path: Path, content: bytes) -> None:
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(number, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _drawn(prompt: str, shape: Shape) -> tuple[bytes, dict[str, Any]]:
    """Draw a simple vector picture. Raises PERMANENT for what is not in the vocabulary."""
    drawing = draw_picture(prompt, shape)
    if drawing is None:
        subjects = known_subjects()
        raise ToolError(
            ErrorType.PERMANENT,
            "No provider of images has a key, and what this picture is to show is nothing that "
            f"can be drawn without one. Drawn are: {', '.join(subjects)}. {MORE}",
            subjects=subjects,
        )
    width, height = SIZES[shape]
    note = "A simple drawing, made without an image model."
    if drawing.left_out:
        note += f" Not shown: {', '.join(drawing.left_out[:12])}."
    return drawing.svg.encode(), {
        "media_type": "image/svg+xml",
        "width": width,
        "height": height,
        "provider": BUILT_IN,
        "model": DRAWN_BY,
        "note": f"{note} {MORE}",
    }


async def fetch_picture(egress: Egress, url: str) -> HttpResponse:
    """Fetch a URL and return the response, which is whole and a success. Raises ToolError
    otherwise."""
    try:
        response = await egress.fetch(url)
    except ToolError as error:
        if error.type is not ErrorType.VALIDATION:
            raise
        reason = error.message.removeprefix("/url: ")
        message = f"/image_url: {reason}"
        problem = {"pointer": "/image_url", "message": reason, "expected": "a web address"}
        raise ToolError(ErrorType.VALIDATION, message, errors=[problem]) from None
    shown, status = url[:200], response.status
    if status in (404, 410):
        raise ToolError(ErrorType.NOT_FOUND, f"There is nothing at {shown} (HTTP {status}).")
    if status in (401, 403):
        raise ToolError(ErrorType.AUTH, f"{shown} is not open to everybody (HTTP {status}).")
    if status in (408, 429) or status >= 500:
        raise ToolError(ErrorType.TRANSIENT, f"{shown} cannot be had right now (HTTP {status}).")
    if status != 200:
        raise ToolError(ErrorType.PERMANENT, f"{shown} gives no picture (HTTP {status}).")
    if response.truncated:
        raise ToolError(
            ErrorType.PERMANENT, f"{shown} is too large: more than {egress.limit:,} bytes."
        )
    return response


def _web_picture(url: str, response: HttpResponse) -> tuple[bytes, dict[str, Any]]:
    source = urlsplit(response.url).hostname or "The server"
    media_type, (width, height) = _recognised(response.body, source)
    if width is not None and height is not None and width * height > MAX_PIXELS:
        raise ToolError(
            ErrorType.PERMANENT,
            f"{url[:200]} has {width} by {height} pixels; at most {MAX_PIXELS:,} can be shown.",
        )
    return response.body, {
        "media_type": media_type,
        "width": width,
        "height": height,
        "prompt": None,
        "source": url,
        "provider": None,
        "model": None,
    }


def _picture(made: GeneratedImage) -> tuple[bytes, dict[str, Any]]:
    media_type, (width, height) = _recognised(made.content, made.provider)
    return made.content, {
        "media_type": media_type,
        "width": width,
        "height": height,
        "provider": made.provider,
        "model": made.model,
    }


def _shown(details: dict[str, Any]) -> dict[str, Any]:
    """Return the details as the tool returns them, without the owner."""
    body = {
        name: value
        for name, value in details.items()
        if name not in ("user", "session", "created_at", "placeholder")  # the last of older ones
    }
    if details["prompt"] is None:
        alt = f"A picture from {urlsplit(details['source']).hostname}"
    else:
        alt = details["prompt"]
    return {**body, "url": f"{ROUTE}{details['image_id']}", "alt": alt[:300]}


def _recognised(content: bytes, provider: str) -> tuple[MediaType, tuple[int | None, int | None]]:
    """Return the media type of the bytes, whatever the provider calls them: only pictures are
    ever served."""
    if not content or len(content) > MAX_BYTES:
        raise ToolError(
            ErrorType.PERMANENT,
            f"{provider} sent an image of {len(content):,} bytes; it must have 1 to {MAX_BYTES:,}.",
        )
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        size = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
        return "image/png", size
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg", _jpeg_size(content)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp", _webp_size(content)
    if content[:6] in (b"GIF87a", b"GIF89a") and len(content) >= 10:
        return "image/gif", (
            int.from_bytes(content[6:8], "little"),
            int.from_bytes(content[8:10], "little"),
        )
    raise ToolError(
        ErrorType.PERMANENT, f"{provider} sent something that is no PNG, JPEG, GIF or WebP."
    )


def _webp_size(content: bytes) -> tuple[int | None, int | None]:
    """Return the size from the header of the first chunk, which has one of three forms."""
    kind, head = content[12:16], content[20:30]
    if len(head) < 10:
        return None, None
    if kind == b"VP8X":
        return int.from_bytes(head[4:7], "little") + 1, int.from_bytes(head[7:10], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(head[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = (int.from_bytes(head[n : n + 2], "little") for n in (6, 8))
        return width & 0x3FFF, height & 0x3FFF
    return None, None


def _jpeg_size(content: bytes) -> tuple[int | None, int | None]:
    """Return the size from the first frame header; None when there is none where it should be."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(content[place + 5 : place + 7])
            return int.from_bytes(content[place + 7 : place + 9]), height
        place += 2 + length
    return None, None
