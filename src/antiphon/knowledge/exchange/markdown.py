"""A folder of documents: Markdown with front matter and links, and text, HTML, PDF and Word files.

Each file is one record, and its text the record's. A Markdown file may have front matter in YAML
(or TOML): id, type, title, tags, url, source_type, last_updated, metadata and edges (a list of
objects: target, relation, weight, provenance); other names go into metadata. Its text is kept
exactly. A file without an id has one of its type and its path in the folder: `a/Plan.md` is
`doc:a/plan`, and a file of another kind keeps its ending, `doc:a/plan_pdf`. A link `[[…]]` in
Markdown names a record by id, file name or title and becomes an edge `links_to`; links to nothing
are counted and left out. Hidden files and symbolic links are passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from antiphon.knowledge import front_matter
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange.rows import MAX_ROW, Position, Row, not_utf8, too_long
from antiphon.knowledge.media import SUFFIXES
from antiphon.knowledge.records import MAX_TITLE, Edge, Record, check_id, timestamp

LINK = "links_to"
_FIELDS = ("id", "type", "title", "tags", "url", "source_type", "last_updated", "metadata")
_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_HEADING = re.compile(r"^#[ \t]++([^\n]+)$", re.MULTILINE)
_MAX_NAME = 120
_MARKDOWN = (".md", ".markdown")
# Where other programs write when a page was changed or made.
_UPDATED = ("lastmod", "last_modified_at", "updated", "modified", "date")


# -- writing


def file_name(record: Record) -> Path:
    """Path of a record's file: `<type>/<id>.md`, with what a file system may not take escaped."""
    return Path(_safe(record.type)) / f"{_safe(record.id)}.md"


def markdown_of(record: Record, edges: Iterable[Edge]) -> bytes:
    """Markdown file of a record and the edges that begin at it."""
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


class DocumentFolder:
    """A folder of documents, or one of them. A position is (files read,)."""

    format = "markdown"

    def __init__(self, path: Path) -> None:
        self._root = path if path.is_dir() else path.parent
        self._files = list(_files(path)) if path.is_dir() else [path]
        self._sizes = [file.stat().st_size for file in self._files]
        self.size = sum(self._sizes)
        self._paths = _ids(self._root, self._files)
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
                line = getattr(error, "line", 1)
                yield Row(line, (number + 1,), done, problem=problem, file=name)
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
                record = self._read(file, whole=False).record
            except KnowledgeError:
                continue  # it is reported when its turn comes
            if record.id in ids:
                continue
            ids[record.id] = record.id
            path = file.relative_to(self._root).with_suffix("").as_posix()
            others.setdefault(path.casefold(), record.id)
            others.setdefault(file.stem.casefold(), record.id)
            others.setdefault(record.title.casefold(), record.id)
        return others | ids

    def _items(self, file: Path) -> Iterator[tuple[Record | Edge, int, bool]]:
        record, edges, first_line, linked = self._read(file)
        yield record, 1, False
        for value in edges:
            if not isinstance(value, dict):
                raise KnowledgeError("edges must be a list of JSON objects, one per line")
            yield Edge.from_dict({"source": record.id, **value}), 1, False
        names = self._names or {}
        seen = set()
        for link in _LINK.finditer(record.text) if linked else ():
            name = link[1].strip()
            target = names.get(name) or names.get(name.casefold()) or name
            if target == record.id or target in seen or not _may_be_id(target):
                continue
            seen.add(target)
            line = first_line + record.text.count("\n", 0, link.start())
            provenance = {"rule": "link", "source": str(file.relative_to(self._root))}
            yield Edge(record.id, target, LINK, 1.0, provenance), line, True

    def _read(self, file: Path, *, whole: bool = True) -> _Read:
        """Record of a file; without `whole`, only the name of what would have to be parsed."""
        if SUFFIXES.get(file.suffix.lower(), "markdown") != "markdown":
            return _Read(_document(file, self._paths[file], whole=whole), [], 1, linked=False)
        return _markdown(file, self._paths[file])


