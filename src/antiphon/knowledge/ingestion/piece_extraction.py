"""Model extraction of a document piece by piece, with a report of the pieces left to the rules."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion import extractor
from antiphon.knowledge.ingestion.mentions import EntityMention, Relation

if TYPE_CHECKING:
    from antiphon.knowledge.ingestion.pipeline import IngestReport

# A model that fails so often in a row is asked no more: each time it may take a minute to fail.
MAX_FAILURES = 3

Said = dict[int, list[EntityMention]]
Stated = dict[int, list[tuple[str, str, Relation]]]


class PieceExtraction:
    """Extraction of one document's pieces by a model. Failures go to the report, never raise."""

    def __init__(
        self,
        extractor: extractor.Extractor | None,
        report: IngestReport,
        skipped: Counter[str],
        seconds: float | None,
    ) -> None:
        self._extractor = extractor
        self._report = report
        self._skipped = skipped
        self._seconds = seconds
        self._until = None if seconds is None else time.monotonic() + seconds
        self._failures = 0

    def read(self, sentences: Sequence[str]) -> tuple[Said, Stated]:
        """Extract the next piece; empty when it is left to the rules."""
        self._report.pieces += 1
        if self._extractor is None:
            self._report.pieces_by_rules += 1
            return {}, {}
        reason = self._why_not()
        if reason is None:
            try:
                answer = self._extractor.extract(sentences)
            except KnowledgeError as error:
                self._failures += 1
                self._skipped["model: no answer"] += 1
                reason = f"the model gave no answer: {error.message}"
            else:
                self._failures = 0
                return extractor.checked(answer, sentences, self._skipped)
        self._left(reason)
        return {}, {}

    def _why_not(self) -> str | None:
        if self._failures >= MAX_FAILURES:
            return f"the model failed {MAX_FAILURES} times in a row and was asked no more"
        if self._until is not None and time.monotonic() >= self._until:
            return f"the model had no more time, of {self._seconds:g} s; ingest it again to go on"
        return None

    def _left(self, reason: str) -> None:
        report = self._report
        report.pieces_by_rules += 1
        if reason not in report.notes:
            report.notes.append(reason)
        last = report.by_rules[-1] if report.by_rules else None
        if last is not None and (last["last"], last["reason"]) == (report.pieces - 1, reason):
            last["last"] = report.pieces
        else:
            report.by_rules.append(
                {"first": report.pieces, "last": report.pieces, "reason": reason}
            )
