"""CalDAV XML: multistatus bodies and preconditions. Documents with a DOCTYPE are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

CALDAV = "urn:ietf:params:xml:ns:caldav"
_FIELDS = {"DAV: href": "href", "DAV: getetag": "etag", f"{CALDAV} calendar-data": "data"}


@dataclass(slots=True)
class DavResponse:
    """One response of a multistatus body: the resource, its ETag and its calendar data."""

    href: str = ""
    etag: str = ""
    data: str = ""


class DavXmlError(Exception):
    """A body that is no XML, or that defines a document type."""


def parse_multistatus(content: bytes) -> list[DavResponse]:
    """The responses with calendar data, in order. Raises DavXmlError."""
    found: list[DavResponse] = []
    text: list[str] | None = None

    def start(name: str, _attributes: object) -> None:
        nonlocal text
        if name == "DAV: response":
            found.append(DavResponse())
        elif name in _FIELDS:
            text = []

    def end(name: str) -> None:
        nonlocal text
        if name in _FIELDS and text is not None:
            if found and not getattr(found[-1], _FIELDS[name]):
                setattr(found[-1], _FIELDS[name], "".join(text).strip())
            text = None

    def piece(characters: str) -> None:
        if text is not None:
            text.append(characters)

    _read(content, start, end, piece)
    return [each for each in found if each.data]


def parse_precondition(content: bytes) -> str:
    """The name of the failed precondition in an error body; empty where it names none."""
    names: list[str] = []
    try:
        _read(content, lambda name, _: names.append(name), None, None)
    except DavXmlError:
        return ""
    inside = names[1:2] if names[:1] == ["DAV: error"] else []
    return inside[0].rpartition(" ")[2] if inside else ""


def _read(content: bytes, start: Any, end: Any, text: Any) -> None:
    def doctype(*_: object) -> None:
        raise DavXmlError("it defines a document type")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise DavXmlError(str(error)) from None
