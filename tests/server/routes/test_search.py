"""Search over everything, for whoever goes somewhere by a few letters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from tests.server.routes.test_knowledge import library  # noqa: F401 - a fixture


def found(client: Any, query: str, **more: int) -> dict[str, list[tuple[str, str]]]:
    asked = "".join(f"&{name}={value}" for name, value in more.items())
    reply = client.get(f"/api/search?q={quote(query)}{asked}")
    assert reply.status == 200, reply.body
    assert reply.json["problems"] == []
    return {
        group["kind"]: [(item["title"], item["address"]) for item in group["items"]]
        for group in reply.json["groups"]
    }


def test_everything_is_found_by_a_few_letters(library: Any) -> None:  # noqa: F811
    kenji = ("Kenji Okuhara", "#/kg-studio/studio/record/person%3Akenji_okuhara")
    assert found(library, "kenj")["record"][0] == kenji  # as it is typed
    assert kenji in found(library, "OKUHARA")["record"]
    by_text = found(library, "harbor light lead", limit=3)["record"]
    assert len(by_text) == 3
    assert ("Harbor Light", "#/kg-studio/studio/record/project%3Aharbor_light") in by_text

    assert found(library, "calcul")["tool"][0] == ("Calculator", "#/tools/calculator")
    assert found(library, "dark theme")["setting"] == [("Appearance", "#/settings/theme")]
    assert "#/workflows/knowledge-synthesis" in [
        address for _, address in found(library, "knowledge synthesis")["automation"]
    ]
    assert any(a.startswith("#/experts/") for _, a in found(library, "expert")["automation"])
    assert any(a.startswith("#/playbooks/") for _, a in found(library, "playbook")["automation"])

    project = library.post("/api/projects", {"name": "Quartz bridge"}).json
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    end = start + timedelta(minutes=30)
    event = {"title": "Quartz review", "start_time": start.isoformat(), "end_time": end.isoformat()}
    made = library.post("/api/calendar/events", event)
    assert made.status == 201, made.body
    every = found(library, "quartz")
    assert every["project"] == [("Quartz bridge", f"#/projects/{project['id']}")]
    assert [title for title, _ in every["event"]] == ["Quartz review"]
    assert every["event"][0][1].startswith("#/calendar/week/20")


def test_what_is_no_query_finds_nothing_or_says_why(library: Any) -> None:  # noqa: F811
    assert found(library, "  ") == {}
    assert found(library, "%_'\"\\ xyzzyplugh") == {}
    assert library.get("/api/search").status == 422
    assert library.get(f"/api/search?q={'x' * 201}").status == 422
    assert library.get("/api/search?q=a&limit=21").status == 422
