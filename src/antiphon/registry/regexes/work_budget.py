"""The work budget of one analysis: past it a pattern counts as too complicated to judge."""

from __future__ import annotations

from dataclasses import dataclass

MAX_DEPTH = 40
MAX_STEPS = 50_000
# Up to this many copies, counted repetitions are written out; beyond, they are approximated.
MAX_COPIES = 32
MAX_COPIED_STATES = 160


class TooComplicated(Exception):
    """The work needed to judge the pattern is past the cap."""


@dataclass(slots=True)
class WorkBudget:
    steps: int = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise TooComplicated

    def spend_on_ranges(self, count: int) -> None:
        """Sorting and merging ranges is cheap until Unicode properties bring in hundreds."""
        if count > 16:
            self.spend(count)
