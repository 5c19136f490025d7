"""How well the built-in model understands: right tool, right arguments, right record, how fast.

    python bench/local.py [--quick] [--set NAME ...] [--wrong] [--before REVISION]

Requests, questions and dialogues that were written by people who had seen neither the model nor its
training data go through a connection of the built-in model and, with the calls that it makes,
through real sessions over the shipped tools and the sample knowledge. `fresh` was read when the
model was mended; `unseen` never was, so that its figures are those to believe: `--wrong` does not
print them. Intervals are Wilson's, at 95 of 100. `--before` measures another revision of src/ in
the same run; `--unseen-tools` the trained router alone on tools that it never met. The last line
is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from antiphon.contracts.events import (
    CallAnswer,
    Fault,
    ModelTurn,
    Prompt,
    Text,
    ToolCalls,
    TurnEnded,
)
from antiphon.orchestrator import Session
from antiphon.providers.local.words import spelled
from antiphon.providers.port import Connection, Setup
from local_world import World, world

SETS = Path(__file__).parents[1] / "tests" / "local_set"
NAMES = ("fresh", "unseen")
QUICK = 6  # every so many-th line
BARS = {"tool": 0.92, "arguments": 0.82, "cited": 0.88, "fact": 0.85}
CARRIER = "run_tool"  # runs the tools of the catalogue by their ids
# What lists the values of a parameter, or looks before something is made, may be called as well.
HELPING = re.compile(r"^(?:list_|describe_tool$|kb_|search_|cross_kg|query_kg)")


@dataclass
class Turn:
    """What came of one utterance."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    text: str = ""
    cited: list[str] = field(default_factory=list)
    seconds: float = 0.0
    first: float = 0.0  # until the first words


def lines(name: str, part: str, every: int) -> list[dict[str, Any]]:
    path = SETS / name / f"{part}.jsonl"
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return found[::every]


async def say(connection: Connection, session: Session, text: str) -> Turn:
    turn = Turn()
    started = time.perf_counter()
    await connection.send(Prompt(text))
    async with asyncio.timeout(60), aclosing(connection.events()) as events:  # type: ignore[type-var]
        async for event in events:
            match event:
                case Text(piece):
                    turn.first = turn.first or time.perf_counter() - started
                    turn.text += piece
                case ToolCalls(calls):
                    session.begin_round()
                    for call in calls:
                        turn.calls.append(_unwrapped(call.name, call.args))
                        envelope = await session.dispatch(call)
                        await connection.send(CallAnswer(call.id, call.name, envelope))
                case Fault(message=message):
                    raise SystemExit(f"{text!r}: {message}")
                case TurnEnded():
                    break
    turn.seconds = time.perf_counter() - started
    last = connection.history[-1]  # type: ignore[attr-defined]
    if isinstance(last, ModelTurn) and isinstance(last.native, dict):
        turn.cited = list(last.native.get("cited", ()))
    session.end_turn()
    return turn


