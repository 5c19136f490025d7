"""Nobody sees, changes or learns of what belongs to others: every route, message and tool is tried.

The attempts are generated: from the OpenAPI document, from the types of messages that the server
lists, and from the schemas of the registry. A route with a parameter that nobody knows fails.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.isolation import socket_attempts, tool_attempts
from tests.server.isolation.attempts import RANKS, Attempt, Generator, UnknownParameter, ghost_of
from tests.server.isolation.belongings import rows_of, use_everything, views_of
from tests.server.isolation.exchange import Connection, Request
from tests.server.isolation.verdict import Verdict
from tests.server.isolation.world import COLLEAGUE, World, running

# Who tries, and the organisation that they are of: a member of another one, its administrator, a
# viewer, a token for a few tools, somebody of the owner's own organisation, an operator of the
# server's first one, and nobody at all.
STRANGERS = {
    "ann": "south",
    "abe": "south",
    "vic": "south",
    "tom": "south",
    COLLEAGUE: "north",
    "fay": "",
    "": "nobody",
}
NOBODY = ""
LEAST = 10_000
LET_IN = 100
SEED = 7 if os.environ.get("CI") == "true" else time.time_ns() % 1_000_000


class Strangers:
    """Everybody who tries, with what they were answered."""

    def __init__(self, world: World) -> None:
        self.world = world
        things = world.things
        ghosts: dict[str, dict[str, str]] = {each: {} for each in STRANGERS.values()}
        stored: dict[str, set[bytes]] = {each: set() for each in STRANGERS.values()}
        self.ids: dict[str, dict[str, list[str]]] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.generators: dict[str, Generator] = {}
        document = world.app.openapi()
        for who, organisation in STRANGERS.items():
            # The files of the operator are those of the first organisation.
            shown = {COLLEAGUE: things.shared, "fay": things.operators}.get(who, set())
            self.ids[who] = {
                kind: [thing for thing in ids if thing not in shown]
                for kind, ids in things.ids.items()
            }
            own = {kind: ids[0] for kind, ids in things.ids.items() if ids[0] in shown}
            # A colleague may read what was shared and write into the databases: these are nobody's.
            for kind in ("share", "database", "record"):
                own[kind] = ghost_of(things.ids[kind][0], self.chance(who))
            self.verdicts[who] = Verdict(things, who, stored[organisation], shown)
            self.generators[who] = Generator(
                document,
                world.headers(who),
                self.ids[who],
                own,
                ghosts[organisation],
                self.chance(who),
                1,
            )

    def chance(self, who: str) -> random.Random:
        return random.Random(f"{SEED} {who}")

    def read_all(self) -> None:
        """What they see of their own must have nothing of others in it."""
        for who, generator in self.generators.items():
            readings = list(generator.readings())
            with Connection(self.world.client.port) as connection:
                found = connection.ask([request for _, request in readings])
                for (path, request), (_, answer) in zip(readings, found, strict=True):
                    self.verdicts[who].look(f"GET {path}", request, answer)

    def try_routes(self) -> None:
        for rank in RANKS:
            for who, generator in self.generators.items():
                attempts = list(generator.attempts(rank))
                with Connection(self.world.client.port) as connection:
                    for start in range(0, len(attempts), 200):
                        self._judge(connection, self.verdicts[who], attempts[start : start + 200])

    def _judge(self, connection: Connection, verdict: Verdict, attempts: list[Attempt]) -> None:
        # What an attempt has stored, its control has stored right before it.
        controls: dict[str, Request] = {}
        requests = []
        for each in attempts:
            if each.alike not in controls:
                controls[each.alike] = each.control
                requests.append(each.control)
            requests.append(each.request)
        answers = {id(request): answer for request, answer in connection.ask(requests)}
        for each in attempts:
            asked = controls[each.alike]
            verdict.judge(each, answers[id(each.request)], asked, answers[id(asked)])

    def try_sockets(self) -> None:
        for who in STRANGERS:
            if who == NOBODY:
                continue
            ghost = self.generators[who].ghost
            socket_attempts.attack(
                self.world.client.port,
                self.world.headers(who),
                self.ids[who],
                ghost,
                self.chance(who),
                self.verdicts[who],
            )

    def try_tools(self) -> None:
        every = tool_attempts.tools_of(self.world.app.services.application.registry)
        # What uses nothing but its arguments is the same for everybody.
        few = [tool for tool in every if tool_attempts.uses(tool)]
        for who in STRANGERS:
            caller = tool_attempts.Caller(
                self.world.client.port,
                self.world.headers(who),
                self.ids[who],
                self.generators[who].ghost,
                self.chance(who),
                self.verdicts[who],
            )
            try:
                tools = every if who == "ann" else few
                caller.attack(tools, ways=who == "ann", further=1)
            finally:
                caller.close()

    @property
    def tries(self) -> int:
        return sum(each.tries for each in self.verdicts.values())

    @property
    def leaks(self) -> list[str]:
        return [leak for each in self.verdicts.values() for leak in each.leaks]


@pytest.fixture(scope="module")
def world(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("strangers")
    with running(serve, folder, SEED) as made:
        yield made


def test_nobody_reaches_what_belongs_to_others(world: World) -> None:
    strangers = Strangers(world)
    rows, views = rows_of(world), views_of(world)
    strangers.read_all()
    for path in ("playbooks", "experts", "workflows", "agents"):
        seen = world.person("fay").send("GET", f"/api/{path}").body
        assert any(word.encode() in seen for word in world.things.operators), path
    strangers.try_routes()
    strangers.try_sockets()
    strangers.try_tools()
    strangers.read_all()
    counts = {who or "nobody": each.tries for who, each in strangers.verdicts.items()}
    print(f"seed {SEED}: {strangers.tries} tries {counts}, {len(strangers.leaks)} leaks")
    assert not strangers.leaks, f"seed {SEED}: {len(strangers.leaks)} leaks\n" + "\n".join(
        strangers.leaks[:20]
    )
    assert strangers.tries >= LEAST
    for who, verdict in strangers.verdicts.items():
        # They were let in, or not; a test that is refused everywhere would find nothing.
        answered = verdict.statuses[200] + verdict.statuses[201]
        assert (answered > LET_IN) is (who != NOBODY), (who, verdict.statuses)
        assert verdict.throttled < verdict.tries / 50, (who, verdict.statuses)
    assert rows_of(world) == rows
    assert views_of(world) == views
    use_everything(world)


def test_a_route_with_a_parameter_that_nobody_knows_is_noticed() -> None:
    route = {"parameters": [{"name": "stranger_id", "in": "path", "schema": {"type": "string"}}]}
    document = {"paths": {"/api/new/{stranger_id}": {"get": route}}, "components": {"schemas": {}}}
    generator = Generator(document, {}, {"session": ["a"]}, {}, {}, random.Random(1), 1)
    with pytest.raises(UnknownParameter, match="stranger_id"):
        list(generator.attempts(0))
