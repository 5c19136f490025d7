"""Privacy: which personal data of a conversation the model, the store and the log may see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antiphon.secrecy.personal_data import KINDS, PersonalData
from antiphon.secrecy.placeholders import Placeholders, StreamedRestore


@dataclass(frozen=True, slots=True)
class PrivacyRules:
    """The kinds of personal data that a profile masks: before the model, the store and the log.
    `patterns` are kinds of its own, by name."""

    model: frozenset[str] = frozenset()
    store: frozenset[str] = frozenset()
    log: frozenset[str] = frozenset()
    patterns: Mapping[str, str] = field(default_factory=dict)

    @property
    def kinds(self) -> frozenset[str]:
        """All that may be named."""
        return frozenset((*KINDS, *self.patterns))

    def __bool__(self) -> bool:
        return bool(self.model or self.store or self.log)


class ConversationPrivacy:
    """The privacy of one conversation of one user: its rules, and the placeholders so far. It lives
    as long as a session of the conversation is held."""

    def __init__(self, rules: PrivacyRules) -> None:
        self.rules = rules
        own = {name: re.compile(pattern) for name, pattern in rules.patterns.items()}
        self._placeholders = Placeholders(rules.kinds)
        self._model = PersonalData(rules.model, own)
        self._store = PersonalData(rules.store, own)
        self.log = PersonalData(rules.log, own)
        # The audit is both: it is kept, and read by others than who said it.
        self._audit = PersonalData(rules.store | rules.log, own)

    @property
    def hides_from_model(self) -> bool:
        return bool(self.rules.model)

    @property
    def hides_from_store(self) -> bool:
        return bool(self.rules.store)

    @property
    def hides_from_audit(self) -> bool:
        return bool(self._audit.kinds)

    def for_model(self, value: Any) -> Any:
        """A JSON value as the model is given it."""
        return self._placeholders.mask_all(value, self._model)

    def history_for_model(self, value: Any) -> Any:
        """A JSON value of what was said before as the model is given it: where the store masks,
        placeholders stand in it already."""
        if self.rules.store:
            return self._placeholders.mask_kept(value, self._model)
        return self._placeholders.mask_all(value, self._model)

    def from_model(self, value: Any) -> Any:
        """What the model wrote, with what its placeholders stand for."""
        return self._placeholders.restore_all(value)

    def text_from_model(self, text: str) -> str:
        """The same for a whole text."""
        return self._placeholders.restore(text)

    def stream(self) -> StreamedRestore:
        """The same for a text that comes in pieces."""
        return StreamedRestore(self._placeholders)

    def for_store(self, value: Any) -> Any:
        """A JSON value as it is kept."""
        return self._placeholders.mask_kept(value, self._store)

    def for_audit(self, value: Any) -> Any:
        """A JSON value as the audit has it: `[card]`. Safe to use from any thread."""
        return _masked(value, self._audit)


def _masked(value: Any, finder: PersonalData) -> Any:
    match value:
        case str():
            return finder.masked(value)
        case dict():
            return {finder.masked(str(name)): _masked(each, finder) for name, each in value.items()}
        case list() | tuple():
            return [_masked(each, finder) for each in value]
        case int() if not isinstance(value, bool):
            text = str(value)
            masked = finder.masked(text)
            return value if masked == text else masked
    return value
