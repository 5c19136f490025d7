"""Factory of the built-in model: its phrase vectors and entity names."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.knowledge.embedding.port import EmbeddingError
from antiphon.knowledge.errors import KnowledgeError
from antiphon.providers.port import Access

if TYPE_CHECKING:
    from antiphon.agents.profiles import Profile
    from antiphon.contracts.definition import Mode
    from antiphon.knowledge.database import Database
    from antiphon.knowledge.embedding.cache import CachedEmbedder
    from antiphon.knowledge.service import KnowledgeBase
    from antiphon.plugins import Plugins
    from antiphon.providers.local import LocalText, Name
    from antiphon.registry import Registry
    from antiphon.registry.registry import Declarations

logger = logging.getLogger(__name__)

# More names take too long to read and to look through.
MOST_NAMES = 20_000
MOST_DATABASES = 32
MOST_ORGANISATIONS = 8  # whose names are kept at hand
FRESH_SECONDS = 1.0
PHRASES = "phrases.vectors"  # in the data folder
MOST_PHRASE_BYTES = 16 * 1024 * 1024


@dataclass(slots=True)
class _Read:
    """What was read of an organisation's databases, and when to look again."""

    names: tuple[Name, ...] = ()
    seen: Mapping[str, int] | None = None
    look_at: float = 0.0  # not before this moment


class KnownNames:
    """The titles of an organisation's records, read again when a database has changed. Called from
    one thread or several; the same object as long as nothing changed. `base` lends the knowledge
    base of an organisation."""

    def __init__(
        self, base: Callable[[str], AbstractContextManager[KnowledgeBase]], most: int = MOST_NAMES
    ) -> None:
        self._base = base
        self._most = most
        self._lock = threading.Lock()
        self._read: OrderedDict[str, _Read] = OrderedDict()

    def __call__(self, organisation: str = "") -> Sequence[Name]:
        """The names in force; none without a knowledge base, of which searches say why."""
        try:
            with self._lock:
                read = self._read.setdefault(organisation, _Read())
                self._read.move_to_end(organisation)
                if len(self._read) > MOST_ORGANISATIONS:
                    self._read.popitem(last=False)
                return self._renewed(organisation, read)
        except KnowledgeError as error:
            logger.warning("the names of the knowledge base cannot be read: %s", error)
            return ()

    def _renewed(self, organisation: str, read: _Read) -> tuple[Name, ...]:
        began = time.monotonic()
        if began < read.look_at:
            return read.names
        with self._base(organisation) as base:
            databases = {name: base.database(name) for name in base.ids()[:MOST_DATABASES]}
            seen = {name: database.revision for name, database in databases.items()}
            if seen != read.seen:
                read.seen, read.names = seen, self._all(databases)
        # What took long is not done often.
        now = time.monotonic()
        read.look_at = now + max(FRESH_SECONDS, 20 * (now - began))
        return read.names

    def _all(self, databases: Mapping[str, Database]) -> tuple[Name, ...]:
        from antiphon.providers.local import Name

        found: list[Name] = []
        for name, database in databases.items():
            for record in database.all_records():
                if len(found) >= self._most:
                    break
                if record.title:
                    found.append(Name(record.id, record.title, record.type, name))
        return tuple(found)


class _Router:
    """The trained router as an embedder of tools' texts."""

    dims = 384

    def __init__(self) -> None:
        from antiphon.understanding.model import shipped_understanding

        self._understanding = shipped_understanding()
        self.name = f"router:{self._understanding.network.digest()[:12]}"

    def embed(self, texts: Sequence[str]) -> Any:
        return self._understanding.router.vectors(texts)

    def warm(self) -> None:
        self._understanding.network.load()


class _Phrases:
    """Vectors of the tools' phrases, kept in a file, so that a start need not make them again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: CachedEmbedder | None = None

    def __call__(self, texts: Sequence[str]) -> Any:
        from antiphon.knowledge.embedding.cache import CachedEmbedder

        if self._kept is None:
            try:
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._kept = CachedEmbedder(_Router(), self._file, max_bytes=MOST_PHRASE_BYTES)
            except (EmbeddingError, OSError) as error:
                # It costs a second or two at each start, and nothing else.
                logger.warning("the vectors of phrases are not kept: %s", error)
                return _Router().embed(texts)
        return self._kept.embed(texts)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()


def usable_profiles(folder: Path | None, plugins: Plugins | None) -> dict[str, Profile]:
    """Return every profile that can be read, by name; the server names the others by itself."""
    from antiphon.agents.profiles import ProfileError, load_profile, profiles

    found: dict[str, Profile] = {}
    for name in profiles(folder):
        with contextlib.suppress(ProfileError):
            found[name] = load_profile(name, folder, plugins)
    return found


def _tools_by_profile(
    profiles: Mapping[str, Profile], registry: Registry | None
) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for name, profile in profiles.items():
        tools = profile.tools if registry is None else profile.toolset(registry.snapshot())
        found[name] = tools or frozenset()
    return found


def _every_tool(profiles: Mapping[str, Profile], registry: Registry | None) -> list[Declarations]:
    """All tools, each with the modes that it has in any profile."""
    if registry is None:
        return []
    modes: dict[str, tuple[Mode, ...]] = {}
    for profile in profiles.values():
        for tool, further in profile.modes.items():
            modes[tool] = (*modes.get(tool, ()), *further)
    return [registry.snapshot().declarations(modes=modes)]


def local_model(
    data: Path,
    registry: Registry | None,
    names: Callable[[str], Sequence[Name]] | None,
    zone: str | None = None,
    profiles: Callable[[], Mapping[str, Profile]] = dict,
) -> Callable[[Access], LocalText]:
    """Makes the provider for `Backends(local=…)`. Nothing is loaded before it is used.

    It understands with the weights that ship: what people say to it goes nowhere else. "Tomorrow
    at nine" is meant in `zone`, else in that of this machine. `profiles` gives the agents that it
    may hand a request over to.
    """

    def make(access: Access) -> LocalText:
        from antiphon.providers.local import LocalText
        from antiphon.workspace.calendar.times import local_zone, zone_named

        phrases = _Phrases(data / PHRASES)
        here = zone_named(zone or local_zone())
        return LocalText(
            access,
            embed_phrases=phrases,
            names=names,
            tools=lambda: _every_tool(profiles(), registry),
            # Not an offset but a zone: next month it may have another offset.
            clock=lambda: datetime.now(here),
            profiles=lambda: _tools_by_profile(profiles(), registry),
            on_close=phrases.close,
        )

    return make
