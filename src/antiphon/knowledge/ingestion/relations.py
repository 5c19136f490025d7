"""Relations between the entities of one sentence: verbs, roles, possession, and company."""

from __future__ import annotations

import re
from itertools import pairwise

from antiphon.knowledge.ingestion.lexicon import ROLES
from antiphon.knowledge.ingestion.mentions import NAMED, Mention, Relation

_GO_BEFORE = (
    r"(?:(?:who|which|that|also|now|currently|already|still|first|later|then|has|have|had|is|was|"
    r"are|were|been) )*"
)
_GO_BETWEEN = (
    r"(?: (?:the|a|an|its|their|his|her|our|new|own|startup|company|team|project|city|town|of))*"
)

# Verb phrase -> relation, and whether source and target are the other way round.
_VERBS: list[tuple[str, str, bool, float]] = [
    (r"leads?|led|leading|heads?|headed|runs?|ran|manages?|managed|directs?|directed|chairs?|chaired",
     "leads", False, 0.8),
    (r"(?:led|headed|run|managed|directed|chaired) by", "leads", True, 0.85),
    (r"founded|co-founded|cofounded|founds|established|started", "founded", False, 0.85),
    (r"(?:founded|co-founded|cofounded|established|started) by", "founded", True, 0.9),
    (r"works? (?:for|at|with)|worked (?:for|at|with)|working (?:for|at|with)|joins?|joined|"
     r"employed (?:by|at)", "works_for", False, 0.8),
    (r"employs?|employed|hires?|hired", "works_for", True, 0.75),
    (r"works? on|worked on|working on|contributes? to|contributed to", "works_on", False, 0.8),
    (r"reports? (?:directly )?to|reported to|reporting to|answers? to", "reports_to", False, 0.9),
    (r"uses?|used|using|adopts?|adopted|relies on|rely on|relied on|runs? on|built (?:on|with)",
     "uses", False, 0.75),
    (r"(?:used|adopted) by", "uses", True, 0.8),
    (r"depends? (?:up)?on|depended on|depending on|requires?|required|needs?", "depends_on", False,
     0.85),
    (r"(?:required|needed) by", "depends_on", True, 0.8),
    (r"(?:based|headquartered|located|situated) in|lives? in|lived in|resides? in|born in",
     "based_in", False, 0.85),
    (r"(?:a |an )?(?:part|member|division|subsidiary|unit|branch|component|module) of|belongs? to|"
     r"belonged to", "part_of", False, 0.85),
    (r"includes?|included|contains?|contained|comprises?", "part_of", True, 0.6),
    (r"acquires?|acquired|buys|bought|takes over|took over", "acquired", False, 0.85),
    (r"(?:acquired|bought|taken over) by", "acquired", True, 0.85),
    (r"owns?|owned", "owns", False, 0.8),
    (r"owned by", "owns", True, 0.85),
    (r"builds?|built|creates?|created|develops?|developed|designs?|designed|writes?|wrote|written|"
     r"invents?|invented|made|makes?|publishes|published", "created", False, 0.7),
    (r"(?:built|created|developed|designed|written|invented|made|published) by", "created", True,
     0.85),
    (r"collaborates? with|collaborated with|partners? with|partnered with", "collaborates_with",
     False, 0.8),
    (r"competes? with|competed with", "competes_with", False, 0.8),
    (r"marries|married(?: to)?", "married_to", False, 0.8),
    (r"succeeds?|succeeded|replaces?|replaced", "replaces", False, 0.7),
    (r"replaced by|succeeded by", "replaces", True, 0.8),
]  # fmt: skip
_PATTERNS = [
    (re.compile(f"{_GO_BEFORE}(?:{verbs}){_GO_BETWEEN}"), relation, turned, confidence)
    for verbs, relation, turned, confidence in _VERBS
]
# What the ends of a relation most likely are, when nothing else says so.
EXPECTED = {
    "leads": ("person", "org"), "founded": ("person", "org"), "works_for": ("person", "org"),
    "reports_to": ("person", "person"), "based_in": ("", "place"), "acquired": ("org", "org"),
    "works_on": ("person", "term"), "depends_on": ("", "term"), "uses": ("", "term"),
    "married_to": ("person", "person"),
}  # fmt: skip

