"""Macros: what is saved, what is refused, and what a run does with each kind of step."""

from __future__ import annotations

from typing import Any

import pytest
from tests.workspace.vox_world import play, refused, world

from antiphon import ErrorType, ToolError
from antiphon.workspace.macro_matching import normalize_phrase

STUDIO = {"databases": [{"id": "studio"}, {"id": "public"}]}
ASK = {"function": "ask_graph", "args": {"database_id": "studio", "query": "who"}}


def pointers(error: ToolError) -> list[str]:
    return [each["pointer"] for each in error.body["errors"]]


# -- saving ----------------------------------------------------------------------------------------


def test_a_macro_is_kept_as_the_contract_says() -> None:
    async def scenario() -> None:
        async with world() as w:
            macro = await w.macros.save("ada", " Good  morning ", "Good Morning!", [ASK], "retry")
            body = macro.to_dict()
            assert body == {
                "id": macro.id,
                "name": "Good morning",
                "trigger_phrase": "good morning",
                "steps": [{**ASK, "pipe_from": None}],
                "error_policy": "retry",
                "created_at": w.clock.now(),
                "updated_at": w.clock.now(),
                "step_count": 1,
            }
            assert len(macro.id) == 8
            assert int(macro.id, 16) >= 0
            assert [each.to_dict() for each in await w.macros.all("ada")] == [body]

    play(scenario())


def test_macros_belong_to_their_user() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("mine", ASK)
            assert await w.macros.all("bob") == []
            await refused(w.macros.find("bob", "mine"))
            other = await w.macros.save("bob", "His", "mine", [ASK])
            assert (await w.macros.find("ada", "mine")).id != other.id

    play(scenario())


