"""Request forms: whether an utterance is an order, a wish, or no request at all."""

from __future__ import annotations

import re
from typing import Literal

from antiphon.providers.local.catalogue import DeclaredTool
from antiphon.providers.local.words import (
    DEFINES,
    ORDERS,
    QUESTION_WORDS,
    asking_clause,
    is_question,
    tokens,
    without_courtesy,
)
from antiphon.text.words import word_set

Form = Literal["order", "wish", "other"]

_NEGATED = re.compile(
    r"\b(?:(?:don't|do not|dont|never|no need to|stop trying to|shouldn't|should not|must not)\b|"
    r"(?:leave|keep)\b.*\b(?:alone|in peace|as (?:it is|they are)|untouched)\b)",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"^(?:no[,.!]?\s+)?(?:(?:please|just)\s+)?(?:"
    r"(?:don't|do not|dont)\s+(?!you\b|i\b|we\b|forget\b)|"
    r"never\b|not\b|no need\b|i(?:'m| am) not\s+(?!sure\b|certain\b)|"
    r"i (?:don't|do not|dont|never) (?:want|need|wish)|"
    r"(?:you|we) (?:mustn't|shouldn't|must not|should not|may not))",
    re.IGNORECASE,
)
# Asked what something is or does, not to do it.
_ABOUT = re.compile(
    r"^(?:(?:what|which) (?:does|do|did|is|are|happens|would|will)\b|"
    r"how (?:does|do|did|is|would)\b|"
    r"why\b|explain\b|describe\b|(?:tell me|i wonder) (?:what|how|why|whether|if)\b)",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|says|told|wrote|writes|asked|asks|if i|if we|if you|what if|suppose|imagine|"
    r"hypothetically|i had|we had|i've had|yesterday|last (?:week|month|year|night)|ago|"
    r"was|were|already)\b",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"(?:^|[\s,])(?:please|pls|plz)\b", re.IGNORECASE)
_WISH = re.compile(
    r"^(?:i (?:think|guess|suppose|believe) )?"
    r"(?:i(?:'d| would)(?: like| love| rather| prefer)|i (?:want|need|wish|prefer)|let's|let us|"
    r"(?:can|could|may|shall) (?:we|i)\b|we (?:should|could)|how about|it is time to)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:yes|yeah|yep|yup|sure|ok|okay|of course|please do|go ahead|do it|do that|right|correct|"
    r"exactly|please|definitely|certainly)(?:[\s,.!]+(?:please|do it|do that|go ahead|thanks|"
    r"thank you|sure|yes))*[\s.!]*$",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:no|nope|nah|never mind|nevermind|cancel|don't|do not|stop|leave it|forget it|not now|"
    r"forget that|cancel that)\b",
    re.IGNORECASE,
)


_DESTROY = word_set("delete erase wipe destroy purge remove clear uninstall")
_DESTROY_TWO = frozenset({"get rid", "throw away", "throw out"})
_RID = re.compile(
    r"\b(?:get rid|throw|bin|trash|scrap|drop|can go|be gone|kill|forget|lose|away with|"
    r"no longer need|don't need|ditch|delet\w*|remov\w*)\b",
    re.IGNORECASE,
)
_EVERYTHING = word_set("everything all database databases whole entire")


def form_of(text: str, tool: DeclaredTool, phrase: str = "") -> Form:
    """An order begins with a verb; a wish says that one would like it. What is asked about, told
    or forbidden is neither, unless `phrase`, the tool's own that it is likest to, is a question."""
    clause = asking_clause(text)
    asked = without_courtesy(clause)
    if _NEGATED.search(asked):
        return "other"
    if _WISH.match(asked):
        return "wish"
    if DEFINES.match(asked):
        return "order"
    if phrase.endswith("?") and is_question(asked):
        return "order"
    words = [token.key for token in tokens(asked)[:2]]
    first = words[0] if words else ""
    if first in QUESTION_WORDS and is_question(asked):
        return "other"  # "do I have a meeting"
    own = {t[0].key for phrase in tool.phrases if (t := tokens(phrase.text))}
    if first in ORDERS or (first in own and not is_question(asked)):
        return "order" if not asked.endswith("?") or clause != asked else "wish"
    # "More contrast, please."
    return "order" if _PLEASE.search(clause) and not is_question(asked) else "other"


def destroys(text: str) -> bool:
    """Whether it is an order to do away with something."""
    words = [token.key for token in tokens(without_courtesy(asking_clause(text)))[:2]]
    return bool(words) and (words[0] in _DESTROY or " ".join(words) in _DESTROY_TWO)


def speaks_of_destroying(text: str) -> bool:
    """Whether doing away with something is spoken of at all."""
    return any(token.key in _DESTROY for token in tokens(text)) or bool(_RID.search(text))


def takes_all(text: str) -> bool:
    """Whether it names no single thing: "everything", "the whole database"."""
    return any(token.key in _EVERYTHING for token in tokens(text))


def is_reported(text: str) -> bool:
    """Whether it tells what somebody else said or did, or what might be."""
    return bool(_REPORTED.search(text)) or bool(_NEGATED.search(text))


def forbids(text: str) -> bool:
    """Whether it says that something is not to be done, or is not so."""
    asked = without_courtesy(text)
    return bool(_FORBIDS.match(asked)) and asking_clause(asked) == asked


def is_about(text: str) -> bool:
    """Whether it asks what something is or does."""
    return bool(_ABOUT.match(without_courtesy(text)))


def agrees(text: str) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    text = text.strip()
    if _YES.match(text):
        return True
    return False if _NO.match(text) else None
