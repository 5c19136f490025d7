"""Experts, one TOML file each: a persona over a knowledge database that cites what it says."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson
from pydantic import Field

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.metering import Payer
from antiphon.knowledge.analysis import words
from antiphon.storage import Store
from antiphon.workspace.definitions import DefinitionFiles, FileCatalogue, parse_toml, validated
from antiphon.workspace.errors import field_error, from_store
from antiphon.workspace.experts.extraction import (
    extract_answer,
    model_material,
    refers_back,
    relevant_records,
    verify_citations,
)
from antiphon.workspace.experts.facts import (
    is_said,
    read_facts,
    surest_fact,
    with_fact_first,
)
from antiphon.workspace.name_matching import normalize_name
from antiphon.workspace.runs.text_steps import Ask, prompt, query_of
from antiphon.workspace.validation import StrictModel, Text

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from antiphon.knowledge.capability import Knowledge

SHIPPED = Path(__file__).parent
OWN = "experts"  # in the data folder: those that people put there
# So much of a conversation is kept, and so much of that a model is told again.
KEPT_TURNS = 20
TOLD_TURNS = 6
FOUND = 6
MOST_EDGES = 200
MOST_CITED = 9
_FILLER = ("the", "my", "a", "an", "expert", "ask", "please")
_FORGET = frozenset(
    {
        *("start over", "start again", "new conversation", "clear the conversation"),
        *("forget this conversation", "forget our conversation", "forget what we said"),
    }
)
# "Saskia Dovhal": a person or thing that the expert's own records only mention.
_PERSONAL = frozenset({"he", "she", "him", "her", "his", "hers"})
_FULL_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)+")
_RULES = """

