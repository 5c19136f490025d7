"""WebSocket frame splitting: whole frames cut out of the bytes of a stream."""

from __future__ import annotations

from collections.abc import Callable

# Handler of one whole message: its bytes, and whether they are text. False: it was not taken.
OnMessage = Callable[[bytes, bool], bool]

# The first byte of a frame that is a complete message: text, binary.
TEXT, BINARY = 0x81, 0x82
# A frame of 126 to 65535 bytes says so in its second byte, and then how many they are. What comes
# fifty times a second is neither shorter nor longer.
MIDDLE, LONG, MOST = 126, 127, 0xFFFF
# The bit beside it: four bytes of a mask follow. Clients have to use one, servers must not.
MASKED = 0x80


class FrameSplitter:
    """Splitter of a byte stream at frame boundaries.

    A complete message of MIDDLE length is held back until all of it is there. Every other frame is
    passed on in pieces as they come, and a piece never reaches beyond the end of its frame, so that
    whoever parses those frames always stands between two of them.
    """

    __slots__ = ("_owed", "_rest", "_second", "between")

    def __init__(self, *, masked: bool) -> None:
        self.between = True  # nothing waits here, and nothing is owed
        self._second = MIDDLE | (MASKED if masked else 0)
        self._rest = b""  # of a frame that is not whole yet
        self._owed = 0  # bytes of a frame that is handed on in pieces

    def split(self, data: bytes) -> list[tuple[bytes, bool]]:
        """Return what can be passed on now, in order; True marks a whole MIDDLE message."""
        if self._rest:
            data = self._rest + data
        found: list[tuple[bytes, bool]] = []
        at, end = min(self._owed, len(data)), len(data)
        if at:
            self._owed -= at
            found.append((data[:at], False))
        while end - at >= 2:
            short = data[at + 1] == self._second and data[at] in (TEXT, BINARY)
            size = _size(data, at)
            if size == 0 or (short and at + size > end):
                break
            after = min(at + size, end)
            found.append((data[at:after], short))
            self._owed = at + size - after
            at = after
        self._rest = data[at:]
        self.between = at == end and not self._owed
        return found


def _size(data: bytes, at: int) -> int:
    """Return the size of the frame that begins at `at`; 0 if its head is incomplete."""
    length = data[at + 1] & ~MASKED
    head = {MIDDLE: 4, LONG: 10}.get(length, 2)
    if len(data) - at < head:
        return 0
    if head > 2:
        length = int.from_bytes(data[at + 2 : at + head], "big")
    return head + length + (4 if data[at + 1] & MASKED else 0)
