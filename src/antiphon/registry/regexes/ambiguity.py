"""Ambiguity of an automaton: exponentially many ways over one text, or a power of its length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from antiphon.registry.regexes.automaton import Automaton, Loop
from antiphon.registry.regexes.work_budget import WorkBudget

REPORTED_POWER = 3


def exponential(automaton: Automaton, pattern: str) -> str | None:
    """Return why an automaton has exponentially many ways over one text; None when it has not."""
    for loop in automaton.loops:
        if loop.doubled:
            p, q = loop.doubled
            return (
                f"nested repetition {_quote(pattern, loop)} can match the same text (repeats of "
                f"{_show(_round(automaton, loop, p, q))}) in exponentially many ways; repeat in "
                "one place only, or let every round begin with a character that the inner "
                "repetition cannot match"
            )
    for loop in automaton.outermost():
        found = _doubled_edge(automaton, loop) or _two_ways(automaton, loop)
        if found:
            states, text = found
            around = [x for x in automaton.loops if x.start <= min(states) and max(states) < x.stop]
            inner = min(around, key=lambda x: x.stop - x.start)
            return (
                f"the repetition {_quote(pattern, inner)} can match the same text (repeats of "
                f"{_show(text)}) in exponentially many ways; make its alternatives start with "
                "different characters, or drop the part that overlaps"
            )
    return None


def _doubled_edge(automaton: Automaton, loop: Loop) -> tuple[set[int], str] | None:
    """Return the reason for two ways to go on without reading a character, as in `(a(|)b)*`."""
    for p in range(loop.start, loop.stop):
        for q, ways in automaton.after[p].items():
            if ways == 2 and loop.start <= q < loop.stop and automaton.classes[q]:
                return {p, q}, _round(automaton, loop, p, q)
    return None


def _two_ways(automaton: Automaton, loop: Loop) -> tuple[set[int], str] | None:
    """Search pairs of states for two ways that part at one state and meet again at one."""
    after, sets = automaton.after, automaton.alphabet
    inside = range(loop.start, loop.stop)
    follows = {p: tuple(q for q in after[p] if q in inside) for p in inside}
    # States that go on alike, such as the ends of all alternatives, are looked at once.
    alike: dict[tuple[int, ...], int] = {}
    kind = {p: alike.setdefault(following, p) for p, following in follows.items()}
    done: set[tuple[int, int, bool]] = set()
    came: dict[tuple[int, int], tuple[int, int]] = {}
    queue: list[tuple[int, int]] = [(p, p) for p in inside]
    for pair in queue:
        p, q = pair
        if (kind[p], kind[q], p == q) in done:
            continue
        done.add((kind[p], kind[q], p == q))
        automaton.budget.spend(1 + len(follows[p]) * len(follows[q]))
        for p_next in follows[p]:
            p_set = sets.of(p_next)
            for q_next in follows[q]:
                if not p_set & sets.of(q_next):
                    continue
                if p_next == q_next:
                    if p != q:
                        return _meeting(automaton, loop, came, pair, p_next)
                    continue
                # Both orders of a pair are the same finding.
                following = (p_next, q_next) if p_next < q_next else (q_next, p_next)
                if following not in came:
                    came[following] = pair
                    queue.append(following)
    return None


def _meeting(
    automaton: Automaton,
    loop: Loop,
    came: dict[tuple[int, int], tuple[int, int]],
    pair: tuple[int, int],
    end: int,
) -> tuple[set[int], str]:
    """Return the states on the two ways, and the text that leads round once."""
    sets = automaton.alphabet
    chars = [sets.example(sets.of(end))]
    states = {end}
    while pair[0] != pair[1]:
        states.update(pair)
        chars.append(sets.example(sets.of(pair[0]) & sets.of(pair[1])))
        pair = came[pair]
    states.add(pair[0])
    return states, "".join(reversed(chars)) + _path(automaton, loop, end, pair[0])


def _round(automaton: Automaton, loop: Loop, p: int, q: int) -> str:
    """Return the text that leads from p to q and back to p."""
    sets = automaton.alphabet
    return sets.example(sets.of(q)) + _path(automaton, loop, q, p)


def _path(automaton: Automaton, loop: Loop, start: int, end: int) -> str:
    """Return the shortest text from one state of a loop to another; empty when they are the
    same."""
    came = {start: start}
    queue = [start]
    for state in queue:
        if state == end:
            break
        for following in automaton.after[state]:
            automaton.budget.spend()
            if loop.start <= following < loop.stop and following not in came:
                came[following] = state
                queue.append(following)
    chars: list[str] = []
    sets = automaton.alphabet
    while end != start:
        chars.append(sets.example(sets.of(end)) if sets.of(end) else "")
        end = came[end]
    return "".join(reversed(chars))


def polynomial(automaton: Automaton, pattern: str, can_fail_at_end: bool) -> str | None:
    """Find the longest chain of loops that hand over to each other within one text."""
    loops = automaton.outermost()
    if len(loops) <= REPORTED_POWER:
        return None
    automaton.budget.spend(len(loops) * len(loops) // 4)
    reached = _reachable(automaton, loops)
    if max(_longest(reached)) < REPORTED_POWER:
        return None
    # Nothing can fail after a loop that may end the match, so its length is never tried again.
    harmless = set() if can_fail_at_end else set(automaton.whole.last)
    chains: list[list[int]] = [[number] for number in range(len(loops))]
    for here, loop in enumerate(loops):
        for there in _numbers(reached[here]):
            automaton.budget.spend()
            chain = chains[here]
            after = loops[there]
            if not harmless.intersection(range(after.start, after.stop)) and _hands_over(
                automaton, loop, after
            ):
                chain = [*chain, there]
                if len(chain) > REPORTED_POWER:
                    parts = ", ".join(_quote(pattern, loops[number]) for number in chain)
                    return (
                        f"the repetitions {parts} can share out the same text in many ways, so "
                        f"the time to refuse a text grows with the power {len(chain)} of its "
                        "length; merge them, or separate them by something they cannot match"
                    )
            if len(chain) > len(chains[there]):
                chains[there] = chain
    return None


def _reachable(automaton: Automaton, loops: list[Loop]) -> list[int]:
    """Return for every loop the set (as bits) of other loops behind it. Edges between loops go
    forward."""
    owner = [-1] * len(automaton.after)
    for number, loop in enumerate(loops):
        owner[loop.start : loop.stop] = [number] * (loop.stop - loop.start)
    ahead = [0] * len(automaton.after)
    reached = [0] * len(loops)
    state = len(automaton.after) - 1
    while state >= 0:
        number = owner[state]
        block = range(state, state + 1)
        if number >= 0:
            block = range(loops[number].start, loops[number].stop)
        bits = 0
        for member in block:
            for following in automaton.after[member]:
                if following not in block:
                    bits |= ahead[following]
        if number >= 0:
            reached[number] = bits
            bits |= 1 << number
        for member in block:
            ahead[member] = bits
        state = block.start - 1
    return reached


def _longest(reached: list[int]) -> list[int]:
    """Return for every loop how many more loops a single way can pass through behind it."""
    longest = [0] * len(reached)
    for here in range(len(reached) - 1, -1, -1):
        behind = [longest[there] for there in _numbers(reached[here])]
        longest[here] = 1 + max(behind) if behind else 0
    return longest


def _numbers(bits: int) -> Iterator[int]:
    number = 0
    while bits:
        if bits & 1:
            yield number
        bits >>= 1
        number += 1


def _hands_over(automaton: Automaton, before: Loop, behind: Loop) -> bool:
    """Whether some text leads from p to p, from p to q and from q to q, p in one, q in the other.

    Walks triples: p stays in the first loop, q in the second, and the middle goes from p to q.
    """
    after, sets, budget = automaton.after, automaton.alphabet, automaton.budget
    first, second = range(before.start, before.stop), range(behind.start, behind.stop)
    edges: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for p in first:
        for q in second:
            budget.spend(1 + len(after[p]) * len(after[q]))
            edges[p, q] = [
                (p_next, q_next, sets.of(p_next) & sets.of(q_next))
                for p_next in after[p]
                for q_next in after[q]
                if p_next in first and q_next in second and sets.of(p_next) & sets.of(q_next)
            ]
    component = _components(edges, budget)
    seen = {(p, q, p) for p, q in edges}
    queue = list(seen)
    for p, q, middle in queue:
        for p_next, q_next, both in edges[p, q]:
            # Only within one component can the pair come back to where it was.
            if component[p, q] != component[p_next, q_next]:
                continue
            budget.spend(1 + len(after[middle]))
            for middle_next in after[middle]:
                if not both & sets.of(middle_next):
                    continue
                if middle_next == q_next:
                    return True
                triple = (p_next, q_next, middle_next)
                if middle_next < second.stop and triple not in seen:
                    seen.add(triple)
                    queue.append(triple)
    return False


def _components(
    edges: dict[tuple[int, int], list[tuple[int, int, int]]], budget: WorkBudget
) -> dict[tuple[int, int], int]:
    """Number the strongly connected components (Kosaraju, without recursion)."""
    order: list[tuple[int, int]] = []
    seen: set[tuple[int, int]] = set()
    backward: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for root in edges:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for p, q, _ in rest:
                budget.spend()
                backward[p, q].append(node)
                if (p, q) not in seen:
                    seen.add((p, q))
                    stack.append(((p, q), iter(edges[p, q])))
                    break
            else:
                order.append(node)
                stack.pop()
    component: dict[tuple[int, int], int] = {}
    for root in reversed(order):
        if root in component:
            continue
        component[root] = len(component)
        waiting = [root]
        while waiting:
            node = waiting.pop()
            for previous in backward[node]:
                if previous not in component:
                    component[previous] = component[root]
                    waiting.append(previous)
    return component


def _quote(pattern: str, loop: Loop) -> str:
    text = pattern[loop.span[0] : loop.span[1]]
    if len(text) > 60:
        text = text[:40] + "…" + text[-15:]
    # A pattern may hold control characters or lone surrogates; a message may not.
    return "`" + "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text) + "`"


def _show(text: str) -> str:
    shown = ascii(text if len(text) <= 40 else text[:40])[1:-1].replace('"', '\\"')
    return f'"{shown}"' if len(text) <= 40 else f'"{shown}…"'
