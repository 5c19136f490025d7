"""LangChain's agent and fake model and LangGraph's graph on the tools of a session."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command
from tests.adapters.desk import BAD_NOTE, NOTE, open_desk, run_snippet

from antiphon.adapters.langchain import SessionToolkit

pytestmark = pytest.mark.real_time


class FakeModel(GenericFakeChatModel):
    """LangChain's fake model; it says what it is told to, whichever tools it has."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        assert [tool.name for tool in tools] == ["leave_note"]
        assert tools[0].tool_call_schema["required"] == ["to", "text"]
        return self


def wants(*calls: tuple[str, dict[str, Any]]) -> AIMessage:
    return AIMessage(
        content="",
        tool_calls=[{"name": "leave_note", "args": args, "id": each} for each, args in calls],
    )


def agent(kit: SessionToolkit, *messages: AIMessage) -> Any:
    model = FakeModel(messages=iter(messages))
    return create_agent(model, tools=kit.tools, checkpointer=InMemorySaver())


def config(kit: SessionToolkit) -> Any:
    return {"configurable": {"thread_id": "one"}, "callbacks": [kit]}


def go() -> Any:
    return {"messages": [HumanMessage("Go")]}


def answers(state: dict[str, Any]) -> list[ToolMessage]:
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


async def test_a_refused_call_is_an_error_message_with_the_envelope() -> None:
    async with open_desk() as desk:
        kit = SessionToolkit(desk.session)
        helper = agent(kit, wants(("call-refused", BAD_NOTE)), AIMessage("I could not."))
        state = await helper.ainvoke(go(), config(kit))
        [answer] = answers(state)
        assert (answer.status, answer.tool_call_id) == ("error", "call-refused")
        assert json.loads(str(answer.content))["error"]["type"] == "VALIDATION"
        assert answer.artifact["ok"] is False
        assert (desk.notes, desk.turn) == ([], 2)
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_an_approved_call_runs_when_the_graph_goes_on_and_is_replayed_after() -> None:
    async with open_desk() as desk:
        kit = SessionToolkit(desk.session)
        calls = [wants(("call-approved", NOTE)) for _ in range(2)]
        helper = agent(kit, calls[0], AIMessage("Done."), calls[1], AIMessage("Again."))
        asked = await helper.ainvoke(go(), config(kit))
        [interrupt] = asked["__interrupt__"]
        assert interrupt.value["preview"]
        assert "token" not in interrupt.value
        assert (desk.notes, desk.turn) == ([], 1)

        answer = {"id": interrupt.value["id"], "approve": True}
        state = await helper.ainvoke(Command(resume=answer), config(kit))
        assert answers(state)[-1].artifact["data"] == {"note_id": "note-1"}
        assert desk.notes == [NOTE["text"]]
        assert kit.bridge.note() == "", "the model has the outcome already"

        state = await helper.ainvoke(go(), config(kit))
        assert answers(state)[-1].artifact["meta"]["replayed"] is True
        assert desk.notes == [NOTE["text"]]
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]


async def test_answers_reach_the_calls_they_are_for_in_one_tool_node() -> None:
    """Two calls that wait in one node of a graph of one's own: the first is denied, the other
    approved, whichever of them asks first when the node runs again."""
    other = {**NOTE, "text": "The build is red."}
    async with open_desk() as desk:
        kit = SessionToolkit(desk.session)
        graph = StateGraph(MessagesState)
        graph.add_node("tools", ToolNode(kit.tools))
        graph.add_edge(START, "tools")
        helper = graph.compile(checkpointer=InMemorySaver())
        state = await helper.ainvoke(
            {"messages": [wants(("call-denied", NOTE), ("call-approved", other))]}, config(kit)
        )
        while waiting := state.get("__interrupt__"):
            request = waiting[0].value
            approve = "red" in request["preview"]
            state = await helper.ainvoke(
                Command(resume={"id": request["id"], "approve": approve}), config(kit)
            )
        denied, approved = answers(state)
        assert denied.artifact["error"]["outcome"] == "denied"
        assert approved.artifact["ok"] is True
        assert desk.notes == [other["text"]]
        assert sorted(await desk.answers()) == ["approved", "denied"]


async def test_an_answer_that_names_no_request_is_told_how_to() -> None:
    async with open_desk() as desk:
        kit = SessionToolkit(desk.session)
        helper = agent(kit, wants(("call-unnamed", NOTE)))
        await helper.ainvoke(go(), config(kit))
        with pytest.raises(TypeError, match="names its request"):
            await helper.ainvoke(Command(resume=True), config(kit))
        assert desk.notes == []


async def test_outside_of_a_graph_the_person_answers_on_the_sessions_channel() -> None:
    async with open_desk() as desk:
        session, kit = desk.session, SessionToolkit(desk.session)
        [tool] = kit.tools
        call = {"name": "leave_note", "args": NOTE, "id": "call-alone", "type": "tool_call"}
        answer = await tool.ainvoke(call)
        assert answer.artifact["error"]["type"] == "CONFIRMATION_REQUIRED"
        [request] = session.orchestrator.confirmations.waiting(session)
        await session.confirm(request["id"], request["token"], approve=True)
        assert "note-1" in kit.bridge.note()
        with pytest.raises(NotImplementedError, match="use ainvoke"):
            tool.invoke(call)


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk() as desk:
        script = [wants(("call-documented", NOTE)), AIMessage("It is left.")]
        model = FakeModel(messages=iter(script))
        names = await run_snippet("LangChain and LangGraph", desk.session, model)
        assert names["state"]["messages"][-1].content == "It is left."
        assert (len(names["asked"]), desk.notes, desk.turn) == (1, [NOTE["text"]], 2)
