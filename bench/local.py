"""How well the built-in model understands: right tool, right arguments, right record, how fast.

    python bench/local.py [--quick] [--wrong] [--half NAME ...] [--tools FOLDER]

Every utterance of tests/local_set goes through a connection of the built-in model and, with the
calls that it makes, through a real session over the shipped tools and the sample knowledge. The
set has four parts: what went wrong in `dev` and `seen` was read to tune the model; of `held` only
the figures were; what went wrong in `blind`, which was written without knowing the model, was not,
so that its figures are those to believe. The last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from antiphon.agents.profiles import load_profile
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
from antiphon.registry.sources import SHIPPED_TOOLS
from local_world import World, world

SET = Path(__file__).parents[1] / "tests" / "local_set"
SAID = ("utterances.jsonl", "workspace.jsonl", "doing.jsonl")
ASKED = ("questions.jsonl",)
# Written later than the others, by the list of the tools alone.
FRESH = ("blind.jsonl",)
FRESH_ASKED = ("blind_questions.jsonl",)
HALVES = ("dev", "held", "seen", "blind")
PROFILE = "workspace"  # what the console's Talk page has
QUICK = 4  # every so many-th line
BARS = {"tool_accuracy": 0.90, "argument_accuracy": 0.80, "dangerous": 0, "cited_accuracy": 0.85}


@dataclass
class Turn:
    """What came of one utterance."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    text: str = ""
    cited: list[str] = field(default_factory=list)
    seconds: float = 0.0


def lines(name: str, every: int) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (SET / name).read_text("utf-8").splitlines()]
    return found[::every]


async def say(connection: Connection, session: Session, text: str) -> Turn:
    turn = Turn()
    started = time.perf_counter()
    await connection.send(Prompt(text))
    async with asyncio.timeout(60), aclosing(connection.events()) as events:  # type: ignore[type-var]
        async for event in events:
            match event:
                case Text(piece):
                    turn.text += piece
                case ToolCalls(calls):
                    session.begin_round()
                    for call in calls:
                        turn.calls.append((call.name, call.args))
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


async def converse(
    place: World, mode: Any, said: Iterable[str], user: str, tools: frozenset[str] | None = None
) -> Turn:
    """The last turn of a conversation of its own, with all tools or with these."""
    session = await place.session(mode, user, tools)
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
    return bool(value == expected)


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
class Score:
    right: int = 0
    args: int = 0
    called: int = 0
    of: int = 0
    dangerous: int = 0
    cited: int = 0
    asked: int = 0

    @property
    def tool_accuracy(self) -> float:
        return self.right / self.of if self.of else 0.0

    @property
    def argument_accuracy(self) -> float:
        return self.args / self.called if self.called else 0.0

    @property
    def cited_accuracy(self) -> float:
        return self.cited / self.asked if self.asked else 0.0

    def figures(self) -> dict[str, Any]:
        return {
            "tool_accuracy": round(self.tool_accuracy, 4),
            "argument_accuracy": round(self.argument_accuracy, 4),
            "dangerous": self.dangerous,
            "cited_accuracy": round(self.cited_accuracy, 4),
        }


def together(scores: Iterable[Score]) -> Score:
    found = list(scores)
    sums = {f.name: sum(getattr(score, f.name) for score in found) for f in fields(Score)}
    return Score(**sums)


def judge(line: dict[str, Any], turn: Turn, writes: frozenset[str], score: Score) -> str:
    """What is wrong with the turn, empty when nothing is."""
    score.of += 1
    wanted = line["tool"]
    names = [name for name, _ in turn.calls]
    wrong_writes = [name for name in names if name in writes and name != wanted]
    score.dangerous += bool(wrong_writes)
    if wanted is None:
        # What was not understood may be the trigger phrase of a macro, which only the list tells.
        good = all(name in line.get("allow", ()) or name == "list_macros" for name in names)
        score.right += good
        return "" if good and not wrong_writes else f"called {names}"
    score.called += 1
    # What lists the values of a parameter may be called first.
    made = [args for name, args in turn.calls if name == wanted]
    helped = all(name == wanted or name.startswith("list_") for name in names)
    if not made or not helped or names[-1] != wanted:
        return f"called {names}: {turn.text[:80]}"
    score.right += 1
    if any(right_arguments(line, args) for args in made):
        score.args += 1
        return ""
    return f"arguments {made[0]}"


# -- the run


async def measure(
    tools: Path, every: int, show: bool, halves: Sequence[str] = HALVES
) -> dict[str, Any]:
    async with world(tools) as place:
        return await _all(place, every, show, halves)


