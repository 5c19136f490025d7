"""Delegation: whatever roles somebody may give, nobody gets more by them than the giver has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.access.conftest import Node
from tests.effort import examples

from antiphon.access.administration import Administration
from antiphon.access.delegation import Delegation
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.role_content import role_of
from antiphon.access.roles import BUILT_IN, Role, rights_of
from antiphon.contracts import Principal, ToolDefinition
from antiphon.contracts.definition import Mode
from antiphon.contracts.rights import PERMISSIONS, Effect, Rights, ToolRule

READS = ToolDefinition(
    tool_id="kb_search",
    version="1.0.0",
    description="",
    category="utility",
    side_effects="read_only",
    idempotent=True,
    requires_confirmation=False,
    allowed_modes=("text", "voice"),
    latency_budget_ms=1000,
    parameters={"type": "object"},
)
TOOLS = [
    READS,
    replace(READS, tool_id="kb_add", side_effects="writes"),
    replace(READS, tool_id="pay", side_effects="writes"),
]
MODES: tuple[Mode, ...] = ("text", "voice")
ARGUMENTS = [{"amount": 5}, {"amount": 500}]
RANK: dict[Effect, int] = {"refuse": 0, "ask": 1, "allow": 2}

patterns = st.sampled_from(["*", "kb_*", "kb_search", "kb_add", "pay", "p*", "kb_s*h", "?ay"])
rules = st.builds(
    ToolRule,
    tools=st.lists(patterns, min_size=1, max_size=2).map(tuple),
    effect=st.sampled_from(["allow", "allow", "ask", "refuse"]),
    modes=st.sampled_from([(), ("text",), ("voice",), ("text", "voice")]),
    writes=st.sampled_from([None, None, True, False]),
    when=st.sampled_from(["", "", "args.amount > 100"]),
)
roles = st.builds(
    Role,
    name=st.sampled_from(["one", "two"]),
    permissions=st.frozensets(st.sampled_from(sorted(PERMISSIONS)), max_size=5).map(
        lambda some: some | {"tools.call"}
    ),
    rules=st.lists(rules, max_size=3).map(tuple),
    approves=st.lists(st.sampled_from(["*", "ann", "group:sales"]), max_size=2).map(tuple),
)
bounds = st.one_of(st.none(), st.lists(patterns, min_size=1, max_size=2).map(tuple))


def effects(rights: Rights) -> list[int]:
    """What a holder of rights may do with every tool, in every mode, with all arguments."""
    return [
        RANK[rights.decide(tool, mode, args, {})]
        for tool, mode, args in product(TOOLS, MODES, ARGUMENTS)
    ]


def giver_of(
    own: Iterable[Role], within: tuple[str, ...] | None = None
) -> tuple[Principal, list[Role]]:
    named = [replace(role, name=f"own{at}") for at, role in enumerate(own)]
    names = tuple(role.name for role in named)
    return Principal("giver", roles=names, rights=rights_of(named, tools=within)), named


@settings(max_examples=examples(1000), deadline=None)
@given(st.lists(roles, max_size=2), bounds, st.lists(roles, min_size=1, max_size=2), st.data())
def test_what_somebody_may_give_is_at_most_what_they_have(
    own: list[Role], within: tuple[str, ...] | None, wanted: list[Role], data: st.DataObject
) -> None:
    # Rules of one's own among those that are given: else nearly everything is refused.
    shared = [rule for role in own for rule in role.rules]
    if data.draw(st.booleans()):
        kept = tuple(rule for rule in wanted[0].rules if data.draw(st.booleans()))
        wanted[0] = replace(wanted[0], rules=(*shared, *kept))
    giver, named = giver_of(own, within)
    assert giver.rights is not None
    organisation = data.draw(st.sampled_from(["", "north"]))
    if not Delegation(giver, named).covers(wanted, organisation):
        return
    given_rights = rights_of(wanted)
    more = given_rights.permissions - giver.rights.permissions
    assert more <= ({"organisations.manage"} if organisation else set())
    assert all(
        theirs <= ours
        for theirs, ours in zip(effects(given_rights), effects(giver.rights), strict=True)
    )
    approved = {each for role in own for each in role.approves}
    assert "*" in approved or {each for role in wanted for each in role.approves} <= approved


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(roles, min_size=1, max_size=2))
def test_everybody_may_give_exactly_what_they_have(own: list[Role]) -> None:
    giver, named = giver_of(own)
    assert Delegation(giver, named).covers(named, "")
    assert Delegation(None).covers(named, "")
    nobody, _ = giver_of([])
    given_rights = rights_of(named)
    if given_rights.permissions or any(effects(given_rights)):
        assert not Delegation(nobody).covers(named, "")


def test_a_rule_that_binds_the_giver_cannot_be_dropped() -> None:
    bond = ToolRule(("pay",), "ask", when="args.amount > 100")
    own = Role("clerk", frozenset({"tools.call"}), (ToolRule(("*",)), bond))
    giver, named = giver_of([own])
    delegation = Delegation(giver, named)
    free = replace(own, rules=(ToolRule(("*",)),))
    assert "without the rule that binds you" in (delegation.lack([free], "") or "")
    assert delegation.covers([own], "")
    with pytest.raises(AccessRefused, match="lift a rule"):
        delegation.check([replace(own, rules=())], "", before=[own])


class Team:
    """Users with what a lead needs to manage them, and the administration of each."""

    def __init__(self, node: Node) -> None:
        self.node = node

    async def of(self, user: str) -> Administration:
        return Administration(self.node.directory, await self.node.directory.principal(user))

    @staticmethod
    async def refused(awaited: object) -> str:
        with pytest.raises((AccessRefused, AccessError)) as error:
            await awaited  # type: ignore[misc]
        return error.value.code if isinstance(error.value, AccessRefused) else error.value.kind


@pytest.fixture
async def team(node: Node) -> AsyncIterator[Team]:
    """`lea` manages users and roles as a member; `nora` is an administrator of `north`."""
    directory = node.directory
    lead = role_of(
        "lead", {"includes": ["member"], "permissions": ["users.manage", "roles.manage"]}
    )
    await directory.set_role("", lead, "root")
    await directory.create_user("lea", roles=["lead"], by="root")
    await directory.create_organisation("north", "North", "root")
    await directory.create_user("nora", organisation="north", roles=["admin"], by="root")
    await directory.create_user("nick", organisation="north", by="nora")
    yield Team(node)  # noqa: PT022 - fixtures in the test's own loop are generators


async def test_nobody_gets_more_by_way_of_users_groups_roles_links_or_tokens(team: Team) -> None:
    lea = await team.of("lea")
    directory = team.node.directory
    await directory.set_group("", "watch", roles=["operator"], by="root")
    more = Role("more", frozenset({"audit.read"}))
    for attempt in (
        lea.create_user("eve", roles=["admin"]),
        lea.create_user("eve", groups=["watch"]),
        lea.change_user("ann", roles=["operator"]),
        lea.change_user("ann", groups=["watch"]),
        lea.change_user("lea", roles=["admin"]),
        lea.change_user("root", disabled=True),
        lea.change_user("root", roles=["member"]),
        lea.remove_user("root"),
        lea.remove_user("lea"),
        lea.make_link("root"),
        lea.set_group("mine", roles=["admin"]),
        lea.set_group("watch", roles=["operator"], members=["lea"]),
        lea.set_group("crew", roles=["lead"], members=["lea"]),
        lea.remove_group("watch"),
        lea.set_role(more),
        lea.set_role(Role("lead", BUILT_IN["admin"].permissions)),
        lea.set_role(Role("more", includes=("admin",))),
        lea.create_token("mine", permissions=["audit.read"]),
        lea.create_token("theirs", user="root"),
        lea.organisations(),
        lea.create_organisation("east", "East"),
    ):
        assert await team.refused(attempt) == "forbidden"
    assert [user.name for user in await directory.users("")] == ["ann", "lea", "root"]
    assert (await directory.principal("lea")).roles == ("member", "lead")
    # What is theirs to give, they give.
    await lea.create_user("eve", roles=["lead"])
    await lea.set_group("crew", roles=["member"], members=["ann"])
    await lea.change_user("ann", roles=["viewer"])
    assert await lea.make_link("eve")
    token, _ = await lea.create_token("mine", permissions=["tools.call"])
    assert token.user == "lea"


async def test_an_organisation_is_a_wall(team: Team) -> None:
    nora = await team.of("nora")
    for attempt in (
        nora.user("ann"),
        nora.change_user("ann", disabled=True),
        nora.remove_user("ann"),
        nora.make_link("ann"),
        nora.withdraw_link("ann"),
        nora.tokens("ann"),
        nora.create_token("x", user="ann"),
        nora.set_group("x", members=["ann"]),
    ):
        assert await team.refused(attempt) == "missing"
    for attempt in (
        nora.roster(""),
        nora.create_user("eve", organisation=""),
        nora.set_role(Role("x"), ""),
        nora.set_group("x", organisation=""),
        nora.tokens(everybody=True, organisation=""),
        nora.links(""),
        nora.organisations(),
    ):
        assert await team.refused(attempt) == "forbidden"
    made, _ = await team.node.directory.create_token("ann", "ci", by="root")
    assert await team.refused(nora.revoke_token(made.id)) == "missing"
    await nora.change_user("nick", roles=["operator"])
    root = await team.of("root")
    assert (await root.user("nick"))[0].roles == ("operator",)


async def test_a_token_makes_no_other_one(team: Team) -> None:
    directory = team.node.directory
    _, secret = await directory.create_token("lea", "ci", by="lea")
    principal = await directory.principal_of_token(secret, "127.0.0.1")
    by_token = Administration(directory, principal)
    assert await team.refused(by_token.create_token("another")) == "forbidden"
    assert [token.name for token in await by_token.tokens()] == ["ci"]
