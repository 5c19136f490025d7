"""Guided tour start: the tour goes to the person's browser, which shows and speaks it."""

from __future__ import annotations

from typing import Any

from antiphon import ok

# Where nobody told which page is open: the page that everybody comes to first.
FIRST = "vox"


async def execute(args: dict[str, Any], context: Any) -> Any:
    wanted = args.get("page")
    if wanted is None:
        wanted = await context.workspace.awareness.current_page(context.session.user) or FIRST
    page, tour = context.workspace.tours.get(wanted)
    await context.messaging.send({"type": "start_tour", "page": page, "tour": tour})
    summary = f"The {tour['name']} begins: {len(tour['steps'])} steps."
    return ok({"action": "start_tour", "page": page, "tour": tour, "summary": summary})
