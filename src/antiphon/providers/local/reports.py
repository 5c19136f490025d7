"""Envelopes in plain words: what a tool did, and every way in which a call can fail."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from antiphon.contracts import Envelope, ErrorType
from antiphon.providers.local.catalogue import SLOT, Phrase
from antiphon.providers.local.times import stretch
from antiphon.providers.local.words import joined, shortened
from antiphon.text.words import word_set

# Under these names tools put what is to be told.
_SAID = ("message", "answer", "formatted", "finalMessage", "summary", "text", "result")
_LABELS = ("title", "name", "label", "value", "id", "word")
_DETAILS = ("url", "role", "organisation", "description", "snippet", "text", "formatted", "status")
# Of use to programs only.
_UNTOLD = word_set(
    """query_time_ms ok success intents version revision digest hash start end raw epoch characters
    source kind document is_dst utc_offset truncated complete interpretation created_at updated_at
    error_policy"""
)
_MOST = {True: 3, False: 8}
# Left as it is where nothing else is said; nobody wants to hear it.
_IDLE = re.compile(r": (?:empty|none|yes|no|true|false|primary)$", re.IGNORECASE)
_MOST_TOLD = 5
_MOST_SHOWN, _MOST_HEARD, _HEARD_WORDS = 4000, 600, 4
_MOST_CODE = 12_000


Told: TypeAlias = Callable[[str], Sequence[Phrase]]


def report(
    tool: str,
    envelope: Envelope,
    spoken: bool,
    *,
    wrote: bool = False,
    risk: str = "low",
    told: Told = lambda _: (),
) -> str:
    """What came of a call, in a sentence or a short list. `wrote`: it has changed something.
    What has a high `risk` is not approved by a word. `told` are the sentences that a tool's author
    has for its answers."""
    if not envelope.get("ok"):
        if envelope["error"].get("type") == ErrorType.CONFIRMATION_REQUIRED:
            return _confirmation(_words(tool), envelope["error"], risk, spoken)
        return failure(tool, envelope["error"])
    data: Mapping[str, Any] = envelope.get("data") or {}
    if data.get("status") == "started" and "task_id" in data:
        return f"I have started this: {_words(tool)}. I will tell you when it is done."
    said = _authored(told(tool), data, spoken)
    text = said or _success(tool, data, spoken, told)
    if wrote and not said and not has_words(data):
        text = text if text.startswith("Done") else f"Done. {text}"
    warnings = [one for one in data.get("warnings") or () if isinstance(one, str)]
    text = " ".join([text, *warnings])
    note = data.get("note")
    if isinstance(note, str) and note and note not in text:
        text = f"{text} {note}"
    return text if spoken else "\n\n".join([text, *_code(data)])


def has_words(data: Mapping[str, Any]) -> bool:
    """Whether the answer of a tool has a sentence of its own."""
    return any(isinstance(data.get(key), str) for key in _SAID)


def _authored(sentences: Sequence[Phrase], data: Mapping[str, Any], spoken: bool) -> str:
    """The first sentence of the tool's author that this answer has all the values for."""
    for sentence in sentences:
        names = SLOT.findall(sentence.text)
        fits = all(data.get(name) == value for name, value in sentence.args.items())
        if fits and all(data.get(name) not in (None, "") for name in names):
            return SLOT.sub(lambda match: _in_sentence(data[match[1]], spoken), sentence.text)
    return ""


def _in_sentence(value: Any, spoken: bool) -> str:
    text = str(value)
    if not spoken:
        return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN].rstrip()}\u2026"
    if "\n" in text:
        # A page has labels and buttons, each on a line: what is worth hearing has more words.
        lines = [line.strip() for line in text.splitlines()]
        told = [line for line in lines if len(line.split()) >= _HEARD_WORDS] or lines
        text = " ".join(line if line.endswith((".", "!", "?")) else f"{line}." for line in told)
    return shortened(text, _MOST_HEARD)


def _code(data: Mapping[str, Any]) -> list[str]:
    """Files that were written, to be read."""
    files = data.get("files")
    found = []
    for file in files if isinstance(files, list) else ():
        content = file.get("content") if isinstance(file, Mapping) else None
        if isinstance(content, str) and len(content) <= _MOST_CODE:
            name = str(file.get("path", ""))
            language = str(file.get("language") or name.rpartition(".")[2])
            found.append(f"{name}\n\n```{language}\n{content.rstrip()}\n```")
    return found


def _steps(results: Sequence[Mapping[str, Any]], spoken: bool, told: Told) -> str:
    """What came of each step of a macro, in short."""
    lines = []
    for one in results:
        name, data = str(one["function"]), one.get("result")
        if not one.get("success"):
            line = f"{_words(name)} did not work: {one.get('error') or 'no reason was given'}"
        elif isinstance(data, Mapping):
            text = _authored(told(name), data, spoken) or _success(name, data, spoken, told)
            line = text if text.lower().startswith("done") else f"{_words(name)}: {text}"
        else:
            line = f"{_words(name)} is done"
        lines.append(_capital(shortened(line, 200)).rstrip("."))
    return " ".join(f"{line}." for line in lines) if spoken else "\n".join(f"- {x}" for x in lines)


