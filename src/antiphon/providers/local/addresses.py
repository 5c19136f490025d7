"""Email addresses of people who were named: looked up in the knowledge base, never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.contracts.events import CallAnswer
from antiphon.providers.local.names import Name
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.values import emails
from antiphon.providers.local.words import joined

_MOST = 10


def lookups(scene: SlotScene, text: str) -> list[tuple[str, dict[str, Any]]]:
    """The call that reads the records of the people in a text. None where nobody is named."""
    tool = scene.catalogue.get("kb_get")
    ids = [name.id for name in people(scene, text)]
    if tool is None or tool.parameter("ids") is None or not ids:
        return []
    return [(tool.name, {"ids": ids[:_MOST]})]


def people(scene: SlotScene, text: str) -> list[Name]:
    found = [m.name for m in scene.book.mentions(text) if m.name.type == "person"]
    return list(dict.fromkeys(found))


def in_records(
    scene: SlotScene, text: str, answers: Sequence[CallAnswer]
) -> tuple[list[str], list[str]]:
    """The addresses that the request and the records have, and the names of those without one."""
    records: dict[str, Mapping[str, Any]] = {}
    for answer in answers:
        if answer.envelope.get("ok"):
            for record in answer.envelope["data"].get("records") or ():
                records[str(record.get("id"))] = record
    found = [one.value for one in emails(text)]
    without: list[str] = []
    for name in people(scene, text):
        address = _address(records.get(name.id, {}))
        if address is None:
            without.append(name.title)
        else:
            found.append(address)
    return list(dict.fromkeys(found)), without


def _address(record: Mapping[str, Any]) -> str | None:
    metadata = record.get("metadata")
    told = metadata.get("email") if isinstance(metadata, Mapping) else None
    for text in (told, record.get("text"), record.get("full_text")):
        if isinstance(text, str) and (written := [e for e in emails(text) if "@" in e.value]):
            return str(written[0].value)
    return None


def question(names: Sequence[str]) -> str:
    verb = "has" if len(names) == 1 else "have"
    return f"{joined(names)} {verb} no email address in the knowledge base. What is the address?"