Answer from the material alone, and put the id of each node that you used in square brackets behind
what it says, as it is written there. Where the material does not have the answer, say so. Answer in
the language of the question, in at most {length}.
"""


@dataclass(frozen=True, slots=True)
class Expert:
    """A persona over a knowledge database. `types` are the kinds of nodes that it looks at
    first; none means all."""

    id: str
    name: str
    description: str
    database: str
    persona: str
    types: tuple[str, ...]
    examples: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "database_id": self.database,
            "examples": list(self.examples),
        }


class ExpertSession(Protocol):
    """The session of whoever asks."""

    @property
    def user(self) -> str: ...
    @property
    def payer(self) -> Payer: ...


class ExpertCaller(Protocol):
    """The context of the call that asks an expert."""

    @property
    def idempotency_key(self) -> str: ...
    @property
    def knowledge(self) -> Knowledge: ...
    @property
    def mode(self) -> str: ...
    @property
    def session(self) -> ExpertSession: ...


class Experts(FileCatalogue[Expert]):
    """The experts of some folders. Each user has a conversation of their own with each expert. All
    methods raise ToolError and nothing else."""

    def __init__(
        self,
        store: Store,
        ask: Ask | None = None,
        folders: Sequence[Path] = (SHIPPED,),
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(
            DefinitionFiles(folders, ".toml", _read),
            noun="expert",
            pointer="/expert_id",
            title=lambda expert: expert.name,
            filler=_FILLER,
        )
        self._store = store
        self._ask = ask
        self._now = now

    async def history(self, user: str, expert_id: str) -> list[dict[str, Any]]:
        """Return what is kept of the conversation, oldest first: `at`, `message` and the answer."""
        return await from_store(
            self._store.run(lambda to: _turns(to, user, expert_id), writes=False)
        )

    async def forget(self, user: str, expert_id: str) -> None:
        """Delete the conversation of a user with an expert."""
        await from_store(self._store.run(lambda to: _forget(to, user, expert_id)))

    async def chat(self, caller: ExpertCaller, expert_id: str, message: str) -> dict[str, Any]:
        """Answer a message: `answer`, its `citations`, `by` whom it was written, and the number of
        turns kept.

        Raises NotThere; VALIDATION for a message without words; PERMANENT where the expert's
        database is not there. The same call again gives the same answer.
        """
        expert = await self.find(expert_id)
        message = " ".join(message.replace("\0", " ").split())
        if not any(each.isalnum() for each in message):
            raise ToolError(
                ErrorType.VALIDATION,
                f"There is no question. Ask {expert.name} something.",
                errors=[field_error("/message", "has no words", "a question")],
            )
        user = caller.session.user
        if normalize_name(message) in _FORGET:
            await self.forget(user, expert.id)
            said = "I have forgotten our conversation. What would you like to know?"
            answer = {"answer": said, "answered": True, "citations": [], "by": "rules"}
            return _body(expert, answer, 0)
        turns = await self.history(user, expert.id)
        known = [turn for turn in turns if turn["key"] == caller.idempotency_key]
        if known:
            return _body(expert, known[0]["answer"], len(turns))
        answer = await self._answer(caller, expert, message, turns)
        await self._keep(user, expert.id, caller.idempotency_key, message, answer)
        return _body(expert, answer, min(len(turns) + 1, KEPT_TURNS))

    # -- answering -----------------------------------------------------------------------------

    async def _answer(
        self, caller: ExpertCaller, expert: Expert, message: str, turns: list[dict[str, Any]]
    ) -> dict[str, Any]:
        question = query_of(message)
        found, links = await self._found(caller.knowledge, expert, question)
        if turns and refers_back(message, found):
            question = f"{question} {_subject(turns, message)}".strip()
            found, links = await self._found(caller.knowledge, expert, question)
        facts = await asyncio.to_thread(read_facts, question, found)
        found = relevant_records(question, found, links)
        text, cited = extract_answer(question, found, links) if found else ("", [])
        if len(cited) == 1:
            fact = facts[cited[0]]
            text = with_fact_first(question, fact, text) if is_said(question, fact, text) else ""
        if not text and (sure := surest_fact(question, facts)) is not None:
            text, cited = with_fact_first(question, sure, sure.told), [sure.record["id"]]
            found = [sure.record]
        if not text:
            return {
                "answer": _unknown(expert),
                "answered": False,
                "citations": [],
                "by": "rules",
            }
        answer: dict[str, Any] = {"answer": text, "answered": True, "by": "rules"}
        try:
            said = await self._asked(caller, expert, message, turns, model_material(found, links))
        except ToolError as error:
            said = None
            answer["note"] = f"These are the words of the graph. {error.message}"
        if said is not None:
            known = [record["id"] for record in found]
            known += [name for link in links for name in link["ids"]]
            text, named = verify_citations(said, known)
            answer = {"answer": text, "answered": True, "by": "model"}
            cited = named or [record["id"] for record in found[:3]]
        titles = {record["id"]: _citation(record) for record in found}
        for link in links:
            for name, title in zip(
                link["ids"], (link["source_title"], link["target_title"]), strict=True
            ):
                titles.setdefault(name, {"id": name, "title": title, "snippet": "", "url": None})
        answer["citations"] = [titles[name] for name in cited[:MOST_CITED]]
        return answer

    async def _asked(
        self,
        caller: ExpertCaller,
        expert: Expert,
        message: str,
        turns: list[dict[str, Any]],
        known: str,
    ) -> str | None:
        if self._ask is None:
            return None
        rules = _RULES.format(
            length="three spoken sentences" if caller.mode == "voice" else "200 words"
        )
        before = "\n".join(
            f"Person: {turn['message']}\nYou: {turn['answer']['answer']}"
            for turn in turns[-TOLD_TURNS:]
        )
        asked = f"Earlier in this conversation:\n{before}\n\nNow: {message}" if before else message
        payer = caller.session.payer
        said = await self._ask(expert.persona + rules, prompt(asked, known), payer)
        return said.strip() if said and said.strip() else None

    async def _found(
        self, knowledge: Knowledge, expert: Expert, question: str
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return records and edges that may have the answer."""
        database = expert.database
        try:
            found: list[dict[str, Any]] = []
            if expert.types:
                found = await knowledge.search(
                    database, question, filters={"types": expert.types}, k=FOUND, full_text=True
                )
            if len(found) < FOUND:
                others = await knowledge.search(database, question, k=FOUND, full_text=True)
                there = {record["id"] for record in found}
                found += [record for record in others if record["id"] not in there]
                found = found[:FOUND]
            if not found:
                return [], []
            ids = [record["id"] for record in found]
            outward = await knowledge.edges(database, sources=ids, limit=MOST_EDGES)
            inward = await knowledge.edges(database, targets=ids, limit=MOST_EDGES)
        except ToolError as error:
            ids = [each["id"] for each in await knowledge.databases()]
            if database in ids:
                raise
            raise ToolError(
                ErrorType.PERMANENT,
                f"{expert.name} answers from the knowledge database {database!r}, which is not "
                "there. Make it, or import it again, on the kg-studio page.",
                database_id=database,
            ) from error
        return found, _links(outward, inward, ids)

    # -- memory --------------------------------------------------------------------------------

    async def _keep(
        self, user: str, expert: str, key: str, message: str, answer: dict[str, Any]
    ) -> None:
        row = {
            "user": user,
            "expert": expert,
            "key": key,
            "at": self._now(),
            "message": message,
            "answer": orjson.dumps(answer).decode(),
        }

        def work(connection: Connection) -> None:
            from sqlalchemy import delete, select

            from antiphon.storage.tables import expert_turns as turns
            from antiphon.storage.tables import inserting

            connection.execute(
                inserting(connection.dialect.name, turns).values(row).on_conflict_do_nothing()
            )
            own = (turns.c.user == user, turns.c.expert == expert)
            kept = select(turns.c.id).where(*own).order_by(turns.c.id.desc()).limit(KEPT_TURNS)
            connection.execute(delete(turns).where(*own, turns.c.id.not_in(kept.scalar_subquery())))

        await from_store(self._store.run(work))