_ROLE = "|".join(sorted(map(re.escape, ROLES), key=len, reverse=True))
_ADJECTIVES = r"(?:[a-z-]{2,20} ){0,2}"
_APPOSITION = re.compile(
    r"(?:,|,? who is|,? is|,? was|,? became| \u2013| \() ?(?:the |an? |its |our )?"
    rf"{_ADJECTIVES}(?P<role>{_ROLE})"
    r"(?: (?:and|&) [a-z-]{2,20})?(?P<of> of [a-z-]{2,20}(?: [a-z-]{2,20})?)?"
    r" (?:of|at|for|in)(?: the)?"
)
_POSSESSED_ROLE = re.compile(rf"['\u2019]s? {_ADJECTIVES}(?P<role>{_ROLE}),?")
_ROLE_BETWEEN = re.compile(rf",? ?(?:the )?{_ADJECTIVES}(?P<role>{_ROLE})")
_POSSESSIVE = re.compile(r"['\u2019]s?(?: (?:new|own|latest|first))?")
_LIST = re.compile(r",|,? (?:and|or|as well as)(?: the)?|, (?:and|or)?(?: the)?|/")
MAX_GAP = 80
MAX_TOGETHER = 6
TOGETHER = 0.2


def relations(text: str, mentions: list[Mention]) -> list[Relation]:
    """Relations that the words between two names state, and "related_to" where none is stated."""
    named = [at for at, mention in enumerate(mentions) if mention.type not in _VALUES]
    found: list[Relation] = []
    for here, (left, right) in enumerate(pairwise(named)):
        stated = _between(text, mentions, left, right)
        if stated is None and found and found[-1].target == left:
            stated = _continued(text, mentions, found[-1], right)
        if stated is None:
            continue
        found.append(stated)
        if stated.rule == "verb" and stated.target == right:
            found += _rest_of_list(text, mentions, named[here + 1 :], stated)
    pairs = {frozenset((one.source, one.target)) for one in found}
    together = [at for at in named if mentions[at].type in NAMED or mentions[at].id]
    if 2 <= len(together) <= MAX_TOGETHER:
        for here, first in enumerate(together):
            for second in together[here + 1 :]:
                if frozenset((first, second)) not in pairs:
                    found.append(Relation(first, second, "related_to", "co-occurrence", TOGETHER))
    return found


_VALUES = frozenset({"date", "amount", "percent", "email", "link"})


def _between(text: str, mentions: list[Mention], left: int, right: int) -> Relation | None:
    raw = text[mentions[left].end : mentions[right].start]
    if len(raw) > MAX_GAP:
        return None
    gap = " ".join(raw.lower().split(" ")).replace("\n", " ").rstrip()
    if match := _APPOSITION.fullmatch(gap):
        role = match["role"]
        # The head of research at a bank does not lead the bank.
        relation = "works_for" if match["of"] else ROLES[role]
        return Relation(left, right, relation, "apposition", 0.85, role + (match["of"] or ""))
    if mentions[right].type in ("person", "entity") and (match := _POSSESSED_ROLE.fullmatch(gap)):
        role = match["role"]
        return Relation(right, left, ROLES[role], "possessive", 0.85, role)
    if mentions[right].type == "person" and (match := _ROLE_BETWEEN.fullmatch(gap)):
        role = match["role"]
        return Relation(right, left, ROLES[role], "role", 0.7, role)
    if _POSSESSIVE.fullmatch(gap):
        return Relation(left, right, "has", "possessive", 0.5)
    return _verb(gap.strip().removeprefix(", "), left, right)


def _verb(words: str, left: int, right: int) -> Relation | None:
    for pattern, relation, turned, confidence in _PATTERNS:
        if pattern.fullmatch(words):
            ends = (right, left) if turned else (left, right)
            return Relation(*ends, relation, "verb", confidence)
    return None


def _continued(text: str, mentions: list[Mention], before: Relation, right: int) -> Relation | None:
    """ "Acme is based in Rome and uses Kafka": the second verb has the subject of the first."""
    gap = " ".join(text[mentions[before.target].end : mentions[right].start].lower().split())
    found = re.fullmatch(r",? ?(?:and|but) (.{2,60})", gap)
    return _verb(found[1], before.source, right) if found else None


def _rest_of_list(
    text: str, mentions: list[Mention], following: list[int], first: Relation
) -> list[Relation]:
    """ "uses Redis, Kafka and Postgres" states three relations."""
    found = []
    for before, after in pairwise(following):
        gap = text[mentions[before].end : mentions[after].start].lower().rstrip()
        if not _LIST.fullmatch(gap):
            break
        found.append(
            Relation(first.source, after, first.relation, "verb", round(first.confidence - 0.1, 2))
        )
    return found