@pytest.mark.parametrize(
    ("step", "pointer", "words"),
    [
        ({"function": "ask_grap", "args": {}}, "/steps/0/function", "did you mean ask_graph"),
        ({"function": "fetch", "args": {}}, "/steps/0/args/query", "is missing"),
        ({"function": "fetch", "args": {"query": 3}}, "/steps/0/args/query", "not of type string"),
        ({"function": "fetch", "args": {"qery": ""}}, "/steps/0/args/qery", "did you mean 'query'"),
        ({"function": "fetch", "args": []}, "/steps/0/args", "no object"),
        ({"function": ""}, "/steps/0/function", "no name"),
        ({"function": "fetch", "more": 1}, "/steps/0/more", "not known"),
        ("fetch it", "/steps/0", "no step"),
        ({"function": "list_graphs", "pipe_from": 1}, "/steps/0/pipe_from", "no earlier step"),
        ({"function": "list_graphs", "pipe_from": "x"}, "/steps/0/pipe_from", "no pipe"),
        (
            {"function": "run_macro", "args": {"macro_id": "nothing"}},
            "/steps/0/args/macro_id",
            "no macro",
        ),
    ],
)
def test_a_wrong_step_is_refused_with_its_place(step: Any, pointer: str, words: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await refused(w.macros.save("ada", "x", "x", [step]))
            assert error.type is ErrorType.VALIDATION
            assert pointer in pointers(error)
            assert any(words in each["message"] for each in error.body["errors"])
            assert await w.macros.all("ada") == []

    play(scenario())


def test_everything_that_is_wrong_is_told_at_once_with_its_place() -> None:
    async def scenario() -> None:
        async with world() as w:
            steps = [
                {"function": "ask_grap", "args": {}},
                {"function": "fetch", "args": {"query": 3}},
                "no step",
                {"function": "fetch", "args": {"qery": "x"}, "pipe_from": 9},
                {"function": "list_graphs", "more": 1},
            ]
            wanted = [
                "/name",
                "/steps/0/function",
                "/steps/1/args/query",
                "/steps/2",
                "/steps/3/pipe_from",
                "/steps/3/args/qery",
                "/steps/4/more",
            ]
            assert pointers(await refused(w.macros.save("ada", "", "x", steps))) == wanted
            rehearsed = w.macros.rehearse("ada", steps, lambda *_: {})
            assert pointers(await refused(rehearsed)) == wanted[1:]

    play(scenario())


@pytest.mark.parametrize(
    ("pipe", "pointer"),
    [
        (2, "/steps/1/pipe_from"),
        (0, "/steps/1/pipe_from"),
        ({"step": 1, "path": "a"}, "/steps/1/pipe_from/to"),
        ({"step": 1, "to": "nowhere"}, "/steps/1/pipe_from/to"),
        ({"step": 1, "to": 3}, "/steps/1/pipe_from/to"),
        ({"step": "1", "to": "query"}, "/steps/1/pipe_from/step"),
        ([{"step": 1, "to": "query"}, 5], "/steps/1/pipe_from/1"),
        ([{"step": 1, "to": "query"}] * 11, "/steps/1/pipe_from"),
        (1, "/steps/1/pipe_from"),  # fetch has none of the usual parameters
    ],
)
def test_a_pipe_that_leads_nowhere_is_refused(pipe: Any, pointer: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            steps = [{"function": "list_graphs"}, {"function": "fetch", "pipe_from": pipe}]
            error = await refused(w.macros.save("ada", "x", "x", steps))
            assert pointer in pointers(error)

    play(scenario())


def test_all_that_is_wrong_is_said_at_once() -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await refused(
                w.macros.save(
                    "ada", "", "…", [{"function": 1}, {"function": "fetch", "x": 1}], "no"
                )
            )
            assert set(pointers(error)) == {
                *("/name", "/trigger_phrase", "/error_policy"),
                *("/steps/0/function", "/steps/1/x", "/steps/1/args/query"),
            }
            two = [{"function": "fetch"}, {"function": "nope"}]
            error = await refused(w.macros.save("ada", "x", "x", two))
            assert pointers(error) == ["/steps/0/args/query", "/steps/1/function"]

    play(scenario())


@pytest.mark.parametrize("steps", [[], {}, None, "x", [ASK] * 21])
def test_there_are_one_to_twenty_steps(steps: Any) -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await refused(w.macros.save("ada", "x", "x", steps))
            assert pointers(error) == ["/steps"]
            await w.macro("as many as may be", *[ASK] * 20)

    play(scenario())


def test_arguments_beyond_any_use_are_refused() -> None:
    async def scenario() -> None:
        async with world() as w:
            step = {"function": "fetch", "args": {"query": "x" * 40_000}}
            error = await refused(w.macros.save("ada", "x", "x", [step]))
            assert pointers(error) == ["/steps/0/args"]

    play(scenario())


def test_a_phrase_belongs_to_one_macro() -> None:
    async def scenario() -> None:
        async with world() as w:
            first = await w.macros.save("ada", "One", "go", [ASK])
            error = await refused(w.macros.save("ada", "Two", " GO. ", [ASK]))
            assert error.type is ErrorType.CONFLICT
            assert error.body["macro_id"] == first.id
            assert "'One'" in error.message

    play(scenario())


def test_the_same_call_again_saves_the_same_macro() -> None:
    async def scenario() -> None:
        async with world() as w:
            first = await w.macro("go", ASK, key="call 1")
            again = await w.macro("go", ASK, key="call 1")
            assert again.id == first.id
            assert len(await w.macros.all("ada")) == 1
            other = await w.macros.save("bob", "go", "go", [ASK], key="call 1")
            assert other.id != first.id

    play(scenario())


def test_a_macro_is_changed_under_its_id() -> None:
    async def scenario() -> None:
        async with world() as w:
            first = await w.macro("go", ASK)
            await w.clock.advance(60)
            changed = await w.macros.save("ada", "Gone", "go away", [ASK], id=first.id)
            assert (changed.id, changed.created_at) == (first.id, first.created_at)
            assert changed.updated_at == first.created_at + 60
            assert [each.name for each in await w.macros.all("ada")] == ["Gone"]
            await refused(w.macros.save("ada", "x", "x", [ASK], id="00000000"))
            await refused(w.macros.save("bob", "x", "x", [ASK], id=first.id))

    play(scenario())


def test_a_macro_never_runs_itself() -> None:
    """Neither directly, nor through another one."""

    async def scenario() -> None:
        async with world() as w:
            run = {"function": "run_macro", "args": {"macro_id": "first one"}}
            error = await refused(w.macro("first one", run))
            assert "first one → first one" in error.message
            first = await w.macro("first one", ASK)
            second = await w.macro("second one", run)
            assert second.steps[0].args == {"macro_id": first.id}
            back = {"function": "run_macro", "args": {"macro_id": "second one"}}
            error = await refused(w.macro("first one", back, id=first.id))
            assert "would run itself" in error.message
            assert "first one → second one → first one" in error.message
            assert (await w.macros.find("ada", "first one")).steps == first.steps

    play(scenario())


def test_macros_in_macros_make_twenty_calls_at_most() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("ten", *[ASK] * 10)
            run = {"function": "run_macro", "args": {"macro_id": "ten"}}
            await w.macro("twenty", run, run)
            error = await refused(w.macro("more", run, run, ASK))
            assert "21 calls" in error.message

    play(scenario())


def test_which_macro_a_step_runs_cannot_be_piped_in() -> None:
    async def scenario() -> None:
        async with world() as w:
            pipe = {"step": 1, "path": "x", "to": "macro_id"}
            step = {"function": "run_macro", "args": {}, "pipe_from": pipe}
            error = await refused(w.macro("sly", "list_graphs", step))
            assert pointers(error) == ["/steps/1/pipe_from"]

    play(scenario())


def test_an_agent_saves_no_step_that_it_may_not_call() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.session = w.new_session(toolset={"create_macro", "run_macro", "fetch"})
            args = {"name": "x", "trigger_phrase": "x", "steps": [{"function": "store_note"}]}
            error = await w.error("create_macro", **args)
            assert "may not be called" in error["message"]
            await w.macro("saved elsewhere", {"function": "store_note", "args": {"text": "a"}})
            error = await w.error("run_macro", macro_id="saved elsewhere")
            assert error["errors"][0]["pointer"] == "/steps/0/function"
            assert w.made.calls == []

    play(scenario())


# -- finding and deleting --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "good morning report",
        "Good morning, report!",
        "good mornin report",
        "the good morning report",
        "please run my good morning report now",
        "goodmorning report",
        "report good morning",
        "Morning",  # its name
    ],
)
def test_a_macro_is_found_by_what_people_say(said: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            macro = await w.macros.save("ada", "Morning", "good morning report", [ASK])
            await w.macros.save("ada", "Evening", "good night everybody", [ASK])
            assert (await w.macros.find("ada", said)).id == macro.id
            assert (await w.macros.find("ada", macro.id.upper())).id == macro.id

    play(scenario())


def test_the_nearest_are_named_when_none_fits() -> None:
    async def scenario() -> None:
        async with world() as w:
            error = await refused(w.macros.find("ada", "anything"))
            assert "None is saved yet" in error.message
            await w.macros.save("ada", "Morning", "good morning report", [ASK])
            error = await refused(w.macros.find("ada", "good evening report"))
            assert error.body["nearest"] == ["good morning report"]
            error = await refused(w.macros.find("ada", "zzz"))
            assert error.body["nearest"] == []
            assert "good morning report" in error.message

    play(scenario())


def test_of_two_that_are_as_near_none_is_taken() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macros.save("ada", "A", "report for team one", [ASK])
            await w.macros.save("ada", "B", "report for team two", [ASK])
            for said in ("report for team", "report for team six", "team"):
                error = await refused(w.macros.find("ada", said))
                assert set(error.body["nearest"]) <= {"report for team one", "report for team two"}
            await w.macros.delete("ada", "B")
            await refused(w.macros.find("ada", "report for team two"))

    play(scenario())


def test_nothing_is_deleted_by_a_guess() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("good morning report", ASK)
            error = await refused(w.macros.delete("ada", "good mornin report"))
            assert error.body["nearest"] == ["good morning report"]
            await w.macros.delete("ada", "Good morning report")
            assert await w.macros.all("ada") == []
            await refused(w.macros.delete("ada", "good morning report"))

    play(scenario())


def test_a_macro_that_another_one_runs_stays() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("inner", ASK)
            await w.macro("outer", {"function": "run_macro", "args": {"macro_id": "inner"}})
            error = await refused(w.macros.delete("ada", "inner"))
            assert error.type is ErrorType.CONFLICT
            assert "'outer'" in error.message
            await w.macros.delete("ada", "outer")
            await w.macros.delete("ada", "inner")

    play(scenario())


def test_a_phrase_is_compared_without_case_and_marks() -> None:
    assert normalize_phrase("  Good   MORNING, everyone! ") == "good morning everyone"
    assert normalize_phrase("…") == ""


# -- running ---------------------------------------------------------------------------------------


def test_steps_run_in_their_order_and_each_tells_what_it_gave() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["fetch"] = {"found": 3}
            note = {"function": "store_note", "args": {"text": "hi"}}
            macro = await w.macro("go", {"function": "fetch", "args": {"query": "a"}}, note)
            done = await w.run("go")
            assert done == {
                "macro_id": macro.id,
                "name": "go",
                "success": True,
                "results": [
                    {"step": 1, "function": "fetch", "success": True, "result": {"found": 3}},
                    {
                        "step": 2,
                        "function": "store_note",
                        "success": True,
                        "result": {"got": {"text": "hi"}},
                    },
                ],
                "completed": 2,
                "failed": 0,
                "step_count": 2,
                "summary": "go is done: 2 steps.",
            }
            assert w.made.names == ["fetch", "store_note"]

    play(scenario())


@pytest.mark.parametrize(
    ("source", "answer", "target", "args"),
    [
        ("list_graphs", STUDIO, "measure_graph", {"database_id": "studio"}),
        ("list_helpers", {"tools": [{"id": "linter"}]}, "use_helper", {"tool_id": "linter"}),
        ("list_helpers", {"tools": ["linter"]}, "use_helper", {"tool_id": "linter"}),
        ("list_graphs", {"result": "a text"}, "digest_text", {"_piped_input": "a text"}),
    ],
)
def test_what_a_step_gives_goes_where_it_usually_belongs(
    source: str, answer: Any, target: str, args: Any
) -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers[source] = answer
            await w.macro("go", source, {"function": target, "pipe_from": 1})
            assert (await w.run("go"))["failed"] == 0
            assert w.made.calls[-1] == (target, args)

    play(scenario())


def test_an_argument_that_is_given_is_not_piped_over() -> None:
    async def scenario() -> None:
        async with world() as w:
            step = {**ASK, "pipe_from": 1}
            error = await refused(w.macro("go", "list_graphs", step))
            assert "has no parameter for it that is not given" in error.message

    play(scenario())


def test_values_are_piped_by_their_paths() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["fetch"] = {"results": [{"id": "a/b", "n/m": {"code": "x = 1"}}]}
            pipes = [
                {"step": 1, "path": "/results/0/id", "to": "tool_id"},
                {"step": 1, "path": "results/0/n~1m/code", "to": "params/code"},
                {"step": 1, "to": "params/all"},
            ]
            step = {
                "function": "use_helper",
                "args": {"params": {"language": "python"}},
                "pipe_from": pipes,
            }
            await w.macro("go", {"function": "fetch", "args": {"query": "q"}}, step)
            await w.run("go")
            assert w.made.calls[-1][1] == {
                "tool_id": "a/b",
                "params": {
                    "language": "python",
                    "code": "x = 1",
                    "all": w.made.answers["fetch"],
                },
            }

    play(scenario())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"results": []}, "`results` has 0 items"),
        ({"hits": 1}, "its result has hits"),
        ({"results": "none"}, "has nothing inside"),
        ({"results": [{"name": 1}]}, "`results/0` has name"),
    ],
)
def test_a_path_that_leads_nowhere_fails_its_step(answer: Any, words: str) -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["fetch"] = answer
            pipe = {"step": 1, "path": "results/0/id", "to": "query"}
            fetch = {"function": "fetch", "args": {"query": "q"}}
            await w.macro("go", fetch, {"function": "fetch", "pipe_from": pipe}, "list_graphs")
            done = await w.run("go")
            assert [each["success"] for each in done["results"]] == [True, False]
            assert words in done["results"][1]["error"]
            assert w.made.names == ["fetch"]
            assert "stopped at step 2 of 3" in done["summary"]

    play(scenario())


