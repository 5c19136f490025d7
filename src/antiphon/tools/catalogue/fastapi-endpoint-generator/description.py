"""Endpoint description parser: the verb, the resource, its fields, and the words left over."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Any

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
VERBS = (
    ("DELETE", r"delet\w*|remov\w*|destroy\w*|cancel\w*"),
    ("PUT", r"replac\w*|overwrit\w*|upsert\w*"),
    ("PATCH", r"updat\w*|chang\w*|modif\w*|edit\w*|patch\w*"),
    ("POST", r"creat\w*|adds?|adding|added|sav(?:es?|ing)|stor(?:es?|ing)|post\w*"),
    ("GET", r"list\w*|gets?|getting|fetch\w*|return\w*|shows?|reads?|retriev\w*|finds?"),
)
LISTING = re.compile(r"\b(?:list\w*|all|every|paginat\w*)\b")
BY_ID = re.compile(
    r"\b(?:by|with(?: the| an?)?) (?:its |the |an? )?(?:id|identifier)\b|\bsingle\b|\bone\b"
)
OF_OWNER = re.compile(r"\bthe ([a-z]+(?: and [a-z]+)?) of (?:an?|the|one) ([a-z]+)\b")
OWNER = re.compile(r"\b([a-z][a-z0-9]*)(?:'s|s') +([^.;:!?()]{1,300})")
LISTED = re.compile(r"\b(?:with|having|containing|fields?|from|including)\s+([^.;:!?()]{1,500})")
SKIPPED = {
    "a", "an", "the", "new", "all", "every", "single", "one", "endpoint", "api", "rest", "route",
    "that", "which", "to", "for", "of", "in", "by", "id", "its", "their", "each", "some", "this",
    "fastapi", "http", "json", "simple", "basic", "existing", "and", "or", "me", "my", "our",
    "should", "will", "can", "it", "is", "be", "list", "on", "from", "with", "into", "user's",
}  # fmt: skip
NOT_FIELDS = SKIPPED | {
    "pagination", "paging", "fields", "field", "validation", "tests", "body", "identifier",
}  # fmt: skip
# Words for what every template does, or that say nothing.
PLAIN = SKIPPED | NOT_FIELDS | {
    "as", "at", "per", "endpoints", "routes", "service", "crud", "resource", "method",
    "get", "post", "put", "patch", "delete", "request", "response", "returns", "return",
    "returning", "created", "missing", "found", "not", "404", "201", "204", "status", "code",
    "page", "pages",
    "paginated", "limit", "offset", "typed", "models", "model", "pydantic", "test", "please",
    "write", "generate", "make", "build", "need", "want", "i", "we", "you", "user", "users",
    "having", "containing", "including", "starlette", "where", "when", "if", "exists", "no", "such",
}  # fmt: skip
# What stands where a field or a resource would, and asks for something that no template does.
BEHAVIOUR = re.compile(
    r"auth\w*|login|logout|sessions?|cookies?|tokens?|jwt|oauth\w*|permissions?|admin|websockets?|"
    r"socket|stream\w*|sse|events?_stream|uploads?|download\w*|files?|images?|pdf|csv|excel|export\w*|"
    r"import\w*|emails?_notification|notif\w*|sms|webhooks?|queue\w*|background|cron|schedul\w*|"
    r"cach\w*|redis|database|sql\w*|postgres\w*|mongo\w*|logging|audit\w*|metrics|rate|throttl\w*|"
    r"limit\w*|retry|retries|hash\w*|sha\w*|encrypt\w*|sign\w*|search\w*|filter\w*|sort\w*|"
    r"order(?:ed|ing)|group\w*|aggregat\w*|sums?|average|statistics|stats|report\w*|comput\w*|"
    r"calculat\w*|convert\w*|validat\w*|unique|optional|bulk|batch|nested|graphql|proxy|redirect\w*|"
    r"health|version\w*|chat|celsius|fahrenheit|percent\w*|surcharge|handling|error"
)
TYPES = (
    ("float", "9.5", "0.5",
     r"price|amount|cost|rate|weight|height|lat\w*|lon\w*|score|total|salary|percent\w*"),
    ("int", "3", "4",
     r"quantity|count|age|number|year|stock|size|rank|priority|level|position|points"),
    ("bool", "True", "False",
     r"is_\w+|has_\w+|active|enabled|done|completed|published|paid|verified|archived"),
    ("list[str]", '["a"]', '["b"]', r"tags|labels|items|roles|categories|keywords"),
    ("datetime", '"2026-03-01T12:00:00Z"', '"2026-03-02T12:00:00Z"',
     r"\w+_at|due|deadline|start|end|timestamp|datetime"),
    ("date", '"2026-03-01"', '"2026-03-02"', r"date|day|birthday|\w+_date"),
    ("str", '"ada@example.org"', '"bob@example.org"', r"e?mail\w*"),
)  # fmt: skip
MOST_FIELDS = 15

Field = tuple[str, str, str, str]


@dataclass(frozen=True)
class EndpointRequest:
    """Endpoint to generate; a field is its name, its type and two sample values."""

    description: str
    method: str
    path: str
    resource: str
    plural: str
    listing: bool
    fields: tuple[Field, ...]
    unknown: tuple[str, ...] = ()

    def values(self) -> dict[str, Any]:
        names = re.findall(r"\{(\w+)\}", self.path)
        types = {kind for _, kind, _, _ in self.fields}
        sample = ", ".join(f'"{name}": {first}' for name, _, first, _ in self.fields)
        return {
            "description": self.description.replace("\\", "/").replace('"', "'"),
            "method": self.method,
            "path": self.path,
            "resource": self.resource,
            "plural": self.plural,
            "model": "".join(part.capitalize() for part in self.resource.split("_")),
            "listing": self.listing,
            "fields": self.fields,
            "names": names,
            "key": names[-1] if self.path.endswith("}") else "",
            "dates": sorted(types & {"date", "datetime"}),
            "sample": "{" + sample + "}",
            "changed": f'{{"{self.fields[0][0]}": {self.fields[0][3]}}}',
            "concrete": re.sub(r"\{\w+\}", "1", self.path),
            "missing": re.sub(r"\{\w+\}", "999", self.path),
            "function": function_name(self),
        }


def parse_request(description: str, method: str, path: str) -> EndpointRequest:
    lower = description.casefold()
    method = method or verb(lower)
    if method == "PATCH":  # "the price of a product" is the product's price
        lower = OF_OWNER.sub(r"a \2's \1", lower)
    resource, plural = resource_of(lower, path)
    named = path.endswith("}")
    listing = method == "GET" and not named and (
        bool(path) or not BY_ID.search(lower) or bool(LISTING.search(lower))
    )  # fmt: skip
    if not path:
        single = method in ("PUT", "PATCH", "DELETE") or (method == "GET" and not listing)
        path = f"/{plural.replace('_', '-')}" + (f"/{{{resource}_id}}" if single else "")
    fields, named_fields = fields_of(lower, resource, plural)
    unknown = unexplained(lower, resource, plural, path, named_fields)
    return EndpointRequest(description, method, path, resource, plural, listing, fields, unknown)


def unexplained(
    text: str, resource: str, plural: str, path: str, fields: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the words that no verb, resource, field or template accounts for."""
    verbs = "|".join(pattern for _, pattern in VERBS)
    known = set(PLAIN)
    for name in (resource, plural, *fields, *re.findall(r"\w+", path.casefold())):
        known |= {name, *name.split("_"), *(plural_of(part) for part in name.split("_"))}
    found: dict[str, None] = {}
    for word in re.findall(r"[a-z0-9][a-z0-9_]*", re.sub(r"'s\b|s'(?=\s)", "", text)):
        first = len(word) == 1 or word in known or re.fullmatch(verbs, word)
        # The resource may have such a name: orders of an events API, files of a library.
        if not first or (BEHAVIOUR.fullmatch(word) and word not in (resource, plural)):
            found.setdefault(word)
    return tuple(word for word in found if len(word) > 1)


