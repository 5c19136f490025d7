"""Documents into plain text: encodings, Markdown, HTML, PDF and Word, with notes on oddities."""

from __future__ import annotations

import codecs
import re
import struct
import zlib
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import PurePath
from typing import Any

from antiphon.knowledge import front_matter
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion.docx_text import docx_text, is_docx
from antiphon.knowledge.ingestion.html_text import html_text
from antiphon.knowledge.media import MEDIA_TYPES, SUFFIXES
from antiphon.knowledge.records import MAX_TEXT

KINDS = ("text", "markdown", "html", "pdf", "docx")
# One text of the largest size takes at most four bytes a character.
MAX_BYTES = 4 * MAX_TEXT
MAX_PAGES = 5_000

_CONTROL = re.compile(r"[\x01-\x08\x0b\x0e-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S[^\n]*)$", re.MULTILINE)


@dataclass(slots=True)
class SourceDocument:
    """Plain text of a document, with its title and notes; offsets count in this text."""

    text: str
    title: str = ""
    notes: list[str] = field(default_factory=list)


def kind_of(name: str, content: bytes, media_type: str = "") -> str:
    """Kind of a document by its first bytes, its name or its media type; text by default."""
    if content.startswith(b"%PDF-"):
        return "pdf"
    if is_docx(content) or content.startswith(b"\xd0\xcf\x11\xe0"):
        return "docx"
    suffix = PurePath(name).suffix.lower()
    return SUFFIXES.get(suffix) or MEDIA_TYPES.get(media_type) or "text"


def parsed(content: str | bytes, kind: str) -> dict[str, Any]:
    """Entry point of the worker process: `read_document` with a result of plain data."""
    return asdict(read_document(content, kind))


def read_document(content: str | bytes, kind: str) -> SourceDocument:
    """Parse a document to plain text. Raises KnowledgeError for what is not of this kind."""
    if kind not in KINDS:
        raise KnowledgeError(f"There is no kind {kind!r} of document; choose {', '.join(KINDS)}.")
    if not isinstance(content, str | bytes):
        raise KnowledgeError(f"A document is text or bytes, not {type(content).__name__}.")
    if len(content) > MAX_BYTES:
        raise KnowledgeError(
            f"The document has {len(content):,} bytes, at most {MAX_BYTES:,} are read at once; "
            "split it."
        )
    if kind == "pdf":
        if isinstance(content, str):
            raise KnowledgeError("A PDF is ingested as bytes, not as text.")
        document = _pdf(content)
    elif kind == "docx":
        if isinstance(content, str):
            raise KnowledgeError("A Word document is ingested as bytes, not as text.")
        title, text = docx_text(content)
        if not text:
            raise KnowledgeError("The Word document has no text.")
        document = SourceDocument(text, title)
    else:
        notes: list[str] = []
        text = decode(content, notes) if isinstance(content, bytes) else content
        if kind == "html":
            title, text = html_text(text)
            document = SourceDocument(text, title, notes)
        elif kind == "markdown":
            document = _markdown(text, notes)
        else:
            document = SourceDocument(text, "", notes)
    _clean(document)
    if len(document.text) > MAX_TEXT:
        raise KnowledgeError(
            f"The document has {len(document.text):,} characters of text, at most {MAX_TEXT:,} "
            "are kept; split it."
        )
    return document


def decode(raw: bytes, notes: list[str]) -> str:
    """Decode bytes in UTF-8, UTF-16 or, with a note, Latin-1."""
    if raw.startswith(b"%PDF-"):
        raise KnowledgeError("This is a PDF; ingest it as such (kind: pdf).")
    if is_docx(raw):
        raise KnowledgeError("This is a Word document; ingest it as such (kind: docx).")
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if raw.startswith(mark):
            try:
                text = raw.decode(encoding)
            except UnicodeDecodeError as error:
                raise KnowledgeError(
                    f"The document begins as {encoding} but is damaged at byte {error.start}."
                ) from error
            if encoding == "utf-16":
                notes.append("read as UTF-16")
            return text
    head = raw[:4096]
    if head.count(0) * 3 > len(head):  # every second byte of plain text in UTF-16
        odd = head[1::2].count(0) >= head[::2].count(0)
        encoding = "utf-16-le" if odd else "utf-16-be"
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError as error:
            raise KnowledgeError("This is not a text document but something binary.") from error
        notes.append("read as UTF-16")
        return text
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        if head.count(0) or len(_CONTROL.findall(head.decode("latin-1"))) * 50 > len(head):
            raise KnowledgeError("This is not a text document but something binary.") from error
        notes.append(f"not UTF-8 (byte 0x{raw[error.start]:02x} at {error.start}); read as Latin-1")
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def _clean(document: SourceDocument) -> None:
    text = document.text.replace("\r\n", "\n").replace("\r", "\n")
    head = text[:4096]
    if (head.count("\0") + len(_CONTROL.findall(head))) * 10 > max(len(head), 1):
        raise KnowledgeError("This is not a text document but something binary.")
    if zeros := text.count("\0"):
        document.notes.append(f"{zeros:,} zero characters were removed")
        text = text.replace("\0", "")
    text, halves = _SURROGATE.subn("\ufffd", text)
    if halves:
        document.notes.append(f"{halves:,} broken characters were replaced")
    document.text = text
    document.title = " ".join(_CONTROL.sub(" ", document.title.replace("\0", "")).split())[:300]


