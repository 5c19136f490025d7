"""The headers of PNG, JPEG, GIF, WebP and BMP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LONGEST_HEADER = 2_000_000


class BrokenImage(Exception):
    """Image header that is cut off or contradicts itself."""


@dataclass(frozen=True)
class ImageHeader:
    width: int
    height: int
    bits: int
    transparency: bool = False
    animated: bool = False


def big(raw: bytes, at: int, size: int) -> int:
    return int.from_bytes(part(raw, at, size), "big")


def little(raw: bytes, at: int, size: int) -> int:
    return int.from_bytes(part(raw, at, size), "little")


def part(raw: bytes, at: int, size: int) -> bytes:
    found = raw[at : at + size]
    if len(found) < size:
        raise BrokenImage(f"it ends at byte {len(raw)}")
    return found


def png(raw: bytes) -> ImageHeader:
    if part(raw, 12, 4) != b"IHDR":
        raise BrokenImage("the first chunk is no IHDR")
    kind = raw[25:26]
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(big(raw, 25, 1))
    if channels is None:
        raise BrokenImage(f"there is no colour type {kind.hex()}")
    chunks = png_chunks(raw)
    return ImageHeader(
        big(raw, 16, 4),
        big(raw, 20, 4),
        big(raw, 24, 1) * channels,
        transparency=kind in (b"\x04", b"\x06") or b"tRNS" in chunks,
        animated=b"acTL" in chunks,
    )


def png_chunks(raw: bytes) -> set[bytes]:
    """Yield the chunks before the pixels."""
    found: set[bytes] = set()
    at = 8
    while at + 8 <= len(raw) and raw[at + 4 : at + 8] not in (b"IDAT", b"IEND"):
        found.add(raw[at + 4 : at + 8])
        at += 12 + big(raw, at, 4)
    return found


def jpeg(raw: bytes) -> ImageHeader:
    at = 2
    while at < LONGEST_HEADER:
        if part(raw, at, 1) != b"\xff":
            raise BrokenImage(f"there is no marker at byte {at}")
        marker = big(raw, at + 1, 1)
        if marker == 0xFF:  # filling
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            depth, parts = big(raw, at + 4, 1), big(raw, at + 9, 1)
            return ImageHeader(big(raw, at + 7, 2), big(raw, at + 5, 2), depth * parts)
        elif marker in (0xD9, 0xDA):
            raise BrokenImage("the size does not come before the pixels")
        else:
            at += 2 + max(big(raw, at + 2, 2), 2)
    raise BrokenImage("the size does not come within the first megabytes")


def gif(raw: bytes) -> ImageHeader:
    flags = big(raw, 10, 1)
    frames, transparent = gif_frames(raw, 13 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0))
    return ImageHeader(
        little(raw, 6, 2), little(raw, 8, 2), (flags & 7) + 1, transparent, animated=frames > 1
    )


def gif_frames(raw: bytes, at: int) -> tuple[int, bool]:
    """Count frames up to two, and return whether one of them is transparent."""
    frames, transparent = 0, False
    while at < len(raw) and frames < 2:
        kind = raw[at]
        if kind == 0x21:
            if raw[at + 1 : at + 2] == b"\xf9":
                transparent = transparent or bool(big(raw, at + 3, 1) & 1)
            at = after_blocks(raw, at + 2)
        elif kind == 0x2C:
            frames += 1
            flags = big(raw, at + 9, 1)
            at = after_blocks(raw, at + 11 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0))
        else:
            break
    return frames, transparent


def after_blocks(raw: bytes, at: int) -> int:
    while at < len(raw) and raw[at]:
        at += raw[at] + 1
    return at + 1


def webp(raw: bytes) -> ImageHeader:
    if part(raw, 8, 4) != b"WEBP":
        raise BrokenImage("it is a RIFF file, but no WebP")
    kind = part(raw, 12, 4)
    if kind == b"VP8X":
        flags = big(raw, 20, 1)
        width, height = little(raw, 24, 3) + 1, little(raw, 27, 3) + 1
        return ImageHeader(
            width, height, 32 if flags & 16 else 24, bool(flags & 16), bool(flags & 2)
        )
    if kind == b"VP8L":
        packed = little(raw, 21, 4)
        see = bool(packed >> 28 & 1)
        return ImageHeader(
            (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1, 32 if see else 24, see
        )
    if kind == b"VP8 ":
        return ImageHeader(little(raw, 26, 2) & 0x3FFF, little(raw, 28, 2) & 0x3FFF, 24)
    raise BrokenImage("it has no picture in it")


def bmp(raw: bytes) -> ImageHeader:
    if little(raw, 14, 4) == 12:
        return ImageHeader(little(raw, 18, 2), little(raw, 20, 2), little(raw, 24, 2))
    width = int.from_bytes(part(raw, 18, 4), "little", signed=True)
    height = int.from_bytes(part(raw, 22, 4), "little", signed=True)
    bits = little(raw, 28, 2)
    return ImageHeader(abs(width), abs(height), bits, transparency=bits == 32)


READERS: list[tuple[str, bytes, Callable[[bytes], ImageHeader]]] = [
    ("png", b"\x89PNG\r\n\x1a\n", png),
    ("jpeg", b"\xff\xd8\xff", jpeg),
    ("gif", b"GIF87a", gif),
    ("gif", b"GIF89a", gif),
    ("webp", b"RIFF", webp),
    ("bmp", b"BM", bmp),
]
