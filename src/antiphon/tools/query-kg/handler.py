"""Graph query: a question or a pattern answered from one knowledge database."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError, ok

from .patterns import EdgePattern, parse_pattern
from .sentences import asks_who, first_words, sentence, speaks_of, stems

BEST = 5
MOST_EDGES = {"voice": 10, "text": 50}
SAID = 5
LINKS = 500
# A record that scores so high may be offered instead of a name that is none.
NEAR = 0.5
PERSON = "person"
MARKS = ("origin", "sensitivity", "marked")


async def execute(args: dict[str, Any], context: Any) -> Any:
    most = MOST_EDGES[context.mode]
    pattern = parse_pattern(args["query"])
    if pattern is not None:
        data = await match_edges(context.knowledge, args["database_id"], pattern, most)
    else:
        best = 3 if context.mode == "voice" else BEST
        data = await answer_question(
            context.knowledge, args["database_id"], args["query"], best, most
        )
    return ok({"database_id": args["database_id"], **data})


# -- patterns


async def match_edges(
    knowledge: Any, database: str, pattern: EdgePattern, most: int
) -> dict[str, Any]:
    source, source_type = await end(knowledge, database, pattern.source)
    target, target_type = await end(knowledge, database, pattern.target)
    found = await knowledge.edges(
        database,
        sources=source,
        targets=target,
        relation=pattern.relation or None,
        source_type=source_type,
        target_type=target_type,
        limit=most,
    )
    nodes = {record["id"]: record for record in found["records"]}
    titles = {name: record["title"] or name for name, record in nodes.items()}
    said = [sentence(edge, titles) for edge in found["edges"][:SAID]]
    more = len(found["edges"]) - len(said)
    if not said:
        answer = "No edge of the graph fits the pattern."
    elif more:
        answer = f"{' '.join(said)} And {more}{'' if found['complete'] else ' or more'} others."
    else:
        answer = " ".join(said)
    return {
        "interpretation": "pattern",
        "answer": answer,
        "nodes": [node(record) for record in nodes.values()],
        "edges": [plain(edge) for edge in found["edges"]],
        "complete": found["complete"],
    }


async def end(knowledge: Any, database: str, text: str) -> tuple[list[str] | None, str | None]:
    """Resolve one end of a pattern, an id, a type or a title, to node ids or a type."""
    if not text:
        return None, None
    quoted = len(text) > 2 and text[0] == text[-1] and text[0] in "\"'"
    bare = text[1:-1].strip() if quoted else text
    if await knowledge.get([bare], [database]):
        return [bare], None
    hits = await knowledge.search(database, bare, k=BEST)
    named = [hit["id"] for hit in hits if hit["title"].casefold() == bare.casefold()]
    if named:
        return named, None
    # A single word that is no record's name is the name of a type.
    if not quoted and len(bare.split()) == 1 and ":" not in bare:
        return None, bare.lower()
    nearest = [hit["id"] for hit in hits if hit["score"] >= NEAR]
    hint = f" Perhaps {' or '.join(nearest[:3])} is meant." if nearest else ""
    raise ToolError(
        ErrorType.VALIDATION,
        f"{bare!r} is neither the id nor the title of a record in {database}.{hint}",
        nearest=nearest[:3],
    )


# -- questions


async def answer_question(
    knowledge: Any, database: str, question: str, best: int, most: int
) -> dict[str, Any]:
    hits = await knowledge.search(database, question, k=best)
    if not hits:
        return {
            "interpretation": "question",
            "answer": "The graph has nothing about this.",
            "nodes": [],
            "edges": [],
            "complete": True,
        }
    ids = [hit["id"] for hit in hits]
    # The links of a node may answer a question better than its text does.
    outward = await knowledge.edges(database, sources=ids, limit=LINKS)
    inward = await knowledge.edges(database, targets=ids, limit=LINKS)
    edges: dict[tuple[str, str, str], dict[str, Any]] = {}
    for edge in (*outward["edges"], *inward["edges"]):
        edges.setdefault((edge["source"], edge["relation"], edge["target"]), edge)
    words = stems(question)
    telling = [edge for edge in edges.values() if speaks_of(words, edge["relation"])]
    subjects = find_named_nodes(hits, words)
    telling.sort(key=lambda edge: (not ends(edge) & subjects, nearest(ids, edge)))
    among = [one for one in edges.values() if one["source"] in ids and one["target"] in ids]
    kept = {id(edge): edge for edge in (*telling, *among)}
    chosen = list(kept.values())[:most]

    records = {record["id"]: record for record in (*outward["records"], *inward["records"])}
    nodes = {hit["id"]: node(hit) for hit in hits}
    for edge in chosen:
        for name in (edge["source"], edge["target"]):
            if name not in nodes:
                nodes[name] = node(records[name])
    titles = {name: one["title"] for name, one in nodes.items()}
    said = [sentence(edge, titles) for edge in telling if ends(edge) & subjects][:SAID]
    person = next((hit for hit in hits if hit["type"] == PERSON), None)
    if asks_who(question) and not said and person is not None:
        # How the record begins says who it is, whichever of its sentences was found.
        about = records.get(person["id"], {}).get("text") or person["snippet"]
        said.append(f"{person['title']}: {first_words(about)}")
    else:
        said.append(f"{hits[0]['title']}: {first_words(hits[0]['snippet'])}")
    return {
        "interpretation": "question",
        "answer": " ".join(said),
        "nodes": list(nodes.values()),
        "edges": [plain(edge) for edge in chosen],
        "complete": outward["complete"] and inward["complete"] and len(kept) <= most,
    }


def find_named_nodes(hits: list[dict[str, Any]], words: set[str]) -> set[str]:
    """Find the nodes that the question names: whole, else in part; without a name the best one."""
    titles = {hit["id"]: stems(hit["title"]) for hit in hits}
    whole = {name for name, title in titles.items() if title and title <= words}
    return whole or {name for name, title in titles.items() if title & words} or {hits[0]["id"]}


def ends(edge: dict[str, Any]) -> set[str]:
    return {edge["source"], edge["target"]}


def nearest(ids: list[str], edge: dict[str, Any]) -> int:
    return min(ids.index(end) for end in ends(edge) if end in ids)


def node(found: dict[str, Any]) -> dict[str, Any]:
    body = {
        "id": found["id"],
        "type": found["type"],
        "title": found["title"] or found["id"],
        "snippet": found["snippet"] if "snippet" in found else first_words(found["text"]),
        "url": found["url"] or None,
    }
    return body | {name: found[name] for name in ("score", *MARKS) if name in found}


def plain(edge: dict[str, Any]) -> dict[str, Any]:
    return {name: edge[name] for name in ("source", "relation", "target", "weight")}
