"""Ids and keys that no store can take: refused with an envelope, never run, never raised."""

from __future__ import annotations

import pytest
from tests.orchestrator.helpers import answer, house, kind

HALF = "call \ud800 12345678"  # half a surrogate pair: no UTF-8, but lenient JSON lets it in


@pytest.mark.virtual_time(patience=0.0)
@pytest.mark.parametrize("named", [{"id": HALF}, {"id": None, "client_key": HALF}])
async def test_a_write_whose_key_cannot_be_stored_is_answered_and_does_not_run(
    named: dict[str, str | None],
) -> None:
    async with house() as home:
        session = home.session()
        refused = await answer(session, "save_note", {"text": "tea"}, **named)
        assert kind(refused) == "INTERNAL"
        assert not refused["error"]["partialSideEffects"]
        assert home.work.started == []
        assert kind(await answer(session, "save_note", {"text": "tea"})) == "ok"
        await home.store.flush()
        assert (await home.store.verify_audit()).ok
