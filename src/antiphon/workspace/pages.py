"""The pages of the console, and what people call them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from antiphon.workspace.errors import NotThere, field_error

MAX_LENGTH = 200
# So much alike, of 100, is a slip of the tongue or of the keys; less is another word.
ALIKE = 85
# Where another page is nearly as near, nobody knows which one was meant.
AHEAD = 3


@dataclass(frozen=True, slots=True)
class ConsolePage:
    """A page of the console. `spoken` are other names of it; its id and its title are understood
    anyway."""

    id: str
    title: str
    spoken: tuple[str, ...] = ()


PAGES = (
    ConsolePage("vox", "Conversation", ("talk", "voice", "home", "start", "talking", "main")),
    ConsolePage("chat", "Conversation", ("text chat", "messages", "typing")),
    ConsolePage(
        "tools", "Tools", ("tool", "tool catalogue", "tool catalog", "registry", "functions")
    ),
    ConsolePage(
        "kg-studio",
        "Knowledge",
        (
            *("knowledge graphs", "knowledge graph", "graphs", "graph", "kg", "kgs", "databases"),
            *("knowledge base", "knowledge studio", "graph studio", "kay gee studio"),
        ),
    ),
    ConsolePage("projects", "Projects", ("project", "project list")),
    ConsolePage("playbooks", "Playbooks", ("playbook", "play books", "guides", "how tos")),
    ConsolePage(
        "workflows", "Workflows", ("workflow", "work flows", "workflow templates", "templates")
    ),
    ConsolePage("agents", "Agents", ("agent", "pipelines")),
    ConsolePage("experts", "Experts", ("expert", "personas", "specialists")),
    ConsolePage(
        "macros",
        "Macros",
        ("macro", "voice macros", "shortcuts", "routines", "automations", "automation"),
    ),
    ConsolePage("calendar", "Calendar", ("schedule", "appointments", "events", "diary", "agenda")),
    ConsolePage(
        "sessions",
        "Sessions",
        ("session", "conversations", "history", "timeline", "past sessions", "activity"),
    ),
    ConsolePage("inbox", "Approvals", ("approval", "confirmations", "open questions")),
    ConsolePage("audit", "Audit", ("audit log", "audit trail", "log", "logs")),
    ConsolePage("metrics", "Metrics", ("numbers", "statistics", "stats", "charts", "performance")),
    ConsolePage("traces", "Traces", ("trace", "waterfall", "waterfalls", "timings")),
    ConsolePage(
        "settings",
        "Settings",
        ("setting", "preferences", "configuration", "options", "keys", "api keys"),
    ),
)

_BEFORE = re.compile(
    r"^(?:please |open |show(?: me)? |go(?: back)? to |take me to |navigate to |switch to |the |my "
    r"|our )+"
)
_AFTER = re.compile(r"(?: (?:page|screen|view|tab|section|panel|please)){1,4}$")
# What may follow a page in a deep link: the id of a tool, of a record, of a session.
_REST = re.compile(r"[\w:.~%-]+(?:/[\w:.~%-]+)*", re.ASCII)


def _plain(text: str) -> str:
    """Return a name without case, punctuation and the words around it."""
    words = " ".join(re.sub(r"[^\w]+|_", " ", text.lower()).split())
    return _AFTER.sub("", _BEFORE.sub("", words)) or words


_NAMES = {_plain(name): page.id for page in PAGES for name in (page.id, page.title, *page.spoken)}
IDS = tuple(page.id for page in PAGES)
HOME = "vox"  # what is shown at `/`


class Pages:
    """The pages of the console, found by their ids, their paths or what people call them."""

    def resolve(self, wanted: str, pointer: str = "/path") -> str:
        """Return the id of a page. Raises NotThere with the nearest names; `pointer` is the
        argument that named it."""
        path = _path(wanted)
        found = _NAMES.get(_plain(path)) if path or not wanted.strip() else HOME
        if found is not None:
            return found
        found, nearest = _near(_plain(wanted))
        if found is not None:
            return found
        hint = (
            f"Did you mean {' or '.join(nearest)}?" if nearest else f"There are {', '.join(IDS)}."
        )
        shown = wanted.strip()[:60]
        raise NotThere(
            f"There is no page {shown!r}. {hint}",
            nearest,
            errors=[field_error(pointer, "is no page", f"one of {', '.join(IDS)}")],
        )

    def resolve_path(self, wanted: str) -> str:
        """Return a path as `resolve` does, for a place inside of a page as well:
        `/tools/kb_search` is `tools/kb_search`."""
        path = _path(wanted)
        first, slash, rest = path.partition("/")
        if slash and rest and first.lower() in IDS:
            if ".." in rest or not _REST.fullmatch(rest):
                raise NotThere(
                    f"There is no place {rest[:60]!r} on the page {first.lower()!r}.",
                    [first.lower()],
                    errors=[field_error("/path", "is no place on that page", "page/id")],
                )
            return f"{first.lower()}/{rest}"
        return self.resolve(wanted)


def _path(wanted: str) -> str:
    """Return what stands for the page in a link; other texts as they are."""
    text = wanted.strip()
    if re.match(r"https?://", text, re.IGNORECASE):
        try:
            parts = urlsplit(text)
        except ValueError:
            return text
        text = parts.fragment if parts.path in ("", "/") and parts.fragment else parts.path
    return text.strip("#/ ")


def _near(plain: str) -> tuple[str | None, list[str]]:
    """Return the page that a misheard or mistyped name means, else the ids of those that come
    nearest."""
    from rapidfuzz import fuzz, process

    best: dict[str, float] = {}
    for name, score, _ in process.extract(
        plain[:MAX_LENGTH], _NAMES.keys(), scorer=fuzz.ratio, limit=None, score_cutoff=55
    ):
        page = _NAMES[name]
        best[page] = max(best.get(page, 0.0), score)
    ranked = sorted(best, key=lambda page: -best[page])
    if ranked and best[ranked[0]] >= ALIKE:
        second = best[ranked[1]] if len(ranked) > 1 else 0.0
        if best[ranked[0]] - second >= AHEAD:
            return ranked[0], []
    return None, ranked[:3]
