"""Antiphon's search beside LanceDB, Chroma, DuckDB and sqlite-vec, in one run on the same data.

Each builds its index on its own; then they take turns, round by round, so that what else the
machine does falls on all alike. Install them first: python bench/peers/install.py --search
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BENCH = HERE.parent.parent
# This folder's scripts carry the names of packages; what is shared lies one level up.
sys.path[:] = [str(BENCH), *(entry for entry in sys.path if Path(entry or ".").resolve() != HERE)]

import numpy as np  # noqa: E402 not from this folder, after the line above

from search import Material, held_queries, real_texts  # noqa: E402
from search_data import RealMaterial, write_peer_data  # noqa: E402

OURS = "ours"


class SearchPeer:
    """One engine's process, which builds, then does a round whenever it is told to."""

    def __init__(self, name: str, python: Path, data: Path, rounds: int) -> None:
        self.name = name
        self.failed = ""
        self.figures: dict[str, Any] = {}
        # Closed by `end`: it is read only when the process has failed.
        self._errors = tempfile.TemporaryFile(  # noqa: SIM115
            "w+", encoding="utf-8", errors="replace"
        )
        self._process = subprocess.Popen(
            [str(python), str(HERE / f"{name}.py"), "--data", str(data), "--turns"]
            + ["--rounds", str(rounds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def hear(self) -> None:
        """Wait until it asks for a turn or tells its figures."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                said = json.loads(line)
                if "turn" not in said:
                    self.figures = said
                return
        self._process.wait()
        self._errors.seek(0)
        last = [line.strip() for line in self._errors if line.strip()][-3:]
        self.failed = " | ".join(last)[-400:] or f"exit code {self._process.returncode}"

    def turn(self) -> None:
        if self.failed:
            return
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self.hear()

    def end(self) -> None:
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait()
        self._errors.close()


def python_of(name: str) -> Path:
    if name == OURS:
        return Path(sys.executable)
    return HERE.parent / ".venvs" / "search" / name / "bin" / "python"


def real_material(count: int, queries: int) -> RealMaterial:
    """Sentences of the sample put together anew and the held queries, by the built-in embedder."""
    from antiphon.knowledge.embedding import default_embedder

    embedder = default_embedder()
    texts = real_texts(count)
    asked = [str(query["query"]) for query in held_queries()][:queries]
    vectors = [embedder.embed(texts[at : at + 128]) for at in range(0, count, 128)]
    return RealMaterial(texts, np.concatenate(vectors), asked, embedder.embed(asked))


def run(data: Path, names: list[str], rounds: int) -> list[SearchPeer]:
    peers: list[SearchPeer] = []
    try:
        for name in names:
            print(f"building {name} ...", file=sys.stderr, flush=True)
            peers.append(SearchPeer(name, python_of(name), data, rounds))
            peers[-1].hear()
            if peers[-1].failed:
                print(f"{name} failed: {peers[-1].failed}", file=sys.stderr, flush=True)
        for _ in range(rounds):
            for peer in peers:
                peer.turn()
    finally:
        for peer in peers:
            peer.end()
    return peers


HEADS = (
    ("engine", "", ""),
    ("search", "", ""),
    ("p50", "p50_ms", ".2f"),
    ("p99", "p99_ms", ".2f"),
    ("CPU p50", "cpu_p50_ms", ".2f"),
    ("CPU p99", "cpu_p99_ms", ".2f"),
    ("filt. p50", "filtered_p50_ms", ".2f"),
    ("filt. p99", "filtered_p99_ms", ".2f"),
    ("filt. CPU p99", "filtered_cpu_p99_ms", ".2f"),
    ("vec. p50", "vectors_p50_ms", ".2f"),
    ("vec. CPU p50", "vectors_cpu_p50_ms", ".2f"),
    ("vec. filt. p50", "vectors_filtered_p50_ms", ".2f"),
    ("recall", "recall_at_10", ".3f"),
    ("filt. recall", "filtered_recall_at_10", ".3f"),
    ("build s", "build_s", ".1f"),
    ("MB", "rss_mb", ".0f"),
    ("disk MB", "disk_mb", ".0f"),
)


def table(lines: list[dict[str, Any]]) -> None:
    rows = [[head for head, _, _ in HEADS]]
    for line in lines:
        cells = [f"{line['peer']} {line['version']}", line["search"]]
        rows.append(cells + [format(line[key], how) for _, key, how in HEADS[2:]])
    wide = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    for row in rows:
        first = [f"{cell:<{width}}" for cell, width in zip(row[:2], wide[:2], strict=True)]
        other = [f"{cell:>{width}}" for cell, width in zip(row[2:], wide[2:], strict=True)]
        print("  ".join(first + other))


def shown(setting: dict[str, Any]) -> str:
    return " ".join(f"{name} {value}" for name, value in setting.items())


def at_least(least: int) -> Any:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"must be {least} or more")
        return value

    return number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    known = [OURS, *sorted(path.stem for path in HERE.glob("*.txt"))]
    parser.add_argument("peer", nargs="*", help=f"some of: {', '.join(known)} (default: all)")
    parser.add_argument("--n", type=at_least(2_000), default=20_000, help="records")
    parser.add_argument("--queries", type=at_least(20), default=300)
    parser.add_argument("--rounds", type=at_least(1), default=5)
    parser.add_argument(
        "--real", action="store_true", help="real embeddings; about 100 records a second to make"
    )
    parser.add_argument("--keep", type=Path, help="write the data here and leave it")
    options = parser.parse_args()
    unknown = sorted(set(options.peer) - set(known))
    if unknown:
        parser.error(f"no such peer: {', '.join(unknown)} (there are: {', '.join(known)})")
    wanted = [name for name in known if name in (options.peer or known)]
    names = [name for name in wanted if python_of(name).exists()]
    for name in set(wanted) - set(names):
        print(
            f"{name} is not installed: python bench/peers/install.py search/{name}",
            file=sys.stderr,
        )
    with tempfile.TemporaryDirectory(prefix="antiphon-search-") as folder:
        data = options.keep or Path(folder)
        print(f"writing {options.n:,} records ...", file=sys.stderr, flush=True)
        made = real_material if options.real else Material
        write_peer_data(data, made(options.n, options.queries))
        peers = run(data, names, options.rounds)
    lines = [peer.figures for peer in peers if peer.figures]
    kind = "real embeddings" if options.real else "synthetic vectors"
    print(f"\n{options.n:,} records, {kind}, one core, the ten best, milliseconds")
    table(sorted(lines, key=lambda line: float(line["p50_ms"])))
    for line in lines:
        notes = [f"setting {line['setting']}"] if line["setting"] else []
        if len(line["tried"]) > 1:
            tried = (f"{found:.3f} with {shown(setting)}" for setting, found, _ in line["tried"])
            notes.append(f"recall on the first queries {', '.join(tried)}")
        if not line["enough_recall"]:
            notes.append("recall@10 of 0.97 NOT reached with any setting tried")
        if notes:
            print(f"  {line['peer']}: {'; '.join(notes)}")
    failed = {peer.name: peer.failed for peer in peers if peer.failed}
    for name, why in failed.items():
        print(f"  {name}: FAILED: {why}")
    print(json.dumps({"n": options.n, "engines": lines, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
