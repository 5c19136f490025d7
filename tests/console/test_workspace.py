"""Projects, workflows and agents in a browser: made, run, watched, stopped and gone on with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.console import looks
from tests.console.conftest import PHONE, Watch, go, serving

from antiphon.emulators import emulate
from antiphon.workspace.tours import Tours

# Chromium writes a line for every answer that is no success; refusals are provoked here.
REFUSED = "the server responded with a status of 4"
MAIL = "Tobias Wennergren wrote from tobias@example.com about Atlas."
STEADY = "Written by a model [project:atlas]."
# The model hears the first question and never answers; then it answers everything. One test asks
# it; the others use agents that write by rules.
SCRIPT = {
    "steps": [{"on": "text", "reply": ["silent"]}],
    "rules": [{"on": "text", "reply": [{"text": STEADY}]}],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose text model is slow the first time."""
    with (
        emulate("openai", SCRIPT, check=False) as model,
        serving(
            tmp_path_factory.mktemp("workspace"),
            ANTIPHON_AGENT__BACKEND="openai",
            OPENAI_BASE_URL=model.base_url,
            OPENAI_API_KEY="test-key",
        ) as address,
    ):
        yield address


def run_agent(page: Page, name: str, said: str) -> None:
    page.goto(f"/#/agents/{name}")
    page.get_by_label("Input").fill(said)
    page.get_by_role("button", name="Run agent").click()


# -- workflows -------------------------------------------------------------------------------------


def test_a_workflow_is_run_watched_stopped_and_resumed(page: Page) -> None:
    page.goto("/#/workflows")
    page.get_by_role("link", name="Knowledge synthesis").click()
    expect(page).to_have_url(re.compile("#/workflows/knowledge-synthesis$"))
    expect(page.locator(".flow-plan").get_by_role("listitem")).to_have_count(5)
    # Without words there is nothing to run, and that is said where one writes.
    page.get_by_role("button", name="Run workflow").click()
    box = page.get_by_label("Input")
    expect(box).to_have_attribute("aria-invalid", "true")
    box.fill("What is Atlas?")
    box.press("Control+Enter")

    expect(page).to_have_url(re.compile("#/workflows/knowledge-synthesis/[0-9a-f]{32}$"))
    steps = page.get_by_role("list", name=re.compile("^Steps")).get_by_role("listitem")
    writing = steps.filter(has_text="Write the synthesis")
    expect(writing).to_have_attribute("aria-current", "step")
    expect(steps.filter(has_text="Search every graph")).to_contain_text("Succeeded")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    first = page.url

    page.get_by_role("button", name="Stop").click()
    expect(writing).to_contain_text("Stopped")
    # Stopped on purpose is no error.
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("Resume continues after them")).to_be_visible()
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page).not_to_have_url(first)
    expect(steps.filter(has_text="Search every graph")).to_contain_text("Kept from the earlier run")
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Written by a model")
    link = result.get_by_role("link", name="[project:atlas]")
    expect(link).to_have_attribute("href", "#/kg-studio/studio/record/project%3Aatlas")

    runs = page.locator(".flow-history").get_by_role("link")
    expect(runs).to_have_count(2)
    expect(runs.nth(0)).to_contain_text("Succeeded")
    expect(runs.nth(1)).to_contain_text("Stopped")
    runs.nth(1).click()
    expect(page).to_have_url(first)


