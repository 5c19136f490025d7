"""Found cases: what a parser once met with an error that was not its own, or without end."""

from __future__ import annotations

from tests.fuzz.targets import ICS


def _event(line: bytes) -> bytes:
    """A calendar whose first event has this line, too."""
    return ICS.replace(b"UID:1@x", b"UID:1@x\r\n" + line)


def _unfolding(lines: int) -> bytes:
    """YAML whose aliases stand for more and more."""
    text = b"a0: &a0 [1]\n"
    for n in range(1, lines):
        text += b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9))
    return text


_DEEP = b"[" * 3_000
_LISTS = b"\x09\0\0\0\x09\0\0\0\1" + b"\0" * 7
_HEAD = b"GGUF\3\0\0\0" + b"\1" + b"\0" * 7
_NAME = b"\1" + b"\0" * 7 + b"x"
_LONG = b"99999999999999999999999"

FOUND = (
    ("artifact", b'{"version":"1.0.00000000","buildTimestamp":"","tools":[]}'),
    ("front_matter", b"---\na: !!int x\n---\n"),
    ("front_matter", b"---\na: !!bool x\n---\n"),
    ("front_matter", b"---\na: !!timestamp x\n---\n"),
    ("front_matter", b"---\n" + _unfolding(30) + b"---\n"),
    ("front_matter", b"+++\na = " + _DEEP + b"\n+++\n"),
    ("gguf", _HEAD + b"\1" + b"\0" * 7 + _NAME + _LISTS * 5_000),
    ("gguf", _HEAD + b"\0" * 8 + _NAME + b"\xff\xff\0\0" + b"\xff" * 8 * 65_535),
    ("ics", _event(b"SUMMARY;VALUE=A,B:x")),
    ("ics", _event(b"DTSTAMP;VALUE=DATE,B:20310303")),
    ("ics", _event(b"RRULE;VALUE=PERIOD:20310303T090000Z/P1D")),
    ("ics", ICS.replace(b"DURATION:P1D", b"DURATION;VALUE=PERIOD:20310303T090000Z/P1D")),
    ("ics", ICS.replace(b"DURATION:P1D", b"DURATION;TZID=a,b:20310303T090000")),
    ("mcp_result", b'{"content":[],"structuredContent":{"a":' + _LONG + b"}}"),
    (
        "mcp_tool",
        b'{"name":"f","inputSchema":{"type":"object","properties":{"a":{"const":' + _LONG + b"}}}}",
    ),
    ("openapi", _unfolding(30)),
    ("openapi", b"a: " + _DEEP),
    ("openapi", b"a: 2001-99-99"),
    ("openapi", b"a: " + _LONG),
    ("openapi", b"a: &a [*a]"),
    ("script_yaml", b"steps: 2001-99-99"),
    ("script_yaml", b"steps: " + _DEEP),
    ("wav_of_a_script", b"RIFF\x04\0\0\0WAVEfmt \x10\0\0\0" + bytes(16)),
)
