"""Requests made from the OpenAPI document of a server, and answers that it judges."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests
import schemathesis.openapi
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.conftest import Serve
from tests.server.isolation.attempts import NAMED, PATHS, PLAIN
from tests.server.isolation.world import MANAGER, OWNER, ROOT, World, running
from tests.server.sign_in_helpers import PASSWORD

NOBODY = ""
# An administrator of an organisation, in a browser, who owns what there is, and the administrator
# of the server, with a token.
ADMINISTRATORS = (OWNER, ROOT)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# They take from under the others what these need.
LAST = ("/api/account", "/api/sign-out", "/api/sign-in")
SECONDS = 30.0


@dataclass
class ApiFuzzer:
    """Sends generated requests to a server and keeps what is wrong with its answers."""

    world: World
    chance: random.Random
    sent: int = 0
    statuses: dict[str, set[int]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        load_all_checks()
        self._base = f"http://127.0.0.1:{self.world.client.port}"
        schema = schemathesis.openapi.from_dict(self.world.app.openapi())
        schema.config.update(base_url=self._base)
        found = [each.ok() for each in schema.get_all_operations()]
        self.operations = sorted(found, key=lambda each: each.path.startswith(LAST))
        self._session = requests.Session()
        self._session.trust_env = False
        self._places = 0

    def close(self) -> None:
        self._session.close()

    def fuzz(self, operation: Any, examples: int) -> None:
        """Requests as the document wants them and as it does not, by somebody and by nobody."""
        self.sign_in()
        modes = [operation.as_strategy(generation_mode=GenerationMode.POSITIVE)]
        if list(operation.iter_parameters()) or operation.body:
            modes.append(operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))

        @settings(
            max_examples=examples,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.one_of(modes))
        def send(case: Any) -> None:
            if case.path_parameters and self.chance.random() < 0.7:
                case.path_parameters.update(self._known(operation.path, case.path_parameters))
            for who in (self.chance.choice(ADMINISTRATORS), NOBODY):
                self._judge(case, who)

        try:
            send()
        except Unsatisfiable:
            modes.pop()
            send()

    def sign_in(self) -> None:
        """See to it that the owner is signed in, whatever came before."""
        if self.world.person(OWNER).send("GET", "/api/account").status == 200:
            return
        link = self.world.person(ROOT).done("POST", f"/api/users/{OWNER}/link")
        body = json.dumps({"secret": link["secret"], "password": PASSWORD}).encode()
        headers = {**self.world.headers(NOBODY), "content-type": "application/json"}
        # Somewhere else, as wrong secrets have come from here.
        self._places += 1
        made = self.world.client.send(
            "POST", "/api/sign-in/link", headers, body, source=f"127.0.1.{self._places}"
        )
        assert made.status == 200, made.body
        self.world.known[OWNER] = {"cookie": made.headers["set-cookie"].partition(";")[0]}

    def _known(self, path: str, names: Mapping[str, Any]) -> dict[str, str]:
        """Ids of what there is, for the places of a path."""
        found = {}
        for name in names:
            for (start, each), value in PLAIN.items():
                if each == name and path.startswith(start):
                    found[name] = value
            kind = next(
                (
                    kind
                    for (start, each), kind in NAMED.items()
                    if each == name and path.startswith(start)
                ),
                PATHS.get(name),
            )
            ids = [
                each
                for each in self.world.things.ids.get(kind or "", [])
                if each not in (*ADMINISTRATORS, MANAGER)
            ]
            if name not in found and ids:
                found[name] = self.chance.choice(ids)
        return found

    def _judge(self, case: Any, who: str) -> None:
        headers = self.world.headers(who)
        self.sent += 1
        try:
            answer = case.call(
                base_url=self._base, session=self._session, headers=headers, timeout=SECONDS
            )
        except requests.RequestException as error:
            self._note(case, who, f"no answer: {error!r}"[:300])
            return
        self.statuses.setdefault(case.operation.label, set()).add(answer.status_code)
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                self._note(
                    case, who, f"{type(failure).__name__} {failure}\n{answer.content[:600]!r}"
                )

    def _note(self, case: Any, who: str, words: str) -> None:
        told = f"{case.operation.label} as {who or 'nobody'}: {words}"
        key = f"{case.operation.label} {words.splitlines()[0][:60]}"
        self.faults.setdefault(key, f"{told}\n    {case.as_curl_command()[:600]}")


@contextmanager
def fuzzed(serve: Serve, folder: Path, seed: int) -> Iterator[ApiFuzzer]:
    with running(serve, folder, seed) as world:
        world.person(MANAGER).done("PATCH", f"/api/users/{OWNER}", {"roles": ["admin"]})
        fuzzer = ApiFuzzer(world, random.Random(seed))
        try:
            yield fuzzer
        finally:
            fuzzer.close()
