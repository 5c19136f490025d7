"""The façade behind HTTP: served, mounted, on the application that the program holds."""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Mount
from tests.facade.helpers import Replies, calls, says

from antiphon import Antiphon, Principal, tool
from antiphon.cli.serve import ListenError

pytestmark = pytest.mark.real_time


@tool(side_effects="read_only", origin="trusted", outside=False)
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"It is sunny in {city}."


def client(app: Any) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=app)
    return httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1")


def known(request: HTTPConnection) -> Principal | None:
    name = request.headers.get("x-user")
    return Principal(name, {"tenant": "acme"}) if name else None


async def test_a_mounted_server_works_on_the_open_application() -> None:
    model = Replies(calls(("weather", {"city": "Oslo"})), says("Sunny."), says("Still."))
    app = Antiphon(tools=[weather], model=model)
    server = app.asgi(principal=known)
    host = Starlette(routes=[Mount("/agent", server)])
    async with app, server.running(), client(host) as http:
        headers = {"x-user": "ada"}
        called = await http.post(
            "/agent/api/tools/weather/call",
            json={"args": {"city": "Rome"}},
            headers=headers,
        )
        assert called.status_code == 200, called.text
        assert called.json()["data"] == {"result": "It is sunny in Rome."}
        said = await http.post("/agent/api/chat", json={"message": "Oslo?"}, headers=headers)
        assert "Sunny." in said.text
        (session,) = [each for each in await sessions(app) if each.provider]
        assert (session.user, session.data) == ("ada", {"tenant": "acme"})
        again = await app.run("And now?", session=session.id, user="ada")
        assert again.text == "Still."
        assert (await http.get("/agent/api/tools")).status_code == 401


async def sessions(app: Antiphon) -> list[Any]:
    one = await app.session()
    return [each for each in one.orchestrator.sessions.values() if each is not one]


@pytest.fixture
def _a_process_of_its_own() -> Iterator[None]:
    """Undo what a server does to its process: no stray signal ends the tests, and the garbage
    collector is as it was."""
    thresholds = gc.get_threshold()
    before = signal.signal(signal.SIGINT, lambda *_: None)
    yield
    signal.signal(signal.SIGINT, before)
    gc.unfreeze()
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("_a_process_of_its_own")
def test_it_serves_until_it_is_stopped() -> None:
    answers: list[Any] = []

    def probe(url: str) -> None:
        try:
            answers.append(httpx2.get(f"{url}/api/tools", timeout=60).json())
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    threads: list[threading.Thread] = []

    def ready(url: str) -> None:
        threads.append(threading.Thread(target=probe, args=(url,)))
        threads[0].start()

    Antiphon(tools=[weather], model=Replies()).serve("127.0.0.1", 0, ready=ready)
    threads[0].join()
    assert "weather" in str(answers)


def test_an_address_that_cannot_be_used_is_named() -> None:
    app = Antiphon(tools=[weather], model=Replies())
    with pytest.raises(ValueError, match="needs `principal`"):
        app.serve("0.0.0.0", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ListenError, match=f"cannot listen on 127.0.0.1 port {port}"):
            app.serve("127.0.0.1", port)