def test_a_workflow_is_scheduled_by_clock_and_calendar(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/workflows/session-handoff")
    page.get_by_role("button", name="Add schedule").click()
    form = page.get_by_role("form", name="New schedule")
    expect(form.get_by_role("status")).to_contain_text("At 08:00, from Monday to Friday.")
    form.get_by_label("Repeats").select_option("Cron expression")
    form.get_by_label("Cron expression").fill("61 * * * *")
    expect(form.get_by_role("alert")).to_contain_text("is not between 0 and 59")
    form.get_by_label("Cron expression").fill("15 7 1 * *")
    expect(form.get_by_role("status")).to_contain_text("on day 1 of the month")
    form.get_by_role("button", name="Save schedule").click()
    card = page.locator(".flow-schedules")
    expect(card.get_by_text("Next:")).to_be_visible()
    card.get_by_role("switch", name="On").click()
    expect(card.get_by_text("Off", exact=True)).to_be_visible()
    # By the calendar; what it is changed to holds.
    card.get_by_role("button", name="Edit schedule").click()
    form = page.get_by_role("form", name="Edit schedule")
    form.get_by_label("Calendar events").check()
    form.get_by_label("Events called").fill("Stand-up")
    form.get_by_label("When").select_option("30 minutes before")
    form.get_by_role("button", name="Save schedule").click()
    expect(card).to_contain_text("30 minutes before each event called “Stand-up”.")
    card.get_by_role("button", name="Run now").click()
    expect(page.locator(".flow-run")).to_contain_text("Scheduled")
    card.get_by_role("button", name="Delete schedule").click()
    expect(card).to_contain_text("Not scheduled")


# -- agents ----------------------------------------------------------------------------------------


def test_a_notice_leads_to_the_run_it_is_about(page: Page) -> None:
    body = {"args": {"agent_name": "the contact finder", "input": MAIL}}
    task = page.request.post("/api/tools/run_agent/call", data=body).json()["data"]["task_id"]
    page.goto(f"/#/agents?task={task}")
    expect(page).to_have_url(re.compile(f"#/agents/contact-finder/{task}$"))
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def test_an_agent_answers_with_what_it_used_and_what_each_step_gave(page: Page) -> None:
    run_agent(page, "contact-finder", MAIL)
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Assembled by rules")
    expect(result.get_by_role("heading", name="Mail addresses")).to_be_visible()
    step = page.get_by_role("listitem").filter(has_text="Read the contacts").last
    step.get_by_role("button", name="Details").click()
    expect(step).to_contain_text("tobias@example.com")
    used = page.get_by_role("region", name="Sources")
    used.get_by_role("link", name="Tobias Wennergren").click()
    expect(page).to_have_url(re.compile(r"#/kg-studio\b.*Tobias"))


def test_an_agent_that_cannot_go_on_says_why(page: Page) -> None:
    run_agent(page, "web-reader", "a page without an address")
    problem = page.get_by_role("main").get_by_role("alert")
    expect(problem).to_contain_text("The input has no url")
    expect(problem).to_contain_text("Change the input")
    expect(page.get_by_role("button", name="Resume", exact=True)).to_have_count(0)


def test_a_place_that_is_not_there_helps_on(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/agents/nobody")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("There is no agent")
    page.goto("/#/workflows/multi-agent/none")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("no run")
    page.goto("/#/projects/none")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("no longer exists")


# -- projects --------------------------------------------------------------------------------------


def test_a_project_lives_by_the_keyboard_alone(page: Page, watch: Watch) -> None:
    watch.expected.append(REFUSED)
    page.goto("/#/projects")
    page.get_by_role("button", name="New project").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # at once: it is for the window that the first one opened
    expect(page.get_by_role("dialog")).to_contain_text("Enter a name")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Atlas")
    page.keyboard.press("Tab")
    page.keyboard.type("Answers **questions**.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Atlas", level=2)).to_be_visible()
    expect(page.locator(".markdown strong")).to_have_text("questions")
    place = page.url

    # What names it elsewhere is gathered; the graph that ships knows it.
    known = page.get_by_role("region", name="Knowledge")
    expect(known.get_by_role("link").filter(has_text="project in studio")).to_be_visible()

    mine = page.get_by_role("button", name="Make it my project")
    mine.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="No longer my project")).to_be_visible()
    context = page.request.get("/api/vox/awareness").json()["context"]
    assert context["active_project"] == "Atlas"

    page.get_by_label("Status").select_option("paused")
    expect(page.get_by_role("link").filter(has_text="Atlas").first).to_contain_text("paused")

    # A name that is taken says so, and leads to the one that has it.
    page.goto("/#/projects?new=1")
    page.get_by_label("Name").fill("ATLAS")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("There is a project 'Atlas' already")
    page.get_by_role("link", name="Open the existing project").click()
    expect(page).to_have_url(place)

    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("#/projects$"))
    expect(page.get_by_role("link", name=re.compile("^Atlas"))).to_have_count(0)
    assert "active_project" not in page.request.get("/api/vox/awareness").json()["context"]


# -- every one of these pages ----------------------------------------------------------------------


def test_tours_find_what_they_point_at(page: Page) -> None:
    """With nothing there yet, too."""
    for project in page.request.get("/api/projects").json()["projects"]:
        page.request.delete(f"/api/projects/{project['id']}")
    for name in ("projects", "workflows", "agents", "projects"):
        page.goto(f"/#/{name}")
        _, tour = Tours().get(name)
        for step in tour["steps"]:
            expect(page.locator(step["target"]).first, step["target"]).to_be_visible()
        page.request.post("/api/projects", data={"name": "There now"})


def test_full_pages_are_for_everybody(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", width=PHONE)
    project = {"name": "Orchard", "description": "# Trees"}
    made = page.request.post("/api/projects", data=project).json()
    body = {"args": {"agent_name": "contact-finder", "input": MAIL}}
    task = page.request.post("/api/tools/run_agent/call", data=body).json()["data"]["task_id"]
    go(page, f"projects/{made['id']}")
    expect(page.get_by_role("heading", name="Trees")).to_be_visible()
    looks.check(page, "a project")
    go(page, f"agents/contact-finder/{task}")
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    looks.check(page, "a run")
    go(page, "workflows/multi-agent")
    expect(page.locator(".flow-plan")).to_be_visible()
    page.get_by_role("button", name="Add schedule").click()
    expect(page.locator(".flow-foreseen")).to_be_visible()
    looks.check(page, "a workflow")
