"""list_agents, run_agent and run_workflow, through dispatch and as tasks, over the sample."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.tools.kb_world import sample_folder
from tests.tools.services_world import World, data, error, registry, within

from antiphon.agents.conversation import Conversation
from antiphon.agents.profiles import load_profile
from antiphon.contracts.events import ModelTurn, UserTurn
from antiphon.contracts.metering import Payer
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.embedding import default_embedder
from antiphon.storage import Store
from antiphon.workspace.agents import Agents
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.pipeline_runs import PipelineRun
from antiphon.workspace.workflows import Workflows

pytestmark = pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))

CODE = """\
import os
# TODO: mend this
def risky(command):
    return os.system(command)
"""


def shipped() -> list[Any]:
    async def running() -> list[Any]:
        async with Store.open("sqlite://") as store:
            steps = RunJournal(store)
            return [*await Agents(steps).all(), *await Workflows(steps).all()]

    return asyncio.run(running())


def test_every_tool_that_a_pipeline_names_exists_and_takes_its_arguments() -> None:
    tools = registry().snapshot().tools
    for pipeline in shipped():
        for step in pipeline.steps:
            if not step.tool:
                continue
            parameters = tools[step.tool].definition.parameters
            given = {*step.args, *(pipe.to for pipe in step.pipes)}
            assert given <= parameters.get("properties", {}).keys(), (pipeline.name, step.id)
            assert given >= set(parameters.get("required", ())), (pipeline.name, step.id)


def test_there_are_the_four_workflows_and_six_agents_or_more() -> None:
    named = {each.name for each in shipped()}
    assert {"error-recovery", "knowledge-synthesis", "session-handoff", "multi-agent"} <= named
    assert data("list_agents")["count"] >= 6
    assert data("list_agents")["count"] + 4 == len(named)


def test_the_vox_profile_declares_them() -> None:
    declared = set(load_profile("vox").tools or ())
    assert {"list_agents", "run_agent", "run_workflow", "search_playbooks"} <= declared


async def test_run_agent_answers_at_once_and_gives_its_result_as_a_task() -> None:
    async with within() as world:
        started = await world.call("run_agent", agent_name="researcher", input="Who leads Atlas?")
        assert started["data"]["status"] == "started"
        tasks = world.session.orchestrator.background.backend
        task = await tasks.result(started["data"]["task_id"], 30.0)
        assert task.status == "succeeded"
        assert task.progress["fraction"] == 1.0
        assert "Tobias Wennergren leads Atlas" in task.envelope["data"]["text"]


def test_the_researcher_names_its_evidence() -> None:
    done = data("run_agent", agent_name="the Researcher agent", input="Who leads Atlas?")
    assert done["agent"] == "researcher"
    assert done["by"] == "rules"
    assert {"id": "project:atlas", "title": "Atlas"}.items() <= {
        key: value
        for one in done["evidence"]
        if one["id"] == "project:atlas"
        for key, value in one.items()
    }.items()
    assert [each["status"] for each in done["steps"]] == ["done"] * 3


@pytest.mark.parametrize(
    ("agent", "given", "said"),
    [
        ("graph-analyst", "Atlas", "The graph studio has 153 nodes"),
        ("meeting-preparer", "a meeting with Tobias Wennergren about Atlas", "## Agenda"),
        ("contact-finder", "Ask Ada Lovelace, ada@example.org", "ada@example.org"),
        ("code-reviewer", CODE, "Line 4, high"),
        ("playbook-guide", "recover from a provider outage", "[provider-outage]"),
    ],
)
def test_an_agent_gives_a_useful_result_without_any_model(
    agent: str, given: str, said: str
) -> None:
    done = data("run_agent", agent_name=agent, input=given)
    assert said in done["text"]
    assert done["evidence"]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Ada Lovelace <ada@example.org>", False),
        ("Please call Tobias Wennergren about this.", True),
    ],
)
def test_the_contact_finder_names_nobody_who_is_not_meant(text: str, known: bool) -> None:
    said = data("run_agent", agent_name="contact-finder", input=text)["text"]
    assert ("People here who may be meant" in said) is known
    assert ("[person:tobias_wennergren]" in said) is known


@pytest.mark.parametrize("code", ["def f(:", "x = (\n# TODO: close it\n"])
def test_a_review_that_lost_a_scanner_says_which_and_why(code: str) -> None:
    done = data("run_agent", agent_name="code-reviewer", input=code)
    assert "nothing to complain" not in done["text"]
    assert "## What could not be done" in done["text"]
    for title, tool in (
        ("Scan for risky code", "security_scanner"),
        ("Score the functions", "complexity_scorer"),
    ):
        assert f"- {title} ({tool}): /code: is no valid Python" in done["text"]
    assert ("close it" in done["text"]) is ("TODO" in code)


def test_a_model_cannot_leave_out_what_was_lost() -> None:
    told: list[str] = []

    async def ask(instructions: str, text: str, payer: Payer) -> str:
        told.append(text)
        return "All is well."

    code = "x = (\n# TODO: close it\n"
    done = data("run_agent", ask=ask, agent_name="code-reviewer", input=code)
    assert done["by"] == "model"
    assert done["text"].startswith("All is well.\n\n## What could not be done\n\n- Scan for")
    assert "(security_scanner): /code: is no valid Python" in told[0]


def test_no_shipped_pipeline_says_that_there_is_nothing_when_a_step_was_lost() -> None:
    """Every optional step fails in turn, with nothing found by the others."""

    async def nothing(*of: str) -> dict[str, Any]:
        return {"recent_pages": []}

    class Nobody:
        idempotency_key = "k"
        session = SimpleNamespace(
            user="ada", payer=Payer("ada"), activity=nothing, tool=lambda _: None
        )
        workspace = SimpleNamespace(awareness=SimpleNamespace(report=nothing))

        def __init__(self, lost: int) -> None:
            self.lost = lost

        def progress(self, message: str, fraction: float | None = None) -> None:
            pass

        async def call_tool(self, tool: str, args: Any, *, number: int) -> Any:
            if number != self.lost:
                return {"ok": True, "data": {}}
            return {"ok": False, "error": {"type": "TRANSIENT", "message": "It is out of order."}}

    async def running() -> None:
        for pipeline in pipelines:
            for number, step in enumerate(pipeline.steps, 1):
                if step.tool and step.optional and not step.when:
                    async with Store.open("sqlite://") as store:
                        run = PipelineRun(pipeline, Nobody(number), RunJournal(store))
                        done = await run.execute("anything")
                    assert f"{step.title} ({step.tool}): It is out of order." in done["text"]
                    assert pipeline.steps[-1].otherwise not in done["text"]

    pipelines = shipped()
    asyncio.run(running())


def test_the_knowledge_keeper_adds_a_text_to_the_graph_that_knows_the_subject(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "knowledge"
    shutil.copytree(sample_folder(), folder)
    with KnowledgeBase.open(folder, embedder=default_embedder()) as base:

        async def scenario(world: World) -> None:
            text = "Tobias Wennergren leads Project Aurora. Aurora depends on Atlas."
            done = await world.data("run_agent", agent_name="knowledge-keeper", input=text)
            assert "Added to the graph studio" in done["text"]
            found = await world.data("search_kg", database_id="studio", query="Project Aurora")
            assert "Aurora" in found["results"][0]["title"]

        run_in(within(base=base), scenario)


def test_the_web_reader_says_what_it_needs() -> None:
    refused = error("run_agent", agent_name="web-reader", input="no address here")
    assert refused["type"] == "VALIDATION"
    assert "The input has no url" in refused["message"]


def test_a_model_writes_the_answer_where_one_is_configured() -> None:
    async def ask(instructions: str, text: str, payer: Payer) -> str | None:
        assert "careful researcher" in instructions
        assert "[project:atlas]" in text
        return "Tobias does. [project:atlas]"

    done = data("run_agent", ask=ask, agent_name="researcher", input="Who leads Atlas?")
    assert (done["text"], done["by"]) == ("Tobias does. [project:atlas]", "model")


def test_unknown_names_are_refused_with_the_nearest() -> None:
    refused = error("run_agent", agent_name="reviewer", input=CODE)
    assert refused["type"] == "VALIDATION"
    assert refused["nearest"][0] == "code-reviewer"
    refused = error("run_workflow", workflow_name="synthesis", input="x")
    assert refused["type"] == "VALIDATION"
    assert "knowledge-synthesis" in str(refused["errors"])


def test_an_empty_or_endless_input_is_refused() -> None:
    assert error("run_agent", agent_name="researcher", input="")["type"] == "VALIDATION"
    assert error("run_agent", agent_name="researcher", input="\n")["type"] == "VALIDATION"
    assert error("run_agent", agent_name="researcher", input="x" * 100_001)["type"] == "VALIDATION"
    refused = error("run_workflow", workflow_name="error-recovery")
    assert "the error message, or what went wrong" in refused["message"]


def test_a_long_input_is_searched_with_by_its_beginning() -> None:
    text = "Who leads Atlas? " + "And more words. " * 5000
    assert data("run_agent", agent_name="researcher", input=text)["evidence"]


@pytest.mark.parametrize("mode", ["text", "voice"])
@pytest.mark.parametrize(
    ("workflow", "given", "said"),
    [
        ("error-recovery", "a background task is stuck", "[background-task-stuck]"),
        ("knowledge-synthesis", "voice assistants", "[offering:voice_assistants]"),
        ("multi-agent", "Who leads Atlas?", "## Playbook guide"),
    ],
)
def test_a_workflow_comes_to_its_end(workflow: str, given: str, said: str, mode: str) -> None:
    done = data("run_workflow", mode=mode, workflow_name=workflow, input=given)
    assert done["status"] == "done"
    assert said in done["text"]
    assert {each["status"] for each in done["steps"]} == {"done"}


async def test_a_handoff_tells_where_the_work_stands() -> None:
    async with within() as world:
        await world.data("create_project", name="Lisbon move", description="The new office.")
        done = await world.data("run_workflow", workflow_name="session-handoff")
        assert "- Lisbon move (active) The new office." in done["text"]
        assert "[studio]: 153 nodes" in done["text"]
        by_step = {each["step"]: each["status"] for each in done["steps"]}
        # No browser is connected, and there is no note to look up.
        assert (by_step["screen"], by_step["known"]) == ("failed", "left_out")
        noted = await world.data(
            "run_workflow", workflow_name="session-handoff", input="Atlas waits for a decision."
        )
        assert noted["text"].startswith("## Note\n\nAtlas waits for a decision.")


async def test_a_handoff_holds_what_the_session_came_to() -> None:
    async with within() as world:
        session = world.session
        store = session.orchestrator.store
        talk = Conversation(session.id, store)
        talk.add(UserTurn("Who leads Atlas?"), channel="text")
        talk.add(ModelTurn("Tobias Wennergren leads Atlas."), channel="text")
        talk.add(UserTurn("And by when is it due?"), channel="text")
        await talk.flush()
        await session.orchestrator.capabilities["workspace"].awareness.record_visit(
            "ada", "kg-studio"
        )
        await world.data("list_projects")
        text = (await world.data("run_workflow", workflow_name="session-handoff"))["text"]
        assert "## Open\n\n- Not answered yet: And by when is it due?" in text
        assert "- Agent: Tobias Wennergren leads Atlas." in text
        assert "- list_projects: done" in text
        assert "## Pages seen\n\n- kg-studio" in text


def test_several_agents_make_a_plan_from_the_records() -> None:
    wish = "Prepare a plan for Harbor Light"
    text = data("run_workflow", workflow_name="multi-agent", input=wish)["text"]
    order = ["## Goal", "## Known facts", "## Open questions", "## Steps", "## Researcher"]
    places = [text.index(heading) for heading in order]
    assert places == sorted(places)
    assert text.startswith(f"## Goal\n\n{wish}")
    assert "[project:harbor_light]" in text


async def test_every_step_passes_the_gates_and_is_in_the_audit() -> None:
    async with within() as world:
        await world.data("run_workflow", workflow_name="error-recovery", input="it is stuck")
        store = world.session.orchestrator.store
        await store.flush()
        lines = await store.audit_lines(tool_id="search_playbooks")
        assert [line.data["decision"] for line in lines] == ["run"]


async def test_a_workflow_can_be_cancelled_in_the_middle() -> None:
    reached = asyncio.Event()

    async def ask(instructions: str, text: str, payer: Payer) -> str | None:
        reached.set()
        await asyncio.Event().wait()
        return None

    async with within(ask=ask) as world:
        started = await world.call(
            "run_workflow", workflow_name="knowledge-synthesis", input="voice assistants"
        )
        task_id = started["data"]["task_id"]
        tasks = world.session.orchestrator.background.backend
        await asyncio.wait_for(reached.wait(), 30.0)
        await tasks.cancel(task_id)
        task = await tasks.result(task_id, 30.0)
        assert task.status == "cancelled"
        assert task.envelope["error"]["type"] == "CANCELLED"
        assert task.progress["message"] == "Step 5 of 5: Write the synthesis"


def test_without_any_graph_an_agent_says_so(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path / "empty") as base:

        async def scenario(world: World) -> None:
            done = await world.data("run_agent", agent_name="researcher", input="Who leads Atlas?")
            assert done["text"].startswith("No knowledge graph has anything about this.")
            assert done["evidence"] == []

        run_in(within(base=base), scenario)