def test_a_piped_value_of_the_wrong_kind_is_refused_by_the_gates() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["list_graphs"] = {"number": 7}
            pipe = {"step": 1, "path": "number", "to": "query"}
            await w.macro("go", "list_graphs", {"function": "fetch", "pipe_from": pipe})
            failed = (await w.run("go"))["results"][1]
            assert failed["error_type"] == "VALIDATION"
            assert failed["errors"][0]["pointer"] == "/query"

    play(scenario())


def failing(*, times: int = 9, **more: Any) -> list[Any]:
    error = ToolError(ErrorType.TRANSIENT, "It is not there right now.", **more)
    return [*[error] * times, {"fine": True}]


def test_abort_stops_at_the_first_failure() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["store_note"] = ToolError(ErrorType.PERMANENT, "No room left.")
            note = {"function": "store_note", "args": {"text": "x"}}
            await w.macro("go", note, "list_graphs")
            done = await w.run("go")
            assert done["results"] == [
                {
                    "step": 1,
                    "function": "store_note",
                    "success": False,
                    "error": "No room left.",
                    "error_type": "PERMANENT",
                }
            ]
            assert (done["completed"], done["failed"]) == (0, 1)
            assert done["summary"] == "go stopped at step 1 of 2 (store_note): No room left."

    play(scenario())


