"""Profiles: what ships is sound, and every mistake in a file is named at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.orchestrator.helpers import answer, house, toolbox

from antiphon import ErrorType, Policy, ok
from antiphon.agents.profiles import ProfileError, load_profile, profiles
from antiphon.agents.prompt import compose
from antiphon.agents.setup import apply_profile, open_session
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)


def test_the_profiles_that_ship_are_the_assistant_vox_and_workspace() -> None:
    assert set(profiles()) == {"assistant", "vox", "workspace"}
    for name in profiles():
        assert load_profile(name).name == name


def test_the_console_has_all_of_vox_the_calendar_and_an_end() -> None:
    assistant, vox, console = (
        set(load_profile(name).tools or ()) for name in ("assistant", "vox", "workspace")
    )
    assert vox < console
    assert {"calendar_create_event", "calendar_get_availability", "end_voice_session"} <= console
    assert console - vox <= assistant


def test_vox_has_the_34_functions() -> None:
    tools = load_profile("vox").tools
    assert tools is not None
    assert len(tools) == 34


def test_a_profile_of_ones_own_wins_over_one_that_ships(tmp_path: Path) -> None:
    (tmp_path / "assistant.toml").write_text('description = "Mine."\ntools = "all"\n')
    mine = load_profile("assistant", tmp_path)
    assert mine.description == "Mine."
    assert mine.tools is None
    assert set(profiles(tmp_path)) == {"assistant", "vox", "workspace"}


def test_budgets_of_a_profile_replace_only_what_they_name(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(
        '[text]\nretrieval_calls = 9\nrounds = "none"\n[voice]\ntop_k = 5\n'
    )
    policy = load_profile("deep", tmp_path).policy()
    base = Policy()
    assert (policy.text.retrieval_calls, policy.text.rounds) == (9, None)
    assert policy.text.top_k == base.text.top_k
    assert (policy.voice.top_k, policy.voice.total_calls) == (5, base.voice.total_calls)


def test_every_mistake_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        "\n".join(
            [
                'name = "Bad"',
                "tools = 3",
                "instruction = 'x'",
                'prompts = "nowhere"',
                "description = 4",
                "[voice]",
                'backend = "gemni"',
                "top_k = 0",
                "rounds = true",
                "[text]",
                "modle = 'x'",
            ]
        )
    )
    with pytest.raises(ProfileError) as caught:
        load_profile("bad", tmp_path)
    said = "\n".join(caught.value.problems)
    for place in (
        "`name` must be lower-case",
        "`name` is 'Bad'",
        "`tools` must be a list",
        "`instruction` is not known here; did you mean 'instructions'?",
        "`prompts` names",
        "`description` must be text",
        "`voice.backend` must be one of local, gemini, openai, claude; did you mean 'gemini'?",
        "`voice.top_k` must be a whole number",
        "`voice.rounds` must be a whole number",
        "`text.modle` is not known here; did you mean 'model'?",
    ):
        assert place in said
    assert all("bad.toml: `" in problem for problem in caught.value.problems)


def test_an_unknown_profile_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ProfileError, match=r"assistant, vox, workspace; did you mean 'vox'\?"):
        load_profile("voxx")


@pytest.mark.parametrize("body", [b"name = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "odd.toml").write_bytes(body)
    with pytest.raises(ProfileError, match=r"odd\.toml: not valid TOML"):
        load_profile("odd", tmp_path)


async def test_the_model_can_call_the_profiles_tools_only(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text('tools = ["compute", "outer"]\n')

    async with house() as h:
        session = open_session(
            h.orchestrator, "text", load_profile("small", tmp_path), "gemini", user="ada"
        )
        declared = {d["name"] for d in session.declarations().declared("geminiNative")}
        assert declared == {"compute", "outer"}
        assert (await answer(session, "compute"))["ok"]
        refused = (await answer(session, "look_up", {"query": "x"}))["error"]
        assert refused["type"] == ErrorType.NOT_FOUND
        near = (await answer(session, "comput"))["error"]
        assert "look_up" not in str(near)
        assert "compute" in str(near)

        h.work.does("outer", lambda args, context: _nested(context))
        assert (await answer(session, "outer"))["data"]["inner_ok"] is True


async def _nested(context: object) -> object:
    inner = await context.call_tool("inner", {})  # type: ignore[attr-defined]
    return ok({"inner_ok": inner["ok"]})


def test_tools_of_ones_own_are_added_unless_the_profile_says_or_names_otherwise(
    tmp_path: Path,
) -> None:
    own = toolbox().snapshot().own_tools()
    assert {"compute", "text_only"} <= own
    texts = {
        "plain": 'tools = ["kb_search"]',
        "named": 'tools = ["kb_search", "compute"]',
        "without": 'tools = ["kb_search"]\nown_tools = false',
        "both": 'tools = ["kb_search", "compute"]\nown_tools = true',
        "all": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text)
    toolsets = {name: load_profile(name, tmp_path).toolset(toolbox().snapshot()) for name in texts}
    assert toolsets == {
        "plain": {"kb_search"} | own,
        "named": {"kb_search", "compute"},
        "without": {"kb_search"},
        "both": {"kb_search"} | own,
        "all": None,
    }
    for name in profiles():
        assert own <= (load_profile(name).toolset(toolbox().snapshot()) or set())


async def test_a_profile_widens_the_modes_of_a_tool_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text(
        'tools = ["text_only", "voice_only", "in_background"]\n'
        '[modes]\ntext_only = ["voice"]\nin_background = ["voice"]\n'
    )
    (tmp_path / "narrow.toml").write_text('tools = ["text_only", "outer"]\n')

    async with house() as h:
        wide, narrow = load_profile("wide", tmp_path), load_profile("narrow", tmp_path)
        session = open_session(h.orchestrator, "voice", wide, "local", user="ada")
        declared = {d["name"] for d in session.declarations().declared("geminiNative")}
        assert {"text_only", "voice_only"} <= declared
        modes = {d["toolId"]: d["allowedModes"] for d in session.declarations().declared("local")}
        assert modes["text_only"] == ["text", "voice"]
        assert modes["voice_only"] == ["voice"]
        prompt = compose("voice", session.snapshot, wide)
        assert "**text_only**" in prompt.text
        assert (await answer(session, "text_only"))["ok"]

        other = open_session(h.orchestrator, "voice", narrow, "local", user="ada")
        refused = (await answer(other, "text_only"))["error"]
        assert refused["type"] == ErrorType.MODE_RESTRICTED
        # the session goes on under another profile
        apply_profile(other, wide, "local")
        assert (await answer(other, "text_only"))["ok"]


def test_modes_that_a_profile_cannot_widen_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        'tools = ["kb_search"]\nown_tools = "yes"\n'
        '[modes]\nkb_search = "voice"\nkb_serch = ["voice"]\nkb_get = [["voice"]]\n'
    )
    with pytest.raises(ProfileError) as caught:
        load_profile("bad", tmp_path)
    said = "\n".join(caught.value.problems)
    for place in (
        "`own_tools` must be true or false",
        '`modes.kb_search` must be a list of "text" and "voice"',
        "`modes.kb_serch` is not among this profile's `tools`; did you mean 'kb_search'?",
        '`modes.kb_get` must be a list of "text" and "voice"',
    ):
        assert place in said


@pytest.mark.rule("plan")
async def test_a_profile_holds_a_turn_to_the_tools_that_the_request_needs(tmp_path: Path) -> None:
    (tmp_path / "narrow.toml").write_text(
        'tools = ["save_note", "burn_note", "look_up"]\nonly_planned = true\npinned = ["look_up"]\n'
    )
    profile = load_profile("narrow", tmp_path)
    async with house() as h:
        session = open_session(h.orchestrator, "text", profile, "gemini", user="ada")
        assert names(session) == {"look_up"}
        session.hear("Please save a note that says hello.")
        assert names(session) == {"look_up", "save_note"}
        assert (await answer(session, "save_note", {"text": "hello"}))["ok"]
        refused = await answer(session, "burn_note", {"text": "hello"})
        assert refused["error"]["type"] == ErrorType.UNAVAILABLE
        assert "burn_note" in refused["error"]["message"]
        # The person says so themselves; nothing that the model says would do.
        session.hear("Burn the note.")
        assert names(session) == {"look_up", "burn_note"}
        apply_profile(session, load_profile("assistant"), "gemini")
        assert session.view.planned is None
    (tmp_path / "wide.toml").write_text('tools = ["look_up"]\npinned = ["save_note"]\n')
    with pytest.raises(ProfileError, match="is not among this profile's `tools`"):
        load_profile("wide", tmp_path)


def names(session: Session) -> set[str]:
    return {each["toolId"] for each in session.declarations().declared("local")}