class _Read(NamedTuple):
    """Record with the edges of its front matter, the line of its text, and whether it has links."""

    record: Record
    edges: list[Any]
    line: int
    linked: bool


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if (
                path.suffix.lower() in SUFFIXES
                and not name.startswith(".")
                and not path.is_symlink()
            ):
                yield path


def _ids(root: Path, files: list[Path]) -> dict[Path, str]:
    """Ids of the files, without their type: the path, made distinct where two are alike.

    The same folder gives the same ids again.
    """
    found: dict[Path, str] = {}
    used: set[str] = set()
    for file in files:
        relative = file.relative_to(root)
        named = relative.with_suffix("") if file.suffix.lower() in _MARKDOWN else relative
        path = "/".join(map(_slug, named.parts))
        if len(path) > _MAX_NAME or path in used:
            digest = blake2b(os.fsencode(relative.as_posix()), digest_size=4).hexdigest()
            path = f"{path[:_MAX_NAME]}-{digest}"
        used.add(path)
        found[file] = path
    return found


def _bytes(file: Path) -> bytes:
    if file.stat().st_size > MAX_ROW:
        raise KnowledgeError(too_long("the file"))
    return file.read_bytes()


def _document(file: Path, path: str, *, whole: bool) -> Record:
    """Record of a file that is not Markdown; its text is parsed in a worker process."""
    kind = SUFFIXES[file.suffix.lower()]
    title, text = file.stem, ""
    if whole:
        from antiphon.knowledge.ingestion.document_worker import read_in_worker

        document = read_in_worker(_bytes(file), kind)
        title, text = document.title or file.stem, document.text
        if not text.strip():
            raise KnowledgeError("the document has no text")
    title = _one_line(title)[:MAX_TITLE]
    return Record.from_dict(
        {"id": f"doc:{path}", "type": "doc", "title": title, "text": text, "source_type": kind}
    )


def _markdown(file: Path, path: str) -> _Read:
    raw = _bytes(file)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise KnowledgeError("the file is in UTF-16; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KnowledgeError(not_utf8(error)) from error
    values, body, line = front_matter.split(text)
    values = {name: value for name, value in (values or {}).items() if value is not None}
    edges = values.pop("edges") if _is_edges(values.get("edges")) else []
    metadata = values.pop("metadata") if isinstance(values.get("metadata"), dict) else {}
    fields = _fields(values)
    if "id" not in fields:
        heading = _HEADING.search(body)
        title = _one_line(heading[1]) if heading else file.stem
        fields.setdefault("title", title[:MAX_TITLE])
        fields.setdefault("type", "doc")
        fields.setdefault("source_type", "markdown")
        fields["id"] = f"{fields['type']}:{path}"
    fields.setdefault("type", fields["id"].partition(":")[0])
    record = Record.from_dict(fields | {"text": body, "metadata": values | metadata})
    return _Read(record, edges, line, linked=True)


def _is_edges(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    """Take the fields of a record out of the front matter; what fits none of them stays there.

    Names that other programs use count too: `date` and `lastmod` say when it was updated.
    """
    fields: dict[str, Any] = {}
    for name in ("id", "type", "title", "url", "source_type"):
        value = values.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            text = str(values.pop(name))
            if name == "title":
                text = _one_line(text)[:MAX_TITLE]
            if text:
                fields[name] = text
    tags = values.get("tags")
    if isinstance(tags, str):
        tags = [tag.strip() for tag in tags.split("," if "," in tags else None)]
    if isinstance(tags, list) and not any(isinstance(tag, list | dict) for tag in tags):
        del values["tags"]
        fields["tags"] = [str(tag) for tag in tags if tag is not None and str(tag).strip()]
    for name in ("last_updated", *_UPDATED):
        value = values.get(name)
        if isinstance(value, str) and "last_updated" not in fields and _is_time(value):
            fields["last_updated"] = value
            if name == "last_updated":
                del values[name]
    return fields


def _is_time(text: str) -> bool:
    try:
        timestamp(text, "last_updated")
    except KnowledgeError:
        return False
    return True


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _may_be_id(name: str) -> bool:
    try:
        check_id(name)
    except KnowledgeError:
        return False
    return True


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_") or "untitled"
