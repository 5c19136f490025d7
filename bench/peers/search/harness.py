"""What every search engine's script shares: the data, the clock, recall, memory and the JSON line.

A script builds its index in a process of its own, then opens it in another and asks: what that
one holds in memory is what a server would hold. Both are tied to one core.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol


def _explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A missing package means the wrong interpreter: say which one to use."""
    if not isinstance(error, ModuleNotFoundError):
        sys.__excepthook__(kind, error, trace)
        return
    peer = f"search/{Path(sys.argv[0]).stem}"
    print(
        f"{peer}: the package {error.name} is missing in this interpreter. Install the peer with"
        f" python bench/peers/install.py {peer} and run this script with the Python of"
        f" bench/peers/.venvs/{peer}.",
        file=sys.stderr,
    )


sys.excepthook = _explain

# A script may carry its package's name (duckdb.py): were this folder searched, it would import
# itself. Scripts import the harness first, so the packages are found where they are installed.
_HERE = str(Path(__file__).resolve().parent)
sys.path[:] = [entry for entry in sys.path if str(Path(entry or ".").resolve()) != _HERE]

# Read by the libraries when they are imported: one thread each, no usage reports, no log.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "TOKIO_WORKER_THREADS",
    "LANCE_CPU_THREADS",
)
os.environ.update(dict.fromkeys(THREADS, "1"))
os.environ.update({"ANONYMIZED_TELEMETRY": "false", "LANCEDB_LOG": "error"})

import numpy as np  # noqa: E402 after the hook and the threads above
from numpy.typing import NDArray  # noqa: E402

Floats = NDArray[np.float32]
K = 10
BATCH = 5_000
ENOUGH = 0.97
# Settings are chosen on the first queries alone, with something to spare for the others.
TRIED = 100
CHOSEN_AT = 0.975
WARM_UP = 10
# The slowest engines would take minutes: a round of one kind of search ends after this long.
ROUND_SECONDS = 5.0


@dataclass(frozen=True)
class QueryFilter:
    type: str
    area: str


@dataclass(frozen=True)
class Query:
    number: int
    text: str
    vector: Floats
    filter: QueryFilter | None = None


@dataclass(frozen=True)
class PeerRow:
    """A record. Its area is one of its tags, as a column: not all engines filter by lists."""

    number: int
    record: dict[str, Any]
    type: str
    area: str
    title: str
    text: str


