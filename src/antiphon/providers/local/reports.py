"""Envelopes in plain words: what a tool did, and every way in which a call can fail."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from antiphon.contracts import Envelope, ErrorType
from antiphon.providers.local.times import stretch
from antiphon.providers.local.words import joined, shortened, word_set

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


def report(
    tool: str, envelope: Envelope, spoken: bool, *, wrote: bool = False, risk: str = "low"
) -> str:
    """What came of a call, in a sentence or a short list. `wrote`: it has changed something.
    What has a high `risk` is not approved by a word."""
    if not envelope.get("ok"):
        if envelope["error"].get("type") == ErrorType.CONFIRMATION_REQUIRED:
            return _confirmation(_words(tool), envelope["error"], risk, spoken)
        return failure(tool, envelope["error"])
    data: Mapping[str, Any] = envelope.get("data") or {}
    if data.get("status") == "started" and "task_id" in data:
        return f"I have started this: {_words(tool)}. I will tell you when it is done."
    text = _success(tool, data, spoken)
    if wrote and not any(isinstance(data.get(key), str) for key in _SAID):
        text = text if text.startswith("Done") else f"Done. {text}"
    warnings = [one for one in data.get("warnings") or () if isinstance(one, str)]
    text = " ".join([text, *warnings])
    note = data.get("note")
    if isinstance(note, str) and note and note not in text:
        text = f"{text} {note}"
    return text


def _success(tool: str, data: Mapping[str, Any], spoken: bool) -> str:
    if (timed := _timed(data, spoken)) != "":
        return timed
    for key in _SAID:
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            return shortened(value, 300 if spoken else 2000)
    lists = {k: v for k, v in data.items() if isinstance(v, list) and k != "warnings"}
    told = [_list(key, value, spoken) for key, value in lists.items() if value]
    if told:
        return told[0] if spoken else "\n".join(told)
    inner = [(key, value) for key, value in data.items() if isinstance(value, Mapping) and value]
    if inner:
        return "\n".join(_facts(_words(key), value, spoken) for key, value in inner[:2])
    if lists:
        return f"There is nothing: no {joined((_words(key) for key in lists), 'or')}."
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
    if risk == "low":
        return f"{asked} Do you approve? I wait for your answer."
    if spoken:
        return f"{asked} Please approve it where it is shown."
    return f"{asked} Do you approve? Please answer where it is shown."


def _brief(preview: str) -> str:
    """What is worth hearing of a preview: what it does, and the values that were given."""
    first, _, rest = preview.partition(". ")
    told = [part for part in rest.rstrip(".").split("; ") if not _IDLE.search(part)]
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
