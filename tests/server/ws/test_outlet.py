"""The writer of a socket: order, bounds, the deadline, and what becomes of a slow client."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scenarios import run_in

from antiphon.server.ws.outlet import SocketOutlet

SECOND = 48_000
FRAME = b"\x01\x02" * 480  # 20 ms


class Socket:
    """The server's side of a connection whose other side reads when it likes."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.aborted = False
        self.gone: Exception | None = None
        self._writable = asyncio.Event()
        self._writable.set()

    async def send(self, message: Any) -> None:
        await self._writable.wait()
        if self.gone is not None:
            raise self.gone
        self.taken.append(dict(message))

    def abort(self) -> None:
        self.aborted = True

    def stop_reading(self) -> None:
        self._writable.clear()

    def read_on(self) -> None:
        self._writable.set()

    @property
    def messages(self) -> list[Any]:
        """What came: messages as data, speech as samples, a close as its code."""
        return [
            event["code"]
            if event["type"] == "websocket.close"
            else json.loads(event["text"])
            if event.get("text")
            else event["bytes"]
            for event in self.taken
        ]

    @property
    def words(self) -> list[Any]:
        return [
            m if not isinstance(m, dict) else m.get("n") or base64.b64decode(m["data"])
            for m in self.messages
        ]


@asynccontextmanager
async def outlet_test() -> AsyncIterator[Any]:
    socket = Socket()
    outlet = SocketOutlet(socket.send, socket.abort)
    try:
        yield socket, outlet
    finally:
        await outlet.close()


