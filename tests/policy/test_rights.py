"""The rights of whoever makes a call, as a gate on its way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policy.helpers import Scene, refusal

from antiphon.access.role_content import role_content, role_of
from antiphon.access.roles import BUILT_IN, Role, resolved, rights_of
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.policy import EarlierCall, Verdict

CALL = frozenset({"tools.call"})


def rights(*rules: ToolRule, **more: Any) -> Rights:
    return Rights(CALL, rules, **more)


def scene(*rules: ToolRule, **args: Any) -> Scene:
    made = Scene()
    made.args = {"query": "ada", **args}
    made.view.rights = rights(*rules)
    return made


def same_as_unknown(verdict: Verdict) -> None:
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("known", "NOT_FOUND")
    assert error["message"] == "Unknown tool: kb_search."


@pytest.mark.rule("rights")
def test_a_tool_that_no_rule_allows_does_not_exist() -> None:
    same_as_unknown(scene().decide())
    same_as_unknown(scene(ToolRule(("calendar_*",))).decide())


@pytest.mark.rule("rights")
@pytest.mark.parametrize(
    "rule",
    [
        ToolRule(("kb_*",), "refuse"),
        ToolRule(("*",), "refuse", modes=("text",)),
        ToolRule(("kb_search",), "refuse", writes=False),
    ],
)
def test_a_refusal_of_every_call_hides_the_tool_whatever_else_allows_it(rule: ToolRule) -> None:
    same_as_unknown(scene(ToolRule(("*",)), rule).decide())


@pytest.mark.rule("rights")
def test_arguments_that_a_rule_refuses_are_refused_in_words() -> None:
    refused = scene(ToolRule(("*",)), ToolRule(("*",), "refuse", when="args.query == 'ada'"))
    error = refusal(refused.decide())
    assert error["type"] == "AUTH"
    assert "kb_search" in error["message"]
    refused.args = {"query": "grace"}
    assert refused.decide().rule == "run"


@pytest.mark.rule("rights")
def test_it_looks_at_the_arguments_that_will_run_clamped_and_with_defaults() -> None:
    few = ToolRule(("*",), when="args.top_k <= 3")
    assert scene(few, top_k=50).decide().args == {"query": "ada", "top_k": 3}
    assert scene(few).decide().args == {"query": "ada", "top_k": 2}
    none = ToolRule(("*",), when="args.top_k > 3")
    assert scene(none, top_k=50).decide().rule == "rights"


@pytest.mark.rule("rights")
def test_an_approved_call_is_held_to_the_rights_of_today() -> None:
    refused = scene(ToolRule(("*",)), ToolRule(("*",), "refuse", when="args.query == 'ada'"))
    refused.approved = True
    assert refused.decide().rule == "rights"
    refused.view.rights = rights()
    same_as_unknown(refused.decide())


@pytest.mark.rule("rights")
@pytest.mark.parametrize("state", ["done", "running"])
def test_what_came_of_a_call_is_not_shown_to_who_may_not_make_it_any_more(state: Any) -> None:
    repeated = scene(ToolRule(("*",)), ToolRule(("*",), "refuse", when="args.query == 'ada'"))
    repeated.earlier = EarlierCall(state, "key", same=True)
    assert repeated.decide().rule == "rights"
    repeated.view.rights = rights()
    same_as_unknown(repeated.decide())
    repeated.view.rights = rights(ToolRule(("*",)))
    assert repeated.decide().rule == "duplicate"


@pytest.mark.rule("rights")
def test_a_rule_that_asks_has_a_person_asked_whatever_was_approved_beforehand() -> None:
    asked = scene(ToolRule(("*",)), ToolRule(("kb_search",), "ask"))
    asked.view.approved = frozenset({"kb_search"})
    verdict = asked.decide()
    assert (verdict.outcome, verdict.rule) == ("confirm", "rights")
    assert verdict.args == {"query": "ada", "top_k": 2}
    asked.approved = True
    assert asked.decide().rule == "run"


@pytest.mark.rule("rights")
def test_a_rule_is_about_the_mode_of_the_call() -> None:
    for mode, rule in (("text", "run"), ("voice", "known")):
        made = Scene(mode=mode)
        made.view.rights = rights(ToolRule(("*",), modes=("text",)))
        assert made.decide().rule == rule


@pytest.mark.rule("rights")
def test_the_tools_of_a_token_bound_everything_else() -> None:
    made = Scene()
    made.view.rights = rights(ToolRule(("*",)), within=("calendar_*",))
    same_as_unknown(made.decide())


@pytest.mark.rule("rights")
def test_no_standing_approval_widens_rights() -> None:
    made = scene(ToolRule(("*",)), ToolRule(("*",), "refuse", when="args.query == 'ada'"))
    made.schema["requiresConfirmation"] = True
    made.view.approved = frozenset({"kb_search"})
    assert made.decide().rule == "rights"


# -- whatever roles are combined ----------------------------------------------------------------

IDS = ("kb_search", "kb_get", "calendar_create_event")
CONDITIONS = ("", "args.query == 'ada'", "args.top_k > 2", "'night' in roles", "not args.query")
tool_rules = st.builds(
    ToolRule,
    st.lists(st.sampled_from((*IDS, "*", "kb_*")), min_size=1, max_size=2).map(tuple),
    st.sampled_from(("allow", "ask", "refuse")),
    st.lists(st.sampled_from(("text", "voice")), max_size=1).map(tuple),
    st.sampled_from((None, True, False)),
    st.sampled_from(CONDITIONS),
)
own_roles = st.lists(
    st.builds(
        Role,
        st.just("own"),
        st.sets(st.sampled_from(("tools.call", "audit.read"))).map(frozenset),
        st.lists(tool_rules, max_size=3).map(tuple),
        st.lists(st.sampled_from(sorted(BUILT_IN)), max_size=1).map(tuple),
    ),
    max_size=3,
).map(lambda roles: [Role(f"own-{n}", *_content(role)) for n, role in enumerate(roles)])


def _content(role: Role) -> tuple[Any, ...]:
    return role.permissions, role.rules, role.includes, role.approves


@given(
    own_roles,
    st.lists(st.sampled_from(sorted(BUILT_IN)), max_size=2),
    st.none() | st.lists(st.sampled_from((*IDS, "kb_*")), min_size=1, max_size=2),
    st.sampled_from(IDS),
    st.sampled_from(("read_only", "writes")),
    st.sampled_from(("text", "voice")),
    st.sampled_from(("ada", "grace", "")),
    st.integers(1, 50),
    st.booleans(),
)
def test_no_call_runs_that_the_rights_refuse_and_no_hidden_tool_is_told_apart(
    own: list[Role],
    built_in: list[str],
    tools: list[str] | None,
    name: str,
    side_effects: str,
    mode: Any,
    query: str,
    top_k: int,
    approved: bool,
) -> None:
    roles = {**BUILT_IN, **{role.name: role_of(role.name, role_content(role)) for role in own}}
    found = resolved([*built_in, *(role.name for role in own)], roles)
    made = Scene(mode=mode)
    made.view.rights = held = rights_of(found, tools=tools)
    made.name = made.schema["toolId"] = name
    made.schema["sideEffects"] = side_effects
    made.args = {"query": query, "top_k": top_k}
    made.approved = approved
    verdict, tool = made.decide(), made.tool()
    if verdict.outcome in ("run", "confirm"):
        assert verdict.args is not None
        effect = held.decide(tool.definition, mode, verdict.args, made.fields)
        assert effect == "ask" if verdict.outcome == "confirm" else effect != "refuse"
        assert effect != "ask" or verdict.outcome == "confirm" or approved
    if not held.may_see(tool.definition, mode):
        made.exists = False
        unknown = made.decide()
        assert (verdict.rule, verdict.error) == (unknown.rule, unknown.error)
    else:
        assert verdict.rule != "known"
