"""Word documents (.docx) as text: paragraphs, tables and the title, within limits."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree
from xml.parsers import expat

from antiphon.knowledge.errors import KnowledgeError

BODY = "word/document.xml"
_PROPERTIES = "docProps/core.xml"
# A file of a few kilobytes may unpack to gigabytes.
MAX_UNPACKED = 64 * 1024 * 1024
MAX_PARTS = 10_000
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


def is_docx(content: bytes) -> bool:
    """Whether it is a zip file with the main part of a Word document."""
    if not content.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            return BODY in package.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def docx_text(content: bytes) -> tuple[str, str]:
    """Title and text of a Word document. Raises KnowledgeError for what is none."""
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise KnowledgeError(
            "This is a document of an old Word (.doc) or one with a password; save it as .docx "
            "without a password."
        )
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            if len(package.namelist()) > MAX_PARTS or BODY not in package.namelist():
                raise KnowledgeError("This is not a Word document: it has no main part.")
            body = _part(package, BODY)
            title = ""
            if _PROPERTIES in package.namelist():
                title = _part(package, _PROPERTIES).findtext(f".//{_TITLE}") or ""
    except (
        zipfile.BadZipFile, zlib.error, ElementTree.ParseError, expat.ExpatError, RuntimeError,
        NotImplementedError, ValueError, EOFError, OSError,
    ) as error:  # fmt: skip
        raise KnowledgeError(
            f"The Word document cannot be read; it is damaged or cut off ({error})."
        ) from error
    return " ".join(title.split()), "\n\n".join(_blocks(body)).strip()


def _part(package: zipfile.ZipFile, name: str) -> ElementTree.Element:
    with package.open(name) as stream:
        raw = stream.read(MAX_UNPACKED + 1)
    if len(raw) > MAX_UNPACKED:
        raise KnowledgeError(
            f"The Word document unpacks to more than {MAX_UNPACKED // 2**20} MB; split it."
        )
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise KnowledgeError("The Word document declares entities, which none needs; not read.")
    return ElementTree.fromstring(raw)  # noqa: S314 - no entities, bounded, in a worker


def _blocks(root: ElementTree.Element) -> Iterator[str]:
    """Paragraphs, and tables with a line for each row, in their order."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        kind = _kind(element)
        if kind == "p":
            text = _line(element)
            if text:
                yield text
        elif kind == "tbl":
            rows = (
                "\t".join(
                    " ".join(_line(one) for one in _all(cell, "p")) for cell in _all(row, "tc")
                )
                for row in _all(element, "tr")
            )
            table = "\n".join(row.strip() for row in rows if row.strip())
            if table:
                yield table
        else:
            waiting += reversed(element)


def _line(paragraph: ElementTree.Element) -> str:
    parts: list[str] = []
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        kind = _kind(element)
        if kind == "t":
            parts.append(element.text or "")
        elif kind in ("tab", "ptab"):
            parts.append("\t")
        elif kind in ("br", "cr"):
            parts.append("\n")
        elif kind == "noBreakHyphen":
            parts.append("-")
        elif element.tag != _FALLBACK and kind not in ("tabs", "pPr", "rPr"):
            waiting += reversed(element)
    return "".join(parts).strip()


def _all(element: ElementTree.Element, kind: str) -> Iterator[ElementTree.Element]:
    return (found for found in element.iter() if _kind(found) == kind)


def _kind(element: ElementTree.Element) -> str:
    """Local name of an element in either of Word's namespaces; else an empty text."""
    for space in (_WORD, _STRICT):
        if element.tag.startswith(space):
            return element.tag[len(space) :]
    return ""
