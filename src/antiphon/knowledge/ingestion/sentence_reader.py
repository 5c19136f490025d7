"""Relations by the trained model, in sentences whose words no rule knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion.mentions import EntityMention, Relation
from antiphon.knowledge.ingestion.relation_cards import CARDS, NOTHING, STAND_INS, RelationCard

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from antiphon.understanding.model import Understanding

    Floats = NDArray[float32]

READER_RULE = "reader"
# How like a sentence must be to what a card says, and how much more than to what says nothing.
LEAST, MARGIN = 0.42, 0.01
# How sure the answer to the card's question must be, and how much it counts among cards.
ANSWERED, WEIGHT = 0.2, 0.25
SUPPOSED = 0.07  # the margin where a type is only supposed
LONGEST = 240  # characters: a long sentence says too much at once
_LETTER = re.compile(r"\b[AB]\b")


@dataclass(frozen=True, slots=True)
class _Claim:
    """A card that a sentence may state of two mentions, and how much speaks for it."""

    card: RelationCard
    source: int
    target: int
    types: tuple[str, str]
    margin: float


class SentenceReader:
    """What relations sentences state, where no rule found one. Blocks while it computes."""

    def read(self, text: str, mentions: list[EntityMention]) -> list[Relation]:
        """The relations of a sentence; mentions get the types that they have by them.

        Raises KnowledgeError where the model cannot be run.
        """
        from antiphon.understanding.network import WeightsError

        if len(text) > LONGEST:
            return []
        named = [at for at, one in enumerate(mentions) if not one.quiet and _sorts(one)]
        found = []
        try:
            for left, right in pairwise(named):
                claim = _stated(text, mentions, left, right)
                if claim is None:
                    continue
                for at, kind in zip((claim.source, claim.target), claim.types, strict=True):
                    mentions[at].type = kind
                sure = round(min(0.8, 0.5 + claim.margin), 2)
                found.append(
                    Relation(claim.source, claim.target, claim.card.relation, READER_RULE, sure)
                )
        except WeightsError as error:
            raise KnowledgeError(str(error)) from error
        return found


def _stated(text: str, mentions: list[EntityMention], left: int, right: int) -> _Claim | None:
    """What a sentence states of two names. Another type than the likeliest is supposed only where
    nothing is stated with that."""
    for types in product(_sorts(mentions[left]), _sorts(mentions[right])):
        best: tuple[float, _Claim] | None = None
        for claim in _claims(text, mentions, (left, right), types):
            answer = _answered(text, mentions, claim)
            worth = claim.margin + WEIGHT * answer
            known = types == (mentions[left].type, mentions[right].type)
            if (
                answer >= ANSWERED
                and (known or claim.margin >= SUPPOSED)
                and (best is None or worth > best[0])
            ):
                best = worth, claim
        if best is not None:
            return best[1]
    return None


def _sorts(mention: EntityMention) -> tuple[str, ...]:
    """The types that a mention may be of."""
    if mention.type == "person" and mention.rule == "two names" and not mention.id:
        return ("person", "org")
    if mention.type == "entity" and not mention.id:
        return ("org", "place")
    return (mention.type,) if mention.type in STAND_INS else ()


def _claims(
    text: str, mentions: list[EntityMention], ends: tuple[int, int], types: tuple[str, str]
) -> list[_Claim]:
    """The cards that the sentence is more like than it is to any that says nothing."""
    ways, vectors = _ways(types)
    if not ways:
        return []
    likeness = vectors @ _model().router.vectors([_masked(text, mentions, ends, types)])[0]
    alike: dict[tuple[int, bool], list[float]] = {}
    for way, value in zip(ways, likeness, strict=True):
        alike.setdefault(way, []).append(float(value))
    best = {way: sum(sorted(values)[-2:]) / 2 for way, values in alike.items()}
    nothing = max(value for (card, _), value in best.items() if card < 0)
    found = []
    for (card, turned), value in best.items():
        if card >= 0 and value >= LEAST and value - nothing >= MARGIN:
            order = (ends[::-1], types[::-1]) if turned else (ends, types)
            found.append(_Claim(CARDS[card], *order[0], order[1], value - nothing))
    return found


@lru_cache(maxsize=64)
def _ways(types: tuple[str, str]) -> tuple[list[tuple[int, bool]], Floats]:
    """What can be said of two things of these types: numbers of cards, -1 for nothing, whether
    the second is the source; and the vectors."""
    names = _stand_ins(types)
    ways: list[tuple[int, bool]] = []
    texts: list[str] = []
    for number, card in enumerate(CARDS):
        for turned in (False, True):
            source, target = types[::-1] if turned else types
            if source in card.sources and target in card.targets:
                ways += [(number, turned)] * len(card.said)
                texts += [_filled(said, names[::-1] if turned else names) for said in card.said]
    if not ways:
        return [], _model().router.vectors([])
    for turned in (False, True):
        ways += [(-1, turned)] * len(NOTHING)
        texts += [_filled(said, names[::-1] if turned else names) for said in NOTHING]
    return ways, _model().router.vectors(texts)


def _filled(said: str, names: tuple[str, ...]) -> str:
    return _LETTER.sub(lambda letter: names[letter[0] == "B"], said)


def _stand_ins(types: tuple[str, str]) -> tuple[str, str]:
    return STAND_INS[types[0]][0], STAND_INS[types[1]][types[0] == types[1]]


def _masked(
    text: str, mentions: list[EntityMention], ends: tuple[int, int], types: tuple[str, str]
) -> str:
    """The sentence with stand-ins for both names, so that what they are called does not count."""
    names = _stand_ins(types)
    first, second = mentions[ends[0]], mentions[ends[1]]
    return (
        f"{text[: first.start]}{names[0]}{text[first.end : second.start]}{names[1]}"
        f"{text[second.end :]}"
    )


def _answered(text: str, mentions: list[EntityMention], claim: _Claim) -> float:
    """How surely the sentence answers the card's question with the other end."""
    source, target = mentions[claim.source], mentions[claim.target]
    named, other = (target, source) if "B" in claim.card.question else (source, target)
    question = _filled(claim.card.question, (source.name, target.name))
    (span,) = _model().reader.answers(question, [("", text)])
    start, end = span.start - 1, span.end - 1
    covers = start < other.end and other.start < end
    own = start < named.end and named.start < end
    return span.confidence * (1.0 if not own else 0.6) if covers else 0.0


def _model() -> Understanding:
    from antiphon.understanding.model import shipped_understanding

    return shipped_understanding()
