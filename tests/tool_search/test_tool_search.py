"""Tool search: by words, by meaning, and over sets of tools that change."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from antiphon.tool_search import FoundTool, ToolSearch
from antiphon.tool_search.encoders import Vectors, installed_encoders
from antiphon.tool_search.tool_texts import ToolTexts, tool_texts

pytestmark = pytest.mark.real_time

ABOUT = {
    "weather_forecast": "Tell the temperature and rain of the coming days at a place.",
    "convert_currency": "Convert an amount of money by today's rate of exchange.",
    "createIssue": "Open an issue in a repository.",
    "book_table": "Reserve a table at a restaurant.",
    "play_song": "Play a piece of music.",
}


def entry(tool_id: str, about: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"toolId": tool_id, "description": about, "jsonSchema": schema, "digest": about}


ENTRIES = [entry(name, about) for name, about in ABOUT.items()]


def ids(found: Sequence[FoundTool]) -> list[str]:
    return [each.tool_id for each in found]


class Counting:
    """An encoder that gives one vector to all, and knows what it was asked for."""

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def texts(self, tool: ToolTexts) -> tuple[str, str]:
        return tool.about, tool.full

    def tools(self, texts: Sequence[str]) -> Vectors:
        assert self.may_go_on.wait(20)
        self.encoded += texts
        return self.requests(texts)

    def requests(self, texts: Sequence[str]) -> Vectors:
        import numpy

        return numpy.ones((len(texts), 1), numpy.float32)


async def test_words_of_names_descriptions_and_parameters_find_a_tool() -> None:
    values = {"enum": ["shellfish", "nuts"], "type": "string"}
    guest = {"type": "object", "properties": {"allergy": {"description": "to avoid", **values}}}
    entries = [*ENTRIES, entry("note_guest", "Keep what is known of a person.", guest=guest)]
    search = ToolSearch()
    assert ids(await search.find("Please open issues for this bug", entries, 2))[0] == "createIssue"
    assert ids(await search.find("he cannot eat shellfish", entries, 3)) == ["note_guest"]
    assert ids(await search.find("converting currencies", entries, 1)) == ["convert_currency"]
    # nothing has these words, in whatever script
    assert await search.find("qwertz 北京的天气", entries, 8) == []
    assert await search.find("", entries, 8) == []
    assert await search.find("weather", [], 8) == []
    search.close()


async def test_phrases_of_a_guide_count_as_words_of_the_tool() -> None:
    guide = '# t\n\nDoes it.\n\n## Phrases\n\n- "Turn the lamp {how}"\n'
    lamp = {**entry("switch_relay", "Close a contact."), "documentation": guide}
    assert tool_texts(lamp).phrases == ("Turn the lamp something",)
    search = ToolSearch()
    assert ids(await search.find("the lamp, please", [*ENTRIES, lamp], 1)) == ["switch_relay"]
    search.close()


async def test_meaning_finds_what_shares_no_word() -> None:
    search = ToolSearch(installed_encoders)
    search.warm(ENTRIES)
    asked = {
        "Is it going to be hot in Lisbon tomorrow?": "weather_forecast",
        "How many euros are 20 dollars?": "convert_currency",
        "We want to dine out, four people at eight": "book_table",
        "I would like to hear something by Miles Davis": "play_song",
    }
    for said, tool in asked.items():
        assert ids(await search.find(said, ENTRIES, 2))[0] == tool, said
        assert tool not in ids(search.find_by_words(said, ENTRIES, 1)), said
    search.close()


async def test_only_tools_that_are_new_are_encoded() -> None:
    encoder = Counting()
    search = ToolSearch(lambda: [encoder])
    search.warm(ENTRIES)
    assert len(encoder.encoded) == 2 * len(ENTRIES)
    encoder.encoded.clear()
    await search.find("music", ENTRIES, 3)
    await search.find("music", ENTRIES[1:], 3)  # a server has gone
    assert encoder.encoded == []
    await search.find("music", [*ENTRIES, entry("stop_song", "Stop the music.")], 3)
    assert encoder.encoded == ["Stop the music.", "stop song. Stop the music."]
    encoder.encoded.clear()
    await search.find("music", [entry("play_song", "Play an album."), *ENTRIES[:4]], 3)
    assert encoder.encoded == ["Play an album.", "play song. Play an album."]
    search.close()


async def test_nobody_waits_until_a_large_set_is_encoded() -> None:
    encoder = Counting()
    encoder.may_go_on.clear()
    search = ToolSearch(lambda: [encoder])
    entries = [*ENTRIES, *(entry(f"tool_{n}", f"Does thing number {n}.") for n in range(200))]
    # by words, while the encoder is at it
    assert ids(await search.find("play music", entries, 8))[0] == "play_song"
    assert len(await search.find("exchange", entries, 8)) == 1
    encoder.may_go_on.set()
    search.warm(entries)  # waits for it
    assert len(await search.find("exchange", entries, 8)) == 8  # every vector is near
    assert len(encoder.encoded) == 2 * len(entries)
    search.close()


async def test_closing_stops_what_is_being_encoded() -> None:
    encoder = Counting()
    encoder.may_go_on.clear()
    search = ToolSearch(lambda: [encoder])
    entries = [entry(f"tool_{n}", f"Does thing number {n}.") for n in range(500)]
    await search.find("thing", entries, 8)
    closing = threading.Thread(target=search.close)
    closing.start()
    encoder.may_go_on.set()
    closing.join(20)
    assert not closing.is_alive()
    assert len(encoder.encoded) < 500


async def test_a_model_that_fails_leaves_the_words(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Sequence[Any]:
        raise RuntimeError("no such model")

    search = ToolSearch(broken)
    for _ in range(2):
        assert ids(await search.find("weather", ENTRIES, 8)) == ["weather_forecast"]
    search.close()
    assert "tools are searched by words alone" in caplog.text
