"""The sample knowledge: brought in once, resumed after an interruption, never forced on anybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from antiphon.knowledge import KnowledgeBase, KnowledgeError, Record
from antiphon.knowledge.samples import MARK, import_samples

WHOLE = {"personal": (30, 46), "public": (41, 57), "studio": (153, 426)}


def sizes(base: KnowledgeBase) -> dict[str, tuple[int, int]]:
    return {info.id: (info.records, info.edges) for info in base.databases()}


def test_it_is_imported_once(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        assert import_samples(base)
        assert sizes(base) == WHOLE
        base.delete("public")
        assert not import_samples(base)
        assert "public" not in sizes(base)


def test_an_import_that_was_interrupted_is_completed(tmp_path: Path) -> None:
    asked: list[bool] = []

    def after_one() -> bool:
        asked.append(True)
        return len(asked) > 1

    with KnowledgeBase.open(tmp_path) as base:
        assert not import_samples(base, after_one)
        (began,) = sizes(base)
        base.database(began).delete(record.id for record in base.database(began).records(limit=5))
        assert import_samples(base)
        assert sizes(base) == WHOLE


def test_a_database_that_was_there_before_is_left_alone(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        base.create("studio").upsert([Record("mine", "doc")])
        assert import_samples(base)
        assert sizes(base) == WHOLE | {"studio": (1, 0)}


def test_a_damaged_mark_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / MARK).write_text("{")
    with (
        KnowledgeBase.open(tmp_path) as base,
        pytest.raises(KnowledgeError, match="is damaged"),
    ):
        import_samples(base)