def _unwrapped(name: str, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A tool of the catalogue counts as itself."""
    if name == CARRIER and isinstance(args.get("tool_id"), str):
        return args["tool_id"], dict(args.get("params") or {})
    return name, args


async def converse(place: World, mode: Any, said: Iterable[str], user: str) -> Turn:
    """The last turn of a conversation of its own."""
    session = await place.session(mode, user)
    turn = Turn()
    try:
        setup = Setup("local", tools=session.declarations())
        async with await place.provider.connect(setup) as connection:
            for text in said:
                turn = await say(connection, session, text)
    finally:
        await session.end("measured")
    # A macro is meant by its id as well as by its phrase.
    turn.calls = [
        (name, {key: _phrase(value, place) for key, value in args.items()})
        for name, args in turn.calls
    ]
    return turn


def _phrase(value: Any, place: World) -> Any:
    return place.macros.get(value, value) if isinstance(value, str) else value


# -- judging


def fits(expected: Any, value: Any) -> bool:
    """`has`: all these words, `any`: one of these values, `min`: so many members, `functions`:
    steps that call these, `like`: these letters, however they are written; else equal."""
    if isinstance(expected, dict) and "has" in expected:
        text = _spelled(str(value))
        return all(_spelled(str(word)) in text for word in expected["has"])
    if isinstance(expected, dict) and "any" in expected:
        return _spelled(value) in [_spelled(each) for each in expected["any"]]
    if isinstance(expected, dict) and "min" in expected:
        return isinstance(value, list) and len(value) >= expected["min"]
    if isinstance(expected, dict) and "like" in expected:
        return _letters(expected["like"]) == _letters(str(value))
    if isinstance(expected, dict) and "functions" in expected:
        return [step.get("function") for step in value] == expected["functions"]
    if isinstance(expected, list) and isinstance(value, list):
        return len(expected) == len(value) and all(map(fits, expected, value))
    if isinstance(expected, str) and isinstance(value, str):
        return _spelled(expected) == _spelled(value) or _same_moment(expected, value)
    return bool(value == expected)


def _same_moment(one: str, other: str) -> bool:
    """Times are written in several ways: with or without seconds, with Z or +00:00."""
    if not re.match(r"\d{4}-\d\d-\d\dT", one):
        return False
    short = [re.sub(r":00(?=[+Z]|$)", "", re.sub(r"Z$", "+00:00", each)) for each in (one, other)]
    return short[0].removesuffix("+00") == short[1].removesuffix("+00")


def _spelled(value: Any) -> Any:
    """What is heard has no capitals, and is written down in American spelling."""
    if not isinstance(value, str):
        return value
    return re.sub(r"[a-z]+", lambda word: spelled(word.group()), value.casefold())


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def right_arguments(line: dict[str, Any], args: dict[str, Any]) -> bool:
    expected, may = line.get("args", {}), set(line.get("may", ()))
    if any(name not in args or not fits(value, args[name]) for name, value in expected.items()):
        return False
    return set(args) <= set(expected) | may


@dataclass
class Tally:
    """How often each thing was right, by kind."""

    hits: dict[str, dict[str, list[bool]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    wrong_writes: int = 0
    silly: int = 0
    seconds: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)

    def count(self, what: str, kind: str, good: bool) -> None:
        self.hits[what][kind].append(good)

    def share(self, what: str) -> float:
        every = [good for kinds in self.hits[what].values() for good in kinds]
        return sum(every) / len(every) if every else 0.0


def judge(line: dict[str, Any], turn: Turn, writes: frozenset[str], tally: Tally) -> str:
    """What is wrong with the turn, empty when nothing is."""
    kind, allowed = line["kind"], set(line.get("allow", ()))
    wanted = line.get("tools") or ([line["tool"]] if line.get("tool") else [])
    names = [name for name, _ in turn.calls]
    strange = [name for name in names if name in writes and name not in wanted]
    tally.wrong_writes += bool(strange)
    if not wanted:
        good = not strange and all(name in allowed or HELPING.match(name) for name in names)
        tally.count("tool", kind, good)
        tally.silly += not turn.text.strip() and not names
        return "" if good else f"called {names}"
    others = [n for n in names if n not in wanted and n not in allowed and not HELPING.match(n)]
    order = [name for name in names if name in wanted]
    if len(wanted) == 1 and not order and any(name in allowed for name in names):
        order = wanted  # one of several that are right
    good = not others and list(dict.fromkeys(order)) == list(dict.fromkeys(wanted))
    tally.count("tool", kind, good)
    if not good:
        return f"called {names}: {turn.text[:80]!r}"
    made = [args for name, args in turn.calls if name == wanted[0]]
    if not made:
        return ""
    right = any(right_arguments(line, args) for args in made)
    tally.count("arguments", kind, right)
    return "" if right else f"arguments {made[0]}"


def judge_answer(line: dict[str, Any], turn: Turn, writes: frozenset[str], tally: Tally) -> str:
    kind, said = line["kind"], turn.text.casefold()
    tally.wrong_writes += any(name in writes for name, _ in turn.calls)
    told = any(fact.casefold() in said for fact in line["fact"])
    tally.count("fact", kind, told)
    if not line["records"]:
        return "" if told else f"said {turn.text[:120]!r}"
    cited = turn.cited[:1] and turn.cited[0] in line["records"]
    tally.count("cited", kind, bool(cited))
    return "" if cited and told else f"{turn.cited} {turn.text[:140]!r}"


# -- the run


async def measure(names: Iterable[str], every: int, show: bool) -> dict[str, Tally]:
    found = {}
    for name in names:
        async with world() as place:
            found[name] = await _one(place, name, every, show and name != "unseen")
    return found


async def _one(place: World, name: str, every: int, show: bool) -> Tally:
    tally = Tally()

    def took(turn: Turn) -> None:
        tally.seconds.append(turn.seconds)
        tally.firsts.append(turn.first or turn.seconds)

    # Questions first: some requests write into the knowledge base.
    for number, line in enumerate(lines(name, "questions", every)):
        turn = await converse(place, line["mode"], [line["ask"]], f"q{number}")
        took(turn)
        if (wrong := judge_answer(line, turn, place.writes, tally)) and show:
            print(f"{line['kind']} {line['ask']!r} {line['records'][:2]}: {wrong}")
    for number, line in enumerate(lines(name, "requests", every)):
        turn = await converse(place, line["mode"], [line["say"]], f"u{number}")
        took(turn)
        if (wrong := judge(line, turn, place.writes, tally)) and show:
            wanted = line.get("tools") or line.get("tool")
            print(f"{line['kind']} {wanted} {line['say']!r}: {wrong}")
    for number, line in enumerate(lines(name, "dialogues", every)):
        turn = await converse(place, "text", line["turns"], f"d{number}")
        took(turn)
        if (wrong := judge(line, turn, place.writes, tally)) and show:
            print(f"{line['kind']} {line.get('tool')} {line['turns']!r}: {wrong}")
    return tally


def wilson(right: int, of: int) -> tuple[float, float]:
    if not of:
        return 0.0, 0.0
    z, share = 1.96, right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def figures(tally: Tally) -> dict[str, Any]:
    ordered = sorted(tally.firsts) or [0.0]
    return {
        **{what: round(tally.share(what), 4) for what in ("tool", "arguments", "cited", "fact")},
        "wrong_writes": tally.wrong_writes,
        "first_ms_p50": round(statistics.median(ordered) * 1000, 1),
        "first_ms_p95": round(ordered[int(0.95 * (len(ordered) - 1))] * 1000, 1),
        "kinds": {
            what: {kind: [sum(hits), len(hits)] for kind, hits in sorted(kinds.items())}
            for what, kinds in tally.hits.items()
        },
    }


def table(name: str, found: dict[str, Any], before: dict[str, Any] | None) -> None:
    print(f"{name}: right of all, and the interval" + (" (before)" if before else ""))
    for what, kinds in found["kinds"].items():
        rows = {"all": [sum(r for r, _ in kinds.values()), sum(n for _, n in kinds.values())]}
        for kind, (right, of) in {**rows, **kinds}.items():
            low, high = wilson(right, of)
            line = (
                f"  {what:10} {kind:12} {right:>4}/{of:<4} {right / of:6.1%} ({low:.0%}-{high:.0%})"
            )
            if before:
                other = before["kinds"].get(what, {})
                pair = other.get(kind) or [sum(v[i] for v in other.values()) for i in (0, 1)]
                line += f"   {pair[0]}/{pair[1]}" if pair[1] else ""
            print(line)
    print(
        f"  wrong writes {found['wrong_writes']}; first words after {found['first_ms_p50']} ms "
        f"(p50), {found['first_ms_p95']} ms (p95)"
    )


def at_revision(revision: str, options: argparse.Namespace) -> dict[str, Any]:
    """The figures of another revision's model with this script, this set and the same tools."""
    root = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory(prefix="antiphon-before-") as folder:
        git = ["git", "-C", str(root), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", folder, revision], check=True)
        try:
            command = [sys.executable, str(Path(__file__)), *(["--quick"] if options.quick else [])]
            for name in options.set or NAMES:
                command += ["--set", name]
            environment = {**os.environ, "PYTHONPATH": str(Path(folder) / "src")}
            run = subprocess.run(
                command, env=environment, check=False, capture_output=True, text=True
            )
            if not run.stdout.strip():
                raise SystemExit(f"{revision} cannot be measured: {run.stderr[-800:]}")
            found: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
            return found
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th line only")
    parser.add_argument("--wrong", action="store_true", help="print what went wrong in `fresh`")
    parser.add_argument("--set", action="append", choices=NAMES, help="this one only")
    parser.add_argument("--before", metavar="REVISION", help="measure that revision as well")
    options = parser.parse_args()
    every = QUICK if options.quick else 1
    tallies = asyncio.run(measure(options.set or NAMES, every, options.wrong))
    found = {name: figures(tally) for name, tally in tallies.items()}
    before = at_revision(options.before, options) if options.before else {}
    for name, each in found.items():
        table(name, each, before.get(name))
    print(json.dumps({**found, **({"before": before} if before else {})}))
    met = all(
        each["wrong_writes"] == 0 and all(each[what] >= bar for what, bar in BARS.items())
        for each in found.values()
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