class Data:
    """The files that `write_peer_data` of bench/search_data.py wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        vectors = np.load(folder / "queries.npy")
        texts = [
            json.loads(line)["text"]
            for line in (folder / "query_texts.jsonl").read_text("utf-8").splitlines()
        ]
        filters = [
            QueryFilter(one["type"], one["tag"])
            for one in json.loads((folder / "filters.json").read_text("utf-8"))
        ]
        self.count, self.dims = np.load(folder / "vectors.npy", mmap_mode="r").shape
        self.plain = [
            Query(at, text, vector)
            for at, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        self.filtered = [
            Query(one.number, one.text, one.vector, chosen)
            for one, chosen in zip(self.plain, filters, strict=True)
        ]
        self.exact = np.load(folder / "exact.npy")
        self.exact_filtered = np.load(folder / "exact_filtered.npy")

    def batches(self) -> Iterator[tuple[list[PeerRow], Floats]]:
        """The records and their vectors, some at a time."""
        vectors = np.load(self.folder / "vectors.npy", mmap_mode="r")
        rows: list[PeerRow] = []
        with (self.folder / "texts.jsonl").open(encoding="utf-8") as file:
            for number, line in enumerate(file):
                record = json.loads(line)
                area = next(tag for tag in record["tags"] if tag.startswith("area-"))
                rows.append(
                    PeerRow(number, record, record["type"], area, record["title"], record["text"])
                )
                if len(rows) == BATCH or number + 1 == self.count:
                    yield rows, np.array(vectors[rows[0].number : number + 1])
                    rows = []


class PeerEngine(Protocol):
    """One search engine. Searches give the ten best rows, their texts fetched as well."""

    settings: Sequence[dict[str, Any]]
    """Ways to search, from the cheapest to the most thorough (one that is empty: no choice)."""

    def build(self, data: Data, folder: Path) -> None: ...

    def open(self, data: Data, folder: Path) -> None: ...

    def use(self, setting: dict[str, Any]) -> None: ...

    def vectors(self, query: Query) -> list[int]: ...

    def hybrid(self, query: Query) -> list[int]: ...


Search = Callable[[Query], list[int]]


def recall(search: Search, queries: Sequence[Query], exact: NDArray[np.int64]) -> float:
    """Which part of the true nearest is found."""
    found = wanted = 0
    for query in queries:
        nearest = {row for row in exact[query.number].tolist() if row >= 0}
        found += len(nearest & set(search(query)))
        wanted += len(nearest)
    return found / wanted


Tried = tuple[dict[str, Any], float, float]  # a setting, recall with it, and recall filtered


def choose(engine: PeerEngine, data: Data) -> tuple[dict[str, Any], list[Tried]]:
    """The cheapest setting with enough recall, filtered as well if any can; else the best."""
    tried: list[Tried] = []
    for setting in engine.settings:
        engine.use(setting)
        plain = recall(engine.vectors, data.plain[:TRIED], data.exact)
        filtered = recall(engine.vectors, data.filtered[:TRIED], data.exact_filtered)
        tried.append((setting, round(plain, 4), round(filtered, 4)))
        if min(plain, filtered) >= CHOSEN_AT:
            return setting, tried
    enough = [one for one in tried if one[1] >= CHOSEN_AT]
    return (enough or [max(tried, key=lambda one: one[1] + one[2])])[0][0], tried


def resident_mb() -> float:
    """Megabytes of this process's memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def quantile(times: Sequence[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


