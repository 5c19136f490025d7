"""Versions of a tool by person: who gets which, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.orchestrator.helpers import answer, house, kind
from tests.registry.test_versions import write_version

from antiphon import Principal, Registry
from antiphon.contracts.version_rules import VersionRule
from antiphon.orchestrator.session import Session
from antiphon.registry.builder import build

pytestmark = pytest.mark.virtual_time(patience=0.0)

RULES = tuple(
    map(
        VersionRule.parse,
        ("look@3.0.0 user:ada role:beta", "look@1.0.0 organisation:acme", "look@3.0.0 user:carl"),
    )
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("versions") / "tools"
    folder.mkdir()
    write_version(folder, "look", "1.0.0", at="look")
    write_version(folder, "look", "2.0.0")
    write_version(folder, "look", "3.0.0", staged=True)
    out = folder.parent / "tool_registry.json"
    assert build([folder], out).ok
    return Registry.load(out)


async def version_of(session: Session) -> str:
    envelope = await answer(session, "look", {"text": "a"})
    assert kind(envelope) == "ok"
    assert envelope["data"] == {"by": envelope["meta"]["toolVersion"]}
    [declared] = session.declarations().declared("local")
    assert declared["version"] == envelope["meta"]["toolVersion"]
    return str(envelope["meta"]["toolVersion"])


async def test_versions_are_chosen_by_user_role_and_organisation(registry: Registry) -> None:
    people = {
        "ada": (Principal("ada"), "3.0.0"),
        "bob": (Principal("bob"), "2.0.0"),
        "tester": (Principal("tester", roles=("beta",), organisation="acme"), "3.0.0"),
        "client": (Principal("client", organisation="acme"), "1.0.0"),
        "carl": (Principal("carl", organisation="acme"), "1.0.0"),
    }
    async with house(registry, versions=RULES) as h:
        for principal, version in people.values():
            assert await version_of(h.session(user=principal.user, principal=principal)) == version
        assert await version_of(h.session(user="ada")) == "3.0.0"
        lines = await h.told(event="tool_execution")
        assert [line["toolVersion"] for line in lines] == [
            *("3.0.0", "2.0.0", "3.0.0", "1.0.0", "1.0.0", "3.0.0")
        ]
        tools = h.orchestrator.metrics.tools
        measured = {name: tool.outcomes["ok"] for name, tool in tools.items()}
        assert measured == {"look": 1, "look@1.0.0": 2, "look@3.0.0": 3}


async def test_a_session_keeps_its_versions_over_changes_of_roles_and_restarts(
    registry: Registry, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(registry, store=store, versions=RULES) as h:
        session = h.session(user="eve", principal=Principal("eve", roles=("beta",)), id="s")
        plain = h.session(user="bob", id="t")
        assert await version_of(session) == "3.0.0"
        session.set_principal(Principal("eve"))
        session.end_turn()
        assert await version_of(session) == "3.0.0"
        for each in (session, plain):
            await h.orchestrator.save(each)
    later = (VersionRule.parse("look@1.0.0"),)
    async with house(registry, store=store, versions=later) as h:
        resumed = await h.orchestrator.resume("s")
        other = await h.orchestrator.resume("t")
        assert resumed is not None
        assert other is not None
        for each in (resumed, other):
            each.end_turn()
        assert await version_of(resumed) == "3.0.0"
        assert await version_of(other) == "2.0.0"
        assert await version_of(h.session(user="new")) == "1.0.0"


@pytest.mark.parametrize("rule", ["look@9.9.9", "nothing@1.0.0 user:ada"])
async def test_a_rule_about_what_is_not_there_is_refused_at_the_start(
    registry: Registry, rule: str
) -> None:
    with pytest.raises(ValueError, match=r"tools\.versions"):
        async with house(registry, versions=[VersionRule.parse(rule)]):
            pass


@pytest.mark.parametrize("text", ["", "look", "look@", "@1.0.0", "look@1.0.0 ada", "look@1 group:"])
def test_a_rule_that_cannot_be_read_says_how_one_is_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as `kb_search@2\.0\.0"):
        VersionRule.parse(text)
