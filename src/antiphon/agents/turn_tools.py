"""Tools of a turn: where a session has more than a model should read, those that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from antiphon.agents.profiles import Profile
from antiphon.agents.profiles.profile import FIND_TOOLS
from antiphon.contracts import Envelope
from antiphon.contracts.events import AnswersTurn, HistoryTurn, ModelTurn, UserTurn
from antiphon.orchestrator import Session
from antiphon.registry.registry import Declarations
from antiphon.tool_search import ToolSearch

CHOSEN = 16  # tools by what was said
FEWEST_CHOSEN = 8  # however many are pinned
RECENT_TURNS = 8  # back in which a tool that was called, or found, is still declared
_HEARD = 4  # turns of the person that a spoken conversation goes on from


class TurnTools:
    """Declarations of a turn: the pinned tools, then those that were called or found of late, then
    those that fit what was said. More are added as `find_tools` finds them. What a model writes in
    a call is understood for every tool of the session."""

    def __init__(self, session: Session, profile: Profile, most: int) -> None:
        self._all = session.declarations()
        self._entries = {entry["toolId"]: entry for entry in self._all.declared("local")}
        self._most = most
        self.pinned = _pinned(profile, self._entries, most)
        self._names = dict.fromkeys(self.pinned)
        self._shown: Declarations | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that are declared now."""
        return tuple(self._names)

    @property
    def total(self) -> int:
        """How many tools there are in all."""
        return len(self._entries)

    @property
    def is_needed(self) -> bool:
        """Whether there are more tools than a turn declares, and a way to those left out."""
        return FIND_TOOLS in self._entries and len(self._entries) - 1 > self._most

    @property
    def room(self) -> int:
        """How many tools what was said may choose."""
        return max(FEWEST_CHOSEN, min(CHOSEN, self._most - len(self.pinned)))

    @property
    def searched(self) -> list[Mapping[str, Any]]:
        """The entries among which a search chooses."""
        return [each for name, each in self._entries.items() if name not in self._names]

    def add(self, names: Iterable[str]) -> None:
        """Declare more tools from the next request on; those that the session does not have are
        left out."""
        fresh = [name for name in names if name in self._entries and name not in self._names]
        if fresh:
            self._names |= dict.fromkeys(fresh)
            self._shown = None

    def fill(self) -> None:
        """Declare further tools, in the registry's order, up to the most there may be."""
        left = max(0, self._most - len(self._names))
        self.add([each["toolId"] for each in self.searched[:left]])

    def add_found(self, tool: object, envelope: Envelope) -> bool:
        """Declare what a call has found, if it was one of `find_tools`; return whether there is
        something new."""
        before = len(self._names)
        if tool == FIND_TOOLS:
            self.add(_found(envelope))
        return len(self._names) > before

    # -- ToolDeclarations ----------------------------------------------------------------------

    def declared(self, form: str) -> list[dict[str, Any]]:
        """See ToolDeclarations."""
        if self._shown is None:
            self._shown = self._all.among(self._names)
        return self._shown.declared(form)

    def arguments(self, form: str, name: str, args: Any) -> Any:
        """See ToolDeclarations."""
        return self._all.arguments(form, name, args)

    def written(self, form: str, name: str, args: Any) -> Any:
        """See ToolDeclarations."""
        return self._all.written(form, name, args)


def standing_tools(
    session: Session, profile: Profile, history: Sequence[HistoryTurn] = ()
) -> TurnTools | None:
    """Return what a session declares before anything is said: also tools that were called or found
    in the last turns, and some that share words with what the person said last. None where it
    declares all that it has: there are few, or its model chooses among them by itself."""
    search = _search(session)
    # The built-in model and those in files choose among all tools by themselves.
    if search is None or session.provider == "local":
        return None
    most = profile.most_declared or search.most_declared
    if len(session.snapshot.tools) <= most:
        return None
    tools = TurnTools(session, profile, most)
    if not tools.is_needed:
        return None
    tools.add(_recent(history))
    if session.mode == "voice":
        said = [turn.text for turn in history if isinstance(turn, UserTurn)][-_HEARD:]
        found = search.find_by_words("\n".join(said), tools.searched, tools.room)
        tools.add(each.tool_id for each in found)
        tools.fill()  # more can only be declared by a new connection
    return tools


async def tools_of_turn(
    session: Session, profile: Profile, text: str | None, history: Sequence[HistoryTurn]
) -> TurnTools | None:
    """Return what a turn in text declares, by what the person says in it; None where that is all
    that the session has."""
    tools = standing_tools(session, profile, history)
    search = _search(session)
    if tools is not None and search is not None and text:
        found = await search.find(text, tools.searched, tools.room)
        tools.add(each.tool_id for each in found)
    return tools


def all_tools(session: Session) -> Declarations:
    """Return what a session declares where that is all that it has: nothing has to be found."""
    declared = session.declarations()
    names = [entry["toolId"] for entry in declared.declared("local")]
    return (
        declared if FIND_TOOLS not in names else declared.among(n for n in names if n != FIND_TOOLS)
    )


def _search(session: Session) -> ToolSearch | None:
    found: ToolSearch | None = session.orchestrator.capabilities.get("tool_search")
    return found


def _pinned(profile: Profile, entries: Mapping[str, Any], most: int) -> tuple[str, ...]:
    pinned = profile.pinned
    if not pinned and profile.tools is not None and len(profile.tools) < most:
        pinned = profile.tools
    return tuple(dict.fromkeys([*(name for name in entries if name in pinned), FIND_TOOLS]))


def _recent(history: Sequence[HistoryTurn]) -> list[str]:
    names: list[str] = []
    for turn in history[-RECENT_TURNS:]:
        if isinstance(turn, ModelTurn):
            names += [call.name for call in turn.calls]
        elif isinstance(turn, AnswersTurn):
            for answer in turn.answers:
                if answer.name == FIND_TOOLS:
                    names += _found(answer.envelope)
    return names


def _found(envelope: Envelope) -> list[str]:
    data = envelope.get("data")
    tools = data.get("tools") if envelope.get("ok") and isinstance(data, dict) else None
    return [each["tool_id"] for each in tools] if isinstance(tools, list) else []
