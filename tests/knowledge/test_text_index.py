"""Words are found in any language, on disk and in memory alike."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from antiphon.knowledge import Filters
from antiphon.knowledge.analysis import query_words, words
from antiphon.knowledge.bm25 import TextDoc
from antiphon.knowledge.text_index import TextIndex

TEXTS = [
    ("Harbor Light", "A telephone assistant for ferries, with tickets and sailings"),
    ("Copper Kettle", "Tea house ordering on the telephone"),
    ("Ferry tales", "Stories that people told on ferries and in harbors"),
    ("東京タワー", "東京にある塔です"),
    ("Petrișor", "Lucrează la Cluj și cântă la vioară"),
    ("Party", "We celebrate 🎉 every release"),
]


def doc(row: int, title: str, text: str, revision: int = 1) -> TextDoc:
    kind = "even" if row % 2 == 0 else "odd"
    return TextDoc(row, revision, title, text, (f"tag{row % 3}",), kind, "wiki", row * 86_400.0)


def written(folder: Path, docs: list[TextDoc], revision: int = 1) -> TextIndex:
    index = TextIndex(folder / "text")
    assert index.begin()
    index.write(docs)
    index.commit(revision)()
    return index


def ranked(index: TextIndex, query: str, **options: object) -> list[int]:
    found = index.search(index.weights(query_words(query)), 10, **options)  # type: ignore[arg-type]
    return list(found.scores)


def docs() -> list[TextDoc]:
    return [doc(row, title, text) for row, (title, text) in enumerate(TEXTS)]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("ferry harbor", 2),
        ("telephone tea", 1),
        ("TICKETS", 0),
        ("ticketing", 0),
        ("東京", 3),
        ("petrisor", 4),
        ("canta vioara", 4),
        ("🎉", 5),
    ],
)
@pytest.mark.parametrize("place", ["disk", "memory"])
def test_words_are_found_in_any_language(tmp_path: Path, place: str, query: str, best: int) -> None:
    if place == "disk":
        index = written(tmp_path, docs())
    else:
        index = TextIndex(tmp_path / "text")
        for one in docs():
            index.put(one)
    assert ranked(index, query)[0] == best
    index.close()


def test_memory_and_disk_score_nearly_the_same(tmp_path: Path) -> None:
    disk = written(tmp_path, docs())
    memory = TextIndex(tmp_path / "other")
    for one in docs():
        memory.put(one)
    for query in ("telephone ferry stories", "harbor light", "people"):
        here = disk.search(disk.weights(query_words(query)), 10).scores
        there = memory.search(memory.weights(query_words(query)), 10).scores
        assert here.keys() == there.keys()
        for row, score in here.items():
            assert there[row] == pytest.approx(score, rel=0.3)
    disk.close()
    memory.close()


def test_what_is_newer_in_memory_hides_what_is_on_disk(tmp_path: Path) -> None:
    index = written(tmp_path, docs())
    index.put(doc(1, "Copper Kettle", "Now a museum of steam engines", revision=2))
    index.drop(0, 2)
    assert ranked(index, "telephone") == []
    assert ranked(index, "steam museum") == [1]
    assert index.unwritten == 2
    index.begin()
    index.commit(2)()
    assert index.unwritten == 0
    assert ranked(index, "telephone") == []
    assert ranked(index, "steam museum") == [1]
    index.close()
    again = TextIndex(tmp_path / "text")
    assert again.revision == 2
    assert ranked(again, "steam museum") == [1]
    again.close()


@pytest.mark.parametrize(
    "filters",
    [
        Filters(types=("even",)),
        Filters(tags=("tag1",)),
        Filters(types=("even", "odd"), tags=("tag2",)),
        Filters(since="1970-03-01", until="1970-03-20"),
        Filters(source_types=("mail",)),
    ],
)
def test_a_filter_lets_the_best_of_its_rows_through(tmp_path: Path, filters: Filters) -> None:
    count = 400
    every = [
        doc(row, f"Title {row}", "telephone " * (1 + row % 9) + "assistant") for row in range(count)
    ]
    index = written(tmp_path, every)
    since, until = filters.range()
    allowed = np.array(
        [
            (not filters.types or one.type in filters.types)
            and set(filters.tags) <= set(one.tags)
            and (not filters.source_types or one.source_type in filters.source_types)
            and (since is None or (one.stamp or 0) >= since)
            and (until is None or (one.stamp or 0) <= until)
            for one in every
        ]
    )
    weights = index.weights(["telephon"])
    every_match = index.search(weights, count)
    everything = every_match.scores
    assert not every_match.complete or len(everything) == count
    wanted = sorted((everything[row] for row in np.flatnonzero(allowed).tolist()), reverse=True)
    for share in (0.01, float(allowed.mean()), 1.0):
        found = index.search(weights, 10, allowed, filters, share).scores
        assert all(allowed[row] for row in found)
        assert sorted(found.values(), reverse=True) == pytest.approx(wanted[:10])
    index.close()


def test_a_damaged_index_is_emptied_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, docs()).close()
    (tmp_path / "text" / "meta.json").write_text("{ not json")
    with caplog.at_level(logging.WARNING):
        index = TextIndex(tmp_path / "text")
    assert index.revision == 0
    assert "is made again" in caplog.text
    index.close()


def test_a_query_is_its_telling_words_or_all_of_them() -> None:
    assert query_words("What is the harbor?") == ["harbor"]
    assert query_words("what is the") == ["what", "is", "the"]
    assert query_words("?!… \n") == []
    assert len(query_words("word " * 100_000)) == 1


def test_scripts_without_spaces_are_split() -> None:
    assert words("東京") == ["東", "京"]
    assert words("a🎉b") == ["a", "u1f389", "b"]


def test_in_a_large_index_rare_words_find_and_common_ones_when_these_are_too_few(
    tmp_path: Path,
) -> None:
    many = 60_000
    # Every second record has a common word, and one in a thousand the rare one.
    texts = [
        f"common{at % 2}{' rare' if at % 1_000 == 3 else ''}{' lone' if at == 5 else ''}"
        for at in range(many)
    ]
    index = written(tmp_path, [doc(at, "", text) for at, text in enumerate(texts)])
    found = index.search(index.weights(["common1", "rare"]), 20, parts=True)
    assert len(found.scores) == 20
    assert not found.complete
    assert all("rare" in texts[row] for row in found.scores)
    # The only one comes first, and the common word fills the rest of the list.
    for parts in (False, True):
        found = index.search(index.weights(["common1", "lone"]), 20, parts=parts)
        assert next(iter(found.scores)) == 5
        assert len(found.scores) == 20
        assert not found.complete
    assert len(index.search(index.weights(["common0"]), 20).scores) == 20
    index.close()


@pytest.mark.parametrize("where", ["disk", "memory"])
def test_which_part_of_a_query_a_record_has_is_told_with_its_score(
    tmp_path: Path, where: str
) -> None:
    every = [doc(0, "Harbor", "light"), doc(1, "", "harbor " * 9), doc(2, "Other", "thing")]
    if where == "disk":
        index = written(tmp_path, every)
    else:
        index = TextIndex(tmp_path / "text")
        for one in every:
            index.put(one)
    found = index.search(index.weights(["harbor", "light"]), 10, parts=True)
    scores, parts = found.scores_of([0, 1, 2])
    assert parts[0] == pytest.approx(1.0)
    assert 0 < parts[1] < 0.5
    assert (scores[2], parts[2]) == (0.0, 0.0)
    assert found.complete
    index.close()
