"""Playbooks to read and experts to ask, in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.console.conftest import serving
from tests.console.test_knowledge import check_for_everybody

OWN = (
    "---\ntitle: Bake bread\nsummary: Dough.\ntags: food\n---\n\n## Steps\n\n1. Knead.\n2. Bake.\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose person has a playbook of their own, and one that is none."""
    data = tmp_path_factory.mktemp("reading")
    (data / "playbooks").mkdir()
    (data / "playbooks" / "bread.md").write_text(OWN)
    (data / "playbooks" / "broken.md").write_text("# No front matter\n")
    with serving(data, built_in=True) as address:
        yield address


def test_a_playbook_is_found_read_and_followed(opened: Callable[..., Page]) -> None:
    page = opened("#/playbooks")
    page.get_by_role("searchbox", name="Search playbooks").fill("my phone is too hot")
    best = page.locator(".list-item").first
    expect(best).to_contain_text("When the device runs hot")
    expect(best).to_contain_text("Score")
    expect(page).to_have_url(re.compile(r"\?q=my\+phone"))
    best.click()
    expect(page).to_have_url(re.compile(r"#/playbooks/hot-device\?q="))
    text = page.locator(".playbooks-text")
    expect(text.get_by_role("heading", name="Steps")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(text.locator("ol > li").count())
    page.get_by_role("button", name="How to tell that it worked").click()
    expect(text.get_by_role("heading", name="How to tell that it worked")).to_be_focused()
    page.get_by_role("checkbox").first.check()
    page.reload()
    expect(page.get_by_role("checkbox").first).to_be_checked()
    expect(page.get_by_text(re.compile("^1 of "))).to_be_visible()


def test_a_playbook_of_ones_own_is_there_and_a_broken_one_is_named(
    opened: Callable[..., Page], watch: Any
) -> None:
    page = opened("#/playbooks/bread")
    expect(page.locator(".playbooks-text")).to_contain_text("Knead.")
    expect(page.locator(".left-out")).to_contain_text(
        "broken.md: it does not begin with front matter"
    )
    watch.expected.append("404")
    page.goto("/#/playbooks/bred-cakes-and-more")
    expect(page.get_by_role("alert")).to_contain_text("There is no playbook")


def test_an_expert_answers_with_citations_and_remembers(opened: Callable[..., Page]) -> None:
    page = opened("#/experts/project-advisor")
    page.get_by_role("button", name="Who leads Atlas?").click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("Tobias Wennergren leads Atlas")
    cited = page.get_by_role("region", name="Sources")
    expect(cited.get_by_role("link", name="Tobias Wennergren")).to_be_visible()
    page.get_by_role("textbox", name="Your question to Project advisor").fill("Who works on it?")
    page.keyboard.press("Enter")
    expect(log.locator(".experts-turn")).to_have_count(2)
    expect(log.locator(".experts-turn").nth(1)).to_contain_text("Atlas")
    page.reload()
    expect(log.locator(".experts-turn")).to_have_count(2)
    log.get_by_role("link", name="[1]").first.click()
    expect(page).to_have_url(re.compile(r"#/kg-studio/studio/record/"))
    expect(page.get_by_role("heading", level=2)).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="New conversation").click()
    expect(log.locator(".experts-turn")).to_have_count(0)
    expect(page.get_by_role("button", name="Who leads Atlas?")).to_be_visible()
    assert page.request.get("/api/experts/project-advisor").json()["turns"] == []


def test_an_expert_without_its_database_says_what_to_do(
    opened: Callable[..., Page], watch: Any
) -> None:
    watch.expected.append("400")
    page = opened("#/experts/personal-assistant")
    assert page.request.delete("/api/knowledge/personal").status == 204
    page.get_by_role("textbox", name=re.compile("^Your question")).fill("When is the birthday?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'personal', which is not there")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_both_pages_are_for_everybody(opened: Callable[..., Page]) -> None:
    page = opened("#/experts/process-coach")
    page.locator(".experts-example").first.click()
    page.locator(".experts-turn").wait_for()
    for place in ("experts/process-coach", "playbooks?q=incident", "playbooks/hot-device"):
        check_for_everybody(page, place)
