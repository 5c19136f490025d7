"""What the graph of a database looks like: who is central, what belongs together, what is alone."""

from __future__ import annotations

import os
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import orjson

from antiphon.knowledge.errors import explained

if TYPE_CHECKING:
    import networkx

    from antiphon.knowledge.database import Database

# Goes up when the numbers mean something else; what was kept is then computed anew.
VERSION = 1
TOP = 20
SEED = 7
# Betweenness is exact up to this size; above, it is estimated from so many starting points.
EXACT_NODES = 2_000
SAMPLES = 100
# Estimated from fewer starting points still, so that a million edges are no wait of hours.
SAMPLED_STEPS = 20_000_000
FILE = "analytics.json"
_DAMPING = 0.85

_kept: WeakKeyDictionary[Database, dict[str, Any]] = WeakKeyDictionary()
_lock = threading.Lock()


def analytics(database: Database) -> dict[str, Any]:
    """Counts, degree, PageRank, betweenness, communities and components of the whole graph.

    Computed once and kept, in memory and beside the database, until the database is written.
    The same records and edges give the same answer. Lists have the first 20, best first.
    """
    revision = database.revision
    with _lock:
        found = _kept.get(database)
    if found is None:
        found = _load(database.folder / FILE)
    if found is None or found["revision"] != revision:
        found = {"version": VERSION, "revision": revision, **_compute(database)}
        # Written meanwhile? Then it is only good for this caller.
        if database.revision == revision:
            _save(database.folder / FILE, found)
    with _lock:
        _kept[database] = found
    answer: dict[str, Any] = orjson.loads(orjson.dumps(found))  # the caller may change it
    return answer


def _load(path: Path) -> dict[str, Any] | None:
    try:
        found = orjson.loads(path.read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return None
    return found if isinstance(found, dict) and found.get("version") == VERSION else None


def _save(path: Path, found: dict[str, Any]) -> None:
    with explained(path):
        aside = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.tmp")
        try:
            aside.write_bytes(orjson.dumps(found))
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)


def _compute(database: Database) -> dict[str, Any]:
    import networkx

    labels: dict[str, tuple[str, str]] = {}
    for record in database.all_records():
        labels[record.id] = (record.type, record.title)
    edges = sorted(
        (edge.source, edge.target, edge.relation, edge.weight)
        for edge in database.all_edges()
        if edge.source in labels and edge.target in labels
    )
    # Nodes and edges go in sorted, because the algorithms follow the order they find.
    graph = networkx.Graph()
    graph.add_nodes_from(sorted(labels))
    for source, target, _, weight in edges:
        if source != target:
            before = graph.get_edge_data(source, target, {"weight": 0.0})["weight"]
            graph.add_edge(source, target, weight=before + weight)
    into, out = Counter(edge[1] for edge in edges), Counter(edge[0] for edge in edges)
    degree = {id: into[id] + out[id] for id in graph}
    rank = _pagerank(list(graph), edges)
    sampled = _sample_size(graph)
    between = _betweenness(graph, sampled)
    components = sorted(
        (sorted(part) for part in networkx.connected_components(graph)),
        key=lambda part: (-len(part), part[0]),
    )
    isolated = [id for id in graph if not degree[id]]
    nodes = len(graph)

    def top(values: dict[str, float], digits: int = 6) -> list[dict[str, Any]]:
        best = sorted(values.items(), key=lambda item: (-item[1], item[0]))[:TOP]
        return [_node(labels, id) | {"value": round(value, digits)} for id, value in best if value]

    return {
        "nodes": nodes,
        "edges": len(edges),
        "types": _counts(Counter(type for type, _ in labels.values())),
        "relations": _counts(Counter(edge[2] for edge in edges)),
        "self_edges": sum(edge[0] == edge[1] for edge in edges),
        "density": round(len(edges) / (nodes * (nodes - 1)), 9) if nodes > 1 else 0.0,
        "degree": {
            "mean": round(sum(degree.values()) / nodes, 4) if nodes else 0.0,
            "top": [
                entry | {"in": into[entry["id"]], "out": out[entry["id"]]}
                for entry in top({id: float(value) for id, value in degree.items()}, 0)
            ],
        },
        "pagerank": top(rank),
        "betweenness": {"sampled": sampled, "top": top(between)},
        "communities": _communities(graph, labels, rank),
        "components": {
            "count": len(components),
            "sizes": [len(part) for part in components[:TOP]],
            "largest": len(components[0]) if components else 0,
        },
        "isolated": {
            "count": len(isolated),
            "records": [_node(labels, id) for id in isolated[:TOP]],
        },
    }


