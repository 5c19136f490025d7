"""Plan of a request: the tools that it needs, by the person's own words alone.

Made of what the person said and of the tools' contracts, never of what was read; what a model says
has no say in it. `PlanMaker` is the port: whoever knows better than words brings their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from antiphon.contracts import ToolDefinition
from antiphon.text.words import FUNCTION_WORDS, word_set

# From a request and the tools that there are, those that the request needs.
PlanMaker = Callable[[str, Sequence[ToolDefinition]], frozenset[str]]

MAX_CHARS = 20_000  # of a request

# Words that mean the same in a request and in the name of a tool.
_VERBS = (
    """create add make new schedule book reserve set up plan write draft put enter insert arrange
    open start begin register note save store record remember anlegen erstelle erstellen mach mache
    trag trage plane buche buchen schreibe notiere merke speichere""",
    """send forward email mail message tell text reply respond answer share notify inform write post
    dm pass schick schicke sende senden maile antworte teile teilen sag sage""",
    """delete remove cancel drop erase discard clear trash uninvite kick lösche löschen entferne
    streiche storniere""",
    """update change modify edit reschedule move rename adjust correct refresh set replace shift
    postpone extend raise lower increase reduce ändere ändern verschiebe verschieben aktualisiere
    setze""",
    """pay transfer send wire remit refund settle return give bezahle zahle überweise überweisen""",
    """invite add bring include einladen lade""",
    """append add extend attach include write ergänze hänge""",
    """get read show look see check find search list tell fetch give what which when where who how
    summarise summarize open review view count lies lese zeig zeige such suche finde was welche wann
    wer wie""",
    """run start execute trigger launch do carry perform führe starte""",
    """reserve book schedule buche reserviere""",
    """share give grant send show invite teile""",
)
_NOUNS = (
    """email mail message inbox e-mail nachricht mails""",
    """event appointment meeting calendar lunch dinner call date termin termine besprechung kalender
    verabredung""",
    """file document doc note text paper report datei dokument""",
    """money payment transaction bill invoice rent refund amount transfer dollar euro geld rechnung
    miete überweisung zahlung""",
    """user member person people colleague contact profile nutzer kontakt person""",
    """participant attendee guest person people teilnehmer gast""",
    """message dm direct post text nachricht""",
    """password credential passwort kennwort""",
    """hotel room accommodation stay zimmer unterkunft""",
    """car vehicle rental auto wagen mietwagen""",
    """restaurant table dinner lunch tisch""",
    """web webpage website page site url link article internet seite""",
    """macro shortcut routine makro""",
    """project projekt""",
    """image picture photo drawing bild foto""",
)
_NOT_TELLING = FUNCTION_WORDS | word_set(
    "please thank thanks hi hello dear the this that with der die das ein eine bitte mir mich"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The tools that the person's request needs; `request` are the words that it was made of."""

    request: str = ""
    tools: frozenset[str] = frozenset()


def plan_by_words(request: str, tools: Sequence[ToolDefinition]) -> frozenset[str]:
    """The tools that a request names: by what they do, and by what they do it to. A tool that only
    reads is needed as soon as its subject is."""
    text = request[:MAX_CHARS].casefold()
    verbs, words = _request_words(text)
    ids = _ids_in(text)
    return frozenset(
        tool.tool_id for tool in tools if tool.tool_id in ids or _is_named(tool, verbs, words)
    )


def _ids_in(text: str) -> frozenset[str]:
    """The words of a request that may be ids of tools, written out: `switch_theme`. What is not to
    be called is none."""
    found: set[str] = set()
    negated = 0
    for token in re.findall(r"\w+", text):
        negated = _NEGATED_WORDS if token in _NEGATIONS else negated - 1
        if "_" in token and negated <= 0:
            found.add(token)
    return frozenset(found)


def _is_named(tool: ToolDefinition, verbs: frozenset[str], words: frozenset[str]) -> bool:
    own, nouns = _words_of(tool.tool_id, tool.description[:200])
    named = any(words & _NOUN_LIKE.get(noun, {noun}) for noun in nouns)
    if tool.side_effects != "writes" and named:
        return True
    acts = any(verbs & _VERB_LIKE.get(verb, {verb}) for verb in own)
    return acts and (named or not nouns)


def make_plan(
    said: Iterable[str], tools: Sequence[ToolDefinition], maker: PlanMaker = plan_by_words
) -> Plan:
    """The plan of the newest utterance of `said` (newest first) that needs any tool: an answer to a
    question of the model goes on with what was asked for before."""
    first = ""
    for text in said:
        first = first or text
        if found := maker(text, tools):
            return Plan(text, found)
    return Plan(first)


@lru_cache(maxsize=2048)
def _words_of(tool_id: str, description: str) -> tuple[frozenset[str], frozenset[str]]:
    """What may be the verb of a tool, and the stems of the other words of its name. Where no word
    of the name is known as one, its first word may be it, and the first of the description."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tool_id).casefold()
    words = [_stem(each) for each in re.split(r"[\W_]+", plain) if each]
    known = (word for word in words if word in _VERB_LIKE and word not in _NOUN_LIKE)
    verb = next(known, None)
    verbs = {verb} if verb else set(words[:1])
    if not verb and (first := re.match(r"\W*(\w+)", description.casefold())):
        verbs.add(_stem(first[1]))
    nouns = (word for word in words if word not in verbs and word not in _NOT_TELLING)
    return frozenset(verbs), frozenset(nouns)


def _request_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a request that may be its verbs, and all of them. A word that is a thing as well
    ("my e-mail", "e-mail Ada") is a verb where a clause begins with it; what is not to be done is
    none."""
    verbs: set[str] = set()
    words: set[str] = set()
    begins, negated = True, 0
    for token in _TOKEN.findall(text.replace("e-mail", "email")):
        stem = _stem(token)
        if not token[0].isalnum():
            begins = True
            continue
        words.add(stem)
        negated = _NEGATED_WORDS if token in _NEGATIONS else negated - 1
        if negated > 0:
            continue
        if begins or (stem in _VERB_STEMS and stem not in _NOUN_STEMS):
            verbs.add(stem)
        begins = token in _CLAUSE_OPENERS
    return frozenset(verbs), frozenset(words)


_TOKEN = re.compile(r"[^\W_]+|[.,;:!?()\n-]")
_CLAUSE_OPENERS = word_set("please and then to you can could would also bitte und dann i'll will")


_NEGATIONS = word_set("don dont not never without nicht kein keine ohne")
_NEGATED_WORDS = 4  # "don't send", "do not ever send", counting the negation itself


def _stem(word: str) -> str:
    """A word without the endings of plural and tense, as well as a few rules can."""
    for ending, shorter in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + shorter
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _like(groups: Iterable[str]) -> dict[str, set[str]]:
    """The stems that mean the same as each, in any of the groups."""
    found: dict[str, set[str]] = {}
    for group in groups:
        stems = {_stem(word) for word in group.split()}
        for stem in stems:
            found.setdefault(stem, set()).update(stems)
    return found


_VERB_LIKE = _like(_VERBS)
_NOUN_LIKE = _like(_NOUNS)
_VERB_STEMS = frozenset(_VERB_LIKE)
_NOUN_STEMS = frozenset(_NOUN_LIKE)
