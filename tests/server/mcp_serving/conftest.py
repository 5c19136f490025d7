"""A server with knowledge and playbooks, for the tests of resources, prompts and changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.conftest import Client, Serve

ADA = "antiphon://knowledge/people/person%3Aada"
PLAYBOOK = """---
title: Greet a customer
summary: How a customer is greeted.
tags: greeting
---
1. Say hello to {{customer}}.
2. Use {{ style }} words.
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "playbooks").mkdir()
    (folder / "playbooks" / "greet.md").write_text(PLAYBOOK)
    return folder


@pytest.fixture(scope="module")
def served(serve: Serve, data: Path) -> Iterator[Client]:
    with serve.running(serve.app(data=data)) as client:
        made = {"id": "people", "title": "People", "description": "Who is who."}
        assert client.post("/api/knowledge", made).status == 201
        put_person(client, "ada", "Ada Lovelace")
        put_person(client, "alan", "Alan Turing")
        yield client


def put_person(client: Client, name: str, title: str, text: str = "") -> None:
    body = json.dumps({"type": "person", "title": title, "text": text}).encode()
    path = f"/api/knowledge/people/records/person:{name}"
    assert client.send("PUT", path, {"Content-Type": "application/json"}, body).status in (200, 201)
