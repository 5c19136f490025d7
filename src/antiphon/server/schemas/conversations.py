"""Bodies of the conversation routes."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body
from antiphon.server.conversation_entries import ConversationEntryShown
from antiphon.storage.conversations import FOLDER_LENGTH
from antiphon.storage.messages import TITLE_LENGTH

MAX_COMMENT = 2000


class ConversationSummary(BaseModel):
    """Times are seconds of the epoch."""

    id: str = Field(description="That of its first session; those of the others name it too.")
    title: str = Field(
        description="The person's first words, until it is renamed.",
        examples=["Who leads Harbor Light?"],
    )
    folder: str = Field(description="Empty: in none.")
    created_at: float
    updated_at: float = Field(description="When something was said last.")
    turns: int = Field(description="Messages of both sides.")
    spoken: bool = Field(description="Some of it was held by voice.")
    active: bool = Field(description="Somebody is talking in it, or an answer is under way.")
    preview: str = Field(
        description="The beginning of the last message; in a search, the place that was found."
    )
    shared: bool
    version: int = Field(
        description="Counts changes of title and folder: what `If-Match` of a change is to say."
    )


class ConversationFolder(BaseModel):
    name: str
    count: int


class ConversationPage(BaseModel):
    conversations: list[ConversationSummary] = Field(description="The latest first.")
    folders: list[ConversationFolder] = Field(description="All there are, by name.")
    next: str | None = Field(
        description="Ask with this as `before` for those that are older; null when there are none."
    )


class ConversationDocument(ConversationSummary):
    sessions: list[str] = Field(description="Its sessions, oldest first.")
    entries: list[ConversationEntryShown] = Field(description="Oldest first.")
    next: str | None = Field(
        description="Ask with this as `before` for what is older; null when there is nothing."
    )


class SharedConversation(BaseModel):
    """What whoever has the token may read: without the answers of tools."""

    title: str
    created_at: float
    updated_at: float
    entries: list[ConversationEntryShown]


class ConversationChange(Body):
    """What is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"example": {"title": "Harbor Light, budget"}})

    title: str | None = Field(default=None, min_length=1, max_length=TITLE_LENGTH)
    folder: str | None = Field(
        default=None, max_length=FOLDER_LENGTH, description="A name; empty: out of its folder."
    )


class BranchBody(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"turn": "42"}})

    turn: str | None = Field(
        default=None,
        max_length=20,
        description="The turn before which the branch leaves; without one it has all there is.",
    )
    include: bool = Field(default=False, description="The branch has that turn, too.")


class ConversationBranch(BaseModel):
    id: str = Field(description="The new conversation: go on with it at POST /api/chat.")


class FeedbackBody(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"value": "up"}})

    value: Literal["up", "down"] | None = Field(description="Null takes it back.")
    comment: str = Field(default="", max_length=MAX_COMMENT)


class ConversationShare(BaseModel):
    token: str = Field(description="Whoever has it may read at GET /api/shared/{token}.")
