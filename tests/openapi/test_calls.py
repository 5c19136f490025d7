"""Calls of operations: requests as they are sent, answers and failures as envelopes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from fastapi import FastAPI, Header, HTTPException, Query, Request, Response
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.server.ws.phone import in_thread

from antiphon import Antiphon, Orchestrator, Registry, ToolCall, tool
from antiphon.openapi import tools_from_asgi, tools_from_openapi
from antiphon.openapi.requests import make_request
from antiphon.orchestrator import Session
from antiphon.storage import Store


class Pet(BaseModel):
    name: str
    tags: list[str] = []


class Shop:
    """An application with state, as anybody might have one."""

    def __init__(self) -> None:
        self.app = FastAPI(title="Pets", generate_unique_id_function=lambda route: route.name)
        self.pets: dict[str, Pet] = {"rex": Pet(name="Rex")}
        self.keys: list[str | None] = []
        self.asked: list[str] = []
        app = self.app

        @app.get("/pets")
        async def list_pets(
            request: Request, tag: Annotated[list[str] | None, Query()] = None, limit: int = 10
        ) -> list[Pet]:
            self.asked.append(str(request.url.query))
            return [pet for pet in self.pets.values() if not tag or set(tag) & set(pet.tags)][
                :limit
            ]

        @app.get("/pets/{pet_id}")
        async def get_pet(
            request: Request,
            pet_id: str,
            authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
        ) -> Pet:
            self.asked.append(request.scope["raw_path"].decode())
            if authorization == "Bearer wrong-token":
                raise HTTPException(401, f"the token {authorization.split()[1]} is of no use")
            if pet_id not in self.pets:
                raise HTTPException(404, f"There is no pet {pet_id}.")
            return self.pets[pet_id]

        @app.put("/pets/{pet_id}")
        async def put_pet(
            pet_id: str,
            pet: Pet,
            idempotency_key: Annotated[str | None, Header()] = None,
        ) -> Pet:
            """Save a pet. It replaces one that is there."""
            self.keys.append(idempotency_key)
            self.pets[pet_id] = pet
            return pet

        @app.delete("/pets/{pet_id}", status_code=204, response_class=Response)
        async def delete_pet(pet_id: str) -> Response:
            self.pets.pop(pet_id)
            return Response(status_code=204)

        @app.get("/fail/{status}", response_class=Response)
        async def fail_with(status: int) -> Response:
            headers = {"retry-after": "7"} if status in (429, 503) else {}
            if status == 302:
                headers["location"] = "/pets"
            body = json.dumps({"title": "Oh", "detail": f"It is {status}."})
            return Response(body, status, headers, "application/problem+json")

        @app.post("/fail/{status}", response_class=Response)
        async def write_and_fail(status: int) -> Response:
            return Response("no", status, media_type="text/plain")

        @app.get("/large", response_class=Response)
        async def large() -> Response:
            return Response(b'"' + b"x" * 5000 + b'"', media_type="application/json")


ANY_VALUE: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/a/{id}/b": {
            "put": {
                "operationId": "put",
                "parameters": [
                    {"name": "id", "in": "path", "schema": {"type": "string"}},
                    {"name": "q", "in": "query", "schema": {"type": "array"}},
                ],
                "requestBody": {"content": {"application/json": {"schema": {}}}},
                "responses": {},
            }
        }
    },
}


@asynccontextmanager
async def conversing(*tools: Any) -> AsyncIterator[Session]:
    async with Orchestrator(Registry.of(*tools), store=Store.open("sqlite://")) as orchestrator:
        yield orchestrator.session("text", "ada")


async def call(session: Session, tool: str, /, **args: Any) -> Any:
    envelope = await session.dispatch(ToolCall(None, tool, args))
    session.end_turn()
    return envelope


# What the operator vouches for: nobody is asked about a call after what another one read.
HOUSE = {"origin": "trusted", "outside": False}


async def approved(session: Session, tool: str, /, **args: Any) -> Any:
    asked = await call(session, tool, **args)
    assert asked["error"]["type"] == "CONFIRMATION_REQUIRED", asked
    request = asked["error"]["confirmation_request"]
    (waiting,) = session.orchestrator.confirmations.waiting(session)
    answer = await session.answer_confirmation(request["id"], waiting["token"], True)
    return answer.envelope


# -- in this process -------------------------------------------------------------------------------


async def test_an_application_is_called_in_this_process() -> None:
    shop = Shop()
    own = tools_from_asgi(shop.app, overrides=dict.fromkeys(("list_pets", "get_pet"), HOUSE))
    async with conversing(*own) as session:
        listed = await call(session, "list_pets", limit=3)
        assert listed["data"] == {"result": [{"name": "Rex", "tags": []}]}
        assert (await call(session, "get_pet", pet_id="rex"))["data"]["name"] == "Rex"


async def test_a_write_happens_after_a_yes_and_under_a_key() -> None:
    shop = Shop()
    async with conversing(*tools_from_asgi(shop.app)) as session:
        saved = await approved(session, "put_pet", pet_id="tom", name="Tom", tags=["cat"])
        assert saved["data"] == {"name": "Tom", "tags": ["cat"]}
        assert shop.pets["tom"].name == "Tom"
        assert [key is not None and len(key) > 10 for key in shop.keys] == [True]
        gone = await approved(session, "delete_pet", pet_id="tom")
        assert gone["data"] == {"status": 204}
        assert list(shop.pets) == ["rex"]


async def test_lists_are_repeated_and_values_stay_in_their_place() -> None:
    shop = Shop()
    own = tools_from_asgi(shop.app, overrides=dict.fromkeys(("list_pets", "get_pet"), HOUSE))
    async with conversing(*own) as session:
        await call(session, "list_pets", tag=["a b", "c&d"], limit=1)
        assert shop.asked == ["tag=a+b&tag=c%26d&limit=1"]
        shop.asked.clear()
        await call(session, "get_pet", pet_id="rex?x=1#y %")
        assert shop.asked == ["/pets/rex%3Fx%3D1%23y%20%25"]
        for outside in ("..", "x/../../admin", "..\\admin", ""):
            refused = await call(session, "get_pet", pet_id=outside)
            assert refused["error"]["type"] == "VALIDATION"
            assert refused["error"]["errors"][0]["pointer"] == "/pet_id"


async def test_an_antiphon_is_made_of_an_api_and_further_tools() -> None:
    @tool(side_effects="none")
    async def shout(text: str) -> str:
        """Say it loudly."""
        return text.upper()

    app = Antiphon.from_asgi(Shop().app, include=["get_pet"], tools=[shout], model="local")
    async with app:
        assert app.registry.tool_ids() == ["get_pet", "shout"]
        assert (await app.call("get_pet", {"pet_id": "rex"})).envelope["data"]["name"] == "Rex"
    spec = Shop().app.openapi()
    made = Antiphon.from_openapi(spec, base_url="http://127.0.0.1:9", prefix="pets_")
    assert "pets_list_pets" in made.registry.tool_ids()


# -- failures --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind", "retryable", "after"),
    [
        (400, "VALIDATION", False, None),
        (401, "AUTH", False, None),
        (403, "AUTH", False, None),
        (404, "NOT_FOUND", False, None),
        (405, "PERMANENT", False, None),
        (409, "CONFLICT", False, None),
        (429, "RATE_LIMIT", True, 7.0),
        (302, "PERMANENT", False, None),
        (500, "TRANSIENT", True, None),
        (503, "TRANSIENT", True, 7.0),
    ],
)
async def test_a_status_is_a_typed_error(
    status: int, kind: str, retryable: bool, after: float | None
) -> None:
    async with conversing(*tools_from_asgi(Shop().app, include=["fail_with"])) as session:
        error = (await call(session, "fail_with", status=status))["error"]
    assert (error["type"], error["retryable"], error.get("retryAfter")) == (kind, retryable, after)
    assert error["message"] == f"GET /fail/{{status}} answered {status}: It is {status}."
    assert error["status"] == status


async def test_what_an_api_refuses_is_named_member_by_member() -> None:
    shop = Shop()
    tools = tools_from_asgi(shop.app, include=["list_pets"])
    async with conversing(*tools) as session:
        refused = await call(session, "list_pets", limit=2**70)
    assert refused["error"]["type"] == "VALIDATION"


@pytest.mark.parametrize(("status", "unsure"), [(500, True), (503, False), (422, False)])
async def test_a_write_that_failed_half_way_is_not_tried_again(status: int, unsure: bool) -> None:
    async with conversing(*tools_from_asgi(Shop().app, include=["write_and_fail"])) as session:
        error = (await approved(session, "write_and_fail", status=status))["error"]
    assert error["partialSideEffects"] is unsure
    assert not (unsure and error["retryable"])
    assert error["message"].endswith(f"answered {status}: no")


async def test_an_answer_that_is_too_long_is_refused() -> None:
    tools = tools_from_asgi(Shop().app, include=["large"], max_bytes=1000)
    async with conversing(*tools) as session:
        error = (await call(session, "large"))["error"]
    assert (error["type"], "longer than 1,000 bytes" in error["message"]) == ("PERMANENT", True)


# -- over the network ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Shop, str]]:
    """A shop behind a socket, and its address."""
    shop = Shop()
    with in_thread(shop.app) as client:
        yield shop, f"http://127.0.0.1:{client.port}"


@pytest.mark.real_time
async def test_an_api_is_called_at_its_address_with_the_key_of_the_call(
    served: tuple[Shop, str],
) -> None:
    shop, address = served
    given: list[Any] = []

    async def token(context: Any) -> str:
        given.append(context.session.user)
        return "wrong-token"

    tools = tools_from_openapi(f"{address}/openapi.json", include=["*_pet"], auth=token)
    async with conversing(*tools) as session:
        refused = (await call(session, "get_pet", pet_id="rex"))["error"]
        assert (refused["type"], given) == ("AUTH", ["ada"])
        assert refused["message"].endswith("401: the token ******** is of no use")
        await approved(session, "put_pet", pet_id="tom", name="Tom")
    assert len(shop.keys) == 1
    assert shop.pets["tom"].name == "Tom"


@pytest.mark.real_time
async def test_an_api_that_is_not_there_may_be_tried_again() -> None:
    tools = tools_from_openapi(
        Shop().app.openapi(), base_url="http://127.0.0.1:9", include=["get_pet", "put_pet"]
    )
    async with conversing(*tools) as session:
        read = (await call(session, "get_pet", pet_id="rex"))["error"]
        written = (await approved(session, "put_pet", pet_id="tom", name="Tom"))["error"]
    assert (read["type"], read["retryable"]) == ("TRANSIENT", True)
    assert (written["type"], written["partialSideEffects"]) == ("TRANSIENT", False)


@pytest.mark.real_time
async def test_a_write_whose_answer_never_came_may_have_happened() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        tools = tools_from_openapi(
            Shop().app.openapi(), base_url=f"http://127.0.0.1:{port}", include=["*_pet"]
        )
        async with conversing(*tools) as session:
            read = (await call(session, "get_pet", pet_id="rex"))["error"]
            written = (await approved(session, "put_pet", pet_id="tom", name="Tom"))["error"]
    assert read["type"] == "TRANSIENT"
    assert (written["type"], written["partialSideEffects"]) == ("OUTCOME_UNKNOWN", True)
    assert written["retryable"] is False


# -- every value stays in its place ----------------------------------------------------------------


def stays(text: str) -> bool:
    return not {".", ".."}.intersection(text.replace("\\", "/").split("/"))


@given(st.text(min_size=1).filter(stays), st.lists(st.text(), min_size=1))
def test_a_value_comes_back_as_it_was_sent(text: str, listed: list[str]) -> None:
    (tool,) = tools_from_openapi(ANY_VALUE, base_url="http://localhost")
    request = make_request(tool.operation, {"id": text, "q": listed, "body": {"x": text}})
    sent = urlsplit(f"http://localhost{request.target}")
    assert (sent.netloc, sent.fragment) == ("localhost", "")
    before, segment, after = sent.path.split("/")[1:]
    assert (before, unquote(segment), after) == ("a", text, "b")
    assert parse_qs(sent.query, keep_blank_values=True) == {"q": listed}
    assert json.loads(request.content or b"") == {"x": text}
