"""Playbooks and experts over HTTP: what ships, what people add, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PROBLEM = "application/problem+json"
BREAD = "---\ntitle: Bake bread\nsummary: Dough, time.\ntags: kitchen\n---\n\n1. Knead the dough.\n"
EXPERT = 'name = "{}"\ndescription = "Knows."\ndatabase = "studio"\npersona = "You know."\n'


def test_every_playbook_is_listed_and_can_be_read(client: Any) -> None:
    listed = client.get("/api/playbooks").json
    assert listed["count"] == len(listed["playbooks"]) >= 17
    assert listed["left_out"] == []
    for each in listed["playbooks"]:
        whole = client.get(f"/api/playbooks/{each['id']}").json
        assert whole.items() >= each.items()
        assert len(whole["outline"]) == each["steps"]
        assert whole["outline"][0] in whole["text"]
        assert not whole["text"].startswith("---")


def test_a_search_gives_the_best_with_snippet_and_score(client: Any) -> None:
    found = client.get("/api/playbooks?query=my+phone+is+too+hot").json["playbooks"]
    assert found[0]["id"] == "hot-device"
    assert len(found) <= 5
    assert found[0]["snippet"]
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    refused = client.get("/api/playbooks?query=%3F%3F")
    assert (refused.status, refused.media_type) == (422, PROBLEM)
    assert "no words" in refused.json["detail"]


@pytest.mark.parametrize("path", ["playbooks/hot-devise-card", "experts/project-adviser-x"])
def test_what_is_not_there_is_a_problem_with_the_nearest(client: Any, path: str) -> None:
    reply = client.get(f"/api/{path}")
    assert (reply.status, reply.media_type) == (404, PROBLEM)
    assert reply.json["nearest"][0] in ("hot-device", "project-advisor")
    assert "Did you mean" in reply.json["detail"]


def test_an_expert_has_examples_and_remembers_the_conversation(client: Any) -> None:
    listed = client.get("/api/experts").json
    assert listed["count"] == len(listed["experts"]) == 6
    advisor = next(each for each in listed["experts"] if each["id"] == "project-advisor")
    assert advisor["database_id"] == "studio"
    assert advisor["examples"]
    assert client.get("/api/experts/project-advisor").json["turns"] == []
    ask = {"expert_id": "project-advisor", "message": "Who leads Atlas?"}
    said = client.call("chat_with_expert", ask).json["data"]
    known = client.get("/api/experts/Project%20advisor").json
    assert known.items() >= advisor.items()
    assert [turn["message"] for turn in known["turns"]] == ["Who leads Atlas?"]
    assert known["turns"][0]["answer"] == said["answer"]
    assert known["turns"][0]["citations"] == said["citations"] != []
    client.call("chat_with_expert", {**ask, "message": "Start over"})
    assert client.get("/api/experts/project-advisor").json["turns"] == []


def test_files_of_ones_own_count_and_a_broken_one_is_named(serve: Any, tmp_path: Path) -> None:
    with serve.running(serve.app(data=tmp_path)) as client:
        assert client.get("/api/playbooks").json["left_out"] == []
        own_files(client, tmp_path / "playbooks", tmp_path / "experts")


def own_files(client: Any, playbooks: Path, experts: Path) -> None:
    playbooks.mkdir()
    experts.mkdir()
    (playbooks / "bake-bread.md").write_text(BREAD)
    (playbooks / "hot-device.md").write_text(BREAD.replace("Bake bread", "Cool down"))
    (playbooks / "front.md").write_text("# No front matter\n")
    (playbooks / "letters.md").write_bytes(b"\xff\xfe")
    (playbooks / "odd .md").write_text(BREAD)
    (playbooks / "tab.md").write_text(BREAD.replace("Bake bread", "Bake\tbread"))
    (experts / "cook.toml").write_text(EXPERT.format("Cook"))
    (experts / "half.toml").write_text('name = "Half')
    listed = client.get("/api/playbooks").json
    titles = {each["id"]: each["title"] for each in listed["playbooks"]}
    assert (titles["bake-bread"], titles["hot-device"]) == ("Bake bread", "Cool down")
    assert Path(listed["folder"]) == playbooks.resolve()
    wrong = {each["file"]: each["reason"] for each in listed["left_out"]}
    assert wrong.keys() == {"front.md", "letters.md", "odd .md", "tab.md"}
    assert "front matter" in wrong["front.md"]
    assert "UTF-8" in wrong["letters.md"]
    assert "cannot be searched" in wrong["tab.md"]
    # The others are found all the same.
    found = client.get("/api/playbooks?query=knead+the+dough").json["playbooks"]
    assert {found[0]["id"], found[1]["id"]} == {"bake-bread", "hot-device"}
    known = client.get("/api/experts").json
    assert "cook" in [each["id"] for each in known["experts"]]
    assert [each["file"] for each in known["left_out"]] == ["half.toml"]
    assert "TOML" in known["left_out"][0]["reason"]
