"""Graph analytics of one database: central records, communities and isolated records."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import orjson

from antiphon.knowledge.errors import explained

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

# Goes up when the numbers mean something else; what was kept is then computed anew.
VERSION = 1
TOP = 20
SEED = 7
# Betweenness takes a step for each node and edge, once from every starting point. It is exact for
# graphs up to this size; in larger ones so many starting points are drawn as the steps allow.
EXACT_NODES = 2_000
EXACT_STEPS = 4_000_000
SAMPLED_STEPS = 1_000_000
SAMPLES = 100
FILE = "analytics.json"
_DAMPING = 0.85

_Edge = tuple[int, int, str, float]
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
    nodes = _Nodes((record.id, record.type, record.title) for record in database.all_records())
    edges = sorted(
        (nodes.number[edge.source], nodes.number[edge.target], edge.relation, edge.weight)
        for edge in database.all_edges()
        if edge.source in nodes.number and edge.target in nodes.number
    )
    graph = _graph(len(nodes.labels), edges)
    into, out = Counter(edge[1] for edge in edges), Counter(edge[0] for edge in edges)
    degree = {node: float(into[node] + out[node]) for node in graph}
    rank = _pagerank(len(nodes.labels), edges)
    sampled = _sample_size(graph)
    sizes = sorted(map(len, _networkx().connected_components(graph)), reverse=True)
    isolated = [node for node in graph if not degree[node]]
    count = len(nodes.labels)
    return {
        "nodes": count,
        "edges": len(edges),
        "types": _counts(Counter(label[1] for label in nodes.labels)),
        "relations": _counts(Counter(edge[2] for edge in edges)),
        "self_edges": sum(edge[0] == edge[1] for edge in edges),
        "density": round(len(edges) / (count * (count - 1)), 9) if count > 1 else 0.0,
        "degree": {
            "mean": round(sum(degree.values()) / count, 4) if count else 0.0,
            "top": [
                nodes.shown(node) | {"value": int(degree[node]), "in": into[node], "out": out[node]}
                for node in _best(degree)
            ],
        },
        "pagerank": nodes.top(rank),
        "betweenness": {"sampled": sampled, "top": nodes.top(_betweenness(graph, sampled))},
        "communities": _communities(graph, nodes, rank),
        "components": {
            "count": len(sizes),
            "sizes": sizes[:TOP],
            "largest": sizes[0] if sizes else 0,
        },
        "isolated": {
            "count": len(isolated),
            "records": [nodes.shown(node) for node in isolated[:TOP]],
        },
    }


class _Nodes:
    """Records as numbers in the order of their ids.

    The algorithms follow the order in which they meet nodes, and that of numbers, unlike that of
    texts in a set, is the same in every process.
    """

    def __init__(self, labels: Iterable[tuple[str, str, str]]) -> None:
        self.labels = sorted(labels)
        self.number = {label[0]: node for node, label in enumerate(self.labels)}

    def shown(self, node: int) -> dict[str, Any]:
        return dict(zip(("id", "type", "title"), self.labels[node], strict=True))

    def top(self, values: dict[int, float]) -> list[dict[str, Any]]:
        return [self.shown(node) | {"value": round(values[node], 6)} for node in _best(values)]


def _best(values: dict[int, float]) -> list[int]:
    best = sorted(values, key=lambda node: (-round(values[node], 9), node))
    return [node for node in best[:TOP] if values[node]]


def _networkx() -> Any:
    import networkx  # type: ignore[import-untyped]

    return networkx


def _graph(nodes: int, edges: list[_Edge]) -> Any:
    """Undirected, one edge for all relations between two nodes, none from a node to itself."""
    graph = _networkx().Graph()
    graph.add_nodes_from(range(nodes))
    weights: dict[tuple[int, int], float] = {}
    for source, target, _, weight in edges:
        if source != target:
            pair = (min(source, target), max(source, target))
            weights[pair] = weights.get(pair, 0.0) + weight
    # Sums of huge weights must stay finite, and a graph of weights 0 could not be divided.
    most = max(weights.values(), default=0.0) or 1.0
    graph.add_weighted_edges_from(
        (*pair, max(weight / most if most < float("inf") else 1.0, 1e-9))
        for pair, weight in sorted(weights.items())
    )
    return graph


def _counts(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _pagerank(nodes: int, edges: list[_Edge]) -> dict[int, float]:
    """PageRank by power iteration; the rank of nodes without outgoing edges is shared by all."""
    import numpy

    if not nodes:
        return {}
    sources = numpy.array([edge[0] for edge in edges], dtype=numpy.int64)
    targets = numpy.array([edge[1] for edge in edges], dtype=numpy.int64)
    weights = numpy.array([edge[3] for edge in edges], dtype=numpy.float64)
    if len(edges) and weights.max() > 0:
        weights /= weights.max()
    out = numpy.bincount(sources, weights, nodes)
    ends = out <= 1e-300  # what is smaller has no finite inverse
    share = numpy.where(ends, 0.0, 1.0 / numpy.where(ends, 1.0, out))
    rank = numpy.full(nodes, 1.0 / nodes)
    for _ in range(100):
        moved = numpy.bincount(targets, (rank * share)[sources] * weights, nodes)
        shared = rank[ends].sum() / nodes
        new = _DAMPING * (moved + shared) + (1 - _DAMPING) / nodes
        change = float(numpy.abs(new - rank).sum())
        rank = new
        if change < 1e-9:
            break
    return dict(enumerate(rank.tolist()))


def _sample_size(graph: Any) -> int:
    """How many starting points betweenness is estimated from; 0 means all."""
    steps = len(graph) + int(graph.number_of_edges())
    if len(graph) <= EXACT_NODES and len(graph) * steps <= EXACT_STEPS:
        return 0
    return min(len(graph), max(5, min(SAMPLES, SAMPLED_STEPS // steps)))


def _betweenness(graph: Any, sampled: int) -> dict[int, float]:
    if not graph.number_of_edges():
        return {}
    found: dict[int, float] = _networkx().betweenness_centrality(
        graph, k=sampled or None, seed=SEED
    )
    return found


def _communities(graph: Any, nodes: _Nodes, rank: dict[int, float]) -> dict[str, Any]:
    """Groups that are connected more inside than outside, each named by its highest member."""
    community = _networkx().community
    connected = graph.edge_subgraph(graph.edges).copy() if graph.number_of_edges() else None
    if connected is None:
        return {"count": 0, "modularity": 0.0, "top": []}
    found = community.louvain_communities(connected, weight="weight", seed=SEED)
    ranked = [sorted(part, key=lambda node: (-round(rank[node], 9), node)) for part in found]
    ranked.sort(key=lambda part: (-len(part), part[0]))
    return {
        "count": len(ranked),
        "modularity": round(community.modularity(connected, found, weight="weight"), 6),
        "top": [
            {
                "name": nodes.labels[part[0]][2] or nodes.labels[part[0]][0],
                "size": len(part),
                "types": _counts(Counter(nodes.labels[node][1] for node in part)),
                "members": [nodes.shown(node) for node in part[:10]],
            }
            for part in ranked[:TOP]
        ],
    }
