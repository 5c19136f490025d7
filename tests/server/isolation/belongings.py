"""What somebody has, as the store keeps it and as they see it: to be the same afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.server.isolation.world import COLLEAGUE, HOME, MANAGER, OWNER, Person, World
from tests.server.ws.phone import Phone

from antiphon.storage.tables import metadata

# What a server writes by itself, whoever asks: the lines of the audit are added, never changed, and
# a token or session says when it was used last.
PASSING = {"service_tokens": {"used_at"}, "browser_sessions": {"used_at"}}
OWNERS = {"user": {OWNER, MANAGER}, "organisation": {HOME}, "by": {OWNER, MANAGER}}

VIEWS = (
    *("/api/projects", "/api/vox/macros", "/api/schedules", "/api/automations"),
    *("/api/automations/runs", "/api/sessions", "/api/conversations", "/api/confirmations"),
    *("/api/approvals", "/api/tasks", "/api/tokens", "/api/traces", "/api/usage"),
    "/api/calendar/events?start=2031-03-01T00:00:00Z&end=2031-05-01T00:00:00Z",
    "/api/calendar/export",
)
MANAGED = (
    *("/api/users", "/api/groups", "/api/roles", "/api/invitations", "/api/limits"),
    "/api/usage/caps",
    *("/api/blocks", f"/api/sessions?user={OWNER}", f"/api/tokens?user={OWNER}"),
)


def rows_of(world: World) -> dict[tuple[str, Any], dict[str, Any]]:
    """The rows of the store that are the owner's or her organisation's, by table and key."""
    sessions = set(world.things.ids["session"])
    path = next(iter(Path(world.data).glob("*.db")))
    found = {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        for table in metadata.sorted_tables:
            if table.name in ("audit", "audit_head", "audit_sinks"):
                continue
            key = [column.name for column in table.primary_key.columns]
            for row in database.execute(f'SELECT * FROM "{table.name}"'):
                kept = dict(row)
                if _is_theirs(table.name, kept, sessions):
                    for name in PASSING.get(table.name, ()):
                        kept.pop(name)
                    found[table.name, tuple(kept[each] for each in key)] = kept
    return found


def _is_theirs(table: str, row: dict[str, Any], sessions: set[str]) -> bool:
    if COLLEAGUE in (row.get("user"), row.get("name")):
        return False  # she is one of those who try, and changes and spends what is hers
    if table == "usage_sums":
        return row["subject"] in OWNERS["user"]  # those of the organisation have hers in them
    if any(row.get(name) in names for name, names in OWNERS.items()):
        return True
    return any(row.get(name) in sessions for name in ("session_id", "conversation_id"))


def views_of(world: World) -> dict[str, Any]:
    """What the owner and the manager of her organisation see of it."""
    return dict(_views(world))


def _views(world: World) -> Iterator[tuple[str, Any]]:
    owner, manager = world.person(OWNER), world.person(MANAGER)
    ids = world.things.ids
    paths = [
        *VIEWS,
        *(f"/api/conversations/{thing}" for thing in ids["session"][1:2]),
        *(f"/api/confirmations/{thing}" for thing in ids["confirmation"]),
        *(f"/api/tasks/{thing}" for thing in ids["task"]),
        *(f"/api/automations/runs/{thing}?details=true" for thing in ids["run"]),
        *(f"/api/shared/{token}" for token in ids["share"]),
        *(f"/api/knowledge/{ids['database'][0]}/records/{thing}" for thing in ids["record"]),
        f"/api/knowledge/{ids['database'][0]}/export?format=jsonl",
        "/api/experts/project-advisor",
    ]
    for path in paths:
        yield path, _shown(owner.send("GET", path))
    for path in MANAGED:
        yield f"{MANAGER} {path}", _shown(manager.send("GET", path))
    for thing in ids["image"]:
        yield thing, owner.send("GET", f"/api/images/{thing}").body


def _shown(reply: Any) -> Any:
    assert reply.status == 200, reply.body
    if reply.media_type != "application/json":
        return reply.body
    return json.loads(reply.body, object_hook=_lasting)


def _lasting(document: dict[str, Any]) -> dict[str, Any]:
    if document.get("name") == COLLEAGUE:
        return {}
    return {name: each for name, each in document.items() if name not in ("used_at", "updated")}


def use_everything(world: World) -> None:
    """What is theirs still works."""
    owner, colleague, ids = world.person(OWNER), world.person(COLLEAGUE), world.things.ids
    said = owner.done("POST", "/api/chat", {"message": "Go on.", "session_id": ids["session"][1]})
    assert said["finish"] == "complete", said
    answer = {"token": ids["confirmation token"][0], "approve": True}
    approved = owner.done("POST", f"/api/confirmations/{ids['confirmation'][0]}", answer)
    assert approved["outcome"] == "approved", approved
    assert owner.done("POST", f"/api/vox/macros/{ids['macro'][0]}/run")["success"]
    owner.done("POST", f"/api/schedules/{ids['schedule'][0]}/run")
    assert colleague.done("GET", f"/api/shared/{ids['share'][0]}")["entries"]
    bearer = {"authorization": f"Bearer {ids['token secret'][0]}"}
    assert Person(world.client, bearer).done("GET", "/api/account")["user"] == OWNER
    link = Person(world.client, {}).done(
        "POST", "/api/sign-in/link/look", {"secret": ids["link"][0]}
    )
    assert link["user"] == ids["user"][-1]
    with Phone(world.client.port, additional_headers=world.headers(OWNER)) as phone:
        assert phone.start(None, session_token=ids["session token"][-1])["resumed"]
        phone.works()
