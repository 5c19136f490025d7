"""No text makes a regular expression of the package take more than a pass or two through it.

A pattern that backtracks holds the interpreter's lock, and with it every conversation.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.effort import THOROUGH
from tests.regex_attacks import Use, attacks, uses

# Where the texts that patterns see are short, and who keeps them so. They may take a square of it.
SHORT = {
    "providers/local/annotations.py": 0,  # reads what comes before it is cut
    "providers/local/": 2_000,  # LONGEST of long_messages.py: the rest of a message is not read
    "contracts/availability.py": 2_000,  # expressions of a schema, read when tools are built
    "tools/catalogue/security-scanner/script_rules.py": 2_000,  # LONGEST: so much of a line
    "tools/catalogue/citation-formatter/": 1_000,  # maxLength of their schemas
    "tools/catalogue/colour-converter/": 60,
    "tools/catalogue/colour-palette/": 60,
    "tools/catalogue/semver-compare/": 500,
    "tools/format-datetime/": 64,
    "tools/query-kg/": 500,
}
# A pass takes a twentieth of a millisecond, the square of it several times the limit below.
LENGTHS = (24, 250, 1_000, 8_000) if THOROUGH else (24, 250, 4_000)
MOST_SECONDS = 0.03


def longest(use: Use) -> int:
    return next((n for start, n in SHORT.items() if use.where.startswith(start)), 0) or LENGTHS[-1]


def too_long(use: Use, make: Callable[[int], str]) -> str | None:
    limit = longest(use)
    for length in (*(n for n in LENGTHS if n < limit), limit):
        text = make(length)
        # A busy machine may make it seem long, but not three times.
        took = use.cpu_time(text)
        if took > MOST_SECONDS:
            took = min(took, use.cpu_time(text), use.cpu_time(text))
        if took > MOST_SECONDS:
            return f"{took:.2f} s for {length} characters like {make(40)!r}"
    return None


def test_no_text_takes_the_patterns_long() -> None:
    slow = []
    for use in uses():
        for make in attacks(use.pattern):
            if said := too_long(use, make):
                slow.append(f"{use.where}: {use.pattern.pattern!r} took {said}")
                break
    assert not slow, "\n".join(slow)
