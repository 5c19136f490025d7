"""Shared conversations: whom a share reaches."""

from __future__ import annotations

from antiphon.server.scope import Scope
from antiphon.storage import ConversationRow, Store
from antiphon.storage.conversations import ConversationIndex


async def shared_conversation(store: Store, scope: Scope, token: str) -> ConversationRow | None:
    """The conversation that was shared by a token, for those of its owner's organisation; None
    for anybody else, and where nothing is shared by it."""
    row = await ConversationIndex(store).shared(token)
    return row if row is not None and await scope.is_colleague(row.user) else None
