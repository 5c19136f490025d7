"""Server book: MCP servers that were added, pins of their tools, and credentials, in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson
from sqlalchemy import Row, delete, func, insert, select, update

from antiphon.access.book import AccessBook, Change
from antiphon.access.errors import AccessError
from antiphon.access.names import shown
from antiphon.mcp.listed_tool import ListedTool
from antiphon.mcp.server_options import ServerOptions
from antiphon.storage.sealed_rows import context_of, sealed_rows
from antiphon.storage.tables import inserting, mcp_credentials, mcp_pins, mcp_servers

PinStatus = Literal["accepted", "quarantined", "rejected"]
# Of tools that nobody has accepted no more are kept of one server.
MAX_PINS = 2000


@dataclass(frozen=True, slots=True)
class ToolPin:
    """What was accepted of a tool, and what it is today. It may be called while the two are one."""

    server: str
    tool: str
    status: PinStatus
    reason: str
    accepted: ListedTool | None
    seen: ListedTool
    digest: str
    first_seen_at: float
    changed_at: float
    decided_at: float | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class AddedServer:
    """A server that an administrator has added."""

    options: ServerOptions
    added_at: float
    added_by: str


class McpServerBook(AccessBook):
    """The tables of MCP servers. Every method raises StoreError while the store is away."""

    async def stamp(self) -> tuple[Any, ...]:
        """What differs once servers or pins have been changed."""

        def work(at: Change) -> tuple[Any, ...]:
            servers = select(func.count(), func.max(mcp_servers.c.added_at))
            pins = select(func.count(), func.max(mcp_pins.c.changed_at))
            return (*at.connection.execute(servers).one(), *at.connection.execute(pins).one())

        return await self._read(work)

    async def servers(self) -> list[AddedServer]:
        """The servers that were added, by name."""
        rows = select(mcp_servers).order_by("name")
        return await self._read(
            lambda at: [_server_of(at, row) for row in at.connection.execute(rows)]
        )

    async def add(self, options: ServerOptions, by: str) -> None:
        """Keep a server. Raises AccessError where there is one of that name."""

        def work(at: Change) -> None:
            name = options.name
            if at.connection.execute(select(mcp_servers.c.name).filter_by(name=name)).first():
                raise AccessError(f"There is an MCP server {shown(name)} already.", "conflict")
            context = context_of(mcp_servers.name, name, "secrets")
            sealed = sealed_rows(at.connection).seal(
                at.connection, orjson.dumps(options.secrets), context
            )
            at.connection.execute(
                insert(mcp_servers).values(
                    name=name,
                    content=orjson.dumps(options.public()).decode(),
                    secrets=sealed,
                    added_at=at.now,
                    added_by=by,
                )
            )
            at.record("mcp_server_added", by=by, details=_told(options))

        await self._change(work)

    async def remove(self, name: str, by: str) -> None:
        """Forget a server with its pins and tokens. Raises AccessError where there is none."""

        def work(at: Change) -> None:
            gone = at.connection.execute(delete(mcp_servers).filter_by(name=name))
            if not gone.rowcount:
                raise AccessError(f"No MCP server {shown(name)} was added.", "missing")
            at.connection.execute(delete(mcp_pins).filter_by(server=name))
            at.connection.execute(delete(mcp_credentials).filter_by(server=name))
            at.record("mcp_server_removed", by=by, details={"server": name})

        await self._change(work)

    # -- pins

    async def pins(self, server: str | None = None) -> list[ToolPin]:
        """The pins of one server or of all, by name."""
        wanted = select(mcp_pins).order_by("server", "tool")
        if server is not None:
            wanted = wanted.where(mcp_pins.c.server == server)
        return await self._read(lambda at: [_pin_of(row) for row in at.connection.execute(wanted)])

    async def see(
        self,
        server: str,
        listed: Sequence[tuple[ListedTool, str]],
        *,
        accepts_first: bool = False,
        by: str = "",
    ) -> list[ToolPin]:
        """Take note of the tools that a server lists, each with what is odd about it ('' for
        nothing); return all its pins.

        A tool that is new or has changed is quarantined. With `accepts_first` those of a server
        without pins are accepted, but for what is odd.
        """
        known = {pin.tool: pin for pin in await self.pins(server)}
        changed = [
            (tool, odd)
            for tool, odd in listed
            if (pin := known.get(tool.name)) is None or pin.digest != tool.digest
        ]
        if not changed:
            return list(known.values())

        def work(at: Change) -> list[ToolPin]:
            rows = at.connection.execute(select(mcp_pins).filter_by(server=server))
            there = {row.tool: _pin_of(row) for row in rows}
            first = accepts_first and not there
            for tool, odd in changed:
                before = there.get(tool.name)
                if before is not None and before.digest == tool.digest:
                    continue  # another node was quicker
                if before is None and len(there) >= MAX_PINS:
                    continue
                pin = _seen(at, server, tool, odd, before, first, by)
                there[tool.name] = pin
                _keep(at, pin)
                event = "mcp_tool_accepted" if pin.status == "accepted" else "mcp_tool_quarantined"
                at.record(event, by=by, details=_about(pin))
            return list(there.values())

        return await self._change(work)

    async def decide(
        self, server: str, digests: Mapping[str, str], status: PinStatus, by: str
    ) -> list[ToolPin]:
        """Accept or reject tools as they were shown, each by its digest; all of them or none.
        Raises AccessError for a tool that is not there, or has changed since."""

        def work(at: Change) -> list[ToolPin]:
            rows = at.connection.execute(select(mcp_pins).filter_by(server=server))
            there = {row.tool: _pin_of(row) for row in rows}
            decided = []
            for name, digest in digests.items():
                pin = there.get(name)
                if pin is None:
                    raise AccessError(
                        f"The MCP server {shown(server)} has no tool {shown(name)}.", "missing"
                    )
                if pin.digest != digest:
                    raise AccessError(
                        f"The tool {shown(name)} is not as it was shown: it has changed since. "
                        "Look at it again.",
                        "conflict",
                    )
                accepts = status == "accepted"
                if accepts and (words := pin.seen.unusable()) is not None:
                    raise AccessError(f"The tool {shown(name)} cannot be used: {words}.")
                made = replace(
                    pin,
                    status=status,
                    reason="" if accepts else "an operator has rejected it",
                    accepted=pin.seen if accepts else pin.accepted,
                    changed_at=at.now,
                    decided_at=at.now,
                    decided_by=by,
                )
                _keep(at, made)
                at.record(f"mcp_tool_{status}", by=by, details=_about(made))
                decided.append(made)
            return decided

        return await self._change(work)

    # -- credentials

    async def credential(self, server: str, kind: str, user: str = "") -> bytes | None:
        """What is kept for a user, or '' for this house; None: nothing."""
        key = _credential_id(server, kind, user)

        def work(at: Change) -> bytes | None:
            value = at.connection.execute(
                select(mcp_credentials.c.value).filter_by(id=key)
            ).scalar()
            if value is None:
                return None
            context = context_of(mcp_credentials.name, key, "value")
            return sealed_rows(at.connection).open(at.connection, bytes(value), context)

        return await self._read(work)

    async def keep_credential(self, server: str, kind: str, user: str, value: bytes) -> None:
        """Keep something for a user, or '' for this house, in place of what was kept."""
        key = _credential_id(server, kind, user)

        def work(at: Change) -> None:
            context = context_of(mcp_credentials.name, key, "value")
            sealed = sealed_rows(at.connection).seal(at.connection, value, context)
            values = {"value": sealed, "updated_at": at.now}
            statement = inserting(at.connection.dialect.name, mcp_credentials)
            at.connection.execute(
                statement.values(
                    id=key, server=server, kind=kind, user=user, **values
                ).on_conflict_do_update(index_elements=["id"], set_=values)
            )

        await self._write(work)

    async def forget_credential(self, server: str, kind: str, user: str, by: str) -> bool:
        """Forget what is kept for a user; False where nothing was."""

        def work(at: Change) -> bool:
            key = _credential_id(server, kind, user)
            gone = at.connection.execute(delete(mcp_credentials).filter_by(id=key))
            if gone.rowcount:
                details = {"server": server, "user": user}
                at.record("mcp_signed_out", by=by, user=user, details=details)
            return bool(gone.rowcount)

        return await self._write(work)

    async def signed_in(self, user: str) -> set[str]:
        """The servers for which a user has tokens."""
        wanted = select(mcp_credentials.c.server).filter_by(kind="tokens", user=user)
        return await self._read(lambda at: set(at.connection.execute(wanted).scalars()))


def _seen(
    at: Change,
    server: str,
    tool: ListedTool,
    odd: str,
    before: ToolPin | None,
    first: bool,
    by: str,
) -> ToolPin:
    accepted = None if before is None else before.accepted
    status: PinStatus = "quarantined"
    if accepted is not None and accepted.digest == tool.digest:
        status, reason = "accepted", ""  # it is again as it was
    elif before is not None:
        reason = odd or ("it is new" if accepted is None else "it is not as it was accepted")
    elif first and not odd:
        status, reason, accepted = "accepted", "", tool
    else:
        reason = odd or "it is new"
    decided = status == "accepted" and before is None
    return ToolPin(
        server,
        tool.name,
        status,
        reason[:2000],
        accepted,
        tool,
        tool.digest,
        at.now if before is None else before.first_seen_at,
        at.now,
        at.now if decided else before.decided_at if before else None,
        by if decided else before.decided_by if before else None,
    )


def _keep(at: Change, pin: ToolPin) -> None:
    values = {
        "status": pin.status,
        "reason": pin.reason,
        "accepted": None if pin.accepted is None else pin.accepted.content,
        "seen": pin.seen.content,
        "digest": pin.digest,
        "first_seen_at": pin.first_seen_at,
        "changed_at": pin.changed_at,
        "decided_at": pin.decided_at,
        "decided_by": pin.decided_by,
    }
    # PostgreSQL keeps no null characters; such a tool cannot be accepted anyway.
    key = {"server": pin.server, "tool": pin.tool.replace("\0", "\N{SYMBOL FOR NULL}")}
    changed = at.connection.execute(update(mcp_pins).filter_by(**key).values(**values))
    if not changed.rowcount:
        at.connection.execute(insert(mcp_pins).values(**key, **values))


def _pin_of(row: Row[Any]) -> ToolPin:
    seen = ListedTool.parsed(row.seen)
    return ToolPin(
        row.server,
        seen.name,
        row.status,
        row.reason,
        None if row.accepted is None else ListedTool.parsed(row.accepted),
        seen,
        row.digest,
        row.first_seen_at,
        row.changed_at,
        row.decided_at,
        row.decided_by,
    )


def _server_of(at: Change, row: Row[Any]) -> AddedServer:
    context = context_of(mcp_servers.name, row.name, "secrets")
    secrets = sealed_rows(at.connection).open(at.connection, bytes(row.secrets), context)
    options = ServerOptions.kept(orjson.loads(row.content), orjson.loads(secrets))
    return AddedServer(options, row.added_at, row.added_by)


def _about(pin: ToolPin) -> dict[str, Any]:
    told = {"server": pin.server, "tool": pin.tool[:200], "digest": pin.digest}
    return {**told, "reason": pin.reason[:500]} if pin.reason else told


def _told(options: ServerOptions) -> dict[str, Any]:
    return {"server": options.name, "place": options.place[:500]}


def _credential_id(server: str, kind: str, user: str) -> str:
    return f"{server}/{kind}/{user}"
