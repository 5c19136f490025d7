"""How something is asked for: as an order, as a wish, or not at all."""

from __future__ import annotations

import re
from typing import Literal

from antiphon.providers.local.catalogue import Tool
from antiphon.providers.local.words import is_question, tokens, without_courtesy, word_set

Form = Literal["order", "wish", "other"]

_NEGATED = re.compile(
    r"\b(?:don't|do not|dont|never|no need to|stop trying to|shouldn't|should not|must not)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^(?:i (?:think|guess|suppose|believe) )?"
    r"(?:i(?:'d| would)(?: like| love| rather| prefer)|i (?:want|need|wish|prefer)|let's|let us|"
    r"(?:can|could|may|shall) (?:we|i)\b|we (?:should|could)|how about|it is time to)",
    re.IGNORECASE,
)
_ORDERS = word_set(
    """accept activate add adjust allow analyse analyze append apply approve archive arrange ask
    assign attach ban begin block book bring build call cancel change check clear close collect
    compare compose compute connect continue convert copy create cut deactivate define delete
    deploy describe disable disconnect display do download draft draw drop edit email enable end
    enter erase execute exit expand explain export extract feed fetch fill find finish format
    forget forward freeze generate get give go grant hang hide hold ignore import include ingest
    insert install invite join keep kick launch lead learn leave list load lock log look mail make
    mark match measure merge move mute name navigate note notify open order pause pay pick place
    plan play post prepare print proceed publish pull push put query quit raise rank read record
    redo refuse register reject release reload remember remind remove rename reopen repeat replace
    reply report request reschedule reserve reset restart restore resume retrieve revert review
    rewrite run save say scan schedule search select send set share show shut sign silence skip
    sort speak start stop store submit subscribe summarise summarize switch take talk teach tell
    test throw toggle train transfer translate trigger try turn type undo unlock update upload use
    verify visit wait wake warn write"""
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


def form_of(text: str, tool: Tool) -> Form:
    """An order begins with a verb; a wish says that one would like it. What is asked about, told
    or forbidden is neither."""
    asked = without_courtesy(text)
    if _NEGATED.search(asked):
        return "other"
    if _WISH.match(asked):
        return "wish"
    first = next((token.key for token in tokens(asked)), "")
    own = {t[0].key for phrase in tool.phrases if (t := tokens(phrase.text))}
    if first in _ORDERS or (first in own and not is_question(asked)):
        return "order" if not asked.endswith("?") or text != asked else "wish"
    return "other"


def agrees(text: str) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    text = text.strip()
    if _YES.match(text):
        return True
    return False if _NO.match(text) else None
