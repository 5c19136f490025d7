"""System prompt composition: sections from files, tools, budgets and profile, with costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from antiphon.agents.profiles import Profile
from antiphon.agents.profiles.profile import FIND_TOOLS
from antiphon.agents.turn_tools import TurnTools
from antiphon.contracts.definition import Mode
from antiphon.contracts.rights import Rights
from antiphon.orchestrator import estimate_tokens
from antiphon.policy import Budget
from antiphon.registry.registry import Snapshot
from antiphon.registry.sources import SHIPPED_TOOLS

FILES = Path(__file__).parent
# Items of lists with the lines that continue them, and every other line.
_PARTS = re.compile(r"\n(?!  )")
_SENTENCES = re.compile(r"(?<=[.:])\s+(?=[A-Z])")
# How people ask for a tool, in its guide: for the built-in model, and of no use in a prompt.
_PHRASES = re.compile(r"^## Phrases\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BEHAVIOUR: Mapping[Mode, str] = {"voice": "voice-behavior.md", "text": "text-behavior.md"}


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One named section of a system prompt."""

    name: str
    text: str

    @property
    def tokens(self) -> int:
        """Estimate the tokens: a quarter of the characters."""
        return estimate_tokens(len(self.text))


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The instructions of one session, in sections whose costs are known."""

    parts: tuple[PromptPart, ...]
    declarations: int = 0  # estimated tokens of the tools as they are declared beside the prompt

    @property
    def text(self) -> str:
        return "\n\n".join(part.text for part in self.parts)

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)

    def estimate(self) -> dict[str, Any]:
        """Return the estimated tokens that a session starts with, in all and by section."""
        return {
            "sessionInitTokens": self.tokens + self.declarations,
            "systemPromptTokens": self.tokens,
            "toolDeclTokens": self.declarations,
            "parts": {part.name: part.tokens for part in self.parts},
        }


def compose(
    mode: Mode,
    snapshot: Snapshot,
    profile: Profile,
    *,
    session: Mapping[str, Any] | None = None,
    rights: Rights | None = None,
    budget: Budget | None = None,
    awareness: str = "",
    extra: str = "",
    now: datetime | None = None,
    lists_tools: bool = True,
    tools: TurnTools | None = None,
) -> SystemPrompt:
    """Compose the instructions for one session.

    `session` are its fields, by which tools are available or not, and `rights` those of its
    principal, who is told of no other tools; `awareness` is what the workspace
    knows of the person's doings; `extra` is what the client asks for on top; `now` is the time
    where the person is. Without `lists_tools` nothing is said of single tools: a small model is
    shown the few that fit, turn by turn. With `tools` only those that are pinned are listed: they
    are the same in every turn.
    """
    toolset = profile.toolset(snapshot)
    chosen = [
        row
        for row in snapshot.summaries(mode, session, toolset, profile.modes, rights)
        if tools is not None or row["toolId"] != FIND_TOOLS
    ]
    there = {row["toolId"] for row in chosen}
    own = budget or profile.policy().budget(mode)
    sections = [
        ("core", _file(profile, "core.md", there)),
        ("behavior", _file(profile, BEHAVIOUR[mode], there)),
        ("tools", _tools(chosen, snapshot.version, tools) if lists_tools else ""),
        ("loop", _loop(mode, there, own)),
        ("profile", profile.instructions.strip()),
        ("guides", _guides(snapshot, profile.guides, there) if lists_tools else ""),
        ("awareness", awareness.strip()),
        ("extra", _extra(extra)),
        # Last: what comes before it is the same from one turn to the next.
        ("now", _now(now)),
    ]
    declarations = snapshot.declarations(mode, session, toolset, profile.modes, rights)
    declared = orjson.dumps((tools or declarations.among(sorted(there))).declared("openai"))
    parts = tuple(PromptPart(name, text) for name, text in sections if text)
    return SystemPrompt(parts, estimate_tokens(len(declared)))


def _file(profile: Profile, name: str, tools: set[str]) -> str:
    """Return the profile's own version of a prompt file, else the shipped one without sentences
    about tools that are not there."""
    own = profile.prompts / name if profile.prompts is not None else None
    if own is not None and own.is_file():
        return _without_title(own.read_text("utf-8"))
    return _about(_shipped(name), tools)


def _about(text: str, tools: set[str]) -> str:
    """Return a shipped text without what it says of tools that are not among these."""
    absent = _shipped_tools() - tools
    parts = (_without(part, absent) for part in _PARTS.split(text))
    return "\n".join(part for part in parts if part is not None)


def _without(part: str, absent: frozenset[str] | set[str]) -> str | None:
    """Return a list item or line without the sentences that name one of these tools; None when
    nothing is left of it."""
    if not any(f"`{name}`" in part for name in absent):
        return part
    kept = [
        sentence
        for sentence in _SENTENCES.split(part)
        if not any(f"`{name}`" in sentence for name in absent)
    ]
    return " ".join(kept) if kept and kept[0].startswith("- ") else None


@cache
def _shipped_tools() -> frozenset[str]:
    return frozenset(
        schema.parent.name.replace("-", "_") for schema in SHIPPED_TOOLS.glob("*/schema.json")
    )


@cache
def _shipped(name: str) -> str:
    return _without_title((FILES / name).read_text("utf-8"))


def _without_title(text: str) -> str:
    return re.sub(r"\A# .*\n", "", text).strip()


def _tools(rows: Iterable[Mapping[str, str]], version: str, tools: TurnTools | None) -> str:
    if tools is not None:
        rows = [row for row in rows if row["toolId"] in tools.pinned]
    lines = [f"**{r['toolId']}** ({r['category']}): {r['summary']}" for r in rows]
    if tools is not None:
        lines.append(
            f"You have {tools.total} tools. Declared are these and some that fit what was said. "
            f"Before you say that something cannot be done, look for a tool with `{FIND_TOOLS}`: "
            "what it finds you can call in the next round."
        )
    if not lines:
        return "## Tools\n\nYou have no tools in this conversation."
    return f"## Tools (registry {version})\n\n" + "\n\n".join(lines)


def _loop(mode: Mode, tools: set[str], budget: Budget) -> str:
    """Return the section on retrieval, answering and acting, without steps whose tools are not
    there."""
    steps = []
    searches = [name for name in ("kb_search", "search_kg", "query_kg") if name in tools]
    calls = budget.retrieval_calls
    if searches:
        limit = f" (at most {calls} lookups a turn)" if calls is not None else ""
        steps.append(f"Context is missing: search with {' or '.join(searches)}{limit}.")
    if "kb_get" in tools:
        steps.append("You know the id, or found something: kb_get for the best one or two.")
    named = ", and name the ids they are from" if mode == "text" else ""
    steps.append(f"Answer from the fields you got{named}.")
    if "calendar_get_availability" in tools:
        steps.append("Before you propose a time: calendar_get_availability.")
    steps.append("Act only when the person wants it; what needs their approval is asked of them.")
    numbered = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
    limits = []
    if budget.top_k is not None:
        limits.append(f"top_k is at most {budget.top_k}")
    if budget.total_calls is not None:
        limits.append(f"at most {budget.total_calls} calls in all a turn")
    if budget.write_calls is not None:
        limits.append(f"at most {budget.write_calls} of them change something")
    if budget.rounds is not None:
        limits.append(f"at most {budget.rounds} rounds of calls a turn")
    bounds = f"\n\nLimits: {'; '.join(limits)}." if limits else ""
    pace = ""
    if mode == "voice" and searches:
        known = ", and kb_get rather than another search when you know the id"
        pace = "\n\nSomebody is waiting in silence: no search after a search"
        pace += f"{known if 'kb_get' in tools else ''}."
    return f"## Loop: look first\n\n{numbered}{bounds}{pace}"


def _guides(snapshot: Snapshot, wanted: Iterable[str], there: set[str]) -> str:
    found = [snapshot.documentation(tool_id) for tool_id in wanted if tool_id in there]
    return "\n\n".join(_PHRASES.sub("", text).strip() for text in found if text)


def _now(now: datetime | None) -> str:
    if now is None:
        return ""
    moment = now.isoformat(timespec="minutes")
    zone = getattr(now.tzinfo, "key", "UTC")
    return (
        f"## Now\n\nWhere the person is, it is {now:%A}, {moment} ({zone}). By today, tomorrow or "
        "ten o'clock they mean it there: give tools times with the offset that this zone has on "
        "that day."
    )


def _extra(text: str) -> str:
    return f"## From the client\n\n{text.strip()}" if text.strip() else ""
