"""Sessions of people with rights: what they may call, approve and see, as of today."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.orchestrator.helpers import (
    ASKED,
    House,
    answer,
    built,
    house,
    kind,
    play,
    settle,
    toolbox,
    valid,
    write_tool,
)

from antiphon import Principal, Registry, ok, tool
from antiphon.contracts.principal import PrincipalRefused
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.orchestrator.replay import replay
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)

CALL = frozenset({"tools.call"})
ALL = ToolRule(("*",))


def rights(*rules: ToolRule, **more: Any) -> Rights:
    return Rights(more.pop("permissions", CALL), rules or (ALL,), **more)


def approver(*users: str, **more: Any) -> Rights:
    permissions = CALL | {"approvals.answer"}
    return rights(permissions=permissions, approves=frozenset(users), **more)


class People:
    """Who may do what today, as a directory knows it."""

    def __init__(self, **people: Rights) -> None:
        self.principals = {
            name: Principal(name, rights=held, credential="t1") for name, held in people.items()
        }
        self.asked: list[tuple[str, str]] = []

    def __getitem__(self, name: str) -> Principal:
        return self.principals[name]

    def may(self, name: str, held: Rights | None, **changes: Any) -> None:
        """From now on somebody may do this; None: they are gone."""
        if held is None:
            del self.principals[name]
        else:
            self.principals[name] = replace(self.principals[name], rights=held, **changes)

    async def look_up(self, user: str, credential: str) -> Principal:
        self.asked.append((user, credential))
        if user not in self.principals:
            raise PrincipalRefused(f"{user} was removed.")
        return self.principals[user]


@asynccontextmanager
async def inhabited(people: People, **options: Any) -> AsyncIterator[House]:
    async with house(principals=people.look_up, **options) as h:
        yield h


def session_of(h: House, people: People, name: str = "ada", **options: Any) -> Session:
    return h.session(user=name, principal=people[name], **options)


# -- calls -----------------------------------------------------------------------------------------


async def test_a_tool_that_one_may_not_use_looks_like_one_that_does_not_exist() -> None:
    people = People(ada=rights(ToolRule(("compute", "look_up"))))
    async with inhabited(people) as h:
        session = session_of(h, people)
        hidden = await answer(session, "save_note", {"text": "a"})
        unknown = await answer(session, "save_nope", {"text": "a"})
        for envelope, name in ((hidden, "save_note"), (unknown, "save_nope")):
            assert envelope["error"]["message"] == f"Unknown tool: {name}."
            assert envelope["meta"]["toolVersion"] is None
        assert hidden["error"] == {**unknown["error"], "message": hidden["error"]["message"]}
        near = await answer(session, "computer")
        assert near["error"]["nearest"] == ["compute"]
        lines = await h.told(session_id=session.id)
        assert {(line["rule"], line["toolVersion"]) for line in lines} == {("known", None)}
        [noted] = await h.told(event="tool_hidden")
        assert (noted["by"], noted["toolId"]) == ("ada", "save_note")
        assert h.work.effects == []


async def test_a_right_that_was_taken_away_is_gone_within_a_second() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        assert kind(await answer(session, "compute")) == "ok"
        people.may("ada", rights(ToolRule(("look_up",))))
        await h.clock.advance(1)
        assert kind(await answer(session, "compute", {"text": "b"})) == "NOT_FOUND"
        people.may("ada", None)
        await h.clock.advance(1)
        refused = await answer(session, "look_up", {"query": "a"})
        assert (kind(refused), refused["error"]["message"]) == ("AUTH", "ada was removed.")


async def test_availability_goes_by_the_principal_of_today() -> None:
    @tool(side_effects="none", availability={"requiresAuth": True})
    async def for_known() -> str:
        """Answer whoever is known."""
        return "known"

    @tool(side_effects="none", availability={"when": "organisation == 'acme'"})
    async def for_acme() -> str:
        """Answer people of Acme."""
        return "acme"

    async def kinds(session: Session) -> list[str]:
        return [kind(await answer(session, each)) for each in ("for_known", "for_acme")]

    people = People(ada=rights())
    async with inhabited(people, registry=Registry.of(for_known, for_acme).lock()) as h:
        assert await kinds(h.session(user="nobody")) == ["UNAVAILABLE", "UNAVAILABLE"]
        session = session_of(h, people)
        assert await kinds(session) == ["ok", "UNAVAILABLE"]
        people.may("ada", rights(), organisation="acme")
        await h.clock.advance(1)
        session.end_turn()
        assert await kinds(session) == ["ok", "ok"]


async def test_a_nested_call_is_held_to_the_rights_of_whoever_made_the_outer_one() -> None:
    people = People(ada=rights(ToolRule(("outer", "inner"), when="args.text != 'secret'")))
    async with inhabited(people) as h:
        found: list[str] = []

        async def outer(args: Any, context: Any) -> Any:
            for tool, text in (("middle", "a"), ("inner", "secret"), ("inner", "a")):
                found.append(kind(await context.call_tool(tool, {"text": text})))
            return ok({"found": found})

        h.work.does("outer", outer)
        session = session_of(h, people)
        assert kind(await answer(session, "outer", {"text": "a"})) == "ok"
        assert found == ["NOT_FOUND", "AUTH", "ok"]


async def test_a_replay_is_for_who_may_still_make_the_call() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        first = await answer(session, "save_note", {"text": "a"}, client_key="k1")
        assert kind(first) == "ok"
        people.may("ada", rights(ALL, ToolRule(("save_note",), "refuse", when="args.text == 'a'")))
        await h.clock.advance(1)
        assert kind(await answer(session, "save_note", {"text": "a"}, client_key="k1")) == "AUTH"
        assert h.work.count("save_note") == 1


async def test_a_resumed_session_does_nothing_before_its_principal_was_looked_up(
    tmp_path: Path,
) -> None:
    people, store = People(ada=rights()), f"sqlite:///{tmp_path / 'store.db'}"
    async with inhabited(people, store=store) as h:
        await h.orchestrator.save(session_of(h, people, id="s"))
    people.may("ada", rights(ToolRule(("compute",))))
    async with inhabited(people, store=store) as h:
        session = await h.orchestrator.resume("s")
        assert session is not None
        assert session.declarations().declared("local") == []
        assert kind(await answer(session, "look_up", {"query": "a"})) == "NOT_FOUND"
        assert kind(await answer(session, "compute")) == "ok"
        assert people.asked == [("ada", "t1")]
    async with house(store=store) as h:  # where nobody can be asked
        resumed = await h.orchestrator.resume("s")
        assert resumed is not None
        assert kind(await answer(resumed, "compute", {"text": "b"})) == "AUTH"


async def test_data_of_a_session_stays_when_its_principal_is_looked_up_anew() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        session.set_data({"tenant": "acme"})
        people.may("ada", rights(ALL), roles=("night",))
        await h.clock.advance(1)
        assert kind(await answer(session, "compute")) == "ok"
        assert (session.data, session.roles) == ({"tenant": "acme"}, ("night",))


async def test_two_tokens_of_a_user_at_work_in_one_session_do_not_lend_each_other_rights() -> None:
    wide = Principal("ada", rights=rights(), credential="t-wide")
    narrow = Principal("ada", rights=rights(within=("outer", "compute")), credential="t-narrow")
    tokens = {each.credential: each for each in (wide, narrow)}

    async def look_up(user: str, credential: str) -> Principal:
        await asyncio.sleep(0)
        return tokens[credential]

    async with house(principals=look_up) as h:
        session = h.session(principal=narrow)
        gate, found = asyncio.Event(), []

        async def outer(args: Any, context: Any) -> Any:
            await gate.wait()
            for tool in ("save_note", "compute"):
                found.append(kind(await context.call_tool(tool, {"text": "a"})))
            return ok({})

        h.work.does("outer", outer)
        running = asyncio.create_task(answer(session, "outer", {"text": "a"}))
        await settle()
        session.set_principal(wide)
        assert kind(await answer(session, "save_note", {"text": "b"})) == "ok"
        gate.set()
        assert kind(await running) == "ok"
        assert found == ["NOT_FOUND", "ok"]
        assert h.work.count("save_note") == 1


# -- approvals -------------------------------------------------------------------------------------


async def asked(session: Session, tool: str, args: dict[str, Any]) -> dict[str, Any]:
    """The request for a call that needs an approval."""
    assert kind(await answer(session, tool, args)) == "CONFIRMATION_REQUIRED"
    found = [m for m in session.drain_messages() if m["type"] == "confirmation_required"]
    return found[-1]


async def says_yes(session: Session, request: dict[str, Any], **more: Any) -> str:
    by = more.get("by")
    waiting = session.orchestrator.confirmations.waiting(session, by)
    [token] = [each["token"] for each in waiting if each["id"] == request["id"]]
    answered = await session.answer_confirmation(request["id"], token, True, **more)
    return kind(valid(answered.envelope))


async def test_a_frozen_call_is_held_to_the_rights_of_the_day_of_the_answer() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        request = await asked(session, "send_mail", {"to": ["a@example.org"]})
        people.may("ada", rights(ToolRule(("compute",))))
        await h.clock.advance(1)
        assert await says_yes(session, request) == "NOT_FOUND"
        assert h.work.effects == []


async def test_changed_values_are_held_to_the_rights_too() -> None:
    people = People(ada=rights(ALL, ToolRule(("*",), "refuse", when="args.subject == 'Bye'")))
    async with inhabited(people) as h:
        session = session_of(h, people)
        request = await asked(session, "send_mail", {"to": ["a@example.org"]})
        changed = {"to": ["a@example.org"], "subject": "Bye"}
        assert await says_yes(session, request, args=changed) == "AUTH"
        assert h.work.effects == []
        assert await says_yes(session, request) == "ok"


async def test_a_role_can_make_a_tool_ask_each_time() -> None:
    people = People(ada=rights(ALL, ToolRule(("save_note",), "ask", when="args.text == 'pay'")))
    async with inhabited(people) as h:
        session = session_of(h, people)
        assert kind(await answer(session, "save_note", {"text": "a"})) == "ok"
        request = await asked(session, "save_note", {"text": "pay"})
        assert (request["rule"], request["remember"]) == ("rights", [])
        assert await says_yes(session, request) == "ok"
        session.end_turn()
        await asked(session, "save_note", {"text": "pay"})


async def test_a_grant_ends_with_the_right_and_does_not_come_back_with_it() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        request = await asked(session, "dim_lights", {"text": "a"})
        assert await says_yes(session, request, remember="always") == "ok"
        assert session.view.approved == {"dim_lights"}
        people.may("ada", rights(ToolRule(("compute",))))
        await h.clock.advance(1)
        assert kind(await answer(session, "compute")) == "ok"
        assert session.view.approved == frozenset()
        await settle()
        assert h.orchestrator.grants.of_user("ada") == []
        people.may("ada", rights())
        await h.clock.advance(1)
        await asked(session, "dim_lights", {"text": "b"})


async def test_a_grant_ends_with_the_right_while_nobody_is_there() -> None:
    people = People(ada=rights())
    async with inhabited(people) as h:
        session = session_of(h, people)
        request = await asked(session, "dim_lights", {"text": "a"})
        assert await says_yes(session, request, remember="always") == "ok"
        await session.end()
        people.may("ada", rights(ToolRule(("compute",))))
        await h.orchestrator.upkeep()
        assert h.orchestrator.grants.of_user() == []
        [line] = await h.told(event="approval_taken_back")
        assert line["toolId"] == "dim_lights"


# -- a second person -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_person(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("two") / "tools"
    write_tool(folder, "wire_money", **{**ASKED, "approvals": 2})
    return built(folder)


async def test_two_persons_have_to_be_two_who_may(two_person: Registry) -> None:
    people = People(
        ada=approver("*"),
        bob=approver("ada"),
        carl=approver("dora"),
        dora=rights(),
        eve=approver("*"),
        fay=approver("*", within=("compute",)),
        gus=Rights(
            CALL | {"approvals.answer"},
            (ToolRule(("wire_money",), "refuse", when="args.text == 'a'"),),
            approves=frozenset({"ada"}),
        ),
    )
    people.may("eve", people["eve"].rights, organisation="acme")
    async with inhabited(people, registry=two_person) as h:
        session = session_of(h, people)
        request = await asked(session, "wire_money", {"text": "a"})
        assert await says_yes(session, request) == "CONFIRMATION_REQUIRED"
        assert await says_yes(session, request) == "CONFLICT"
        for name in ("carl", "dora", "eve", "fay", "gus", "zoe"):
            assert await says_yes(session, request, by=name) == "AUTH"
            if name in people.principals:
                own = {"by": name, "approver": people[name]}
                assert await says_yes(session, request, **own) == "AUTH"
        assert h.work.effects == []
        assert await says_yes(session, request, by="bob", approver=people["bob"]) == "ok"
        assert h.work.count("wire_money") == 1
        refused = await h.told(event="confirmation_refused")
        assert {line["details"]["by"] for line in refused} == {
            *("carl", "dora", "eve", "fay", "gus", "zoe")
        }


async def test_an_approval_holds_only_while_who_gave_it_still_may(two_person: Registry) -> None:
    people = People(ada=rights(), bob=approver("ada"), carl=approver("ada"))
    async with inhabited(people, registry=two_person) as h:
        session = session_of(h, people)
        request = await asked(session, "wire_money", {"text": "a"})
        assert await says_yes(session, request, by="bob") == "CONFIRMATION_REQUIRED"
        people.may("bob", rights())
        assert await says_yes(session, request, by="carl") == "CONFIRMATION_REQUIRED"
        [lost] = await h.told(event="confirmation_approval_lost")
        assert lost["details"]["by"] == "bob"
        people.may("ada", rights(ToolRule(("compute",))))
        await h.clock.advance(1)
        assert await says_yes(session, request) == "NOT_FOUND"
        assert h.work.effects == []


async def test_who_may_approve_need_not_be_one_who_may_call(two_person: Registry) -> None:
    controller = Rights(frozenset({"approvals.answer"}), approves=frozenset({"*"}))
    people = People(ada=rights(), bob=controller)
    async with inhabited(people, registry=two_person) as h:
        session = session_of(h, people)
        request = await asked(session, "wire_money", {"text": "a"})
        assert await says_yes(session, request) == "CONFIRMATION_REQUIRED"
        assert await says_yes(session, request, by="bob") == "ok"


# -- what is shown ---------------------------------------------------------------------------------


def shown(session: Session) -> set[str]:
    return {body["toolId"] for body in session.declarations().declared("local")}


async def test_rights_that_change_in_the_middle_change_what_the_model_is_told() -> None:
    people = People(ada=rights(ToolRule(("compute", "look_up"))))
    async with inhabited(people) as h:
        session = session_of(h, people)
        changes: list[set[str]] = []
        session.rights_listeners.subscribe(lambda: changes.append(shown(session)))
        assert shown(session) == {"compute", "look_up"}
        people.may("ada", rights(ToolRule(("compute",))))
        session.set_principal(people["ada"])
        assert shown(session) == {"compute"}
        assert changes == [{"compute"}]
        people.may("ada", rights(ToolRule(("compute",))), roles=("night",))
        session.set_principal(people["ada"])
        assert len(changes) == 1


async def test_a_handler_sees_the_tools_of_the_person_alone() -> None:
    people = People(ada=rights(ToolRule(("outer", "compute"))))
    async with inhabited(people) as h:

        def outer(args: Any, context: Any) -> Any:
            view = context.session
            return ok(
                {
                    "tools": [tool["toolId"] for tool in view.tools()],
                    "known": [name for name in ("compute", "inner") if view.tool(name) is not None],
                    "may": [name for name in ("compute", "inner") if view.may_call(name)],
                }
            )

        h.work.does("outer", outer)
        told = await answer(session_of(h, people), "outer", {"text": "a"})
        assert told["data"] == {
            "tools": ["compute", "outer"],
            "known": ["compute"],
            "may": ["compute"],
        }


TOOLS = ("compute", "look_up", "save_note", "text_only", "outer")
some_rules = st.lists(
    st.builds(
        ToolRule,
        st.lists(st.sampled_from((*TOOLS, "*", "look_*")), min_size=1, max_size=2).map(tuple),
        st.sampled_from(("allow", "ask", "refuse")),
        st.lists(st.sampled_from(("text", "voice")), max_size=1).map(tuple),
        st.sampled_from((None, True, False)),
        st.sampled_from(("", "args.text == 'a'")),
    ),
    max_size=4,
).map(tuple)


@settings(max_examples=20)
@given(some_rules, st.sampled_from(("text", "voice")))
def test_nothing_runs_or_is_shown_that_the_rights_do_not_allow(
    rules: tuple[ToolRule, ...], mode: Any
) -> None:
    held = Rights(CALL, rules)

    async def main() -> None:
        async with house() as h:
            session = h.session(mode=mode, principal=Principal("ada", rights=held))
            tools = session.snapshot.tools
            for name in shown(session):
                assert held.may_see(tools[name].definition, mode)
            for name in TOOLS:
                args = {"query": "a"} if name == "look_up" else {"text": "a"}
                session.end_turn()
                ran = len(h.work.started)
                envelope = await answer(session, name, args)
                full = {"top_k": 3 if mode == "voice" else 5, **args} if "query" in args else args
                effect = held.decide(tools[name].definition, mode, full, session.view.fields)
                if len(h.work.started) > ran:
                    assert effect == "allow"
                    assert name in shown(session)
                if not held.may_see(tools[name].definition, mode):
                    assert kind(envelope) == "NOT_FOUND"

    play(main())


# -- afterwards ------------------------------------------------------------------------------------


async def test_a_replay_of_the_audit_takes_rights_as_they_were() -> None:
    people = People(
        ada=rights(
            ToolRule(("compute", "look_up")),
            ToolRule(("look_up",), "refuse", when="args.query == 'b'"),
        )
    )
    async with inhabited(people) as h:
        session = session_of(h, people)
        await answer(session, "save_note", {"text": "a"})
        await answer(session, "look_up", {"query": "b"})
        await answer(session, "compute")
        report = replay(await h.told(), toolbox().snapshot())
        assert (report.differences, report.compared) == ([], 3)
        assert report.assumed["rights"] == 2
