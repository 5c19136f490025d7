"""The built-in model behind the port of every other: no key, no network, nothing to install."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, tzinfo
from typing import Any, TypeVar

from antiphon.contracts import ToolCall
from antiphon.contracts.events import AnswersTurn, Fault, HistoryTurn, ModelTurn, Text, Usage
from antiphon.extras import missing_extra
from antiphon.providers.faults import fault
from antiphon.providers.local.catalogue import DeclaredTools, read_catalogue
from antiphon.providers.local.dialogue import DialoguePolicy, LocalReply
from antiphon.providers.local.dialogue_state import API
from antiphon.providers.local.mode_switch import Elsewhere, controls_voice
from antiphon.providers.local.names import Name, NameBook
from antiphon.providers.local.other_profiles import Others, offered
from antiphon.providers.local.router import Embed, ToolRouter, VectorMemo
from antiphon.providers.port import (
    Access,
    Api,
    Capabilities,
    Connection,
    Provider,
    ProviderFault,
    Setup,
    ToolDeclarations,
)
from antiphon.providers.text import ModelAnswer, TextConnection
from antiphon.text.sentences import line_sentences
from antiphon.understanding.model import Understanding, shipped_understanding

FORM = "local"  # the registry's form of declarations that has the guides
PARAGRAPH = "\n\n"
_KEPT = 24
_MOST_BOOKS = 8  # of organisations
_T = TypeVar("_T")


class LocalText(Provider):
    """Understands by trained encoders and speaks by rules; every connection shares one worker.

    `understanding` is the trained model, by default the one that ships, `names` the records that
    the knowledge base of an organisation knows (the same object as long as nothing changed).
    `embed_phrases` may keep the vectors of tools' phrases, and `tools` are read when it is warmed;
    `profiles` say which of them conversations of another kind have, so that what cannot be done
    here is refused with the name of who can. All may block, and are called in the worker only.
    """

    api: Api = "local"

    def __init__(
        self,
        access: Access,
        *,
        understanding: Understanding | None = None,
        embed_phrases: Embed | None = None,
        names: Callable[[str], Sequence[Name]] | None = None,
        tools: Callable[[], Iterable[ToolDeclarations]] = tuple,
        profiles: Callable[[], Mapping[str, Collection[str]]] = dict,
        clock: Callable[[], datetime] | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(access)
        self._clock = clock or _now
        self._names = names or _no_names
        self._tools = tools
        self._profiles = profiles
        self._on_close = on_close
        self._memo = VectorMemo(understanding or shipped_understanding(), embed_phrases)
        # One thread: embedding takes a whole core, and answers come in the order of the questions.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="local model")
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[DeclaredTools, ToolRouter]] = OrderedDict()
        self._others: list[dict[str, Any]] = []  # tools that are run by name through another
        self._elsewhere: Mapping[str, Collection[str]] = {}
        self._named: dict[str, tuple[Sequence[Name], NameBook]] = {}  # by organisation

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities()

    async def connect(self, setup: Setup) -> Connection:
        return LocalConnection(self, setup, spoken=is_spoken(setup))

    async def probe(self, seconds: float) -> None:
        """Loads what is needed. Raises ProviderFault when it cannot be."""
        try:
            async with asyncio.timeout(seconds):
                await self.warm()
        except TimeoutError:
            raise ProviderFault(fault("local", "timeout", "loading")) from None
        except Exception as error:
            raise ProviderFault(_trouble(error)) from error

    async def warm(self) -> None:
        """Loads the embedding model and reads the tools, before anybody waits for it."""

        def work() -> None:
            self._memo.hear("warm", "")
            self._look_around()
            self._understood([b for b in self._others if "catalogue" not in b])[1].warm()
            self._book("")

        await self.work(work)

    async def close(self) -> None:
        self._memo.stopped = True
        await asyncio.to_thread(self._worker.shutdown, wait=True, cancel_futures=True)
        if self._on_close is not None:
            await asyncio.to_thread(self._on_close)

    def _look_around(self) -> None:
        """What there is beside the tools of a conversation; somebody may ask before it is warm."""
        if not self._others:
            for tools in self._tools():
                self._others = tools.declared(FORM)
            self._elsewhere = dict(self._profiles())

    # -- for connections

    async def work(self, job: Callable[[], _T]) -> _T:
        """Runs it in the worker."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job)

    async def reply(self, setup: Setup, history: Sequence[HistoryTurn], spoken: bool) -> LocalReply:
        """What the model says and calls after this history: text in, text and calls out."""
        turns = list(history)
        return await self.work(lambda: self._policy(setup, spoken).reply(turns))

    def _policy(self, setup: Setup, spoken: bool) -> DialoguePolicy:
        self._look_around()
        declared = setup.tools.declared(FORM)
        catalogue, router = self._understood(declared, setup.unusable)
        policy = DialoguePolicy(
            catalogue,
            router,
            self._memo,
            lambda: self._book(setup.organisation),
            self._clock_in(setup.zone),
            spoken,
        )
        here = {body["toolId"] for body in declared}
        others = [b for b in setup.elsewhere.declared(FORM) if b["toolId"] not in here]
        if spoken and others:
            policy.elsewhere = Elsewhere(*self._understood(others, setup.unusable), self._memo)
        policy.others = self._with_others(declared, here, spoken, setup.unusable)
        return policy

    def _with_others(
        self,
        declared: list[dict[str, Any]],
        here: set[str],
        spoken: bool,
        unusable: frozenset[str],
    ) -> Others | None:
        """What this conversation has, beside what those of other profiles have in its mode and the
        person may use."""
        modes = {"voice"} if spoken else {"text"}
        # Where voice can be neither begun nor ended, "end the session" is still not for anything
        # else; where it can, what is for the other mode would only be taken for it.
        own = self._understood(declared, unusable)[0]
        if not any(controls_voice(tool) for tool in own.tools.values()):
            modes.add("voice")
        known = {
            body["toolId"]: body
            for body in self._others
            if "catalogue" not in body
            and modes & set(body.get("allowedModes", ()))
            and body["toolId"] not in unusable
        }
        if not self._elsewhere or not known:
            return None
        catalogue, _ = self._understood(list(known.values()), unusable)
        more = offered(here, self._elsewhere, catalogue)
        if not more:
            return None
        both = self._understood([*declared, *(known[name] for name in more)], unusable)
        return Others(*both, self._memo, here, self._elsewhere)

    def _clock_in(self, zone: tzinfo | None) -> Callable[[], datetime]:
        return self._clock if zone is None else lambda: self._clock().astimezone(zone)

    def _understood(
        self, declared: list[dict[str, Any]], unusable: frozenset[str] = frozenset()
    ) -> tuple[DeclaredTools, ToolRouter]:
        """Read once for each set of tools, however many sessions have it."""
        digest = hashlib.sha256("\n".join(sorted(unusable)).encode())
        for body in declared:
            digest.update(f"{body['toolId']}:{body.get('digest')}\n".encode())
        key = digest.hexdigest()
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            others = [body for body in self._others if body["toolId"] not in unusable]
            catalogue = read_catalogue(declared, others)
            self._known[key] = catalogue, ToolRouter(catalogue, self._memo)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return self._known[key]

    def _book(self, organisation: str) -> NameBook:
        names = self._names(organisation)
        read = self._named.pop(organisation, None)
        if read is None or read[0] is not names:
            read = names, NameBook(names)
        self._named[organisation] = read  # the last one asked for stands last
        while len(self._named) > _MOST_BOOKS:
            del self._named[next(iter(self._named))]
        return read[1]