async def _all(place: World, every: int, show: bool, halves: Sequence[str]) -> dict[str, Any]:
    seconds: list[float] = []
    scores = {half: Score() for half in halves}
    # Questions first: some utterances write into the knowledge base.
    for number, line in enumerate(_lines(ASKED + FRESH_ASKED, every, halves)):
        turn = await converse(place, line["mode"], [line["ask"]], f"q{number}")
        seconds.append(turn.seconds)
        good = bool(set(turn.cited) & set(line["records"]))
        scores[line["half"]].cited += good
        scores[line["half"]].asked += 1
        if not good and show:
            print(f"{line['half']} {line['ask']!r}: {turn.cited} {turn.text[:120]!r}")
    by_tool: dict[str, list[int]] = {}
    for number, line in enumerate(_lines(SAID + FRESH, every, halves)):
        if line["tool"] is not None and line["tool"] not in place.tools:
            continue  # a folder with other tools was given
        said = [line["say"]] if isinstance(line["say"], str) else line["say"]
        turn = await converse(place, line["mode"], said, f"u{number}")
        seconds.append(turn.seconds)
        wrong = judge(line, turn, place.writes, scores[line["half"]])
        counts = by_tool.setdefault(line["tool"] or "(none)", [0, 0])
        counts[0] += not wrong
        counts[1] += 1
        if wrong and show:
            print(f"{line['half']} {line['tool']} {said[-1]!r}: {wrong}")
    profile = await _under_profile(place, every, show, halves)
    table(scores, by_tool, seconds)
    print(
        f"{f'profile {PROFILE}':24} {profile.of} utterances, right tool "
        f"{profile.tool_accuracy:.1%}, wrong writes {profile.dangerous}"
    )
    return {
        **together(scores.values()).figures(),
        PROFILE: {"tool_accuracy": round(profile.tool_accuracy, 4), "dangerous": profile.dangerous},
        "ms_p50": round(statistics.median(seconds) * 1000, 1),
        **{half: score.figures() for half, score in scores.items()},
    }


async def _under_profile(place: World, every: int, show: bool, halves: Sequence[str]) -> Score:
    """What belongs to the tools of one profile, said to who has these alone."""
    tools, score = load_profile(PROFILE).tools, Score()
    assert tools is not None
    for number, line in enumerate(_lines(SAID + FRESH, every, halves)):
        if line["tool"] not in tools:
            continue
        said = [line["say"]] if isinstance(line["say"], str) else line["say"]
        turn = await converse(place, line["mode"], said, f"p{number}", tools)
        wrong = judge(line, turn, place.writes, score)
        if wrong and show and line["half"] != "blind":
            print(f"{PROFILE} {line['half']} {line['tool']} {said[-1]!r}: {wrong}")
    return score


def _lines(names: Iterable[str], every: int, halves: Sequence[str]) -> list[dict[str, Any]]:
    return [line for name in names for line in lines(name, every) if line["half"] in halves]


def table(
    scores: dict[str, Score], by_tool: dict[str, list[int]], seconds: Sequence[float]
) -> None:
    print(f"{'tool':24} {'all right':>9} {'of':>4}")
    for name, (good, of) in sorted(by_tool.items()):
        print(f"{name:24} {good:>9} {of:>4}")
    print()
    columns = list(scores.values())

    def row(title: str, cells: Iterable[Any]) -> None:
        print(f"{title:24} " + " ".join(f"{cell:>8}" for cell in cells))

    row("", [*scores, "bar"])
    row("utterances, questions", [f"{each.of} {each.asked}" for each in columns])
    row("right tool", [*(f"{each.tool_accuracy:.1%}" for each in columns), "90%"])
    row("right arguments", [*(f"{each.argument_accuracy:.1%}" for each in columns), "80%"])
    row("wrong writes", [*(each.dangerous for each in columns), 0])
    row("right record cited", [*(f"{each.cited_accuracy:.1%}" for each in columns), "85%"])
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(
        f"{'ms per utterance':24} p50 {statistics.median(ordered) * 1000:.0f}, p95 {p95 * 1000:.0f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th line only")
    parser.add_argument("--wrong", action="store_true", help="print what went wrong")
    parser.add_argument("--half", action="append", choices=HALVES, help="this part only")
    parser.add_argument("--tools", type=Path, default=SHIPPED_TOOLS, help="folder of the tools")
    options = parser.parse_args()
    every = QUICK if options.quick else 1
    halves = options.half or HALVES
    found = asyncio.run(measure(options.tools, every, options.wrong, halves))
    print(json.dumps(found))
    met = found["dangerous"] <= BARS["dangerous"] and all(
        found[name] >= bar for name, bar in BARS.items() if name != "dangerous"
    )
    under = found[PROFILE]
    met &= not under["dangerous"] and under["tool_accuracy"] >= BARS["tool_accuracy"]
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
