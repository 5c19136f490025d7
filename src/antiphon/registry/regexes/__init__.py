"""ReDoS analysis: whether a JSON Schema `pattern` can blow up a backtracking regex engine.

Our own validator matches in linear time, but clients and other validators that read the same
schema backtrack. The pattern is read as ECMA-262 (with the few spellings that Python and Rust add)
by a parser of our own: `re` merges `a|a` into one class and so hides the very thing looked for.

The judgement is made on the position automaton (one state for each character class of the
pattern), where an edge keeps how many ways lead along it without reading a character:

- exponential: from one state, two different ways over the same text back to that state;
- polynomial: a chain of loops, each of which can hand over to the next in the middle of a text
  that both accept. Reported from the third power on; `.*foo.*` stays fine.

Approximations, all of which lean towards "unsafe" for odd patterns: anchors and `\\b` match
anywhere; a lookaround is judged on its own; a backreference counts as a copy of its group; large
counted repetitions count as loops where they leave room for choice, and shortened where not.
"""

from __future__ import annotations

from antiphon.registry.regexes.ambiguity import exponential, polynomial
from antiphon.registry.regexes.automaton import Automaton
from antiphon.registry.regexes.syntax import PatternParser, Unreadable
from antiphon.registry.regexes.work_budget import TooComplicated, WorkBudget

__all__ = ["unsafe_reason"]

MAX_LENGTH = 5_000


def unsafe_reason(pattern: str) -> str | None:
    """Say in one sentence why `pattern` is unsafe for a backtracking engine; None when it is safe.

    Never raises and does a bounded amount of work, whatever the text.
    """
    if len(pattern) > MAX_LENGTH:
        return (
            f"the pattern is too complicated to judge: it is {len(pattern)} characters long and "
            f"{MAX_LENGTH} is the most that is checked; rewrite it simpler"
        )
    try:
        budget = WorkBudget()
        parser = PatternParser(pattern, budget)
        roots = [parser.parse()]
        judged: set[int] = set()
        while roots:
            automaton = Automaton(roots.pop(), budget)
            for look in automaton.lookarounds:
                if id(look) not in judged:
                    judged.add(id(look))
                    roots.append(look)
            reason = exponential(automaton, pattern) or polynomial(
                automaton, pattern, parser.can_fail_at_end
            )
            if reason:
                return reason
    except Unreadable as error:
        return f"the pattern cannot be read as a regular expression: {error}; correct it"
    except TooComplicated:
        return (
            "the pattern is too complicated to judge whether it can blow up; "
            "rewrite it simpler, with fewer repetitions and alternatives inside one another"
        )
    return None
