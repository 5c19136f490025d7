"""Pages by what people call them, and the tours of all of them."""

from __future__ import annotations

import re

import pytest

from antiphon.workspace.errors import NotThere
from antiphon.workspace.pages import IDS, Pages
from antiphon.workspace.tours import SHIPPED, Tours


def test_the_pages_are_those_of_the_console() -> None:
    assert (
        *("vox", "chat", "tools", "kg-studio", "projects", "playbooks", "workflows", "agents"),
        *("experts", "macros", "calendar", "sessions", "inbox", "audit", "metrics", "traces"),
        "settings",
    ) == IDS


@pytest.mark.parametrize(
    ("said", "page"),
    [
        *((page, page) for page in IDS),
        ("knowledge graphs", "kg-studio"),
        ("kg studio", "kg-studio"),
        ("KG_Studio", "kg-studio"),
        ("the Knowledge Graphs page, please", "kg-studio"),
        ("knowlege grafs", "kg-studio"),
        ("/kg-studio", "kg-studio"),
        ("#/tools", "tools"),
        ("https://127.0.0.1:8080/audit?x=1", "audit"),
        ("http://localhost/#/metrics", "metrics"),
        ("go to my calendar", "calendar"),
        ("home", "vox"),
        ("/", "vox"),
        ("Audit log", "audit"),
        ("talk", "vox"),
        ("the conversation", "chat"),
        ("Knowledge", "kg-studio"),
        ("automations", "macros"),
        ("my activity", "sessions"),
        ("approvals", "inbox"),
    ],
)
def test_a_page_is_found_by_what_people_call_it(said: str, page: str) -> None:
    assert Pages().resolve(said) == page


@pytest.mark.parametrize("said", ["", "  ", "moon base", "tools/../etc", "x" * 100_000, "\0"])
def test_what_is_no_page_is_refused(said: str) -> None:
    with pytest.raises(NotThere) as refused:
        Pages().resolve_path(said)
    assert refused.value.body["errors"][0]["pointer"] == "/path"
    assert len(refused.value.message) < 400


def test_the_nearest_pages_are_named() -> None:
    with pytest.raises(NotThere) as refused:
        Pages().resolve("chart")
    assert refused.value.nearest[:2] == ("metrics", "chat")


def test_a_place_on_a_page_is_kept() -> None:
    assert Pages().resolve_path("/tools/kb_search") == "tools/kb_search"
    assert Pages().resolve_path("KG-Studio/studio/person:ada") == "kg-studio/studio/person:ada"
    assert Pages().resolve_path("tools/") == "tools"


def test_every_page_has_a_tour_to_the_contract() -> None:
    tours = Tours()
    assert [tour["page"] for tour in tours.listed()] == list(IDS)
    targets: list[str] = []
    for summary in tours.listed():
        page, tour = tours.get(summary["page"])
        assert tour.keys() == {"name", "description", "steps"}
        assert summary["step_count"] == len(tour["steps"]) >= 3
        for step in tour["steps"]:
            assert step.keys() == {"target", "speech", "position", "highlight"}
            assert re.fullmatch(rf'\[data-tour="{page}-[a-z-]+"\]', step["target"])
            assert step["position"] in ("top", "bottom", "left", "right", "center")
            assert step["highlight"] in (True, False)
            # Spoken aloud: whole sentences, and not too long to listen to.
            assert step["speech"].endswith((".", "?", "!"))
            assert 20 < len(step["speech"]) < 250
            targets.append(step["target"])
    assert len(set(targets)) == len(targets)
    assert {file.stem for file in SHIPPED.glob("*.json")} == set(IDS)


def test_a_tour_is_found_by_what_people_call_the_page() -> None:
    page, tour = Tours().get("knowledge graphs")
    assert (page, tour["name"]) == ("kg-studio", "Knowledge Tour")
    with pytest.raises(NotThere) as refused:
        Tours().get("moon base")
    assert refused.value.body["errors"][0]["pointer"] == "/page"