def _markdown(text: str, notes: list[str]) -> SourceDocument:
    text = text.replace("\r\n", "\n")
    title = ""
    try:
        values, text, _ = front_matter.split(text)
    except front_matter.FrontMatterError as error:
        values = None
        notes.append(f"the front matter was read as text: line {error.line}: {error.message}")
    if values and isinstance(values.get("title"), str):
        title = values["title"]
    text = _FENCE.sub("\n", text)
    if not title and (heading := _HEADING.search(text)):
        title = heading[1].rstrip(" \t#")
    text = _HEADING.sub(lambda found: f"\n{found[1].rstrip(' #')}\n", text)
    text = re.sub(r"!\[([^\[\]\n]{0,300}+)\]\([^)\n]{0,1000}+\)", r"\1", text)
    text = re.sub(
        r"\[([^\[\]\n]{1,300}+)\]\((https?://[^)\s]{1,1000}+)[^)\n]{0,300}+\)", r"\1 (\2)", text
    )
    text = re.sub(r"\[([^\[\]\n]{1,300}+)\]\([^)\n]{0,1000}+\)", r"\1", text)
    text = re.sub(r"\[\[(?:[^\[\]|\n]{0,300}\|)?([^\[\]|\n]{1,300})\]\]", r"\1", text)
    text = re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE)
    text = re.sub(r"(\*\*|__)(?=\S)(.{1,300}?)(?<=\S)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])[*_](?=\S)([^*_\n]{1,300}?)(?<=\S)[*_](?![\w*])", r"\1", text)
    text = re.sub(r"`([^`\n]{0,300})`", r"\1", text)
    return SourceDocument(text.strip("\n"), re.sub(r"[*_`]", "", title), notes)


def _pdf(raw: bytes) -> SourceDocument:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if not raw[:1024].lstrip().startswith(b"%PDF-"):
        raise KnowledgeError("This is not a PDF: it does not begin with %PDF.")
    notes: list[str] = []
    pages: list[str] = []
    size = 0
    try:
        reader = PdfReader(BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise KnowledgeError("The PDF is encrypted; remove the password first.")
        count = len(reader.pages)
        if count > MAX_PAGES:
            raise KnowledgeError(f"The PDF has {count:,} pages, at most {MAX_PAGES:,} are read.")
        title = str(reader.metadata.title or "") if reader.metadata else ""
        for page in reader.pages:
            pages.append(page.extract_text())
            size += len(pages[-1])
            if size > MAX_TEXT:
                raise KnowledgeError(f"The PDF has more than {MAX_TEXT:,} characters; split it.")
    except (
        # The library meets damage deep inside and lets what it meets come out.
        PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError,
        RecursionError, OverflowError, NotImplementedError, MemoryError, OSError, ImportError,
        struct.error, zlib.error,
    ) as error:  # fmt: skip
        raise KnowledgeError(
            f"The PDF cannot be read; it is damaged, cut off or protected ({error})."
        ) from error
    text = "\n\n".join(page.strip() for page in pages if page.strip())
    if not text:
        raise KnowledgeError("The PDF has no text; if it was scanned, recognise its text first.")
    empty = sum(not page.strip() for page in pages)
    if empty:
        notes.append(f"{empty} of {len(pages)} pages have no text")
    return SourceDocument(re.sub(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])", "", text), title, notes)