def _success(tool: str, data: Mapping[str, Any], spoken: bool, told: Told = lambda _: ()) -> str:
    if (timed := _timed(data, spoken)) != "":
        return timed
    steps = [
        one
        for one in data.get("results") or ()
        if isinstance(one, Mapping) and "function" in one and "success" in one
    ]
    for key in _SAID:
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            text = shortened(value, 300 if spoken else 2000)
            return f"{text}\n{_steps(steps, spoken, told)}" if steps else text
    inside = data.get("result")
    if isinstance(inside, Mapping) and inside:  # of a tool that was run through another
        name = str(data.get("tool_id") or tool)
        return _authored(told(name), inside, spoken) or _success(name, inside, spoken, told)
    lists = {k: v for k, v in data.items() if isinstance(v, list) and k != "warnings"}
    shown = [_list(key, value, spoken) for key, value in lists.items() if value]
    if shown:
        return shown[0] if spoken else "\n".join(shown)
    inner = [(key, value) for key, value in data.items() if isinstance(value, Mapping) and value]
    if inner:
        return "\n".join(_facts(_words(key), value, spoken) for key, value in inner[:2])
    if lists:
        return f"There is nothing: no {joined((_words(key) for key in lists), 'or')}."
    if data.keys() == {"result"} and isinstance(inside, bool | int | float):
        # Of a function that returns a number: it is the whole answer.
        return str(inside) if not isinstance(inside, bool) else "Yes." if inside else "No."
    facts = _pairs(data, 4)
    name = _words(tool)
    return f"Done: {name}. {facts}".strip() if facts else f"Done: {name}."


def _timed(data: Mapping[str, Any], spoken: bool) -> str:
    """What takes place from when until when: one thing, or lists of them."""
    if _is_timed(data):
        return f"{_label(data)}: {stretch(data['start'], data['end'])}."
    timed = {
        key: value
        for key, value in data.items()
        if isinstance(value, list) and all(_is_timed(one) for one in value)
    }
    if not any(timed.values()):
        return ""
    told = []
    for key, values in timed.items():
        shown = [_when(value) for value in values[: _MOST[spoken]]]
        more = len(values) - len(shown)
        rest = f" and {more} more" if more else ""
        name = _words(key)
        told.append(f"{_capital(name)}: {joined(shown)}{rest}." if values else f"No {name}.")
    return " ".join(told)


def _is_timed(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(value.get(key), str) for key in ("start", "end")
    )


def _when(value: Mapping[str, Any]) -> str:
    title = value.get("title")
    name = f"{title}, " if isinstance(title, str) and title else ""
    return f"{name}{stretch(value['start'], value['end'])}"


def _list(key: str, values: list[Any], spoken: bool) -> str:
    shown = values[: _MOST[spoken]]
    more = len(values) - len(shown)
    if spoken:
        rest = f" and {more} more" if more else ""
        return f"{_capital(_words(key))}: {joined(_label(value) for value in shown)}{rest}."
    lines = [f"{_capital(_words(key))}:"]
    lines += [f"- {_item(value)}" for value in shown]
    if more:
        lines.append(f"- and {more} more")
    return "\n".join(lines)