def _no_names(organisation: str) -> Sequence[Name]:
    del organisation
    return ()


class LocalConnection(TextConnection):
    """A conversation with the built-in model."""

    def __init__(self, provider: LocalText, setup: Setup, *, spoken: bool = False) -> None:
        super().__init__("local", setup, provider.capabilities(setup.model))
        self._provider = provider
        self._spoken = spoken
        self._made = 0

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        reply = await self._provider.reply(self.setup, self.history, self._spoken)
        said: list[str] = []
        if reply.pieces and _goes_on(self.history):
            reply.pieces[0] = f"{PARAGRAPH}{reply.pieces[0]}"
        for piece in _pieces(reply.pieces):
            said.append(piece)
            yield Text(piece)
        calls = tuple(self.receive_tool_calls(reply))
        yield ModelAnswer(ModelTurn("".join(said), calls, reply.state.to_native(), API))

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """The calls of one reply, each with an id that no other call has."""
        return [ToolCall(_call_id(), name, args) for name, args in message.calls]

    def _fault(self, error: Exception) -> Fault:
        return _trouble(error)


def _goes_on(history: Sequence[HistoryTurn]) -> bool:
    """Whether words of this very answer stand before the calls that were just made."""
    if not history or not isinstance(history[-1], AnswersTurn):
        return False
    for turn in reversed(history[:-1]):
        if isinstance(turn, ModelTurn):
            return bool(turn.text.strip())
    return False


def is_spoken(setup: Setup) -> bool:
    """Told from the tools: some are for one mode only."""
    modes = [set(body.get("allowedModes", ())) for body in setup.tools.declared(FORM)]
    return {"voice"} in modes and {"text"} not in modes


def _pieces(texts: Sequence[str]) -> list[str]:
    """Sentence by sentence, so that the first is heard while the next is on its way."""
    found: list[str] = []
    for number, text in enumerate(texts):
        lines = [text] if "\n" in text else line_sentences(text)
        for place, line in enumerate(lines):
            before = "" if not found else (PARAGRAPH if place == 0 and number else " ")
            found.append(f"{before}{line}")
    return found


def _call_id() -> str:
    import secrets

    return f"local_{secrets.token_hex(8)}"


def _trouble(error: Exception) -> Fault:
    kind = "not_configured" if not isinstance(error, MemoryError) else "overloaded"
    return Fault(
        kind,  # type: ignore[arg-type]
        f"The built-in model cannot think: {missing_extra(error) or error}",
        detail=f"{type(error).__name__}: {error}",
        fatal=False,
    )


def _now() -> datetime:
    return datetime.now().astimezone()
