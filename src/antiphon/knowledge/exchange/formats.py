"""File formats of import and export, and their detection by path."""

from __future__ import annotations

from pathlib import Path

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange.graphml import GraphML
from antiphon.knowledge.exchange.jsonl import JsonLines
from antiphon.knowledge.exchange.markdown import DocumentFolder
from antiphon.knowledge.exchange.rows import Source, missing
from antiphon.knowledge.exchange.tables import EDGES_FILE, RECORDS_FILE, CsvTables
from antiphon.knowledge.media import SUFFIXES as DOCUMENTS

FORMATS = ("jsonl", "csv", "markdown", "graphml")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".graphml": "graphml",
    **dict.fromkeys(DOCUMENTS, "markdown"),
}


def known_format(format: str) -> str:
    if format not in FORMATS:
        raise KnowledgeError(f"There is no format {format!r}; choose {', '.join(FORMATS)}.")
    return format


def format_of(path: Path, format: str | None) -> str:
    """The format that is asked for, or the one that the name and content of the path show."""
    if format is not None:
        return known_format(format)
    if path.is_dir():
        tables = any((path / name).is_file() for name in (RECORDS_FILE, EDGES_FILE))
        return "csv" if tables else "markdown"
    found = _SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise KnowledgeError(
            f"The format of {path.name} cannot be told from its name; say which one it is: "
            f"{', '.join(FORMATS)}."
        )
    return found


def open_source(path: Path, format: str | None) -> Source:
    """Open a path for reading. Raises KnowledgeError when it is missing or of no known format."""
    if not path.exists():
        raise missing(path)
    found = format_of(path, format)
    if found == "csv":
        return CsvTables(path)
    if found == "markdown":
        return DocumentFolder(path)
    if path.is_dir():
        raise KnowledgeError(f"{path} is a folder; a {found} import reads one file.")
    return GraphML(path) if found == "graphml" else JsonLines(path)
