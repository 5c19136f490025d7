"""Pipeline runs: what a workflow or an agent is given, and the result that comes of its steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.definitions import DefinitionFiles, FileCatalogue
from antiphon.workspace.errors import field_error
from antiphon.workspace.runs.engine import RunCaller, RunEngine, RunRecord
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import RunKind, run_logged
from antiphon.workspace.runs.pipelines import Pipeline
from antiphon.workspace.runs.pipes import NothingToPipeError
from antiphon.workspace.runs.steps import Step
from antiphon.workspace.runs.text_steps import Ask, query_of, write_text

MOST_EVIDENCE = 20
_URL = re.compile(r"https?://[^\s<>\"')\]]+")
# The types of a step's error that the whole run may have; the others are about that one call.
_OWN = frozenset(
    {
        *(ErrorType.VALIDATION, ErrorType.TRANSIENT, ErrorType.PERMANENT, ErrorType.CONFLICT),
        *(ErrorType.AUTH, ErrorType.UNAVAILABLE, ErrorType.OUTCOME_UNKNOWN, ErrorType.CANCELLED),
    }
)


class PipelineCatalogue(FileCatalogue[Pipeline]):
    """Workflows or agents: found by name, checked and run. `journal` has the steps of their runs.
    All methods raise ToolError and nothing else."""

    def __init__(
        self,
        kind: RunKind,
        files: DefinitionFiles[Pipeline],
        filler: Sequence[str],
        journal: RunJournal,
        ask: Ask | None,
    ) -> None:
        super().__init__(
            files,
            noun=kind,
            pointer=f"/{kind}_name",
            title=lambda pipeline: pipeline.title,
            filler=filler,
        )
        self.journal = journal
        self._kind: RunKind = kind
        self._ask = ask

    async def ready(self, name: str, text: str = "") -> Pipeline:
        """Return the one that would run, before anything runs. Raises NotThere, and VALIDATION for
        an input that is missing."""
        found = await self.find(name)
        check_input(found, text)
        return found

    async def run(self, caller: RunCaller, name: str, text: str = "") -> dict[str, Any]:
        """Run it and return the result as `PipelineRun.execute` does, with the name of what ran.
        Raises NotThere with the nearest names."""
        found = await self.find(name)
        done = await run_logged(
            self.journal.log,
            caller,
            PipelineRun(found, caller, self.journal, self._ask).execute(text),
            kind=self._kind,
            name=found.name,
            title=found.title,
            input=text,
        )
        return {self._kind: found.name, **done}


def check_input(pipeline: Pipeline, text: str) -> None:
    """Raise VALIDATION for an input that is missing."""
    if pipeline.needs_input and not text.strip():
        raise ToolError(
            ErrorType.VALIDATION,
            f"{pipeline.title} has nothing to work on. Tell it: {pipeline.input}",
            errors=[field_error("/input", "is empty", pipeline.input)],
        )


class PipelineRun:
    """One run of a pipeline. What the journal has under the caller's key is not done again."""

    def __init__(
        self, pipeline: Pipeline, caller: RunCaller, journal: RunJournal, ask: Ask | None = None
    ) -> None:
        self._pipeline = pipeline
        self._caller = caller
        self._journal = journal
        self._ask = ask

    async def execute(self, text: str) -> dict[str, Any]:
        """Run it and return `status` (done or waiting), the `text` that was written, `by` whom, the
        `evidence` that was used, and what became of the `steps`.

        Raises VALIDATION for an input that is missing; with the type of its error when a step
        fails that the others need, and with `steps` as far as they came.
        """
        check_input(self._pipeline, text)
        text = text.strip()
        values: dict[str, Any] = {"input": {"text": text, "query": query_of(text), **_url(text)}}
        if self._pipeline.tells_session:
            values["session"] = await self._session()
        engine = RunEngine(self._caller, self._journal, self, write=self._write)
        record = await engine.run(self._pipeline.steps, values)
        if record.ended_at is not None:
            return self._ended(record, record.ended_at)
        self._caller.progress("Done", 1.0)
        return self._body(record, "done")

    async def _session(self) -> dict[str, Any]:
        """Return what was said, called, decided and left open in the session, and its pages."""
        session = self._caller.session
        report = await self._caller.workspace.awareness.report(session.user)
        pages = [{"page": each["page"]} for each in report["recent_pages"]]
        return {**await session.activity(), "pages": list(reversed(pages))}

    async def _write(self, step: Step, record: RunRecord) -> dict[str, Any]:
        lost = [
            f"- {each.title} ({each.tool}): {outcome['error']}"
            for each in record.steps
            # Where nothing was found that it could work on, there is nothing to be lost either.
            if (outcome := record.outcomes.get(each.id)) is not None
            and outcome["status"] == "failed"
            and "idle" not in outcome
        ]
        payer = self._caller.session.payer
        return await write_text(step, record.values, lost, self._ask, payer)

    # -- words of the engine -------------------------------------------------------------------

    def step_begins(self, step: Step, place: int, record: RunRecord) -> None:
        count = len(record.steps)
        fraction = round((place - 1) / count, 3)
        self._caller.progress(f"Step {place} of {count}: {step.title}", fraction)

    def nothing_to_pipe(self, error: NothingToPipeError) -> str:
        source, path = error.pipe.source, error.pipe.path
        if source == "input":
            return f"The input has no {path}. Tell it: {self._pipeline.input}."
        return f"The step {source!r} gave no {path!r}, so nothing was called."

    # -- the result ----------------------------------------------------------------------------

    def _ended(self, record: RunRecord, step: Step) -> dict[str, Any]:
        """Return the result of a run that cannot go on. Raises where that is a failure."""
        outcome = record.outcomes[step.id]
        if outcome["status"] == "waiting":
            waiting = {
                "step": step.id,
                "tool": step.tool,
                "confirmation_request": outcome["confirmation_request"],
            }
            return {**self._body(record, "waiting"), "waiting": waiting}
        kind = ErrorType(outcome["type"])
        raise ToolError(
            kind if kind in _OWN else ErrorType.PERMANENT,
            f"{self._pipeline.title} stopped at {step.title!r} ({step.tool}): {outcome['error']}",
            steps=_shown(record),
        )

    def _body(self, record: RunRecord, status: str) -> dict[str, Any]:
        written = [
            record.values[step.id]
            for step in record.steps
            if not step.tool and step.id in record.values
        ]
        last = written[-1] if written else {"text": "", "by": "rules"}
        if status == "waiting":
            words = "A step waits for the person's approval; later steps were not run."
            last = {"text": words, "by": "rules"}
        body = {
            "status": status,
            "text": last["text"],
            "by": last["by"],
            "evidence": _evidence(record),
            "steps": _shown(record),
        }
        return {**body, "note": last["note"]} if "note" in last else body


