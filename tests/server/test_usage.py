"""Usage and caps over HTTP: who sees what was spent, who sets caps, and what a cap refuses."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import says, step
from tests.server.conftest import Client, Reply, Serve
from typer.testing import CliRunner

from antiphon.cli import app as commands
from antiphon.config import Settings
from antiphon.contracts.events import Usage
from antiphon.contracts.metering import Payer, nobody_to_warn
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.server import create_app
from antiphon.usage.ledger import COUNTED, Ending, PaidItem

MODEL = PaidItem("claude", "claude-sonnet-4-6")
FORMULA = "=HYPERLINK(1)"
PEOPLE = {"root": "", "max": "", "sue": "shop", "sam": "shop"}
COUNTS = {"usage": {"input": 1000, "output": 100}}


class Till:
    """A server, and people who ask it by their tokens."""

    def __init__(self, client: Client, tokens: dict[str, str], data: Path) -> None:
        self.client = client
        self.tokens = tokens
        self.data = data

    def ask(
        self, who: str, method: str, path: str, body: Any = None, accept: str = "application/json"
    ) -> Reply:
        headers = {"authorization": f"Bearer {self.tokens[who]}", "accept": accept}
        headers["content-type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        return self.client.send(method, path, headers, content)

    def done(self, who: str, method: str, path: str, body: Any = None) -> Any:
        reply = self.ask(who, method, path, body)
        assert reply.status == 200, reply.body
        return reply.json


@pytest.fixture(scope="module")
def till(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Till]:
    """`root` administers the server, `sue` the shop; `sam` and `max` are members. Each has spent
    1.10 USD; the cap of a user is 2.00 a day."""
    tokens: dict[str, str] = {}
    data = tmp_path_factory.mktemp("till")

    def made(gemini: Emulator) -> Any:
        address = {"api_key": gemini.key, "base_url": gemini.base_url, "ca_file": gemini.ca_file}
        return create_app(
            serve.registry,
            Settings(
                data=data,
                agent={"backend": "gemini"},
                providers={"gemini": address},
                usage={"caps": {"user_day": "2.00"}},
                access={"password_memory": 8, "password_passes": 1},
            ),
        )

    async def populate() -> None:
        async with app.running():
            access, ledger = app.services.application.access, app.services.application.usage
            await access.create_organisation("shop", "The shop", "test")
            for name, organisation in PEOPLE.items():
                roles = ["admin" if name in ("root", "sue") else "member"]
                await access.create_user(name, organisation=organisation, roles=roles, by="test")
                _, tokens[name] = await access.create_token(name, "test", by="test")
                agent = FORMULA if name == "sam" else "assistant"
                payer = Payer(name, organisation, agent)
                for item, cost in ((MODEL, 1_000_000_000), (PaidItem(tool="draw"), 100_000_000)):
                    made = await ledger.reserve(item, payer, cost, nobody_to_warn)
                    assert made is not None
                    ledger.end(made, item, Ending(COUNTED, cost, Usage(10, 5)), nobody_to_warn)

    script = [step("text", [COUNTS, *says("Here you are.")])]
    with emulate("gemini", script, check=False) as gemini:
        app = made(gemini)
        app.services.warm_after = float("inf")
        asyncio.run(populate())
        with serve.running(app) as client:
            yield Till(client, tokens, data)


def spenders(document: Any) -> dict[str, str]:
    return {row["user"]: row["cost"] for row in document["rows"]}


def test_everybody_sees_their_own_and_readers_that_of_their_organisation(till: Till) -> None:
    path = "/api/usage?by=user"
    assert spenders(till.done("sam", "GET", path)) == {"sam": "1.10"}
    assert set(spenders(till.done("sue", "GET", path))) == {"sam", "sue"}
    assert set(spenders(till.done("root", "GET", path))) >= set(PEOPLE)
    assert till.ask("sam", "GET", f"{path}&user=sue").status == 403
    assert till.done("sue", "GET", f"{path}&user=root")["rows"] == []
    assert till.done("sue", "GET", f"{path}&organisation=")["rows"] == []


def test_rows_add_up_to_the_totals(till: Till) -> None:
    found = till.done("sue", "GET", "/api/usage?by=model&by=tool&by=organisation")
    groups = {(row["model"], row["tool"]): row for row in found["rows"]}
    assert groups[MODEL.model, ""]["cost"] == "2.00"
    assert groups["", "draw"]["cost"] == "0.20"
    [total] = found["totals"]
    assert (total["cost"], total["reserved"], total["requests"]) == ("2.20", "0.00", 4)
    assert (total["input_tokens"], total["currency"]) == (40, "USD")
    assert found["by"] == ["model", "tool", "organisation"]
    assert till.ask("sue", "GET", "/api/usage?by=mood").status == 422
    assert till.ask("sue", "GET", "/api/usage?from=yesterday").status == 422


def test_a_spreadsheet_takes_nothing_for_a_formula(till: Till) -> None:
    for reply in (
        till.ask("sam", "GET", "/api/usage.csv?by=agent&by=user"),
        till.ask("sam", "GET", "/api/usage?by=agent&by=user", accept="text/csv"),
    ):
        assert reply.media_type.startswith("text/csv")
        [row] = csv.DictReader(io.StringIO(reply.body.decode()))
        assert (row["agent"], row["user"], row["cost"]) == (f"'{FORMULA}", "sam", "1.10")


def test_caps_are_set_within_ones_organisation(till: Till) -> None:
    path = "/api/usage/caps/user/sam"
    assert till.ask("sam", "GET", "/api/usage/caps").status == 403
    assert till.ask("sam", "PUT", path, {"day": "1"}).status == 403
    for body in ({"day": "-1"}, {"day": "NaN"}, {"day": "0.0000000001"}, {"week": "1"}):
        assert till.ask("sue", "PUT", path, body).status == 422
    assert till.ask("sue", "PUT", path, {"day": "2.01"}).status == 422  # above that of the settings
    assert till.ask("sue", "PUT", "/api/usage/caps/user/sue", {"day": "1"}).status == 403
    assert till.ask("sue", "PUT", "/api/usage/caps/user/max", {"day": "1"}).status == 404
    assert till.ask("sue", "PUT", "/api/usage/caps/organisation", {"day": "1"}).status == 403
    assert till.done("sue", "PUT", path, {"day": "1.50"})["day"] == "1.50"
    listed = till.done("sue", "GET", "/api/usage/caps")
    assert [(each["subject"], each["updated_by"]) for each in listed["caps"]] == [("sam", "sue")]
    assert listed["usual"] == [{"scope": "user", "period": "day", "cap": "2.00"}]
    [mine] = till.done("sam", "GET", "/api/usage/caps/me")["caps"]
    assert (mine["cap"], mine["spent"], mine["usual"]) == ("1.50", "1.10", False)
    whole = "/api/usage/caps/organisation?organisation=shop"
    assert till.done("root", "PUT", whole, {"month": "9"})["month"] == "9.00"
    assert till.done("root", "DELETE", whole)
    assert till.done("sue", "DELETE", path) == {"removed": "sam"}
    assert till.ask("sue", "DELETE", path).status == 404
    lines = till.done("root", "GET", "/api/audit?event=cap_set")["lines"]
    assert {line["by"] for line in lines} == {"sue", "root"}


def test_a_chat_beyond_the_cap_is_refused_and_one_within_it_is_counted(till: Till) -> None:
    till.done("root", "PUT", "/api/usage/caps/user/max", {"day": "1.10"})
    refused = till.ask("max", "POST", "/api/chat", {"message": "Hello"})
    assert (refused.status, refused.media_type) == (429, "application/problem+json"), refused.body
    assert "your spending cap for today is used up (1.10 of 1.10 USD" in refused.json["detail"]
    till.done("root", "DELETE", "/api/usage/caps/user/max")
    assert till.ask("max", "POST", "/api/chat", {"message": "Hello"}).status == 200
    found = till.done("root", "GET", "/api/usage?by=model&user=max&model=gemini-2.5-flash")
    [row] = found["rows"]
    assert (row["cost"], row["input_tokens"], row["output_tokens"]) == ("0.00055", 1000, 100)
    page = till.ask("root", "GET", "/metrics/prometheus").body.decode()
    assert 'antiphon_cost_total{by="gemini",what="gemini-2.5-flash",currency="USD"} 0.00055' in page


def test_the_command_line_shows_the_same(till: Till) -> None:
    run = CliRunner()
    data = ["--data", str(till.data)]
    as_json = run.invoke(commands, ["usage", "--by", "user", "--user", "sam", "--json", *data])
    assert as_json.exit_code == 0, as_json.output
    assert spenders(json.loads(as_json.stdout)) == {"sam": "1.10"}
    as_csv = run.invoke(commands, ["usage", "--by", "agent", "--user", "sam", "--csv", *data])
    assert f"'{FORMULA},USD,2" in as_csv.stdout
    plain = run.invoke(commands, ["usage", "--by", "user", "--user", "sam", *data])
    assert plain.stdout.splitlines()[-1].endswith("1.10 USD")
    assert run.invoke(commands, ["usage", "--by", "mood", *data]).exit_code == 2
    nothing = run.invoke(commands, ["usage", "--to", "2001-01-01", "--from", "2001-01-01", *data])
    assert nothing.stdout == "Nothing was used from 2001-01-01 to 2001-01-01.\n"