def test_skip_goes_on_and_what_needed_the_failed_step_fails_too() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["list_graphs"] = ToolError(ErrorType.PERMANENT, "No.")
            use = {"function": "measure_graph", "pipe_from": 1}
            fetch = {"function": "fetch", "args": {"query": "q"}}
            await w.macro("go", "list_graphs", use, fetch, policy="skip")
            done = await w.run("go")
            assert [each["success"] for each in done["results"]] == [False, False, True]
            assert "step 1 did not succeed" in done["results"][1]["error"]
            assert w.made.names == ["list_graphs", "fetch"]
            assert "2 steps failed" in done["summary"]

    play(scenario())


def test_retry_tries_again_with_growing_pauses() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.session = w.new_session("voice")  # where the gates themselves try nothing again
            w.made.answers["fetch"] = failing(times=2)
            await w.macro("go", {"function": "fetch", "args": {"query": "q"}}, policy="retry")
            before = w.clock.now()
            done = await w.run("go")
            assert done["failed"] == 0
            assert w.made.names == ["fetch"] * 3
            assert 1.2 <= w.clock.now() - before <= 1.8  # half a second, then one

    play(scenario())


def test_retry_gives_up_after_three_tries() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.session = w.new_session("voice")
            w.made.answers["fetch"] = failing()
            fetch = {"function": "fetch", "args": {"query": "q"}}
            await w.macro("go", fetch, "list_graphs", policy="retry")
            (failed,) = (await w.run("go"))["results"]
            assert failed["tries"] == 3
            assert w.made.names == ["fetch"] * 3

    play(scenario())