async def settle(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_what_the_socket_takes_leaves_at_once_and_in_order() -> None:
    async with outlet_test() as (socket, outlet):
        outlet.send_message({"type": "text", "text": "a"})
        assert socket.messages == [{"seq": 1, "type": "text", "text": "a"}]
        await outlet.send_audio(b"abcd", 7)
        outlet.send_message({"type": "text", "text": "b"})
        assert socket.messages[1:] == [
            {"seq": 2, "type": "audio", "data": base64.b64encode(b"abcd").decode(), "turn_id": 7},
            {"seq": 3, "type": "text", "text": "b"},
        ]


async def test_a_binary_frame_is_the_turn_in_four_bytes_and_then_the_samples() -> None:
    async with outlet_test() as (socket, outlet):
        outlet.binary = True
        await outlet.send_audio(b"abcd", 258)
        outlet.send_message({"type": "turn_complete"})
        assert socket.messages == [b"\x02\x01\x00\x00abcd", {"seq": 1, "type": "turn_complete"}]


async def test_order_holds_while_the_client_does_not_read() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        await outlet.send_audio(b"22", 1)
        outlet.send_message({"n": 3})
        await outlet.send_audio(b"44", 1)
        assert socket.taken == []
        socket.read_on()
        await outlet.drained()
        assert socket.words == [1, b"22", 3, b"44"]
        assert [m["seq"] for m in socket.messages] == [1, 2, 3, 4]
        outlet.send_message({"n": 5})
        assert socket.words[-1] == 5


async def test_a_flush_drops_the_speech_that_waits_and_nothing_else() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        await outlet.send_audio(b"22", 1)
        outlet.send_message({"n": 3})
        outlet.flush()
        outlet.send_message({"n": 4})
        await outlet.send_audio(b"55", 2)
        socket.read_on()
        await outlet.drained()
        assert socket.words == [1, 3, 4, b"55"]
        assert [m["seq"] for m in socket.messages] == [1, 2, 3, 4]  # and leaves no gap


async def test_speech_waits_once_a_second_of_it_is_on_its_way() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        given = 0

        async def speak() -> None:
            nonlocal given
            for _ in range(100):
                await outlet.send_audio(FRAME, 1)
                given += 1

        speaking = asyncio.create_task(speak())
        await settle(200)
        assert given * len(FRAME) == SECOND
        socket.read_on()
        await speaking
        await outlet.drained()
        assert len(socket.taken) == 101


async def test_a_flush_frees_who_waits_to_speak_and_drops_what_they_had_to_say() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        await outlet.send_audio(bytes(SECOND), 1)
        stale = asyncio.create_task(outlet.send_audio(b"99", 1))
        await settle()
        assert not stale.done()
        outlet.flush()
        await stale
        await outlet.send_audio(b"22", 2)
        socket.read_on()
        await outlet.drained()
        assert socket.words == [1, b"22"]


async def test_a_client_that_lets_too_many_messages_wait_is_closed_with_1013() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        for n in range(1, 258):  # one is with the socket, 256 wait
            outlet.send_message({"n": n})
        assert not outlet.closed
        outlet.send_message({"n": 258})
        assert outlet.closed
        outlet.send_message({"n": 259})
        await outlet.send_audio(FRAME, 1)
        socket.read_on()
        await outlet.drained()
        assert socket.words == [1, 1013]
        assert not socket.aborted


async def test_a_client_that_takes_nothing_for_five_seconds_is_closed_with_1013() -> None:
    async with outlet_test() as (socket, outlet):
        clock = asyncio.get_running_loop().time
        began = clock()
        socket.stop_reading()
        outlet.send_message({"n": 1})
        await outlet.send_audio(bytes(SECOND), 1)
        await outlet.send_audio(FRAME, 1)  # returns, as there is nobody to wait for
        assert outlet.closed
        assert clock() - began == pytest.approx(5.0, abs=0.1)
        socket.read_on()  # it wakes up after all, and learns why
        await outlet.drained()
        assert socket.words == [1013]


async def test_a_client_that_does_not_even_take_the_close_is_cut_off() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        await outlet.drained()
        assert socket.aborted


async def test_an_end_comes_after_what_waits() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        outlet.send_message({"n": 2})
        outlet.end(4001, "taken up at another place")
        outlet.end(1000, "too late")
        outlet.send_message({"n": 3})
        socket.read_on()
        await outlet.drained()
        assert socket.words == [1, 2, 4001]
        outlet.end(1000, "again")
        assert socket.words == [1, 2, 4001]


@pytest.mark.parametrize("error", [OSError("gone"), RuntimeError("after websocket.close")])
@pytest.mark.parametrize("waiting", [False, True])
async def test_a_client_that_is_gone_is_not_written_to_any_more(
    error: Exception, waiting: bool
) -> None:
    async with outlet_test() as (socket, outlet):
        if waiting:
            socket.stop_reading()
            outlet.send_message({"n": 1})
        socket.gone = error
        socket.read_on()
        outlet.send_message({"n": 2})
        await outlet.drained()
        assert outlet.closed
        await outlet.send_audio(FRAME, 1)
        assert socket.taken == []


async def test_closing_forgets_what_waits_and_leaves_no_task() -> None:
    async with outlet_test() as (socket, outlet):
        socket.stop_reading()
        outlet.send_message({"n": 1})
        outlet.send_message({"n": 2})
        speaking = asyncio.create_task(outlet.send_audio(bytes(SECOND), 1))
        await settle()
        waiting = asyncio.create_task(outlet.send_audio(FRAME, 1))
        await settle()
        await outlet.close()
        await asyncio.gather(speaking, waiting)
        socket.read_on()
        await settle()
        assert socket.taken == []


async def test_half_a_character_in_a_piece_of_text_is_sent_escaped() -> None:
    async with outlet_test() as (socket, outlet):
        outlet.send_message({"type": "text", "text": "\ud83d"})
        assert '"\\ud83d"' in socket.taken[0]["text"]


@given(
    st.lists(st.sampled_from(["message", "speech", "stop", "read", "step", "flush"]), max_size=40)
)
def test_whatever_the_pace_order_and_numbers_hold(moves: list[str]) -> None:
    """Messages all arrive, in order; of the speech what was not flushed, in its place."""

    async def work(socket: Socket, outlet: SocketOutlet) -> None:
        speech: set[int] = set()
        for sent, move in enumerate(moves, 1):
            if move == "message":
                outlet.send_message({"n": sent})
            elif move == "speech":
                speech.add(sent)
                await outlet.send_audio(sent.to_bytes(2, "little"), 1)
            elif move == "stop":
                socket.stop_reading()
            elif move == "read":
                socket.read_on()
            elif move == "step":
                await settle(3)
            else:
                outlet.flush()
        socket.read_on()
        await outlet.drained()
        found = [n if isinstance(n, int) else int.from_bytes(n, "little") for n in socket.words]
        assert found == sorted(found)
        messages = [n for n, move in enumerate(moves, 1) if move == "message"]
        assert [n for n in found if n not in speech] == messages
        assert [m["seq"] for m in socket.messages] == list(range(1, len(found) + 1))
        if "flush" not in moves:
            assert len(found) == len(messages) + len(speech)

    run_in(outlet_test(), work)


async def test_awaiting_a_fast_socket_costs_no_task() -> None:
    async with outlet_test() as (socket, outlet):
        before = asyncio.all_tasks()
        for _ in range(50):
            step: Coroutine[Any, Any, None] = outlet.send_audio(FRAME, 1)
            with pytest.raises(StopIteration):
                step.send(None)
        assert len(socket.taken) == 50
        assert asyncio.all_tasks() == before
