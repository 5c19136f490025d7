"""A socket at which anything is said: errors in words, and the conversation goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples
from tests.fuzz.damage import damaged
from tests.fuzz.targets import TARGETS
from tests.server.ws.phone import Phone, VoiceServe

from antiphon.server.ws.client_messages import MAX_FRAME_BYTES
from antiphon.server.ws.sessions import VoiceLimits

TEXT = next(target for target in TARGETS if target.name == "ws_text")
# What these do is what they are for: the conversation is over, or another one.
LEAVING = ("end", "start")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    serve = VoiceServe(tmp_path_factory.mktemp("voice"))
    with serve.talking(limits=VoiceLimits(errors=1_000_000)) as (client, _, _):
        yield client.port


def leaves(message: str) -> bool:
    try:
        said: Any = json.loads(message)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("type") in LEAVING


TEXTS = damaged(TEXT).map(lambda data: data.decode("utf-8", "replace")) | st.text(max_size=80)
FRAMES = st.binary(max_size=2_000) | st.just(bytes(MAX_FRAME_BYTES - 1))


def test_a_conversation_survives_whatever_is_said(port: int) -> None:
    with Phone(port) as phone:
        phone.start()

        @settings(max_examples=examples(60))
        @given(st.lists(TEXTS.filter(lambda text: not leaves(text)) | FRAMES, max_size=8))
        def say(messages: list[str | bytes]) -> None:
            for message in messages:
                phone.socket.send(message)
            # It was all read by the time that this is answered.
            phone.say("nonsense")
            assert phone.until("error", about="nonsense")["message"]

        say()
        phone.say("interrupt")
        phone.works()
    refusals = [each for each in phone.heard if isinstance(each, dict) and each["type"] == "error"]
    assert all(each["message"] for each in refusals)
    assert len(refusals) > examples(60)


def test_nothing_is_expected_of_a_socket_that_has_not_begun(port: int) -> None:
    with Phone(port) as phone:
        for message in (b"\0", "", "[]", "{", '{"type":"text","text":"x"}', b"", "\0", "null"):
            phone.socket.send(message)
            assert phone.error()
        phone.start()
        phone.works()
