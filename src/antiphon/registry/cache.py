"""The build cache: entries of the artifact that need not be compiled again.

The entries themselves are taken from the artifact; the cache beside it says which bytes of it
belong to which sources. What was touched by any other hand no longer fits and is compiled again.
"""

from __future__ import annotations

import hashlib
import platform
import zlib
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path

import orjson

from antiphon.contracts.definition import HandlerKind
from antiphon.registry.artifact import MAX_ARTIFACT, start_of_entries, write_atomic
from antiphon.registry.findings import LintFinding
from antiphon.registry.sources import UnreadableFile, read_regular

_MAX_CACHE = 256 * 1024**2
_MEMBERS = attrgetter(*(member.name for member in fields(LintFinding)))


@dataclass(slots=True)
class CompiledTool:
    """A cached entry: `raw` is the digest of the tool's files as read, `code` that of its Python
    files.

    `crc` is the checksum of `entry`, `kind` the kind of its handler.
    """

    raw: str
    code: str
    tool_id: str
    version: str
    staged: bool
    digest: str
    entry: bytes | memoryview
    crc: int
    kind: HandlerKind = "async"
    findings: list[LintFinding] = field(default_factory=list)


def cache_path(out: Path) -> Path:
    """Return the path of the cache of an artifact."""
    return out.parent / f".{out.stem}.cache"


def load_cache(out: Path) -> dict[str, CompiledTool]:
    """Load the compiled tools of the artifact at `out`, by the key they were saved under.

    A cache that is missing, damaged or made by another builder is empty: it is only a cache.
    """
    try:
        check, _, body = read_regular(cache_path(out), _MAX_CACHE).partition(b"\n")
        artifact = read_regular(out, MAX_ARTIFACT)
        start = start_of_entries(artifact)
    except (UnreadableFile, ValueError):
        return {}
    if check.decode("ascii", "replace") != _checksum(body):
        return {}
    # Sliced without copying: a large registry is tens of megabytes.
    entries = memoryview(artifact)[start:]
    tools: dict[str, CompiledTool] = {}
    for key, raw, code, identity, digest, start, size, crc, kind, findings in orjson.loads(body):
        tool_id, number, staged = identity
        entry = entries[start : start + size]
        if zlib.crc32(entry) == crc:
            said = [LintFinding(*members) for members in findings]
            tools[key] = CompiledTool(
                raw, code, tool_id, number, staged, digest, entry, crc, kind, said
            )
    return tools


def save_cache(out: Path, tools: dict[str, CompiledTool]) -> None:
    """Save `tools` (by key, in the order of the artifact); raises ArtifactError."""
    # Counted from the first entry: what stands before it may change from build to build.
    start = 0
    index = []
    for key, tool in tools.items():
        size = len(tool.entry)
        findings = [_MEMBERS(finding) for finding in tool.findings]
        identity = (tool.tool_id, tool.version, tool.staged)
        facts = (tool.raw, tool.code, identity, tool.digest, start, size, tool.crc, tool.kind)
        index.append((key, *facts, findings))
        start += size + len(b",\n")
    body = orjson.dumps(index)
    # Not forced to disk: losing it in a power cut costs one full build.
    write_atomic(cache_path(out), [_checksum(body).encode(), b"\n", body], durable=False)


def _checksum(body: bytes) -> str:
    """Return a checksum that only an intact index of this very builder has."""
    return hashlib.sha256(builder_fingerprint().encode() + body).hexdigest()


@cache
def builder_fingerprint() -> str:
    """Return a digest of the builder's own code: entries of another builder are not reused."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    # Handlers import the toolkit: whether they still can is found by importing them again.
    for folder in (here, here.parent / "contracts", here.parent / "toolkit"):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.relative_to(here.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    digest.update(f"{platform.python_version()} {version('jsonschema-rs')}".encode())
    return digest.hexdigest()
