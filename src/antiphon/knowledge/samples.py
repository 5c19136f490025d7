"""The sample knowledge that ships: brought into a knowledge base once, on its very first start."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError, explained

if TYPE_CHECKING:
    from antiphon.knowledge.service import KnowledgeBase

SAMPLE = Path(__file__).parent / "sample"
# Beside the databases: which of them came from here, and whether all of it is in.
MARK = ".sample.json"


def import_samples(base: KnowledgeBase, cancelled: Callable[[], bool] | None = None) -> bool:
    """Import the sample databases; False when that was done before, or was cancelled.

    A database of that name that somebody made is left as it is, and one that is deleted later
    does not come back. After a kill the next call resumes. `cancelled` is asked before each one.
    """
    from antiphon.knowledge.exchange import import_file

    mark = base.folder / MARK
    began, complete = _read(mark)
    if complete:
        return False
    for sample in orjson.loads((SAMPLE / "databases.json").read_bytes()):
        if cancelled is not None and cancelled():
            return False
        name = sample["id"]
        if name not in began:
            if name in base.ids():
                continue
            began.append(name)
            _write(mark, began, complete=False)
        try:
            database = base.create(name, sample["title"], sample["description"])
        except KnowledgeError as error:
            if error.type is not ErrorType.CONFLICT:
                raise
            database = base.database(name)
        import_file(database, SAMPLE / f"{name}.jsonl")
    _write(mark, began, complete=True)
    return True


def _read(mark: Path) -> tuple[list[str], bool]:
    with explained(mark):
        try:
            body = orjson.loads(mark.read_bytes())
            return [str(name) for name in body["databases"]], body["complete"] is True
        except FileNotFoundError:
            return [], False
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise KnowledgeError(
                f"{mark} is damaged. Delete it to have the sample knowledge imported again.",
                ErrorType.PERMANENT,
            ) from error


def _write(mark: Path, names: list[str], *, complete: bool) -> None:
    with explained(mark):
        aside = mark.with_name(f"{mark.name}.{os.getpid()}")
        aside.write_bytes(orjson.dumps({"databases": names, "complete": complete}))
        os.replace(aside, mark)
