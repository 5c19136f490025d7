"""Relations between the entities of one sentence: verbs, roles, possession, and company."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from antiphon.knowledge.ingestion.lexicon import (
    OCCUPATION_ENDINGS,
    OCCUPATIONS,
    ORGANISATION_NOUNS,
    ROLES,
)
from antiphon.knowledge.ingestion.mentions import NAMED, EntityMention, Relation

_GO_BEFORE = (
    r"(?:(?:who|which|that|also|now|currently|already|still|first|later|then|has|have|had|is|was|"
    r"are|were|been|being|jointly|originally|recently|previously|formerly|since|both) )*"
)
_GO_BETWEEN = (
    r"(?: (?:the|a|an|its|their|his|her|our|new|own|small|young|former|startup|company|firm|team|"
    r"project|programme|city|town|of))*"
)
# Between a verb in the passive and "by": when and where.
_MEANWHILE = r"(?: (?:in|on|at|during|around|near) [\w ,-]{1,40}?)?"

# Verb phrase -> relation, and whether source and target are the other way round.
_VERBS: list[tuple[str, str, bool, float]] = [
    (r"leads?|led|leading|heads?|headed|runs?|ran|directs?|directed|chairs?|chaired",
     "leads", False, 0.8),
    (r"(?:led|headed|run|directed|chaired){by}", "leads", True, 0.85),
    (r"manages?|managed|managing|oversees?|oversaw|supervises?|supervised", "manages", False, 0.8),
    (r"(?:managed|overseen|supervised){by}", "manages", True, 0.85),
    (r"founded|co-founded|cofounded|founds|established|started|set up", "founded", False, 0.85),
    (r"(?:founded|co-founded|cofounded|established|started|set up){by}", "founded", True, 0.9),
    (r"(?:works?|worked|working) (?:as an? [a-z -]{2,40}? )?(?:for|at|with)|joins?|joined|"
     r"employed (?:by|at)|(?:teach(?:es)?|taught|lectures?|lectured|studies|studied|interned) at",
     "works_for", False, 0.8),
    (r"employs?|employed|hires?|hired", "works_for", True, 0.75),
    (r"works? on|worked on|working on|contributes? to|contributed to", "works_on", False, 0.8),
    (r"reports? (?:directly )?to|reported to|reporting to|answers? to", "reports_to", False, 0.9),
    (r"uses?|used|using|adopts?|adopted|relies on|rely on|relied on|runs? on|built (?:on|with)|"
     r"(?:is|was|are) (?:written|implemented) in", "uses", False, 0.75),
    (r"(?:reads?|stores?|keeps?|fetches|loads?|caches) (?:its|their|the|all) "
     r"[a-z ]{2,30}? (?:from|in)", "uses", False, 0.6),
    (r"(?:used|adopted){by}", "uses", True, 0.8),
    (r"depends? (?:up)?on|depended on|depending on|requires?|required|needs?", "depends_on", False,
     0.85),
    (r"(?:required|needed){by}", "depends_on", True, 0.8),
    (r"(?:based|headquartered|located|situated) in|lives? in|lived in|resides? in|born in|"
     r"employs? [\w ,]{1,40}? in", "based_in", False, 0.85),
    (r"(?:a |an )?(?:part|member|division|subsidiary|unit|branch|component|module) of|belongs? to|"
     r"belonged to", "part_of", False, 0.85),
    (r"includes?|included|contains?|contained|comprises?", "part_of", True, 0.6),
    (r"acquires?|acquired|buys|bought|takes over|took over", "acquired", False, 0.85),
    (r"(?:acquired|bought|taken over){by}", "acquired", True, 0.85),
    (r"owns?|owned", "owns", False, 0.8),
    (r"owned{by}", "owns", True, 0.85),
    (r"maintains?|maintained|looks after|looked after", "maintains", False, 0.8),
    (r"(?:maintained|looked after){by}", "maintains", True, 0.85),
    (r"operates?|operated", "operates", False, 0.75),
    (r"operated{by}", "operates", True, 0.85),
    (r"funds?|funded|sponsors?|sponsored|finances?|financed|invested in|invests in", "funds", False,
     0.8),
    (r"(?:funded|sponsored|financed){by}", "funds", True, 0.85),
    (r"launch(?:es|ed)|releases?|released|introduced|unveiled", "launched", False, 0.75),
    (r"(?:launched|released|introduced|unveiled){by}", "launched", True, 0.85),
    (r"discovers?|discovered|isolated", "discovered", False, 0.8),
    (r"(?:discovered|isolated){by}", "discovered", True, 0.85),
    (r"publish(?:es|ed)", "published", False, 0.8),
    (r"published{by}", "published", True, 0.85),
    (r"builds?|built|creates?|created|develops?|developed|designs?|designed|writes?|wrote|written|"
     r"invents?|invented|made|makes?|composes?|composed|painted", "created", False, 0.7),
    (r"(?:built|created|developed|designed|written|invented|made|composed|painted){by}", "created",
     True, 0.85),
    (r"collaborates? with|collaborated with|partners? with|partnered with", "collaborates_with",
     False, 0.8),
    (r"competes? with|competed with", "competes_with", False, 0.8),
    (r"marries|married(?: to)?", "married_to", False, 0.8),
    (r"succeeds?|succeeded|replaces?|replaced", "replaces", False, 0.7),
    (r"(?:replaced|succeeded){by}", "replaces", True, 0.8),
]  # fmt: skip
_PATTERNS = [
    (
        re.compile(f"{_GO_BEFORE}(?:{verbs.replace('{by}', f'{_MEANWHILE} by')}){_GO_BETWEEN}"),
        relation,
        turned,
        confidence,
    )
    for verbs, relation, turned, confidence in _VERBS
]
# What the ends of a relation most likely are, when nothing else says so.
EXPECTED = {
    "leads": ("person", "org"), "founded": ("person", "org"), "works_for": ("person", "org"),
    "reports_to": ("person", "person"), "based_in": ("", "place"), "acquired": ("org", "org"),
    "works_on": ("person", "term"), "depends_on": ("", "term"), "uses": ("", "term"),
    "married_to": ("person", "person"), "manages": ("person", ""), "discovered": ("person", "term"),
    "created": ("", "term"), "launched": ("org", "term"), "published": ("org", "term"),
    "funds": ("org", ""), "operates": ("org", "term"), "supplies": ("org", "org"),
}  # fmt: skip

_ROLE = "|".join(sorted(map(re.escape, ROLES), key=len, reverse=True))
_ADJECTIVES = r"(?:[a-z-]{2,20} ){0,2}"
_APPOSITION = re.compile(
    r"(?:,|,? who is|,? is|,? was|,? became| \u2013| \() ?(?:the |an? |its |our )?"
    rf"{_ADJECTIVES}(?P<role>{_ROLE})"
    r"(?: (?:and|&) [a-z-]{2,20})?(?P<of> of [a-z-]{2,20}(?: [a-z-]{2,20})?)?"
    r" (?:of|at|for|in)(?: the)?"
)
# "Maria, a marine biologist at the Institute" and "Quill & Sons is a printing house from Leeds".
_KIND = re.compile(
    r"(?:,|,? (?:who|which) (?:is|was)|,? (?:is|was)) an? (?:[a-z-]{2,20} ){0,3}?"
    r"(?P<noun>[a-z-]{3,20}) (?P<at>at|for|with|of|in|from|near|based in)(?: the)?"
)
_POSSESSED_ROLE = re.compile(rf"['\u2019]s? {_ADJECTIVES}(?P<role>{_ROLE}),?")
_ROLE_BETWEEN = re.compile(rf",? ?(?:the )?{_ADJECTIVES}(?P<role>{_ROLE})")
_POSSESSIVE = re.compile(r"['\u2019]s?(?: (?:new|own|latest|first))?")
_LIST = re.compile(r",|,? (?:and|or|as well as)(?: the)?|, (?:and|or)?(?: the)?|/")
_SUBJECTS = re.compile(r",| (?:and|or|as well as)(?: the)?")
_BY = re.compile(r" by(?: (?:the|its|our|an?))?")
# A name behind a preposition is not what the verb behind it speaks of, but in ", which uses".
_NO_SUBJECT = re.compile(r"\b(?:in|at|from|near|of|to|with|for|by|on) (?:the |an? |our |its )?\Z")
_RELATIVE = (", which", ", who", ", where", " which", " who", " that")
MAX_GAP = 80
MAX_TOGETHER = 3
TOGETHER = 0.2
# What a sentence calls a company or a shop is an organisation.
ORGANISATION_RULE = "organisation noun"


class _Stated(NamedTuple):
    """A relation and the mentions to the left and right of the words that state it."""

    relation: Relation
    left: int
    right: int


def relations(text: str, mentions: list[EntityMention]) -> list[Relation]:
    """Relations stated by the words between two names, and "related_to" where none is stated."""
    named = [at for at, mention in enumerate(mentions) if mention.type not in _VALUES]
    stated: list[_Stated] = []
    for here, (left, right) in enumerate(pairwise(named)):
        found = _near(text, mentions, left, right, stated, named[here - 1] if here else None)
        if found is not None and _fits(mentions, found.relation):
            stated.append(found)
            stated += _rest_of_list(text, mentions, named[here + 1 :], found)
            stated += _others_before(text, mentions, named[: named.index(found.left)], found)
    if stated:
        return list({one.relation: None for one in stated})
    sure = [at for at in named if not mentions[at].quiet]
    together = [at for at in sure if mentions[at].type in NAMED or mentions[at].id]
    if not 2 <= len(together) <= MAX_TOGETHER:
        return []
    return [
        Relation(first, second, "related_to", "co-occurrence", TOGETHER)
        for first, second in pairwise(together)
    ]


def _near(
    text: str,
    mentions: list[EntityMention],
    left: int,
    right: int,
    stated: list[_Stated],
    before: int | None,
) -> _Stated | None:
    """Relation stated about two neighbouring names, or about the subject and the second."""
    gap = _words(text, mentions, left, right)
    last = stated[-1] if stated else None
    if (
        last is not None
        and last.right == left
        and last.relation.rule in _APPOSED
        and gap.startswith(", ")
        and not gap.startswith(_RELATIVE)
    ):
        # "Lena, director of the Observatory, lives in Innsbruck"
        found = _verb(gap[2:], last.left, right)
        return _Stated(found, last.left, right) if found else None
    if before is not None and _BY.fullmatch(gap):
        # "The app was written in Kotlin by the team"
        found = _verb(_words(text, mentions, before, right).strip(), before, right)
        if found is not None and found.target == before:
            return _Stated(found, before, right)
    found = _between(text, mentions, left, right)
    if found is not None:
        return _Stated(found, left, right)
    if last is not None and last.right == left:
        # "Acme is based in Rome and uses Kafka": the second verb has the subject of the first.
        more = re.fullmatch(r",? ?(?:and|but) (.{2,60})", gap)
        found = _verb(more[1], last.left, right) if more else None
        return _Stated(found, last.left, right) if found else None
    return None


def _words(text: str, mentions: list[EntityMention], left: int, right: int) -> str:
    """Text between two names, in lower case."""
    raw = text[mentions[left].end : mentions[right].start]
    return " ".join(raw.lower().split(" ")).replace("\n", " ").rstrip()


def _fits(mentions: list[EntityMention], relation: Relation) -> bool:
    """Whether a relation is possible between things of these types."""
    source, target = mentions[relation.source], mentions[relation.target]
    if relation.relation == "based_in":
        return target.type in ("place", "entity") or bool(target.id)
    if relation.relation == "works_for":
        return target.type != "person" and source.type != "place"
    if relation.relation == "uses":
        return target.type not in ("person", "place")
    return True


_APPOSED = ("apposition", ORGANISATION_RULE)
_VALUES = frozenset({"date", "amount", "percent", "email", "link"})


def _between(text: str, mentions: list[EntityMention], left: int, right: int) -> Relation | None:
    if mentions[right].start - mentions[left].end > MAX_GAP:
        return None
    gap = _words(text, mentions, left, right)
    if match := _APPOSITION.fullmatch(gap):
        role = match["role"]
        # The head of research at a bank does not lead the bank.
        relation = "works_for" if match["of"] else ROLES[role]
        return Relation(left, right, relation, "apposition", 0.85, role + (match["of"] or ""))
    if match := _KIND.fullmatch(gap):
        return _of_a_kind(mentions, left, right, match["noun"], match["at"])
    if mentions[right].type in ("person", "entity") and (match := _POSSESSED_ROLE.fullmatch(gap)):
        role = match["role"]
        return Relation(right, left, ROLES[role], "possessive", 0.85, role)
    if mentions[right].type == "person" and (match := _ROLE_BETWEEN.fullmatch(gap)):
        role = match["role"]
        return Relation(right, left, ROLES[role], "role", 0.7, role)
    if _POSSESSIVE.fullmatch(gap):
        return Relation(left, right, "has", "possessive", 0.5)
    relative = gap.startswith(_RELATIVE) and mentions[left].type != "place"
    if not relative and _behind_preposition(text, mentions[left]):
        return None  # "the museum in Delft is directed by": Delft is not
    return _verb(gap.strip().removeprefix(", "), left, right)


def _behind_preposition(text: str, mention: EntityMention) -> bool:
    return _NO_SUBJECT.search(text, max(0, mention.start - 12), mention.start) is not None


def _of_a_kind(
    mentions: list[EntityMention], left: int, right: int, noun: str, at: str
) -> Relation | None:
    """Relation by what kind of thing a name is: somebody at an organisation, a shop in a town."""
    if noun in ORGANISATION_NOUNS:
        if mentions[right].type == "place" and at in ("in", "from", "near", "based in"):
            return Relation(left, right, "based_in", ORGANISATION_RULE, 0.8, noun)
        return None
    if mentions[left].type == "org" or not (
        noun in OCCUPATIONS or noun.endswith(OCCUPATION_ENDINGS)
    ):
        return None
    if mentions[right].type == "place":
        return Relation(left, right, "based_in", "apposition", 0.7, noun)
    return Relation(left, right, "works_for", "apposition", 0.8, noun)


def _verb(words: str, left: int, right: int) -> Relation | None:
    for pattern, relation, turned, confidence in _PATTERNS:
        if pattern.fullmatch(words):
            ends = (right, left) if turned else (left, right)
            return Relation(*ends, relation, "verb", confidence)
    return None


def _rest_of_list(
    text: str, mentions: list[EntityMention], following: list[int], first: _Stated
) -> list[_Stated]:
    """Relations of a list: "uses Redis, Kafka and Postgres" states three, "by Ada and Bob" two."""
    found: list[_Stated] = []
    if first.relation.rule != "verb":
        return found
    for before, after in pairwise(following):
        if not _LIST.fullmatch(_words(text, mentions, before, after)):
            break
        found.append(_again(first, first.left, after))
    return found


def _others_before(
    text: str, mentions: list[EntityMention], named: list[int], first: _Stated
) -> list[_Stated]:
    """Relations of joint subjects: "Noor and Felix work at the university" states it of both."""
    found: list[_Stated] = []
    behind = first.left
    if first.relation.rule != "verb":
        return found
    for before in reversed(named):
        if not _SUBJECTS.fullmatch(_words(text, mentions, before, behind)):
            break
        one = mentions[before]
        if one.type != mentions[first.left].type or _behind_preposition(text, one):
            break
        found.append(_again(first, before, first.right))
        behind = before
    return found


def _again(first: _Stated, left: int, right: int) -> _Stated:
    """The same relation of another name in a list, with less confidence."""
    stated = first.relation
    ends = (left, right) if stated.source == first.left else (right, left)
    sure = round(stated.confidence - 0.1, 2)
    return _Stated(Relation(*ends, stated.relation, "verb", sure), left, right)