def _node(labels: dict[str, tuple[str, str]], id: str) -> dict[str, Any]:
    type, title = labels[id]
    return {"id": id, "type": type, "title": title}


def _counts(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _pagerank(nodes: list[str], edges: list[tuple[str, str, str, float]]) -> dict[str, float]:
    """By repeated multiplication; what ends at a node without edges is shared by all."""
    import numpy

    if not nodes:
        return {}
    number = {id: at for at, id in enumerate(nodes)}
    sources = numpy.array([number[edge[0]] for edge in edges], dtype=numpy.int64)
    targets = numpy.array([number[edge[1]] for edge in edges], dtype=numpy.int64)
    weights = numpy.array([edge[3] for edge in edges], dtype=numpy.float64)
    if len(weights) and weights.max() > 0:
        weights /= weights.max()  # sums of huge weights must stay finite
    out = numpy.bincount(sources, weights, len(nodes)) if len(edges) else numpy.zeros(len(nodes))
    safe = numpy.where(out > 0, out, 1.0)
    rank = numpy.full(len(nodes), 1.0 / len(nodes))
    for _ in range(100):
        flow = (rank / safe)[sources] * weights if len(edges) else weights
        moved = numpy.bincount(targets, flow, len(nodes)) if len(edges) else numpy.zeros(len(nodes))
        moved += rank[out <= 0].sum() / len(nodes)
        new = _DAMPING * moved + (1 - _DAMPING) / len(nodes)
        change = float(numpy.abs(new - rank).sum())
        rank = new
        if change < 1e-9:
            break
    return dict(zip(nodes, rank.tolist(), strict=True))


def _sample_size(graph: networkx.Graph) -> int:
    """How many starting points betweenness is estimated from; 0 means all."""
    nodes = len(graph)
    if nodes <= EXACT_NODES:
        return 0
    return max(5, min(SAMPLES, SAMPLED_STEPS // (nodes + graph.number_of_edges())))


def _betweenness(graph: networkx.Graph, sampled: int) -> dict[str, float]:
    import networkx

    if not graph.number_of_edges():
        return {}
    found: dict[str, float] = networkx.betweenness_centrality(graph, k=sampled or None, seed=SEED)
    return found


def _communities(
    graph: networkx.Graph, labels: dict[str, tuple[str, str]], rank: dict[str, float]
) -> dict[str, Any]:
    """Groups that are connected more inside than outside, each named by its highest member."""
    import networkx

    connected = graph.subgraph([id for id in graph if graph.degree(id)])
    if not connected:
        return {"count": 0, "modularity": 0.0, "top": []}
    # A copy keeps the sorted order; a view would follow the order of a set.
    ordered = networkx.Graph()
    ordered.add_nodes_from(id for id in graph if id in connected)
    # Weights of 0 would make a graph without any, which cannot be divided.
    ordered.add_edges_from(
        (source, target, {"weight": max(weight, 1e-6)})
        for source, target, weight in graph.edges(data="weight")
    )
    found = networkx.community.louvain_communities(ordered, weight="weight", seed=SEED)
    ranked = [sorted(part, key=lambda id: (-rank[id], id)) for part in found]
    ranked.sort(key=lambda part: (-len(part), part[0]))
    return {
        "count": len(ranked),
        "modularity": round(networkx.community.modularity(ordered, found, weight="weight"), 6),
        "top": [
            {
                "name": labels[part[0]][1] or part[0],
                "size": len(part),
                "types": _counts(Counter(labels[id][0] for id in part)),
                "members": [_node(labels, id) for id in part[:10]],
            }
            for part in ranked[:TOP]
        ],
    }
