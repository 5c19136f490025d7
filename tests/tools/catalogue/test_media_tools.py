"""The catalogue's media tools: charts, colours, palettes, image headers, QR codes."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.catalogue_world import data, error, within

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("bar", "line", "pie")
NASTY = "<script>alert('&')</script>\"\x00\x1b"


def chart(kind: str, labels: list[str], *rows: list[float], **more) -> ElementTree.Element:
    series = [{"name": f"row {at}", "values": row} for at, row in enumerate(rows)]
    found = data("svg_chart", kind=kind, labels=labels, series=series, **more)
    return ElementTree.fromstring(found["svg"])


def test_each_value_is_drawn() -> None:
    titles = [
        [one.find(f"{SVG}title").text for one in chart(kind, ["a", "b"], [1, 3]).iter() if len(one)]
        for kind in KINDS
    ]
    assert titles[0][1:] == titles[1][1:] == ["a, row 0: 1", "b, row 0: 3"]
    assert titles[2][1:] == ["a: 1", "b: 3"]


def test_bars_are_as_high_as_their_values() -> None:
    rects = [
        one for one in chart("bar", ["a", "b", "c"], [10, 5, -5]).iter(f"{SVG}rect") if len(one)
    ]
    heights = [float(one.get("height")) for one in rects]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.1)
    assert heights[1] == pytest.approx(heights[2], abs=0.1)
    assert float(rects[2].get("y")) == pytest.approx(float(rects[0].get("y")) + heights[0], abs=0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_text_in_a_chart_stays_text(kind: str) -> None:
    root = chart(kind, [NASTY, "b"], [1, 2], title=NASTY)
    allowed = {"svg", "title", "rect", "text", "line", "polyline", "circle", "path"}
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= allowed
    names = {name for one in root.iter() for name in one.attrib}
    assert not {name for name in names if name.startswith("on") or name in ("style", "href")}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5, deadline=None)
@given(
    values=st.lists(st.floats(0, 1e12) | st.integers(0, 10), min_size=1, max_size=100).filter(any)
)
def test_any_values_can_be_drawn(kind: str, values: list[float]) -> None:
    root = chart(kind, ["x"] * len(values), values, width=240, height=160)
    numbers = " ".join(value for one in root.iter() for value in one.attrib.values())
    assert "nan" not in numbers
    assert "inf" not in numbers


def test_all_zero_and_many_rows_can_be_drawn() -> None:
    assert chart("bar", ["a"], [0]) is not None
    assert chart("line", ["a"] * 100, *[[1e12, -1e12] * 50] * 8) is not None


@pytest.mark.parametrize(
    ("kind", "rows", "pointer"),
    [
        ("bar", [[1]], "/series/0/values"),
        ("pie", [[1, 2], [1, 2]], "/series"),
        ("pie", [[1, -2]], "/series/0/values/1"),
        ("pie", [[0, 0]], "/series/0/values"),
    ],
)
def test_charts_that_cannot_be_drawn(kind: str, rows: list, pointer: str) -> None:
    series = [{"values": row} for row in rows]
    assert error("svg_chart", kind=kind, labels=["a", "b"], series=series)["pointer"] == pointer


@pytest.mark.parametrize(
    ("colour", "hex_", "hsl"),
    [
        ("#f00", "#ff0000", "hsl(0, 100%, 50%)"),
        ("1a2b3c", "#1a2b3c", "hsl(210, 40%, 17%)"),
        ("rgb(0 128 128)", "#008080", "hsl(180, 100%, 25%)"),
        ("hsl(240, 100%, 50%)", "#0000ff", "hsl(240, 100%, 50%)"),
        ("Rebecca Purple", "#663399", "hsl(270, 50%, 40%)"),
        ("papayawhip", "#ffefd5", "hsl(37, 100%, 92%)"),
        ("oklch(0.7 0.1 200)", "#40b1b7", "hsl(183, 48%, 48%)"),
        ("rgba(0, 0, 0, 0.5)", "#00000080", "hsla(0, 0%, 0%, 0.5)"),
    ],
)
def test_colours(colour: str, hex_: str, hsl: str) -> None:
    found = data("colour_converter", colour=colour)
    assert (found["hex"], found["hsl"]) == (hex_, hsl)


def test_contrast() -> None:
    found = data("colour_converter", colour="black", background="white")["contrast"]
    assert found == {"ratio": 21, "aa": True, "aa_large": True, "aaa": True, "aaa_large": True}
    assert not data("colour_converter", colour="#777", background="#fff")["contrast"]["aa"]
    clear = data("colour_converter", colour="rgba(0,0,0,0)", background="white")["contrast"]
    assert clear["ratio"] == 1


@pytest.mark.parametrize(
    "colour", ["#12", "rgb(256,0,0)", "hsl(0,101%,0%)", "nocolour", "rgba(0,0,0)0"]
)
def test_what_is_no_colour_is_refused(colour: str) -> None:
    assert error("colour_converter", colour=colour)["pointer"] == "/colour"
    assert error("colour_palette", colour=colour)["pointer"] == "/colour"
    assert error("colour_converter", colour="red", background=colour)["pointer"] == "/background"


@settings(max_examples=5, deadline=None)
@given(st.lists(st.integers(0, 0xFFFFFF).map(lambda one: f"#{one:06x}"), min_size=6, max_size=6))
def test_rgb_is_the_same_colour_as_hex(colours: list[str]) -> None:
    async def scenario(call):
        for colour in colours:
            there = await call("run_tool", tool_id="colour_converter", params={"colour": colour})
            rgb = there["data"]["result"]["rgb"]
            back = await call("run_tool", tool_id="colour_converter", params={"colour": rgb})
            assert back["data"]["result"]["hex"] == colour

    within(scenario)


def test_palettes() -> None:
    def of(scheme: str) -> list[str]:
        found = data("colour_palette", colour="#ff0000", scheme=scheme, count=4)
        return [one["hex"] for one in found["colours"]]

    assert of("triadic") == ["#ff0000", "#00ff00", "#0000ff"]
    assert of("shades") == ["#ff0000", "#bf0000", "#800000", "#400000"]
    assert of("tints")[0] == "#ff0000"
    assert len(of("scale")) == 4
    found = data("colour_palette", colour="red", scheme="tetradic", name="brand")
    assert "--brand-4:" in found["css"]


def png(width: int, height: int, kind: int = 6) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    chunk = b"IHDR" + head
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )


JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    b"\xff\xc2\x00\x11\x08\x01\x2c\x01\x90\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
)
FRAME = b"\x21\xf9\x04\x01\x0a\x00\x00\x00\x2c\x00\x00\x00\x00\x02\x00\x01\x00\x00\x02\x01\x00\x00"
GIF = b"GIF89a\x02\x00\x01\x00\x80\x00\x00" + b"\x00" * 6 + FRAME * 2 + b";"
WEBP = b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x7f\x07\x00\x37\x04\x00"
LOSSLESS = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f" + struct.pack("<I", 99 | 49 << 14)
BMP = b"BM" + b"\x00" * 12 + struct.pack("<IiiHH", 40, 64, -48, 1, 24)


def info(raw: bytes) -> dict:
    return data("image_info", data=base64.b64encode(raw).decode())


@pytest.mark.parametrize(
    ("raw", "name", "width", "height", "transparency", "animated"),
    [
        (png(1920, 1080), "png", 1920, 1080, True, False),
        (png(3, 2, 2), "png", 3, 2, False, False),
        (JPEG, "jpeg", 400, 300, False, False),
        (GIF, "gif", 2, 1, True, True),
        (WEBP, "webp", 1920, 1080, True, False),
        (LOSSLESS, "webp", 100, 50, False, False),
        (BMP, "bmp", 64, 48, False, False),
    ],
)
def test_image_headers(raw, name, width, height, transparency, animated) -> None:
    found = info(raw)
    assert (found["format"], found["width"], found["height"]) == (name, width, height)
    assert (found["transparency"], found["animated"]) == (transparency, animated)


def test_a_data_url_that_says_something_else_is_noted() -> None:
    text = base64.b64encode(JPEG).decode()
    assert data("image_info", data=f"data:image/jpeg;base64,{text}")["notes"] == []
    assert data("image_info", data=f"data:image/png;base64,{text}")["notes"]
    assert error("image_info", data=f"data:image/png,{text}")["pointer"] == "/data"


@pytest.mark.parametrize("raw", [png(1, 1), JPEG, WEBP, LOSSLESS, BMP])
def test_every_cut_of_a_header_is_answered(raw: bytes) -> None:
    async def scenario(call):
        for end in range(1, len(raw)):
            text = base64.b64encode(raw[:end]).decode()
            answer = await call("run_tool", tool_id="image_info", params={"data": text})
            assert answer["ok"] or answer["error"]["pointer"] == "/data"

    within(scenario)


@pytest.mark.parametrize(
    "raw", [b"hello world", png(0, 5), b"RIFF1234WAVE" + b"x" * 40, b"\xff\xd8\xff\xd9"]
)
def test_what_is_no_image_is_refused(raw: bytes) -> None:
    assert error("image_info", data=base64.b64encode(raw).decode())["pointer"] == "/data"
    assert error("image_info", data="***")["pointer"] == "/data"


# Codewords for correction in one block, and blocks, as the standard's tables have them.
BLOCKS = {
    ("L", 1): (7, 1),
    ("M", 2): (16, 1),
    ("Q", 5): (18, 4),
    ("H", 7): (26, 5),
    ("M", 10): (26, 5),
}


class Reader:
    """Reads a QR code from its SVG the way a scanner does, to check it from the other side."""

    def __init__(self, found: dict) -> None:
        self.size = found["modules"]
        self.dark = {
            (int(x) + step, int(y))
            for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1", found["svg"])
            for step in range(int(length))
        }
        self.correction, self.count = BLOCKS[found["error_correction"], found["version"]]
        self.version = found["version"]

    def format(self) -> tuple[str, int]:
        """Level and mask, from the bits beside the upper left finder."""
        places = [(at, 8) for at in (0, 1, 2, 3, 4, 5, 7, 8)] + [
            (8, at) for at in (7, 5, 4, 3, 2, 1, 0)
        ]
        bits = int("".join("01"[place in self.dark] for place in places), 2) ^ 0b101010000010010
        left = bits
        for shift in range(4, -1, -1):
            if left >> (shift + 10) & 1:
                left ^= 0b10100110111 << shift
        assert left == 0
        return {1: "L", 0: "M", 3: "Q", 2: "H"}[bits >> 13], bits >> 10 & 7

    def is_data(self, x: int, y: int) -> bool:
        end = self.size
        if (x < 9 and y < 9) or (x < 9 and y >= end - 8) or (x >= end - 8 and y < 9):
            return False
        if x == 6 or y == 6:
            return False
        if self.version >= 7 and ((x >= end - 11 and y < 6) or (y >= end - 11 and x < 6)):
            return False
        centres = {1: [], 2: [18], 5: [30], 7: [6, 22, 38], 10: [6, 28, 50]}[self.version]
        corners = {(6, 6), (6, end - 7), (end - 7, 6)}
        return not any(
            abs(x - a) <= 2 and abs(y - b) <= 2
            for a in centres
            for b in centres
            if (a, b) not in corners
        )

    def codewords(self, mask: int) -> bytes:
        flips = [
            lambda r, c: (r + c) % 2,
            lambda r, c: r % 2,
            lambda r, c: c % 3,
            lambda r, c: (r + c) % 3,
            lambda r, c: (r // 2 + c // 3) % 2,
            lambda r, c: r * c % 2 + r * c % 3,
            lambda r, c: (r * c % 2 + r * c % 3) % 2,
            lambda r, c: ((r + c) % 2 + r * c % 3) % 2,
        ][mask]
        columns = [*range(self.size - 1, 6, -2), 5, 3, 1]
        bits = []
        for turn, right in enumerate(columns):
            rows = range(self.size) if turn % 2 else range(self.size - 1, -1, -1)
            for y in rows:
                for x in (right, right - 1):
                    if self.is_data(x, y):
                        bits.append("01"[((x, y) in self.dark) ^ (flips(y, x) == 0)])
        text = "".join(bits)
        return bytes(int(text[at : at + 8], 2) for at in range(0, len(text) - 7, 8))

    def text(self) -> str:
        _, mask = self.format()
        words = self.codewords(mask)
        size = len(words) - self.correction * self.count
        short, longer = divmod(size, self.count)
        lengths = [short] * (self.count - longer) + [short + 1] * longer
        blocks: list[list[int]] = [[] for _ in lengths]
        stream = iter(words)
        for at in range(short + 1):
            for block, length in zip(blocks, lengths, strict=True):
                if at < length:
                    block.append(next(stream))
        checks: list[list[int]] = [[] for _ in lengths]
        for _ in range(self.correction):
            for check in checks:
                check.append(next(stream))
        for block, check in zip(blocks, checks, strict=True):
            assert self.syndromes(block + check) == [0] * self.correction
        bits = "".join(f"{byte:08b}" for block in blocks for byte in block)
        assert bits[:4] == "0100"
        start = 4 + (8 if self.version < 10 else 16)
        count = int(bits[4:start], 2)
        return bytes(
            int(bits[at : at + 8], 2) for at in range(start, start + 8 * count, 8)
        ).decode()

    def syndromes(self, words: list[int]) -> list[int]:
        power, log = [1], {}
        for at in range(255):
            log[power[-1]] = at
            power.append(power[-1] << 1 ^ (0x11D if power[-1] & 0x80 else 0))
        found = []
        for root in range(self.correction):
            value = 0
            for word in words:
                value = (power[(log[value] + root) % 255] if value else 0) ^ word
            found.append(value)
        return found


@pytest.mark.parametrize(
    ("level", "version", "text"),
    [
        ("L", 1, "HELLO WORLD"),
        ("M", 2, "https://example.com"),
        ("Q", 5, "Grüße aus Köln, " * 3),
        ("H", 7, "x" * 64),
        ("M", 10, "0123456789" * 21),
    ],
)
def test_a_qr_code_says_its_text(level: str, version: int, text: str) -> None:
    found = data("qr_code", text=text, error_correction=level, border=0)
    assert (found["version"], found["modules"]) == (version, version * 4 + 17)
    reader = Reader(found)
    assert reader.format() == (level, found["mask"])
    assert reader.text() == text


def test_a_text_too_long_for_a_qr_code_is_refused() -> None:
    assert data("qr_code", text="x" * 271, error_correction="L")["version"] == 10
    found = error("qr_code", text="x" * 272, error_correction="L")
    assert (found["pointer"], "271" in found["message"]) == ("/text", True)
    assert error("qr_code", text="ü" * 107)["pointer"] == "/text"
