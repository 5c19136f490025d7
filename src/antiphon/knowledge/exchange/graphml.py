"""GraphML as networkx, Gephi and yEd read and write it, streamed both ways.

Fields of records and edges are `data` elements under their own names; tags, metadata and
provenance are JSON. A value with characters that XML cannot hold is written with U+FFFD in their
place, and exactly in `exact`, a JSON object that wins when it is read. From files of others,
`label` serves as title or relation, and data under unknown names goes into metadata or provenance.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange.jsonl import item_of
from antiphon.knowledge.exchange.rows import MAX_ROW, Position, Row, file_fingerprint
from antiphon.knowledge.records import Edge, Record

_CHUNK = 64 * 1024
_MAX_DEPTH = 32
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODE_KEYS = (
    "type", "title", "text", "tags", "url", "source_type", "last_updated", "metadata", "exact"
)  # fmt: skip
_EDGE_KEYS = ("relation", "weight", "provenance", "exact")
_JSON_KEYS = {"tags", "metadata", "provenance"}


# -- writing


def write_graphml(stream: BinaryIO, items: Iterable[Record | Edge]) -> None:
    """Write records and edges in the order given; records must come first."""
    stream.write(
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    )
    for kind, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name in keys:
            typed = "double" if name == "weight" else "string"
            stream.write(
                f'<key id="{kind}_{name}" for="{kind}" attr.name="{name}" '
                f'attr.type="{typed}"/>\n'.encode()
            )
    stream.write(b'<graph edgedefault="directed">\n')
    number = 0
    for item in items:
        if isinstance(item, Record):
            stream.write(_node(item).encode())
        else:
            stream.write(_edge(item, number).encode())
            number += 1
    stream.write(b"</graph>\n</graphml>\n")


def _node(record: Record) -> str:
    body = record.to_dict()
    body["tags"] = _json(body["tags"]) if record.tags else ""
    body["metadata"] = _json(body["metadata"]) if record.metadata else ""
    body["exact"] = _exact(record, body)
    data = "".join(_data(f"node_{name}", body[name]) for name in _NODE_KEYS)
    return f"<node id={_attribute(record.id)}>{data}</node>\n"


def _edge(edge: Edge, number: int) -> str:
    body = edge.to_dict()
    body["weight"] = repr(edge.weight)
    body["provenance"] = _json(edge.provenance) if edge.provenance else ""
    body["exact"] = _exact(edge, body)
    data = "".join(_data(f"edge_{name}", body[name]) for name in _EDGE_KEYS)
    ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
    return f'<edge id="e{number}" {ends}>{data}</edge>\n'


def _exact(item: Record | Edge, body: dict[str, str]) -> str:
    if any(_NOT_XML.search(text) for text in body.values()):
        return json.dumps(
            {"kind": "record" if isinstance(item, Record) else "edge"} | item.to_dict()
        )
    return ""


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{_text(text)}</data>' if text else ""


def _text(text: str) -> str:
    # A carriage return would be read back as a line feed.
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))


# -- reading


class GraphML:
    """A GraphML file. A position is (nodes and edges read,): the file is read again up to there."""

    format = "graphml"

    def __init__(self, path: Path) -> None:
        self._path = path
        self.size = path.stat().st_size

    def fingerprint(self) -> str:
        return file_fingerprint(self._path)

    def rows(self, start: Position | None = None) -> Iterator[Row]:
        skip = start[0] if start else 0
        reader = _Reader(skip)
        done = 0
        with self._path.open("rb") as stream:
            while not reader.ended:
                chunk = stream.read(_CHUNK)
                done += len(chunk)
                reader.feed(chunk, done)
                yield from reader.take()


class _Reader:
    """Handler of the XML parser that collects rows.

    Declarations of types or entities are refused: GraphML has none, and a few lines of them can
    unfold into gigabytes.
    """

    def __init__(self, skip: int) -> None:
        self.ended = False
        self._skip = skip
        self._rows: list[Row] = []
        self._count = 0
        self._done = 0
        self._depth = 0
        self._keys: dict[str, tuple[str, str]] = {}
        self._key: str | None = None
        self._defaults: dict[str, dict[str, str]] = {"node": {}, "edge": {}}
        self._owner: str | None = None
        self._line = 0
        self._attributes: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._data: str | None = None
        self._text: list[str] = []
        self._length = 0
        self._seen_root = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse

    def feed(self, chunk: bytes, done: int) -> None:
        self._done = done
        try:
            self._parser.Parse(chunk, not chunk)
            if done - max(0, self._parser.CurrentByteIndex) > MAX_ROW + _CHUNK:
                raise KnowledgeError("one element is longer than 16 MB")
            if not chunk:
                self.ended = True
        except expat.ExpatError as error:
            self.ended = True
            reason = f"not well-formed XML: {expat.ErrorString(error.code)}"
            if not chunk:
                reason += "; the file may be cut off"
            self._fail(error.lineno, f"{reason}; the rest of the file was not read")
        except KnowledgeError as error:
            self.ended = True
            line = self._parser.CurrentLineNumber
            self._fail(line, f"{str(error).rstrip('.')}; the rest of the file was not read")

    def take(self) -> list[Row]:
        rows, self._rows = self._rows, []
        return rows

    def _fail(self, line: int, problem: str) -> None:
        self._rows.append(Row(line, (self._count,), self._done, problem=problem))

    def _refuse(self, *_: object) -> int:
        raise KnowledgeError("document types and entities are not allowed in GraphML")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise KnowledgeError(f"elements are nested deeper than {_MAX_DEPTH} levels")
        if not self._seen_root:
            if name != "graphml":
                raise KnowledgeError(f"this is no GraphML: it begins with <{name[:40]}>")
            self._seen_root = True
        if name == "key":
            self._key = attributes.get("id", "")
            self._keys[self._key] = (
                attributes.get("attr.name", self._key),
                attributes.get("attr.type", "string"),
            )
            self._attributes = attributes
        elif name in ("node", "edge"):
            if self._owner is not None:
                raise KnowledgeError("a graph inside a node cannot be imported")
            self._owner, self._line = name, self._parser.CurrentLineNumber
            self._attributes, self._values = attributes, {}
        elif name in ("data", "default"):
            self._data, self._text, self._length = attributes.get("key", ""), [], 0

    def _characters(self, text: str) -> None:
        if self._data is None:
            return
        self._length += len(text)
        if self._length > MAX_ROW:
            raise KnowledgeError("one value is longer than 16 MB")
        self._text.append(text)

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        self._depth -= 1
        if name == "data" and self._data is not None:
            if self._owner is not None:
                self._values[self._data] = "".join(self._text)
            self._data = None
        elif name == "default" and self._data is not None:
            if self._key is not None:
                kinds = self._attributes.get("for", "all")
                for kind in ("node", "edge") if kinds == "all" else (kinds,):
                    self._defaults.setdefault(kind, {})[self._key] = "".join(self._text)
            self._data = None
        elif name == "key":
            self._key = None
        elif name == self._owner:
            self._finish()
            self._owner = None

    def _finish(self) -> None:
        self._count += 1
        if self._count <= self._skip or self._owner is None:
            return
        values: dict[str, Any] = {}
        item, problem = None, ""
        try:
            for key, text in (self._defaults[self._owner] | self._values).items():
                named, typed = self._keys.get(key, (key, "string"))
                values[named] = _value(named, typed, text)
            if "exact" in values:
                item = item_of(orjson.loads(values["exact"]))
            elif self._owner == "node":
                item = _record_of(self._attributes.get("id", ""), values)
            else:
                item = _edge_of(self._attributes, values)
        except KnowledgeError as error:
            problem = str(error).rstrip(".")
        except orjson.JSONDecodeError as error:
            problem = f"the data of the {self._owner} has JSON that cannot be read: {error.msg}"
        self._rows.append(Row(self._line, (self._count,), self._done, item, problem))


def _record_of(id: str, values: dict[str, Any]) -> Record:
    fields: dict[str, Any] = {
        name: str(values.pop(name))
        for name in ("type", "title", "text", "url", "source_type", "last_updated")
        if name in values
    }
    metadata = _object(values.pop("metadata", ""), "metadata")
    tags = values.pop("tags", "")
    fields["tags"] = (
        orjson.loads(tags)
        if tags.startswith("[")
        else [tag.strip() for tag in tags.split(";") if tag.strip()]
    )
    if "type" not in fields:  # written by something else
        fields["type"] = id.partition(":")[0] if ":" in id else "node"
        fields.setdefault("title", str(values.pop("label", id)))
    return Record.from_dict({"id": id, **fields, "metadata": metadata | values})


def _edge_of(attributes: dict[str, str], values: dict[str, Any]) -> Edge:
    relation = values.pop("relation", None) or values.pop("label", None) or "related_to"
    provenance = _object(values.pop("provenance", ""), "provenance")
    return Edge.from_dict(
        {
            "source": attributes.get("source", ""),
            "target": attributes.get("target", ""),
            "relation": str(relation),
            "weight": _number(values.pop("weight", 1.0)),
            "provenance": provenance | values,
        }
    )


def _object(text: Any, name: str) -> dict[str, Any]:
    if text == "":
        return {}
    value = orjson.loads(text) if isinstance(text, str) else text
    if not isinstance(value, dict):
        raise KnowledgeError(f"{name} must be a JSON object")
    return value


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise KnowledgeError(f"the weight {str(value)[:40]!r} is not a number") from error


def _value(name: str, typed: str, text: str) -> Any:
    if name in _JSON_KEYS:
        return text
    try:
        if typed in ("int", "long", "integer"):
            return int(text)
        if typed in ("float", "double"):
            return float(text)
    except ValueError as error:
        raise KnowledgeError(f"{name} is declared as {typed} but is {text[:40]!r}") from error
    if typed == "boolean":
        return text.strip().lower() in ("true", "1")
    return text
