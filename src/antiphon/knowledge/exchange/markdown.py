"""A folder of Markdown files: one record each, fields in front matter, links `[[id]]` as edges.

Front matter has id, type, title, tags, url, source_type, last_updated, metadata (JSON) and edges
(a list of JSON objects: target, relation, weight, provenance); other names go into metadata. What
follows it is the text, kept exactly. A file without front matter becomes a `doc` named after the
file. A link `[[…]]` names a record by id, file name or title and becomes an edge `links_to`; links
to nothing are counted and left out. Hidden files and symbolic links are passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange import front_matter
from antiphon.knowledge.exchange.rows import MAX_ROW, Position, Row, not_utf8, too_long
from antiphon.knowledge.records import Edge, Record, check_id

LINK = "links_to"
_FIELDS = ("id", "type", "title", "tags", "url", "source_type", "last_updated", "metadata")
_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_HEADING = re.compile(r"^#[ \t]++([^\n]+)$", re.MULTILINE)
_MAX_NAME = 120


# -- writing


def file_name(record: Record) -> Path:
    """Where a record goes: `<type>/<id>.md`, with what a file system may not take escaped."""
    return Path(_safe(record.type)) / f"{_safe(record.id)}.md"


def markdown_of(record: Record, edges: Iterable[Edge]) -> bytes:
    """The file for a record and the edges that begin at it."""
    body = record.to_dict()
    values = {name: body[name] for name in _FIELDS if body[name] or name in ("id", "type", "title")}
    found = [
        {name: value for name, value in edge.to_dict().items() if name != "source"}
        for edge in edges
    ]
    if found:
        values["edges"] = found
    return (front_matter.write(values) + record.text).encode()


def _safe(name: str) -> str:
    safe = quote(name, safe=" ")
    if safe.startswith("."):
        safe = f"%2E{safe[1:]}"
    # Some file systems take upper and lower case for the same, and none takes any length.
    if len(safe) > _MAX_NAME or safe != safe.lower() or safe != safe.strip():
        digest = blake2b(name.encode(), digest_size=6).hexdigest()
        safe = f"{safe[:_MAX_NAME].strip()}-{digest}"
    return safe


# -- reading


class MarkdownFolder:
    """A folder of Markdown files, or one such file. A position is (files read,)."""

    format = "markdown"

    def __init__(self, path: Path) -> None:
        self._root = path if path.is_dir() else path.parent
        self._files = list(_files(path)) if path.is_dir() else [path]
        self._sizes = [file.stat().st_size for file in self._files]
        self.size = sum(self._sizes)
        self._names: dict[str, str] | None = None

    def fingerprint(self) -> str:
        digest = blake2b(digest_size=16)
        for file, size in zip(self._files, self._sizes, strict=True):
            stamp = file.stat().st_mtime_ns
            digest.update(f"{file.relative_to(self._root)}\0{size}\0{stamp}\n".encode())
        return digest.hexdigest()

    def rows(self, start: Position | None = None) -> Iterator[Row]:
        if self._names is None:
            self._names = self._read_names()
        first = start[0] if start else 0
        done = sum(self._sizes[:first])
        for number in range(first, len(self._files)):
            file = self._files[number]
            done += self._sizes[number]
            name = str(file.relative_to(self._root))
            try:
                items = list(self._items(file))
            except KnowledgeError as error:
                problem = str(error).rstrip(".")
                yield Row(1, (number + 1,), done, problem=problem, file=name)
                continue
            for item, line, optional in items:
                # A file is one step: until its last item it is read again after a kill.
                position = (number + 1,) if item is items[-1][0] else (number,)
                yield Row(line, position, done, item, file=name, optional=optional)

    def _read_names(self) -> dict[str, str]:
        """Ids by the names that a link may use for them; an id goes before a file name or title."""
        ids: dict[str, str] = {}
        others: dict[str, str] = {}
        for file in self._files:
            try:
                record, _, _ = _read(file)
            except KnowledgeError:
                continue  # it is reported when its turn comes
            if record.id in ids:
                continue
            ids[record.id] = record.id
            others.setdefault(file.stem.casefold(), record.id)
            others.setdefault(record.title.casefold(), record.id)
        return others | ids

    def _items(self, file: Path) -> Iterator[tuple[Record | Edge, int, bool]]:
        record, edges, first_line = _read(file)
        yield record, 1, False
        for value in edges:
            if not isinstance(value, dict):
                raise KnowledgeError("edges must be a list of JSON objects, one per line")
            yield Edge.from_dict({"source": record.id, **value}), 1, False
        names = self._names or {}
        seen = set()
        for link in _LINK.finditer(record.text):
            name = link[1].strip()
            target = names.get(name) or names.get(name.casefold()) or name
            if target == record.id or target in seen or not _may_be_id(target):
                continue
            seen.add(target)
            line = first_line + record.text.count("\n", 0, link.start())
            provenance = {"rule": "link", "source": str(file.relative_to(self._root))}
            yield Edge(record.id, target, LINK, 1.0, provenance), line, True


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if (
                path.suffix.lower() in (".md", ".markdown")
                and not name.startswith(".")
                and not path.is_symlink()
            ):
                yield path


def _read(file: Path) -> tuple[Record, list[Any], int]:
    """The record, the edges of its front matter, and the line its text begins on."""
    if file.stat().st_size > MAX_ROW:
        raise KnowledgeError(too_long("the file"))
    raw = file.read_bytes()
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise KnowledgeError("the file is in UTF-16; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KnowledgeError(not_utf8(error)) from error
    head, body, line = front_matter.split(text)
    values = front_matter.read(head) if head is not None else {}
    edges = values.pop("edges", None) or []
    metadata = values.pop("metadata", None) or {}
    if not isinstance(edges, list) or not isinstance(metadata, dict):
        raise KnowledgeError("edges must be a list and metadata a JSON object")
    fields = {name: values.pop(name) for name in _FIELDS if values.get(name) is not None}
    tags = fields.get("tags", [])
    fields["tags"] = [str(tag) for tag in tags] if isinstance(tags, list) else str(tags).split()
    for name in ("id", "type", "title", "url", "source_type", "last_updated"):
        if name in fields:
            fields[name] = str(fields[name])
    if head is None or "id" not in fields:
        heading = _HEADING.search(body)
        fields.setdefault("title", (heading[1].rstrip(" \t#") if heading else "") or file.stem)
        fields.setdefault("type", "doc")
        fields.setdefault("source_type", "markdown")
        fields["id"] = f"{fields['type']}:{_slug(file.stem)}"
    fields.setdefault("type", fields["id"].partition(":")[0])
    values = {name: value for name, value in values.items() if value is not None}
    record = Record.from_dict(fields | {"text": body, "metadata": values | metadata})
    return record, edges, line


def _may_be_id(name: str) -> bool:
    try:
        check_id(name)
    except KnowledgeError:
        return False
    return True


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_") or "untitled"