def _turns(connection: Connection, user: str, expert: str) -> list[dict[str, Any]]:
    from sqlalchemy import select

    from antiphon.storage.tables import expert_turns as turns

    rows = connection.execute(
        select(turns.c.key, turns.c.at, turns.c.message, turns.c.answer)
        .where(turns.c.user == user, turns.c.expert == expert)
        .order_by(turns.c.id)
    )
    return [
        {"key": row.key, "at": row.at, "message": row.message, "answer": orjson.loads(row.answer)}
        for row in rows
    ]


def _forget(connection: Connection, user: str, expert: str) -> None:
    from sqlalchemy import delete

    from antiphon.storage.tables import expert_turns as turns

    connection.execute(delete(turns).where(turns.c.user == user, turns.c.expert == expert))


def _unknown(expert: Expert) -> str:
    said = f"I do not know that: the knowledge database {expert.database!r} does not say it."
    examples = " or ".join(f"“{each}”" for each in expert.examples[:2])
    return f"{said} You can ask me, for example: {examples}" if examples else said


def _subject(turns: list[dict[str, Any]], message: str) -> str:
    """Return what was spoken of last: what the newest answer cites if the question named it, else
    the name in the question, else the first that is cited. "She" is a person who was cited."""
    is_person = not _PERSONAL.isdisjoint(normalize_name(message).split())
    for turn in reversed(turns):
        people = [
            str(cited["title"])
            for cited in turn["answer"]["citations"]
            if str(cited["id"]).startswith("person:")
        ]
        if is_person and people:
            return people[0]
        titles = [str(cited["title"]) for cited in turn["answer"]["citations"]]
        asked = set(words(turn["message"]))
        named = [title for title in titles if asked & set(words(title))]
        named += _FULL_NAME.findall(turn["message"])
        if titles:
            return (named or titles)[0]
    return ""


def _links(
    outward: dict[str, Any], inward: dict[str, Any], order: list[str]
) -> list[dict[str, Any]]:
    """Return edges with the titles of their ends, those of the best records first."""
    titles = {
        record["id"]: record["title"] or record["id"]
        for record in (*outward["records"], *inward["records"])
    }
    edges = {
        (edge["source"], edge["relation"], edge["target"]): edge
        for edge in (*outward["edges"], *inward["edges"])
    }
    ranked = sorted(
        edges,
        key=lambda each: min(order.index(end) for end in (each[0], each[2]) if end in order),
    )
    return [
        {
            "relation": relation,
            "ids": [source, target],
            "source_title": titles[source],
            "target_title": titles[target],
        }
        for source, relation, target in ranked
    ]


def _citation(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": record["id"],
        "title": record["title"] or record["id"],
        "snippet": record["snippet"],
        "url": record["url"] or None,
    }


def _body(expert: Expert, answer: dict[str, Any], turns: int) -> dict[str, Any]:
    return {
        "expert_id": expert.id,
        "name": expert.name,
        "database_id": expert.database,
        "answered": bool(answer["citations"]),  # of a turn that was kept before there was the field
        **answer,
        "turns": turns,
    }


class _ExpertFile(StrictModel):
    name: Text
    description: Text
    database: Text
    persona: Text
    types: list[str] = Field(default_factory=list)
    examples: list[str] = Field(default_factory=list)


def _read(name: str, text: str) -> Expert:
    file = validated(_ExpertFile, parse_toml(text))
    return Expert(
        name,
        file.name,
        file.description,
        file.database,
        file.persona,
        tuple(file.types),
        tuple(file.examples),
    )