def _shown(record: RunRecord) -> list[dict[str, Any]]:
    """Return what became of each step, as results tell it."""
    found = []
    for step in record.steps:
        outcome = record.outcomes.get(step.id)
        if outcome is None:
            break
        shown = {"step": step.id, "title": step.title, "status": outcome["status"]}
        if step.tool:
            shown["tool"] = step.tool
        if "error" in outcome:
            shown["error"] = outcome["error"]
        found.append(shown)
    return found


def _evidence(record: RunRecord) -> list[dict[str, Any]]:
    """Return the things that tools gave, each once, by their ids or titles."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for step in record.steps:
        result = record.values.get(step.id) if step.tool else None
        for items in result.values() if isinstance(result, dict) else ():
            for item in items if isinstance(items, list) else ():
                one = _cited(item, step.tool)
                if one is not None:
                    found.setdefault((one["id"], one.get("database_id", "")), one)
    # A tool that does not say which graph a node is from adds nothing to one that does.
    placed = {name for name, database in found if database}
    found = {key: one for key, one in found.items() if key[1] or key[0] not in placed}
    return list(found.values())[:MOST_EVIDENCE]


def _cited(item: Any, tool: str) -> dict[str, Any] | None:
    if not isinstance(item, dict):
        return None
    name = item.get("id") or item.get("value")
    title = item.get("title") or item.get("name")
    if type(item.get("line")) is int:  # what was found in a text
        name = f"line:{item['line']}"
        title = item.get("message") or title or item.get("kind") or item.get("text")
    if not isinstance(name, str) or not name:
        return None
    one = {"id": name, "title": str(title or name), "tool": item.get("tool") or tool}
    database = item.get("database_id")
    return {**one, "database_id": database} if isinstance(database, str) else one


def _url(text: str) -> dict[str, str]:
    found = _URL.search(text)
    return {"url": found[0].rstrip(".,;:!?")} if found else {}
