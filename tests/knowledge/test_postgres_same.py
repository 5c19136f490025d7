"""What the tests of databases in a folder say holds for databases on a server as well."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.knowledge import test_database, test_search, test_service
from tests.knowledge.helpers import STUDIO, HashedWords
from tests.knowledge.pgvector import Server

from antiphon.knowledge import Database, KnowledgeBase, Record, open_knowledge

# These look into the folder.
EMBEDDED_ONLY = {
    "test_a_name_is_given_once",
    "test_a_deleted_database_is_gone_and_may_be_made_again",
}

# Every test that is given its databases is run again here, where the fixtures below give it
# databases on a server.
for _module in (test_service, test_database, test_search):
    for _name, _test in vars(_module).items():
        if not _name.startswith("test_") or _name in EMBEDDED_ONLY:
            continue
        if {"base", "studio", "crowd"} & inspect.signature(_test).parameters.keys():
            globals()[_name] = _test


@pytest.fixture
def base(
    request: pytest.FixtureRequest, server_url: str, tmp_path: Path
) -> Iterator[KnowledgeBase]:
    embedder = HashedWords() if request.function.__module__ == test_search.__name__ else None
    with open_knowledge(server_url, embedder=embedder, work=tmp_path) as base:
        yield base


@pytest.fixture
def studio(base: KnowledgeBase) -> Database:
    database = base.create("studio", "Studio")
    database.upsert(STUDIO)
    database.flush()
    return database


@pytest.fixture(scope="module")
def crowd(pgvector: Server) -> Iterator[tuple[Database, list[Record]]]:
    records = test_search.many(400)
    url = pgvector.url(pgvector.new_database())
    with open_knowledge(url, embedder=HashedWords()) as base:
        database = base.create("crowd")
        database.upsert(records)
        database.flush()
        yield database, records