def verb(text: str) -> str:
    """Return the HTTP method of the first verb; empty if there is none."""
    found = []
    for method, pattern in VERBS:
        if hit := re.search(rf"\b(?:{pattern}|{method.lower()})\b", text):
            found.append((hit.start(), method))
    return min(found)[1] if found else ""


def resource_of(text: str, path: str) -> tuple[str, str]:
    parts = [part for part in path.split("/") if part and not part.startswith("{")]
    if parts:
        one = singular(slug(parts[-1]))
        return one, plural_of(one)
    if owner := OWNER.search(text):
        one = singular(owner[1])
        return one, plural_of(one)
    before = re.split(r"\b(?:with|by|having|containing|fields?|from|including|for|in|of)\b", text)[
        0
    ]
    for part in (before, text):
        words = re.findall(r"[a-z][a-z0-9]*", re.sub(r"'s\b", "", part))
        verbs = "|".join(pattern for _, pattern in VERBS)
        kept = [w for w in words if w not in SKIPPED and not re.fullmatch(verbs, w)]
        if kept:
            one = singular(slug("_".join(kept) if len(kept) <= 2 else kept[-1]))
            return one, plural_of(one)
    return "item", "items"


def singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 2 else word


def plural_of(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def fields_of(text: str, resource: str, plural: str) -> tuple[tuple[Field, ...], tuple[str, ...]]:
    """Return the fields and the words that name them; a lone `name` field if there are none."""
    found: dict[str, Field] = {}
    listed = [hit[1] for hit in LISTED.finditer(text)] + [hit[2] for hit in OWNER.finditer(text)]
    for some in listed:
        for part in re.split(r",|\band\b|&|/|\bplus\b", some):
            words = [w for w in re.findall(r"[a-z][a-z0-9_]*", part) if w not in NOT_FIELDS]
            name = slug("_".join(words))
            if 0 < len(words) <= 3 and name not in (resource, plural):
                found.setdefault(name, make_field(name))
    named = tuple(found)
    if not found:
        found = {"name": make_field("name")}
    return tuple(found.values())[:MOST_FIELDS], named


def make_field(name: str) -> Field:
    for kind, first, second, pattern in TYPES:
        if re.fullmatch(pattern, name) or re.search(rf"_(?:{pattern})$", name):
            return (unreserved_name(name), kind, first, second)
    return (unreserved_name(name), "str", f'"some {name.replace("_", " ")}"', '"another"')


def slug(text: str) -> str:
    name = re.sub(r"\W+", "_", text.casefold(), flags=re.ASCII).strip("_")[:40].rstrip("_")
    return name if name and not name[0].isdigit() else f"item_{name}".rstrip("_")


def unreserved_name(name: str) -> str:
    """Return a field name that Python, pydantic and the module do not reserve."""
    taken = keyword.iskeyword(name) or name.startswith("model_") or name in TAKEN
    return f"{name}_" if taken else name


TAKEN = {
    "id", "json", "copy", "dict", "schema", "construct", "validate", "fields", "date", "datetime",
    "str", "int", "list", "float", "bool",
}  # fmt: skip


def function_name(request: EndpointRequest) -> str:
    start = {
        "GET": "get",
        "POST": "create",
        "PUT": "replace",
        "PATCH": "change",
        "DELETE": "delete",
    }
    if request.listing:
        return f"list_{request.plural}"
    return f"{start[request.method]}_{request.resource}"
