"""Voice macros: saved steps with a trigger phrase, checked when saved and again when run."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import uuid4

import orjson
from pydantic import AfterValidator, Field, ValidationError

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.errors import from_store, invalid
from antiphon.workspace.macro_matching import (
    MAX_PHRASE,
    match_exactly,
    match_macro,
    normalize_phrase,
)
from antiphon.workspace.runs.engine import RunCaller
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import run_logged
from antiphon.workspace.runs.macro_checks import macro_problems
from antiphon.workspace.runs.macro_runs import MacroRun, Verdicts, dry_run
from antiphon.workspace.runs.macro_steps import (
    POLICIES,
    RUN_MACRO,
    ErrorPolicy,
    Macro,
    SavedStep,
    compile_steps,
    read_steps,
)
from antiphon.workspace.runs.steps import Tools
from antiphon.workspace.validation import FieldProblem, Line, StrictModel, field_errors

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_MACROS = 200
MAX_NAME = 100

_ID = re.compile(r"[0-9a-f]{8}")


class Macros:
    """The saved macros of every user, each apart from the others. All methods raise ToolError
    and nothing else."""

    def __init__(
        self,
        store: Store,
        tools: Callable[[], Tools],
        journal: RunJournal,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._tools = tools
        self._journal = journal
        self._now = now

    # -- reading -------------------------------------------------------------------------------

    async def all(self, user: str) -> list[Macro]:
        """Return the macros of a user, by name."""
        return await from_store(self._store.run(lambda to: _all(to, user), writes=False))

    async def find(self, user: str, wanted: str, *, exact: bool = False) -> Macro:
        """Return the macro of that id, trigger phrase or name; without `exact` also one that is
        much alike. Raises NotThere with the phrases that come nearest."""
        return match_macro(await self.all(user), wanted, exact=exact)

    # -- writing -------------------------------------------------------------------------------

    async def save(
        self,
        user: str,
        name: str,
        trigger_phrase: str,
        steps: Any,
        error_policy: str = "abort",
        *,
        id: str | None = None,
        base: float | None = None,
        key: str | None = None,
        may_call: Callable[[str], bool] = lambda _: True,
    ) -> Macro:
        """Save a new macro, or change the one with that `id`.

        With `key`, saving the same macro again gives the one that was saved. `base` is the
        `updated_at` of what is changed. Raises VALIDATION with a pointer to each thing that is
        wrong, CONFLICT where another has that phrase or somebody has changed it since `base`.
        """
        phrase, name = normalize_phrase(trigger_phrase), " ".join(name.split())
        errors = _field_problems(name, phrase, error_policy)
        read, wrong = read_steps(steps)
        errors += wrong
        now, tools = self._now(), self._tools()

        def work(connection: Connection) -> Macro:
            there = _all(connection, user)
            old = None if id is None else match_macro(there, id, exact=True)
            _check_unchanged(old, base)
            made = _id(connection, key or uuid4().hex, user, phrase) if old is None else old.id
            since = now if old is None else old.created_at
            steps = tuple(_fixed(step, there) for step in read.values())
            macro = Macro(
                made, user, name, phrase, steps, cast(ErrorPolicy, error_policy), since, now
            )
            if not errors:
                _check_place(macro, there)
            others = [macro, *(each for each in there if each.id != made)]
            found = macro_problems(
                macro, tools, partial(match_exactly, others), may_call, list(read)
            )
            if errors or found:
                raise invalid(_in_order(errors + found), "The macro was not saved")
            _write(connection, macro)
            return macro

        return await from_store(self._store.run(work))

    async def deletable(self, user: str, wanted: str) -> Macro:
        """Return the macro that `delete` would delete. Raises as it does."""
        return _deletable(await self.all(user), wanted)

    async def delete(self, user: str, wanted: str) -> Macro:
        """Delete the macro of exactly that id, phrase or name, and return it. Raises CONFLICT
        where another macro runs it."""

        def work(connection: Connection) -> Macro:
            from sqlalchemy import delete

            from antiphon.storage.tables import macros

            macro = _deletable(_all(connection, user), wanted)
            connection.execute(delete(macros).where(macros.c.id == macro.id))
            return macro

        return await from_store(self._store.run(work))

    # -- running -------------------------------------------------------------------------------

    async def run(self, caller: RunCaller, wanted: str) -> dict[str, Any]:
        """Run the macro of that id or trigger phrase, each step through every gate.

        The run belongs to the caller's key: after a crash the same call goes on after the last
        step that was finished, with the steps that it was begun with. Raises NotThere; VALIDATION
        when a step cannot be run as the functions are today, before any of them is.
        """
        user, key = caller.session.user, caller.idempotency_key
        begun = await self._journal.definition(key)
        if begun is None:
            there = await self.all(user)
            macro = match_macro(there, wanted)
        else:
            there = [Macro.from_dict(user, body) for body in begun["macros"]]
            macro = there[0]
        self._check(macro, there, caller.session.may_call)
        if begun is None:
            used = [each.to_dict() for each in _with_inner(macro, there)]
            await self._journal.save_definition(key, {"macros": used})
        run = MacroRun(caller, self._journal, self._tools(), partial(match_exactly, there))
        return await run_logged(
            self._journal.log,
            caller,
            run.execute(macro),
            kind="macro",
            name=macro.id,
            title=macro.name,
        )

    async def dry_run(
        self,
        user: str,
        wanted: str,
        verdicts: Verdicts,
        may_call: Callable[[str], bool] = lambda _: True,
    ) -> dict[str, Any]:
        """Return what `run` would call, with which arguments, and which gate would stop each.

        `verdicts` says of one call what the gates would say now. Raises as `run` does.
        """
        there = await self.all(user)
        macro = match_macro(there, wanted)
        self._check(macro, there, may_call)
        compiled = compile_steps(macro, partial(match_exactly, there))
        steps = dry_run(compiled, self._tools(), verdicts)
        return {"macro_id": macro.id, "name": macro.name, "dry_run": True, "steps": steps}

    async def rehearse(
        self, user: str, steps: Any, verdicts: Verdicts, *, id: str | None = None
    ) -> list[dict[str, Any]]:
        """Return what steps that are not saved yet would do, as `dry_run` does. `id` is the
        macro that they are going to change. Raises VALIDATION with a pointer to each thing that
        is wrong."""
        read, errors = read_steps(steps)
        saved = await self.all(user)
        whole = tuple(_fixed(step, saved) for step in read.values())
        macro = Macro(id or "", user, "These steps", "", whole, "abort", 0.0, 0.0)
        there = [macro, *(each for each in saved if each.id != macro.id)]
        tools, find = self._tools(), partial(match_exactly, there)
        found = macro_problems(macro, tools, find, lambda _: True, list(read))
        if errors or found:
            raise invalid(_in_order(errors + found), "The steps cannot run as they are")
        return dry_run(compile_steps(macro, find), tools, verdicts)

    def _check(self, macro: Macro, there: list[Macro], may_call: Callable[[str], bool]) -> None:
        found = macro_problems(macro, self._tools(), partial(match_exactly, there), may_call)
        if found:
            raise invalid(found, f"The macro {macro.name!r} cannot run as it is")


# -- rows ------------------------------------------------------------------------------------------


def _all(connection: Connection, user: str) -> list[Macro]:
    from sqlalchemy import select

    from antiphon.storage.tables import macros

    rows = connection.execute(
        select(macros).where(macros.c.user == user).order_by(macros.c.name, macros.c.id)
    )
    return [
        Macro(
            row.id,
            row.user,
            row.name,
            row.trigger_phrase,
            tuple(SavedStep.model_construct(**body) for body in orjson.loads(row.steps)),
            row.error_policy,
            row.created_at,
            row.updated_at,
        )
        for row in rows
    ]


def _write(connection: Connection, macro: Macro) -> None:
    from antiphon.storage.tables import inserting, macros

    values = {
        "id": macro.id,
        "user": macro.user,
        "name": macro.name,
        "trigger_phrase": macro.trigger_phrase,
        "steps": orjson.dumps([step.to_dict() for step in macro.steps]).decode(),
        "error_policy": macro.error_policy,
        "created_at": macro.created_at,
        "updated_at": macro.updated_at,
    }
    changed = {name: value for name, value in values.items() if name not in ("id", "user")}
    connection.execute(
        inserting(connection.dialect.name, macros)
        .values(values)
        .on_conflict_do_update(index_elements=["id"], set_=changed)
    )


def _id(connection: Connection, key: str, user: str, phrase: str) -> str:
    """Return eight digits from the key of the call, so that a call that is run again saves the
    same."""
    from sqlalchemy import select

    from antiphon.storage.tables import macros

    number = 0
    while True:
        made = sha256(f"{key}/{number}".encode()).hexdigest()[:8]
        row = connection.execute(
            select(macros.c.user, macros.c.trigger_phrase).where(macros.c.id == made)
        ).first()
        if row is None or tuple(row) == (user, phrase):
            return made
        number += 1


# -- names -----------------------------------------------------------------------------------------


def _no_id(phrase: str) -> str:
    if _ID.fullmatch(phrase):
        raise FieldProblem("looks like the id of a macro", "words that people say")
    return phrase


class _MacroFields(StrictModel):
    name: Line = Field(max_length=MAX_NAME)
    trigger_phrase: Annotated[Line, AfterValidator(_no_id)] = Field(max_length=MAX_PHRASE)
    error_policy: ErrorPolicy = Field(
        json_schema_extra={"wrong": "is no policy", "expected": f"one of {', '.join(POLICIES)}"}
    )


def _field_problems(name: str, phrase: str, policy: Any) -> list[dict[str, str]]:
    """Return what is wrong with a macro beside its steps."""
    fields = {"name": name, "trigger_phrase": phrase, "error_policy": policy}
    try:
        _MacroFields.model_validate(fields)
    except ValidationError as error:
        return field_errors(error, _MacroFields, "")
    return []


def _in_order(errors: list[dict[str, str]]) -> list[dict[str, str]]:
    """Sort errors by their step, the first step first."""

    def step(error: dict[str, str]) -> int:
        numbers = re.match(r"/steps/(\d+)", error["pointer"])
        return int(numbers[1]) if numbers else -1

    return sorted(errors, key=step)


def _check_place(macro: Macro, there: list[Macro]) -> None:
    for other in there:
        if other.id != macro.id and other.trigger_phrase == macro.trigger_phrase:
            raise ToolError(
                ErrorType.CONFLICT,
                f"The phrase {macro.trigger_phrase!r} belongs to the macro {other.name!r} "
                f"({other.id}). Choose another phrase, or delete that macro first.",
                macro_id=other.id,
            )
    if len(there) >= MAX_MACROS and all(other.id != macro.id for other in there):
        raise ToolError(
            ErrorType.CONFLICT, f"There are {MAX_MACROS} macros already. Delete one first."
        )


def _check_unchanged(old: Macro | None, base: float | None) -> None:
    if old is not None and base is not None and old.updated_at != base:
        raise ToolError(
            ErrorType.CONFLICT,
            f"The macro {old.name!r} was changed meanwhile, and was not saved. Take the version "
            "that is there, or save yours without `updated_at` to replace it.",
            current=old.to_dict(),
        )


def _deletable(there: list[Macro], wanted: str) -> Macro:
    macro = match_macro(there, wanted, exact=True)
    users = [each.name for each in there if macro.id in _runs(each) and each is not macro]
    if users:
        raise ToolError(
            ErrorType.CONFLICT,
            f"{macro.name!r} is a step of {', '.join(map(repr, users))}. Delete or change "
            "that first.",
        )
    return macro


def _runs(macro: Macro) -> set[str]:
    """Return the ids of the macros that a macro runs."""
    return {str(step.args["macro_id"]) for step in macro.steps if step.function == RUN_MACRO}


def _with_inner(macro: Macro, there: list[Macro]) -> list[Macro]:
    """Return a macro and those that it runs, each once, the macro itself first."""
    found = {macro.id: macro}
    waiting = [macro]
    while waiting:
        for wanted in _runs(waiting.pop()):
            other = match_exactly(there, wanted)
            if other is not None and other.id not in found:
                found[other.id] = other
                waiting.append(other)
    return list(found.values())


def _fixed(step: SavedStep, there: list[Macro]) -> SavedStep:
    """Return a step with the id of the macro that it runs: a phrase may change."""
    wanted = step.args.get("macro_id")
    if step.function != RUN_MACRO or type(wanted) is not str:
        return step
    other = match_exactly(there, wanted)
    if other is None:
        return step
    return step.model_copy(update={"args": {**step.args, "macro_id": other.id}})
