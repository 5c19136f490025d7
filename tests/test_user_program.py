"""The program that the type checkers read, run: what they believe is also true."""

from __future__ import annotations

from tests.typing import user_program

from antiphon import Antiphon, Registry


def test_its_tools_make_a_registry() -> None:
    program = user_program
    registry = Registry.of(program.weather, program.add, program.send, program.customer)
    assert set(registry.snapshot().tools) == {"weather", "add", "send_parcel", "customer"}


async def test_its_tools_answer_with_the_types_they_promise() -> None:
    async with Antiphon(tools=[user_program.weather, user_program.send]) as app:
        session = await app.session(data={"tenant": "acme"})
        called = await app.call("weather", {"city": "Oslo"}, session=session)
        assert called.data == {"city": "Oslo (acme, celsius)", "degrees": 21.5}