def _label(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    inner = value.get("item")
    if isinstance(inner, Mapping):
        return _label(inner)
    found = next((value[key] for key in _LABELS if value.get(key) not in (None, "")), None)
    return str(found) if found is not None else _pairs(value, 2)


def _item(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    label = _label(value)
    details = [
        shortened(str(value[key]), 160)
        for key in _DETAILS
        if value.get(key) not in (None, "", []) and str(value[key]) != label
    ][:2]
    numbers = [
        f"{_words(key)} {number}"
        for key, number in value.items()
        if isinstance(number, int) and not isinstance(number, bool) and key not in _UNTOLD
    ][:2]
    many = [
        ", ".join(map(str, each))
        for each in value.values()
        if isinstance(each, list) and each and all(isinstance(one, str) for one in each)
    ][:3]
    reason = value.get("reason")
    extra = [*details, *many, *numbers, *([reason] if isinstance(reason, str) else [])]
    own = value.get("id")
    mark = f" ({own})" if isinstance(own, str) and own != label else ""
    return f"{label}: {'; '.join(extra)}{mark}" if extra else f"{label}{mark}"


def _facts(name: str, body: Mapping[str, Any], spoken: bool) -> str:
    plain = _pairs(body, 4 if spoken else 8)
    if spoken:
        return f"{_capital(name)}: {plain}." if plain else f"Done: {name}."
    lines = [f"{_capital(name)}: {plain}." if plain else f"{_capital(name)}:"]
    for key, value in body.items():
        if isinstance(value, list) and value:
            lines.append(f"- {_words(key)}: {', '.join(_label(v) for v in value[:5])}")
        elif isinstance(value, Mapping) and value:
            lines.append(f"- {_words(key)}: {_pairs(value, 8) or _label(value)}")
    return "\n".join(lines)


def _pairs(body: Mapping[str, Any], most: int) -> str:
    found = [
        f"{_words(key)} {shortened(str(value), 80)}"
        for key, value in body.items()
        if isinstance(value, str | int | float)
        and not isinstance(value, bool)
        and value != ""
        and key not in _UNTOLD
        and not (key == "id" and any(label in body for label in _LABELS[:3]))
    ]
    return ", ".join(found[:most])


def _words(name: str) -> str:
    spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
    return spaced.replace("_", " ").strip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- failures


def failure(tool: str, error: Mapping[str, Any]) -> str:
    """Why it did not work, and what can be done."""
    name, message = _words(tool), str(error.get("message", "")).strip()
    match error.get("type"):
        case ErrorType.VALIDATION:
            return f"That did not fit: {_reasons(error) or message}"
        case ErrorType.NOT_FOUND:
            return f"I have no tool for that here. {message}"
        case ErrorType.MODE_RESTRICTED:
            return f"I cannot use {name} in this kind of conversation. {message}"
        case ErrorType.BUDGET_EXCEEDED:
            return "I have used up the lookups of this turn. Ask me again, and I go on from there."
        case ErrorType.LOOP_DETECTED:
            return "I was about to repeat myself. Please put it in other words."
        case ErrorType.UNAVAILABLE:
            return f"{_capital(name)} is not available here. {message}"
        case ErrorType.IN_PROGRESS:
            return f"{_capital(name)} is still running. I will tell you what comes of it."
        case ErrorType.OUTCOME_UNKNOWN:
            return (
                f"I do not know whether {name} went through: it may have happened. Please check "
                "before you try it again."
            )
        case ErrorType.CANCELLED:
            return f"{_capital(name)} was not done. {_for_person(message)}".strip()
        case ErrorType.SESSION_INACTIVE:
            return "The session is over already."
        case ErrorType.SESSION_ACTIVE:
            return "That session is running already."
        case ErrorType.TRANSIENT:
            return (
                f"{_capital(name)} did not work just now. {message} Please try again in a moment."
            )
        case ErrorType.CONFLICT:
            return f"That clashes with what is there. {message}"
        case ErrorType.AUTH:
            return f"I am not allowed to do that. {message}"
        case ErrorType.RATE_LIMIT:
            return f"That was too often. {_later(error.get('retryAfter'))}"
        case ErrorType.INTERNAL:
            more = (
                " Part of it may have happened; please check."
                if error.get("partialSideEffects")
                else ""
            )
            return f"Something went wrong inside {name}.{more}"
    return f"{_capital(name)} did not work. {message}"


def _confirmation(name: str, error: Mapping[str, Any], risk: str, spoken: bool) -> str:
    request = error.get("confirmation_request")
    preview = str(request.get("preview", "")).strip() if isinstance(request, Mapping) else ""
    asked = (_brief(preview) if spoken else preview) or f"This would run {name}."
    if not spoken:
        title = request.get("title") if isinstance(request, Mapping) else None
        return f"{title or f'{asked} Do you approve?'} Please answer where it is shown."
    if risk != "low" or not isinstance(request, Mapping) or not request.get("question"):
        return f"{asked} Please approve it where it is shown."
    return str(request["question"])  # a yes counts after these very words


def approval(tool: str, error: Mapping[str, Any]) -> str:
    """The question for an approval: the one that a spoken yes counts for, else a short one."""
    request = error.get("confirmation_request")
    if isinstance(request, Mapping) and request.get("question"):
        return str(request["question"])
    preview = str(request.get("preview", "")).strip() if isinstance(request, Mapping) else ""
    first = preview.partition(". ")[0].rstrip(".") or f"Run {_words(tool)}"
    return f"{first}?"


def _brief(preview: str) -> str:
    """What is worth hearing of a preview: what it does, and the values that were given."""
    first, _, rest = preview.partition(". ")
    told = [part for part in rest.rstrip(".").split("; ") if part and not _IDLE.search(part)]
    return f"{first.rstrip('.')}. {'; '.join(told[:_MOST_TOLD])}." if told else preview


# -- what was wrong


def _reasons(error: Mapping[str, Any]) -> str:
    found = error.get("errors")
    if not isinstance(found, list) or not found:
        nearest = error.get("nearest")
        message = str(error.get("message", ""))
        if isinstance(nearest, list) and nearest:
            return f"{message} Did you mean {joined(map(str, nearest), 'or')}?"
        return message
    parts = []
    for each in found[:3]:
        if isinstance(each, Mapping):
            field = _words(str(each.get("pointer", "")).strip("/").replace("/", " "))
            parts.append(f"{field}: {each.get('expected') or each.get('message')}")
    return "; ".join(parts)


def _for_person(message: str) -> str:
    """What was told to a model, as far as it concerns the person."""
    first = message.split(". ")[0].rstrip(".")
    if "did not approve" in first:
        return "You did not approve it."
    if "did not answer in time" in first:
        return "There was no answer in time."
    return ""


def _later(seconds: Any) -> str:
    if not isinstance(seconds, int | float):
        return "Please try again in a moment."
    if seconds < 90:
        return f"Please try again in {max(1, round(seconds))} seconds."
    return f"Please try again in {round(seconds / 60)} minutes."