class QueryTimer:
    """Times of each kind of search, gathered over the rounds."""

    def __init__(self, works: dict[str, tuple[Search, Sequence[Query]]]) -> None:
        self._works = works
        self.times: dict[str, list[float]] = {name: [] for name in works}
        # What the process used itself, all its threads together: it does not grow with what
        # else the machine does.
        self.used: dict[str, list[float]] = {name: [] for name in works}

    def warm_up(self) -> None:
        for search, queries in self._works.values():
            for query in queries[:WARM_UP]:
                search(query)

    def round(self, at: int, rounds: int) -> None:
        """Every kind of search in turn, with this round's share of the queries."""
        for name, (search, queries) in self._works.items():
            end = time.perf_counter() + ROUND_SECONDS
            for query in queries[at::rounds]:
                before = time.process_time()
                start = time.perf_counter()
                search(query)
                stop = time.perf_counter()
                self.used[name].append((time.process_time() - before) * 1000)
                self.times[name].append((stop - start) * 1000)
                if stop > end:
                    break

    def figures(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, times in self.times.items():
            found[f"{name}p50_ms"] = statistics.median(times)
            found[f"{name}p99_ms"] = quantile(times, 0.99)
            found[f"{name}cpu_p50_ms"] = statistics.median(self.used[name])
            found[f"{name}cpu_p99_ms"] = quantile(self.used[name], 0.99)
        return found


def measure(
    engine: PeerEngine, data: Data, folder: Path, *, rounds: int, hybrid: bool, turns: bool
) -> dict[str, Any]:
    """Open, choose a setting, take recall and times. With `turns` each round waits for a line."""
    engine.open(data, folder)
    setting, tried = choose(engine, data)
    engine.use(setting)
    recalls = {
        "recall_at_10": recall(engine.vectors, data.plain, data.exact),
        "filtered_recall_at_10": recall(engine.vectors, data.filtered, data.exact_filtered),
    }
    vectors = {
        "vectors_": (engine.vectors, data.plain),
        "vectors_filtered_": (engine.vectors, data.filtered),
    }
    both = {"": (engine.hybrid, data.plain), "filtered_": (engine.hybrid, data.filtered)}
    clock = QueryTimer({**both, **vectors} if hybrid else vectors)
    clock.warm_up()
    for at in range(rounds):
        if turns:
            print(json.dumps({"turn": at}), flush=True)
            if not sys.stdin.readline():
                sys.exit("The run that gave the turns has ended.")
        clock.round(at, rounds)
    figures = clock.figures()
    if not hybrid:
        figures.update(
            {name.removeprefix("vectors_"): figure for name, figure in list(figures.items())}
        )
    return {
        "search": "hybrid" if hybrid else "vectors",
        "setting": setting,
        "tried": tried,
        **figures,
        **recalls,
        "enough_recall": min(recalls.values()) >= ENOUGH,
        "rss_mb": resident_mb(),
        "calls": min(len(times) for times in clock.times.values()),
    }


def one_core() -> None:
    """Tie this process and its threads to the last of its cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main(peer: str, package: str, engine: PeerEngine, *, hybrid: bool = True) -> None:
    """The command line every script takes."""
    parser = argparse.ArgumentParser(description=f"Build and time {peer} on the given data.")
    parser.add_argument("--data", type=Path, required=True, help="folder by write_peer_data")
    parser.add_argument("--rounds", type=int, default=5, help="the queries are split into these")
    parser.add_argument("--turns", action="store_true", help="wait for a line before each round")
    parser.add_argument("--build", type=Path, help="only build, in this folder")
    options = parser.parse_args()
    if not (options.data / "exact_filtered.npy").is_file():
        parser.error(
            f"{options.data} does not hold the data. `python bench/peers/search/run.py --keep"
            " FOLDER` writes it."
        )
    if options.rounds < 1:
        parser.error("--rounds must be 1 or more")
    one_core()
    data = Data(options.data)
    if options.build is not None:
        start = time.perf_counter()
        engine.build(data, options.build)
        print(json.dumps({"build_s": time.perf_counter() - start}))
        return
    with tempfile.TemporaryDirectory(prefix="antiphon-peer-") as name:
        folder = Path(name)
        built = subprocess.run(
            [sys.executable, *sys.argv, "--build", name],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if built.returncode:
            sys.exit(f"{peer}: building the index failed (exit code {built.returncode}).")
        figures = measure(
            engine, data, folder, rounds=options.rounds, hybrid=hybrid, turns=options.turns
        )
        line = {
            "peer": peer,
            "version": version(package),
            "n": data.count,
            **json.loads(built.stdout.splitlines()[-1]),
            **figures,
            "disk_mb": size_mb(folder),
        }
    rounded = {key: round(one, 4) if isinstance(one, float) else one for key, one in line.items()}
    print(json.dumps(rounded), flush=True)


# What is common to the engines that leave the fusing of words and vectors to their user.

COMMON = (
    "a about all an and any are as at be been but by can did do for from had has have he her his"
    " how if in into is it its more no not of on or our she so than that the their them then there"
    " they this to was we were what when where which who will with would you your"
)
STOP_WORDS = frozenset(COMMON.split())


def words_of(text: str) -> list[str]:
    """The words of a query that tell something."""
    found = ["".join(c for c in word.lower() if c.isalnum()) for word in text.split()]
    return [word for word in dict.fromkeys(found) if word and word not in STOP_WORDS]


def fuse(cosines: dict[int, float], bm25: dict[int, float]) -> list[int]:
    """The ten best by both: cosine + 0.3 * bm25 / (bm25 + 6)."""
    scores = {
        row: cosines.get(row, 0.0) + 0.3 * bm25.get(row, 0.0) / (bm25.get(row, 0.0) + 6.0)
        for row in {*cosines, *bm25}
    }
    return sorted(scores, key=lambda row: -scores[row])[:K]
