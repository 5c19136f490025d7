"""Emulator scripts: steps in order, or rules, written in YAML or as Python data.

A step says what the emulator waits for (`on`, narrowed by `with`) and what it does then (`reply`,
a list of beats). Steps are one sequence for a server, over all its connections; rules match at any
time and any number of times, once the steps are used up. docs/emulators.md has the whole language.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from antiphon.text.yaml_values import YamlRefused, load_yaml

# What a client does, as the emulators name it. The ones that are true may go unanswered by the
# script; the others are unexpected when the next step waits for something else.
HEARD = {
    "connect": True,  # a live line is set up: model, voice, instructions, tools, resume, history
    "text": False,  # the person writes: text
    "audio": True,  # the person speaks: ms since the last step
    "audio_end": True,
    "activity": True,  # the talk button: active
    "note": True,  # text that asks for no answer: text
    "results": False,  # every call that was made has its answer: results, names, ok, count
    "interrupt": True,  # the client stops the answer
    "truncate": True,  # the client says how much was heard: item, ms
    "update": True,  # the client changes the setup of a running line
    "close": True,
}

# What the emulated model can do, and what the value of each must be.
BEATS: dict[str, tuple[type, ...]] = {
    "say": (str,),  # speech with its transcript; in text APIs the text
    "text": (str,),  # text, in as many pieces as it has words
    "audio": (int,),  # so many milliseconds of a tone, or `wav`: a file
    "hear": (str,),  # the transcript of what the person said
    "speech": (str,),  # "started" or "stopped": what the provider's ear notices
    "calls": (list,),  # tool calls: id, name, args (`arguments`: the raw string instead)
    "cancel": (list,),  # ids of calls that the model takes back
    "interrupted": (bool,),
    "complete": (bool, str),  # the end of the turn; true or a reason of the provider's
    "usage": (dict,),  # input, output, cached
    "resumption": (dict,),  # handle, resumable
    "go_away": (int, float),  # seconds left
    "thinking": (str,),
    "error": (dict,),  # an error message of the provider inside the conversation: code, message …
    "raw": (dict, list, str),  # this very message: as JSON, or these very characters
    "wait": (int, float),  # seconds
    "duplicate": (bool, int),  # the last message once more (or so many times)
    "oversized": (int,),  # a message of at least so many bytes
    "status": (int,),  # answer the request, or the upgrade, with this HTTP status (retry_after …)
    "close": (int,),  # close the line with this code (`reason`); ends an HTTP stream early
    "drop": (bool,),  # cut the line without a word
    "silent": (bool,),  # say nothing more until the client goes away
}

# These are told of others as well: an error has its status, a status its error.
_ALSO_OPTIONS = ("error", "status", "text")
_SUBJECTS = ("on", "with", "reply", "times")


class ScriptError(ValueError):
    """A script that cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing that an emulator does in a reply: its kind, its value and its options."""

    kind: str
    value: Any
    options: Mapping[str, Any] = field(default_factory=dict)

    def beside(self, folder: Path) -> Beat:
        """The beat with the path of its WAV file, if any, made relative to a folder."""
        if "wav" not in self.options:
            return self
        return Beat(
            self.kind, self.value, {**self.options, "wav": str(folder / self.options["wav"])}
        )

    def filled(self, words: Mapping[str, str]) -> Beat:
        """The beat with `{text}`, `{1}` … replaced by facts of the event; other values as JSON."""
        return Beat(self.kind, _fill(self.value, words), _fill(self.options, words))


@dataclass(slots=True)
class ScriptStep:
    """One step or rule: the event it waits for, the facts it matches, and its reply."""

    where: str
    on: str
    match: Mapping[str, Any]
    reply: tuple[Beat, ...]
    times: int = 1

    def fits(self, kind: str, facts: Mapping[str, Any]) -> dict[str, str] | None:
        """The words that replies may use, or None when the step waits for something else."""
        if kind != self.on and not self._hears(kind, facts):
            return None
        words = {name: value for name, value in facts.items() if isinstance(value, str)}
        for name, wanted in self.match.items() if kind == self.on else ():
            found = _matches(wanted, facts.get(name), at_least=name == "ms")
            if found is None:
                return None
            words |= found
        for name, value in facts.items():
            if name not in words:
                words[name] = json.dumps(value, ensure_ascii=False, default=str)
        return words

    def _hears(self, kind: str, facts: Mapping[str, Any]) -> bool:
        """Whether the step waits for speech that is transcribed as these words.

        The same words may be written, by clients and over APIs that have no sound.
        """
        if kind != "text" or self.on not in ("audio", "audio_end"):
            return False
        return any(b.kind == "hear" and b.value and b.value in facts["text"] for b in self.reply)

    def replies(self, kind: str, words: Mapping[str, str]) -> tuple[Beat, ...]:
        """The beats of the reply with words filled in; written words have no transcript."""
        beats = (beat for beat in self.reply if beat.kind != "hear" or kind == self.on)
        return tuple(beat.filled(words) for beat in beats)


@dataclass(slots=True)
class Script:
    """The parsed script of an emulator: steps, rules and options."""

    steps: tuple[ScriptStep, ...] = ()
    rules: tuple[ScriptStep, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | Path) -> Script:
        """Read a script from a YAML file. Raises ScriptError with the file and the place in it."""
        try:
            body = load_yaml(Path(path).read_text("utf-8"))
        except OSError as error:
            raise ScriptError(f"{path} cannot be read: {error.strerror or error}") from None
        except (YamlRefused, UnicodeDecodeError) as error:
            raise ScriptError(f"{path} is not YAML: {error}") from None
        script = cls.parse(body, str(path))
        for step in (*script.steps, *script.rules):
            step.reply = tuple(beat.beside(Path(path).parent) for beat in step.reply)
        return script

    @classmethod
    def parse(cls, body: Any, name: str = "script") -> Script:
        """Read a script from Python data: a mapping, or only the list of steps.

        Raises ScriptError.
        """
        if isinstance(body, list):
            body = {"steps": body}
        if not isinstance(body, dict):
            raise ScriptError(f"{name}: a script is a mapping with `steps` or `rules`")
        _known(body, ("steps", "rules", "options"), name)
        options = body.get("options") or {}
        if not isinstance(options, dict):
            raise ScriptError(f"{name}: options: must be a mapping")
        return cls(
            tuple(_step(s, f"{name}: step {n}") for n, s in _items(body, "steps", name)),
            tuple(_step(s, f"{name}: rule {n}") for n, s in _items(body, "rules", name)),
            options,
        )


class ScriptPlayback:
    """One run of a script: its position, and the problems that came up."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.problems: list[str] = []
        self._at = 0
        self._left = script.steps[0].times if script.steps else 0

    @property
    def next_step(self) -> ScriptStep | None:
        """The step that the script waits for; None when all are done."""
        return self.script.steps[self._at] if self._at < len(self.script.steps) else None

    def next_reply(self, kind: str, facts: Mapping[str, Any]) -> tuple[Beat, ...] | None:
        """Match an event and advance the script; return the beats of the reply.

        None where the script has no reply; unless such an event may pass unnoticed, a problem is
        reported.
        """
        assert kind in HEARD, kind
        step = self.next_step
        if step is not None:
            words = step.fits(kind, facts)
            if words is not None:
                self._advance()
                return step.replies(kind, words)
        else:
            for rule in self.script.rules:
                words = rule.fits(kind, facts)
                if words is not None:
                    return rule.replies(kind, words)
        if not HEARD[kind]:
            waits = f"{step.where} waits for {_describe(step)}" if step else "no step is left"
            self.report_problem(f"unexpected {kind} {_shown(facts)}; {waits}")
        return None

    def report_problem(self, text: str) -> None:
        """Record what a real service would not have taken, or the script did not foresee."""
        self.problems.append(text)

    def unfinished(self) -> list[str]:
        """Descriptions of the steps that were not reached."""
        return [f"{s.where}: never reached: {_describe(s)}" for s in self.script.steps[self._at :]]

    def check(self) -> None:
        """Raises AssertionError unless everything went as the script says."""
        found = [*self.problems, *self.unfinished()]
        if found:
            raise AssertionError("the emulated conversation went wrong:\n  " + "\n  ".join(found))

    def _advance(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._at += 1
            following = self.next_step
            self._left = following.times if following else 0


def _items(body: Mapping[str, Any], key: str, name: str) -> Iterable[tuple[int, Any]]:
    found = body.get(key) or []
    if not isinstance(found, list):
        raise ScriptError(f"{name}: {key}: must be a list")
    return enumerate(found, 1)


def _step(body: Any, where: str) -> ScriptStep:
    if not isinstance(body, dict):
        raise ScriptError(f"{where}: must be a mapping with `on` and `reply`")
    if True in body:  # YAML 1.1 reads a bare `on` as true
        body = {"on" if key is True else key: value for key, value in body.items()}
    _known(body, _SUBJECTS, where)
    on = body.get("on")
    if on not in HEARD:
        raise ScriptError(f"{where}: on: must be one of {', '.join(HEARD)}{_hint(on, HEARD)}")
    match = body.get("with") or {}
    if not isinstance(match, dict):
        raise ScriptError(f"{where}: with: must be a mapping")
    times = body.get("times", 1)
    if type(times) is not int or times < 1:
        raise ScriptError(f"{where}: times: must be a whole number from 1")
    if "ms" in match and (type(match["ms"]) not in (int, float)):
        raise ScriptError(f"{where}: with: ms: must be a number, not {match['ms']!r}")
    for pattern in match.values():
        if _is_pattern(pattern):
            try:
                re.compile(pattern[1:-1])
            except re.error as error:
                raise ScriptError(f"{where}: with: {pattern} is no pattern: {error}") from None
    reply = body.get("reply") or []
    if not isinstance(reply, list):
        raise ScriptError(f"{where}: reply: must be a list")
    beats = tuple(_beat(b, f"{where}, beat {n}") for n, b in enumerate(reply, 1))
    return ScriptStep(where, on, match, beats, times)


def _beat(body: Any, where: str) -> Beat:
    if isinstance(body, str):  # `- complete` for short
        body = {body: True}
    if not isinstance(body, dict) or not body:
        raise ScriptError(f"{where}: must be a mapping like `say: Hello.`")
    if "call" in body:
        body = {"calls": [body["call"]], **{k: v for k, v in body.items() if k != "call"}}
    # The beat is named by whichever key is one, as mappings have no order; only what may be an
    # option as well counts by its place.
    named = [key for key in body if key in BEATS]
    if not named:
        unknown = str(next(iter(body)))
        raise ScriptError(f"{where}: {unknown!r} is no beat{_hint(unknown, BEATS)}")
    kind: str = next((key for key in named if key not in _ALSO_OPTIONS), named[0])
    value = body[kind]
    if kind == "audio" and value is None and "wav" in body:
        value = 0
    if not isinstance(value, BEATS[kind]) or (isinstance(value, bool) and bool not in BEATS[kind]):
        names = " or ".join(t.__name__ for t in BEATS[kind])
        raise ScriptError(f"{where}: {kind}: must be {names}, not {value!r}")
    if kind == "calls":
        for call in body[kind]:
            if not isinstance(call, dict) or not isinstance(call.get("name"), str | type(None)):
                raise ScriptError(f"{where}: calls: each is a mapping with id, name and args")
    if (wrong := _wrong(kind, value)) is not None:
        raise ScriptError(f"{where}: {kind}: must be {wrong}, not {value!r}")
    options = {k: v for k, v in body.items() if k != kind}
    for name in options:
        if name in BEATS and name not in _ALSO_OPTIONS:
            raise ScriptError(
                f"{where}: {kind} and {name} are two beats; begin the second with a dash"
            )
    if not isinstance(options.get("wav", ""), str):
        raise ScriptError(f"{where}: wav: must be the path of a file, not {options['wav']!r}")
    return Beat(kind, value, options)


def _wrong(kind: str, value: Any) -> str | None:
    """What is wrong with the value of a beat, beyond its type; None where nothing is."""
    match kind:
        case "speech" if value not in ("started", "stopped"):
            return "started or stopped"
        case "status" if not 200 <= value <= 599:
            return "a status of HTTP from 200 to 599"
        case "close" if not 0 <= value <= 65535:
            return "a code from 0 to 65535"
        case "wait" | "go_away" | "audio" | "oversized" | "duplicate" if value < 0:
            return "0 or more"
        case "usage" if any(type(count) is not int for count in value.values()):
            return "whole numbers for input, output and cached"
    return None


def _known(body: Mapping[Any, Any], keys: Iterable[str], where: str) -> None:
    for key in body:
        if key not in keys:
            raise ScriptError(f"{where}: {key!r} is not known here{_hint(key, keys)}")


def _hint(word: object, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and len(value) > 2 and value[0] == value[-1] == "/"


def _matches(wanted: Any, found: Any, *, at_least: bool = False) -> dict[str, str] | None:
    """Words that were caught, or None. A text is contained, a /pattern/ found, a mapping or list
    of names is part of what was found; anything else is equal."""
    if _is_pattern(wanted):
        hit = re.search(wanted[1:-1], found) if isinstance(found, str) else None
        if hit is None:
            return None
        return {str(n): text or "" for n, text in enumerate(hit.groups(), 1)}
    if isinstance(wanted, str) and isinstance(found, str):
        return {} if wanted in found else None
    if isinstance(wanted, dict) and isinstance(found, dict):
        words: dict[str, str] = {}
        for key, value in wanted.items():
            caught = _matches(value, found.get(key))
            if caught is None:
                return None
            words |= caught
        return words
    if isinstance(wanted, list) and isinstance(found, list | tuple):
        return {} if all(any(_matches(w, f) is not None for f in found) for w in wanted) else None
    if at_least and isinstance(found, int | float):
        return {} if found >= wanted else None
    return {} if wanted == found else None


def _fill(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda m: words.get(m[1], m[0]), value)
    if isinstance(value, dict):
        return {key: _fill(item, words) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, words) for item in value]
    return value


def _describe(step: ScriptStep) -> str:
    return f"{step.on} {dict(step.match)}" if step.match else step.on


def _shown(facts: Mapping[str, Any]) -> str:
    text = str(dict(facts))
    return text if len(text) <= 300 else f"{text[:300]} …"