@pytest.mark.parametrize(
    "error",
    [
        ToolError(ErrorType.PERMANENT, "Never."),
        ToolError(ErrorType.TRANSIENT, "It may have happened.", partial_side_effects=True),
        ToolError(ErrorType.RATE_LIMIT, "Tomorrow.", retry_after=86_400),
    ],
)
def test_what_cannot_help_or_could_happen_twice_is_not_tried_again(error: ToolError) -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["store_note"] = error
            note = {"function": "store_note", "args": {"text": "x"}}
            await w.macro("go", note, policy="retry")
            await w.run("go")
            assert w.made.names == ["store_note"]

    play(scenario())


def test_a_step_that_needs_approval_ends_the_run() -> None:
    async def scenario() -> None:
        async with world() as w:
            send = {"function": "send_note", "args": {"text": "hello"}}
            await w.macro("go", "list_graphs", send, "list_helpers", policy="skip")
            done = await w.run("go")
            assert [each["function"] for each in done["results"]] == ["list_graphs", "send_note"]
            assert done["results"][1]["error_type"] == "CONFIRMATION_REQUIRED"
            waiting = done["waiting"]
            assert (waiting["step"], waiting["function"]) == (2, "send_note")
            assert waiting["confirmation_request"]["tool"] == "send_note"
            assert "waits at step 2 of 3" in done["summary"]
            assert w.made.names == ["list_graphs"]
            (request,) = w.orchestrator.confirmations.waiting(w.session)
            approved = await w.session.confirm(request["id"], request["token"], True)
            assert approved["ok"]
            assert w.made.calls[-1] == ("send_note", {"text": "hello"})

    play(scenario())


