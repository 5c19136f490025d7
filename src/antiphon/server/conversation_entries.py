"""Conversation entries: what was said, called and shown, as a transcript has it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from antiphon.agents.notes import is_note
from antiphon.contracts.events import AnswersTurn, ModelTurn, UserTurn, turn_from_dict
from antiphon.server.answer_sources import AnswerSource, answer_sources, found_sources
from antiphon.server.routes.images import ImageShown
from antiphon.storage import MessageRow

Hide = Callable[[str, Any], Any]  # the arguments of a tool without what must not be written down


class Feedback(BaseModel):
    value: Literal["up", "down"]
    comment: str


class MessageEntry(BaseModel):
    """Words of the person, or of the model."""

    kind: Literal["said"] = "said"
    turn: str = Field(description="Names it for feedback and branches.", examples=["42"])
    at: float = Field(description="Seconds of the epoch.")
    role: Literal["user", "assistant"]
    channel: Literal["text", "voice"] = Field(
        description="`text` for what was typed, whatever the microphone did."
    )
    text: str = Field(description="All that was written, whatever was heard of it.")
    heard: int | None = Field(
        default=None,
        description="How many characters of it were heard where the speech was stopped; null: all, "
        "or it was not spoken.",
    )
    interrupted: bool = Field(
        default=False, description="The person cut in before it was complete."
    )
    feedback: Feedback | None = None
    sources: list[AnswerSource] = Field(
        default_factory=list,
        description="The records that it rests on, in the order in which it cites them first.",
    )


class CallEntry(BaseModel):
    kind: Literal["call"] = "call"
    turn: str
    at: float
    call_id: str | None
    tool: str
    args: Any = Field(description="Without what the tool says must not be written down.")
    ok: bool | None = Field(description="Null where no answer was kept.")
    error_type: str | None
    duration: float | None = Field(description="Milliseconds.")
    replayed: bool
    answer: dict[str, Any] | None = Field(description="The envelope.")


class ImageEntry(ImageShown):
    kind: Literal["image"] = "image"
    at: float


ConversationEntryShown = Annotated[
    MessageEntry | CallEntry | ImageEntry, Field(discriminator="kind")
]
Entries: TypeAlias = list[MessageEntry | CallEntry | ImageEntry]


class EntryAssembly:
    """Entries of a conversation out of its turns. `answers`: with what the calls returned."""

    def __init__(self, hide: Hide, *, answers: bool = True) -> None:
        self._hide = hide
        self._answers = answers
        self._entries: Entries = []
        self._open: dict[tuple[Any, Any], CallEntry] = {}
        self._known: dict[str, AnswerSource] = {}
        self._evidence: list[str] = []

    def entries(
        self, rows: Iterable[MessageRow], images: Iterable[tuple[float, ImageShown]] = ()
    ) -> Entries:
        """Return the entries of all turns and pictures in their order."""
        for row in rows:
            self._take(row)
        self._entries += [ImageEntry(at=at, **each.model_dump()) for at, each in images]
        return sorted(self._entries, key=lambda entry: entry.at)

    def _take(self, row: MessageRow) -> None:
        match turn_from_dict(json.loads(row.turn.turn)):
            case UserTurn(text) as turn if text.strip() and not is_note(text):
                self._evidence = []
                self._say(row, "user", text, typed=turn.typed)
            case ModelTurn() as turn:
                if turn.text.strip():
                    self._answer(row, turn)
                for call in turn.calls:
                    self._call(row, str(call.name), call.id, call.args)
            case AnswersTurn(answers):
                for answer in answers:
                    self._finish(answer.id, answer.name, answer.envelope)

    def _say(self, row: MessageRow, role: Any, text: str, *, typed: bool, **more: Any) -> None:
        channel: Any = "text" if typed else row.turn.channel
        entry = MessageEntry(
            turn=str(row.id), at=row.turn.at, role=role, channel=channel, text=text, **more
        )
        self._entries.append(entry)

    def _answer(self, row: MessageRow, turn: ModelTurn) -> None:
        value: Any = row.feedback
        self._say(
            row,
            "assistant",
            turn.text,
            typed=turn.typed,
            heard=turn.heard,
            interrupted=turn.interrupted,
            feedback=Feedback(value=value, comment=row.comment) if value else None,
            sources=answer_sources(turn.text, self._known, self._evidence),
        )

    def _call(self, row: MessageRow, tool: str, call_id: str | None, args: Any) -> None:
        entry = CallEntry(
            turn=str(row.id),
            at=row.turn.at,
            call_id=call_id,
            tool=tool,
            args=self._hide(tool, args),
            ok=None,
            error_type=None,
            duration=None,
            replayed=False,
            answer=None,
        )
        self._entries.append(entry)
        self._open[call_id, tool] = entry

    def _finish(self, call_id: str | None, tool: str, envelope: Mapping[str, Any]) -> None:
        entry = self._open.pop((call_id, tool), None)
        if entry is None:
            return
        meta = envelope.get("meta") or {}
        entry.ok = bool(envelope.get("ok"))
        entry.error_type = (envelope.get("error") or {}).get("type")
        entry.duration = meta.get("duration")
        entry.replayed = meta.get("replayed") is True
        if self._answers:
            entry.answer = dict(envelope)
        found = found_sources(envelope.get("data"), entry.args)
        self._known |= found
        self._evidence += found
