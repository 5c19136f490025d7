"""Frames cut out of a stream: whatever the cuts, each message whole and all else untouched."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from antiphon.fastpath.frames import FrameSplitter

TEXT, BINARY, CONTINUED, PING = 0x81, 0x82, 0x00, 0x89
# Around every change of a frame's head.
SIZES = [0, 1, 125, 126, 127, 640, 65_535, 65_536]


def frame(first: int, payload: bytes, *, masked: bool) -> bytes:
    size, bit = len(payload), 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", first, bit | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, bit | 127, size)
    return head + (b"mask" if masked else b"") + payload


frames = st.lists(
    st.tuples(
        st.sampled_from([TEXT, BINARY, TEXT & 0x7F, CONTINUED, PING, TEXT | 0x40]),
        st.sampled_from(SIZES),
        # Bytes that look like the beginning of a message, in the middle of another one.
        st.sampled_from([b"x", b"\x81\xfe\x00\x80", b"\x81\x7e\x00\x80"]),
    ),
    max_size=6,
)


@given(frames, st.booleans(), st.data())
def test_messages_come_whole_and_everything_else_as_it_was(
    content: list[tuple[int, int, bytes]], masked: bool, data: st.DataObject
) -> None:
    made = [
        frame(first, (fill * (size // len(fill) + 1))[:size], masked=masked)
        for first, size, fill in content
    ]
    stream = b"".join(made)
    edges = st.one_of(
        st.integers(0, len(stream)),
        # Right behind a head, or in it, where a mistake would be made.
        st.sampled_from(
            [len(b"".join(made[:n])) + at for n in range(len(made)) for at in range(15)]
        )
        if made
        else st.just(0),
    )
    cuts = sorted({min(cut, len(stream)) for cut in data.draw(st.lists(edges, max_size=8))})
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    cutter = FrameSplitter(masked=masked)
    found: list[tuple[bytes, bool]] = []
    for piece in pieces:
        found += cutter.split(piece)
    assert cutter.between
    short = [each for each in made if each[0] in (TEXT, BINARY) and each[1] & 0x7F == 126]
    assert [piece for piece, whole in found if whole] == short
    assert b"".join(piece for piece, _ in found) == stream


def test_only_a_message_waits_for_the_rest_of_it() -> None:
    cutter = FrameSplitter(masked=True)
    message, other = frame(TEXT, b"x" * 640, masked=True), frame(PING, b"y" * 100, masked=True)
    assert cutter.split(message[:300]) == []
    assert cutter.split(message[300:] + other[:50]) == [(message, True), (other[:50], False)]
    assert not cutter.between
    assert cutter.split(other[50:]) == [(other[50:], False)]
    assert cutter.between


def test_a_frame_that_is_not_masked_as_it_should_be_is_no_message() -> None:
    wrong = frame(TEXT, b"x" * 640, masked=False)
    assert FrameSplitter(masked=True).split(wrong) == [(wrong, False)]
