"""Subprotocols of sockets: the one that is spoken, and another that carries a ticket."""

from __future__ import annotations

from starlette.types import Message, Scope

SPOKEN = "antiphon"
TICKET = "ticket."


def socket_acceptance(scope: Scope, header: tuple[bytes, bytes] | None = None) -> Message:
    """The message that accepts a socket, with the subprotocol if it was offered: a browser that
    offers some and is told of none hangs up."""
    message: Message = {"type": "websocket.accept"}
    if SPOKEN in scope.get("subprotocols", ()):
        message["subprotocol"] = SPOKEN
    if header is not None:
        message["headers"] = [header]
    return message


def tickets_in(scope: Scope) -> list[str]:
    """The secrets of tickets that a socket was opened with."""
    offered: list[str] = scope.get("subprotocols", [])
    return [each.removeprefix(TICKET) for each in offered if each.startswith(TICKET)]