def test_a_macro_in_a_macro_runs_its_steps_through_the_gates() -> None:
    async def scenario() -> None:
        async with world() as w:
            w.made.answers["list_graphs"] = STUDIO
            inner = await w.macro("inner", "list_graphs", {"function": "for_voice"}, policy="skip")
            run = {"function": "run_macro", "args": {"macro_id": "inner"}}
            await w.macro("outer", run, "list_helpers", policy="skip")
            done = await w.run("outer")
            first = done["results"][0]
            assert not first["success"]
            assert first["error_type"] == "MODE_RESTRICTED"
            assert first["result"]["macro_id"] == inner.id
            assert [each["success"] for each in first["result"]["results"]] == [True, False]
            assert w.made.names == ["list_graphs", "list_helpers"]

    play(scenario())


def test_an_approval_inside_of_a_macro_in_a_macro_ends_both() -> None:
    async def scenario() -> None:
        async with world() as w:
            send = {"function": "send_note", "args": {"text": "hello"}}
            await w.macro("inner", send, "list_graphs")
            run = {"function": "run_macro", "args": {"macro_id": "inner"}}
            await w.macro("outer", run, "list_helpers", policy="skip")
            done = await w.run("outer")
            assert done["waiting"]["inside"]["function"] == "send_note"
            assert w.made.names == []

    play(scenario())


def test_a_macro_is_checked_again_before_any_step_runs() -> None:
    """Tools change after a macro was saved."""

    async def scenario() -> None:
        async with world() as w:
            import sqlalchemy

            await w.macro("go", "list_graphs", {"function": "fetch", "args": {"query": "q"}})
            spoil = "UPDATE macros SET steps = replace(steps, 'fetch', 'fetch_old')"
            await w.orchestrator.store.run(lambda to: to.execute(sqlalchemy.text(spoil)))
            error = await w.error("run_macro", macro_id="go")
            assert error["type"] == "VALIDATION"
            assert error["errors"][0]["pointer"] == "/steps/1/function"
            assert w.made.names == []

    play(scenario())


def test_every_step_is_in_the_audit() -> None:
    async def scenario() -> None:
        async with world() as w:
            await w.macro("go", "list_graphs", {"function": "for_voice"}, policy="skip")
            await w.run("go")
            await w.orchestrator.store.flush()
            store = w.orchestrator.store
            assert len(await store.audit_lines(tool_id="list_graphs", ok=True)) == 1
            assert len(await store.audit_lines(tool_id="for_voice", rule="mode")) == 1

    play(scenario())


def test_progress_is_told_with_each_step() -> None:
    async def scenario() -> None:
        async with world() as w:
            seen: list[str] = []
            w.orchestrator.progress_listeners.subscribe(
                lambda _, event: seen.append(event["message"])
            )
            await w.macro("go", "list_graphs", "list_helpers")
            await w.run("go")
            assert seen == ["Step 1 of 2: list_graphs", "Step 2 of 2: list_helpers"]

    play(scenario())


# -- dry runs --------------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_be_called_and_runs_nothing() -> None:
    async def scenario() -> None:
        async with world() as w:
            pipe = {"step": 1, "path": "results/0/id", "to": "text"}
            steps = [
                {"function": "fetch", "args": {"query": "q"}},
                {"function": "send_note", "args": {}, "pipe_from": pipe},
                {"function": "measure_graph", "pipe_from": 1},
            ]
            macro = await w.macro("go", *steps)
            asked: list[str] = []

            def verdicts(name: str, args: dict[str, Any]) -> dict[str, Any]:
                asked.append(name)
                lacks = name != "fetch"
                rule = "arguments" if lacks else "run"
                return {"outcome": "refuse" if lacks else "run", "rule": rule, "message": None}

            planned = await w.macros.dry_run("ada", "go", verdicts)
            assert planned["macro_id"] == macro.id
            assert [step["args"] for step in planned["steps"]] == [
                {"query": "q"},
                {"text": "<step 1: results/0/id>"},
                {"database_id": "<step 1: result>"},
            ]
            outcomes = [(step["outcome"], step["rule"]) for step in planned["steps"]]
            assert outcomes == [("run", "run"), ("confirm", "confirmation"), ("run", "run")]
            assert asked == ["fetch", "send_note", "measure_graph"]
            assert w.made.calls == []

    play(scenario())
