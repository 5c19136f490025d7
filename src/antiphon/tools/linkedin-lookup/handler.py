"""LinkedIn lookup: profile URLs of people in the knowledge base, and nowhere else."""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from urllib.parse import urlsplit

from antiphon import ok

NAMESPACES = ("studio", "personal", "public")
CANDIDATES = 25
LINKED = 200
MARKS = ("origin", "sensitivity", "marked")


async def execute(args: dict[str, Any], context: Any) -> Any:
    knowledge = context.knowledge
    if "namespace" in args:
        namespaces = [args["namespace"]]
    else:
        known = {database["id"] for database in await knowledge.databases()}
        namespaces = [name for name in NAMESPACES if name in known]
    profiles: list[dict[str, Any]] = []
    without: list[dict[str, Any]] = []
    people = await find_people(knowledge, args["person"].strip(), namespaces)
    for person in people:
        found = await urls(knowledge, person)
        who = description(person)
        profiles.extend(join(who, one) for one in found)
        if not found:
            without.append(who)
    return ok(
        {
            "profiles": profiles,
            "without_profile": without,
            "ambiguous": len({(p["database_id"], p["id"]) for p in people}) > 1,
        }
    )


async def find_people(knowledge: Any, person: str, namespaces: list[str]) -> list[dict[str, Any]]:
    """Find people by id, else by exact name, else by all words of the name."""
    if not words(person):
        return []
    by_id = [one for one in await knowledge.get([person], namespaces) if one["type"] == "person"]
    if by_id:
        return by_id
    found = []
    for namespace in namespaces:
        hits = await knowledge.search(
            namespace, person, filters={"types": ["person"]}, k=CANDIDATES
        )
        found += await knowledge.get([hit["id"] for hit in hits], [namespace])
    exact = [one for one in found if words(one["title"]) == words(person)]
    return exact or [one for one in found if set(words(person)) <= set(words(one["title"]))]


async def urls(knowledge: Any, person: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the LinkedIn URLs of the person's record and of the link records joined to it."""
    around = await knowledge.neighbourhood(
        person["database_id"], person["id"], depth=1, limit=LINKED
    )
    joined = {
        edge["source"]
        for edge in around["edges"]
        if edge["target"] == person["id"] and edge["relation"] == "links_to"
    }
    links = [one for one in around["records"] if one["type"] == "link" and one["id"] in joined]
    found: dict[str, dict[str, Any]] = {}
    for record in (person, *sorted(links, key=lambda one: str(one["id"]))):
        if is_linkedin(record["url"]):
            found.setdefault(
                comparable(record["url"]),
                {
                    "url": record["url"],
                    "source_id": record["id"],
                    "last_updated": record["last_updated"] or None,
                    **{name: record[name] for name in MARKS if name in record},
                },
            )
    return list(found.values())


def description(person: dict[str, Any]) -> dict[str, Any]:
    who = {
        "person_id": person["id"],
        "name": person["title"] or person["id"],
        "namespace": person["database_id"],
    }
    role = person["metadata"].get("role")
    if isinstance(role, str) and role:
        who["role"] = role
    return who | {name: person[name] for name in MARKS if name in person}


def join(who: dict[str, Any], link: dict[str, Any]) -> dict[str, Any]:
    """Join a person and a link of theirs: as strict as both. Without the marks of one of them it
    has none of its own, and is as strict as the whole result."""
    profile = {**who, **link}
    for name, strict in (("origin", "untrusted"), ("sensitivity", "secret")):
        if name in who and name in link:
            profile[name] = strict if strict in (who[name], link[name]) else who[name]
        else:
            profile.pop(name, None)
    marked = {**link.get("marked", {}), **who.get("marked", {})}
    return {**profile, "marked": marked} if marked else profile


def is_linkedin(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return False
    is_web = parts.scheme.lower() in ("http", "https")
    return is_web and (host == "linkedin.com" or host.endswith(".linkedin.com"))


def comparable(url: str) -> str:
    parts = urlsplit(url)
    host = (parts.hostname or "").lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/').lower()}"


def words(name: str) -> list[str]:
    """Return the words of a name, without accents and case."""
    apart = unicodedata.normalize("NFKD", name)
    bare = "".join(mark for mark in apart if not unicodedata.combining(mark)).casefold()
    return re.findall(r"[^\W_]+", bare)
