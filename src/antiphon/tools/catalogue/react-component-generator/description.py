"""Component description parser: the kind, fields and extras, and the words left over."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# The first that fits decides: a form in a modal is a modal, a list that is fetched is fetched.
KINDS = {
    "todo": r"\b(?:to-?dos?|task list|list of tasks|checklist)\b",
    "timer": r"\b(?:timer|countdown)\b",
    "tabs": r"\btab(?:s|bed)?\b",
    "modal": r"\b(?:modal|dialog|popup|pop-up|overlay)\b",
    "form": r"\b(?:forms?|sign[- ]?up|log[- ]?in|sign[- ]?in|registration|fields?|inputs?)\b",
    "fetch": r"\b(?:fetch\w*|loads?|loaded|loading|api|endpoint|server|backend)\b",
    "table": r"\b(?:table|rows|columns)\b",
    "list": r"\b(?:lists?|items)\b",
    "counter": r"\b(?:counter|count\w*|increment\w*|quantity)\b",
    "toggle": r"\b(?:toggle\w*|collaps\w*|expand\w*|show and hide)\b",
    "card": r"\b(?:card|panel|tile)\b",
}
# What each kind does, beyond its own name: words that a description may use for it.
DOES: dict[str, str] = {
    "todo": "todo todos list lists item items task tasks checklist add adds added adding new "
    "check checks checked checking off mark marks marked done complete completed tick ticked "
    "remove removes removed removing delete deletes deleted deleting input button buttons left",
    "timer": "timer countdown count counts counting down second seconds minute minutes start "
    "starts started stop stops stopped pause pauses paused resume reset resets button buttons "
    "zero ends end done finished call calls back",
    "tabs": "tab tabs tabbed panel panels content section sections switch switches between click "
    "keyboard arrow keys label labels labelled",
    "modal": "modal dialog popup pop up overlay window close closes closed closing open opens "
    "opened button escape title header content children",
    "form": "form forms page screen submit submits submitted button validate validates validated "
    "validation required error errors message messages input inputs field fields label labels "
    "enter enters entered fill fills in collect collects ask asks for sends send sign log login "
    "signup up registration",
    "fetch": "fetch fetches fetched load loads loaded loading api endpoint server backend url from "
    "list lists data state states error errors message retry try again failed fails name names",
    "table": "table row rows column columns data empty",
    "list": "list lists item items select selects selected selectable click clicked choose empty "
    "label labels entries",
    "counter": "counter count counts counting increment increments decrement decrements increase "
    "decrease plus minus up down button buttons number value quantity step minimum maximum min max "
    "limit limits change changes click clicks clicked",
    "toggle": "toggle toggles collapse collapses collapsible expand expands expandable hide hides "
    "hidden open opens close closes content section text details button click clicked children",
    "card": "card panel tile title button click clicked children content",
}
# Words that say nothing about what it does.
_PLAIN = (
    "a an the and or from with without of for to in on at by as its it is are be can this that "
    "which where who when if then than component components react preact next nextjs "
    "typescript tsx simple basic small nice clean reusable accessible typed my our your me i "
    "we you user users person people them they their there each every all some one show shows "
    "showing shown display displays displaying displayed has have having contains containing "
    "widget ui element make create build generate write want need please like called named "
    "using use"
)
PLAIN = frozenset(_PLAIN.split())
EVERY = tuple(KINDS)
EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "search": (r"\b(?:search\w*|filter\w*)\b", ("list", "table")),
    "sort": (r"\b(?:sort\w*)\b", ("table",)),
    "pagination": (r"\b(?:pagina\w+|paged|paging|pages)\b", ("list", "table")),
    "dark-mode": (r"\bdark[- ](?:mode|theme)\b", EVERY),
    "styles": (r"\b(?:css|styles?|styled|styling)\b", EVERY),
    "tests": (r"\b(?:tests?|tested)\b", EVERY),
}
# A dark theme is something a component has. One that changes the page's is another component.
_BARE_EXTRAS = re.compile(r"\b(?:with|has|in|and|,)\s+(?:a\s+)?dark[- ](?:mode|theme)\b")
TYPES = (
    ("email", r"e-?mail"), ("password", r"password|passphrase"),
    ("number", r"age|quantity|amount|price|count|number|year|total|size"),
    ("date", r"date|birthday|deadline|due"), ("tel", r"phone|mobile|telephone"),
    ("url", r"url|website|link|homepage"),
    ("checkbox", r"remember|agree|accept|terms|newsletter|subscribe|active|enabled"),
    ("textarea", r"message|comment|description|notes?|bio|address|feedback"),
)  # fmt: skip
# Forms whose fields everybody knows.
USUAL_FORMS = (
    (r"\blog[- ]?in|\bsign[- ]?in", ("email", "password")),
    (r"\bsign[- ]?up|\bregistration", ("name", "email", "password")),
    (r"\bcontact\b", ("name", "email", "message")),
    (r"\bfeedback\b", ("message",)),
)
LISTED = re.compile(
    r"\b(?:with|fields?(?: for)?|columns?(?: for)?|containing|inputs?(?: for)?|has|showing|"
    r"shows|tabs:|for)\s+"
    r"(?:the\s+|fields?\s+|columns?\s+|inputs?\s+|tabs\s+|for\s+)*([^.;:!?]{1,400})"
)
CLAUSE = re.compile(r"\b(?:that|which|where|who|when|so|to|from)\b")
# Not a field, though it stands where fields are listed.
NOT_FIELDS = {
    "a", "an", "the", "field", "fields", "column", "columns", "input", "inputs", "button",
    "buttons", "submit", "validation", "search", "filter", "sorting", "sort", "sortable",
    "pagination", "paginated", "paging", "tests", "test", "styles", "css", "dark", "mode", "theme",
    "loading", "error", "errors", "states", "state", "filtering", "messages", "title", "close",
}  # fmt: skip
# What looks like the name of a thing and asks for something that no template does.
BEHAVIOUR = re.compile(
    r"\w+(?:able|ible|ing)|drag|drop|kanban|board|carousel|slider|slideshow|gallery|images?|"
    r"photos?|pictures?|videos?|audio|music|player|maps?|charts?|graphs?|plots?|diagrams?|canvas|"
    r"ratings?|stars?|likes?|votes?|polls?|upload\w*|download\w*|files?|csv|pdf|export\w*|import\w*|"
    r"print\w*|calendar|pickers?|autocomplete|typeahead|suggestions?|wizard|steps?|steppers?|"
    r"multi\w*|tree|nested|tooltips?|menus?|navbar|navigation|sidebar|breadcrumbs?|themes?|chat|"
    r"messages?|websockets?|realtime|real|live|markdown|editors?|rich|code|undo|redo|shortcuts?|"
    r"clipboard|copy|share|animat\w*|spinners?|progress|skeleton|infinite|virtual|stopwatch|clock|"
    r"confirm\w*|delete|edit|captcha|google|facebook|oauth|auth\w*|payments?|stripe|cart|toasts?|"
    r"notifications?|alerts?|badges?|avatars?|accordion|dropdown|switch|hash\w*|encrypt\w*|half|"
    r"colou?rs?|geo\w*|qr|barcode|camera|microphone|voice|speech"
)
JOINING = {"and", "or", "its", "of", "with", "for", "to", "in", "on", "at", "by", "from"}
SPELLINGS = (
    (r"\be-mail", "email"), (r"\bto-dos?\b|\bto do list", "todo list"), (r"\bpop-up\b", "popup"),
    (r"\blog-?in\b", "login"), (r"\bsign-?up\b", "signup"), (r"\bsign-in\b", "login"),
)  # fmt: skip
MOST_FIELDS = 12
CARD_PROPS = ("title", "children", "dark")  # which every card has
_WORD = re.compile(r"[a-z0-9][a-z0-9']*")


@dataclass(frozen=True)
class ComponentRequest:
    """Component to generate; `unknown` are words that no template accounts for."""

    kind: str
    fields: list[dict[str, str]] = field(default_factory=list)
    extras: list[str] = field(default_factory=list)
    seconds: int = 60
    unknown: list[str] = field(default_factory=list)
    missing: str = ""


def words_to_name(text: str) -> str:
    """Return PascalCase of letters and digits; empty if no letter can start it."""
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    words = re.findall(r"[A-Za-z0-9]+", spread)
    name = "".join(word[:1].upper() + word[1:] for word in words).lstrip("0123456789")
    return name[:1].upper() + name[1:60]


def parse_request(description: str, features: list[str], name: str = "") -> ComponentRequest | None:
    """Parse the request; return None if neither description nor name means a known kind."""
    lower = normalised(description)
    spread = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    kind = kind_of(lower, features) or kind_of(normalised(spread), [])
    if kind is None:
        return None
    fields = fields_in(lower, kind)
    extras = extras_in(lower, features, kind)
    seconds, spent = seconds_in(lower) if kind == "timer" else (60, [])
    known = {*PLAIN, *DOES[kind].split(), *spent}
    for each in fields:
        known |= set(_WORD.findall(each["label"].casefold()))
    unknown = []
    for word in unexplained_words(lower, extras, kind):
        if word not in known and len(word) > 1 and word not in unknown:
            unknown.append(word)
    missing = ""
    if kind in ("form", "table", "tabs") and not fields:
        missing = {"form": "its fields", "table": "its columns", "tabs": "its tabs"}[kind]
    return ComponentRequest(kind, fields, extras, seconds, unknown, missing)


def normalised(text: str) -> str:
    """Return the text with spelling variants unified."""
    lower = text.casefold()
    for pattern, one in SPELLINGS:
        lower = re.sub(pattern, one, lower)
    return lower


def kind_of(lower: str, features: list[str]) -> str | None:
    for kind in KINDS:
        if kind in features:
            return kind
    found = next((kind for kind, pattern in KINDS.items() if re.search(pattern, lower)), None)
    if found is None:
        # "A price with currency" is a card that shows both.
        subject = _WORD.findall(LISTED.split(lower)[0])
        if subject and LISTED.search(lower) and make_field(subject[-1:])["type"] != "text":
            return "card"
    return found


def extras_in(lower: str, features: list[str], kind: str) -> list[str]:
    """Return the extras that are asked for or described, and that the kind has."""
    return [
        extra
        for extra, (pattern, kinds) in EXTRAS.items()
        if kind in kinds and (extra in features or re.search(pattern, lower))
    ]


def unexplained_words(lower: str, extras: list[str], kind: str) -> list[str]:
    """Return the words that extras and the name of the thing do not explain."""
    text = lower
    for extra in extras:
        pattern = _BARE_EXTRAS.pattern if extra == "dark-mode" else EXTRAS[extra][0]
        text = re.sub(pattern, " ", text)
    if kind in ("list", "table", "card", "form", "fetch"):
        text = without_subject(text, kind)
    return _WORD.findall(text)


def without_subject(text: str, kind: str) -> str:
    """Remove the noun of the data: "a list of users", "a profile card"."""
    own = {"list": "lists?", "table": "table", "card": "card|panel|tile", "form": "forms?"}
    patterns = [rf"\b(?P<s>[a-z]+) (?=(?:{own[kind]})\b)"] if kind in own else []
    if kind in ("list", "table", "card"):
        patterns.append(rf"\b(?:{own[kind]}) (?:of|for) (?:the |all |my |our )?(?P<s>[a-z]+)\b")
    if kind == "fetch":
        patterns.append(
            r"\b(?:loads?|fetch(?:es)?|lists?(?: of)?) (?:the |all |a list of )?(?P<s>[a-z]+)\b"
        )
    for pattern in patterns:
        found = re.search(pattern, text)
        if found and not BEHAVIOUR.fullmatch(found["s"]):
            text = text[: found.start("s")] + " " + text[found.end("s") :]
    return text


def seconds_in(lower: str) -> tuple[int, list[str]]:
    """Return how long a timer runs, and the words that say it."""
    found = re.search(r"\b(\d{1,5})[ -]?(seconds?|minutes?|s|m(?:in)?)\b", lower)
    if found is None:
        return 60, []
    length = int(found[1]) * (60 if found[2].startswith("m") else 1)
    return length, _WORD.findall(found[0])


def fields_in(lower: str, kind: str) -> list[dict[str, str]]:
    """Return name, label and input type of each field that the description lists."""
    if kind not in ("form", "table", "card", "tabs"):
        return []
    found: dict[str, dict[str, str]] = {}
    listed = LISTED.search(lower)
    parts = re.split(r",|\band\b|&|/|\bplus\b", listed[1]) if listed else []
    # "a form with e-mail that validates": what follows says something about it.
    parts = [CLAUSE.split(part, maxsplit=1)[0] for part in parts]
    if kind == "card" and listed:
        # "a price with currency" shows the price too; "a card with …" is no field of itself.
        subject = _WORD.findall(lower[: listed.start()])
        if subject and make_field(subject[-1:])["type"] != "text":
            parts = [subject[-1], *parts]
    if kind == "form":
        # "a password field", "an e-mail input"
        before = re.findall(r"\b((?:[a-z-]+ )?[a-z-]+) (?:field|input)\b", lower)
        # "name, e-mail and password fields"
        for several in re.findall(r"\b([a-z][a-z ,-]{0,100}) (?:fields|inputs)\b", lower):
            before += re.split(r",|\band\b", several)
        parts += [" ".join(w for w in each.split() if w not in PLAIN) for each in before]
    for part in parts:
        words = [w for w in re.findall(r"[a-z][a-z0-9-]*", part) if w not in NOT_FIELDS]
        words = [w.replace("-", "") for w in words if w not in JOINING]
        odd = kind != "tabs" and any(_not_a_field(word) for word in words)
        if 0 < len(words) <= 3 and not odd:
            made = make_field(words)
            if kind != "card" or made["name"] not in CARD_PROPS:
                found.setdefault(made["name"], made)
    if not found and kind == "form":
        for pattern, names in USUAL_FORMS:
            if re.search(pattern, lower):
                found = {name: make_field([name]) for name in names}
                break
    return list(found.values())[:MOST_FIELDS]


def _not_a_field(word: str) -> bool:
    typed = any(re.fullmatch(pattern, word) for _, pattern in TYPES)
    return not typed and bool(BEHAVIOUR.fullmatch(word))


def make_field(words: list[str]) -> dict[str, str]:
    lower = [word.lower() for word in words]
    name = lower[0] + "".join(word.capitalize() for word in lower[1:])
    label = " ".join(lower).capitalize()
    text = " ".join(lower)
    kind = next((k for k, pattern in TYPES if re.search(rf"\b(?:{pattern})", text)), "text")
    # A word that means something to JavaScript cannot be the name of a property that is set apart.
    return {"name": f"{name}Value" if name in RESERVED else name, "label": label, "type": kind}


RESERVED = {
    "class", "default", "delete", "function", "new", "return", "switch", "this", "typeof", "var",
    "void", "with", "enum", "export", "import", "in", "constructor", "prototype",
}  # fmt: skip
