"""The registry artifact `tool_registry.json`: how it is put together, written and read back."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
import subprocess
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from antiphon.contracts import ToolDefinition
from antiphon.registry.sources import UnreadableFile, hash_files, read_regular

MAX_ARTIFACT = 1024**3
# Large enough to write thousands of parts at little cost. Joining them instead would touch as much
# new memory as the artifact is long, which takes longer than writing it.
_WRITE_BUFFER = 256 * 1024
MEND = "Run `antiphon build` to make it anew."

_TOOLS = '"tools": [\n'
_VERSION = re.compile(r"1\.0\.[0-9a-f]{8}")
_ENTRY_TYPES: dict[str, type | tuple[type, ...]] = {
    "toolId": str,
    "version": str,
    "description": str,
    "category": str,
    "sideEffects": str,
    "idempotent": bool,
    "requiresConfirmation": bool,
    "allowedModes": list,
    "latencyBudgetMs": (int, float),
    "timeoutMs": (int, float),
    "jsonSchema": dict,
    "providerSchemas": dict,
    "losses": dict,
    "summary": str,
    "documentation": str,
    "handlerPath": str,
    "digest": str,
}


class ArtifactError(Exception):
    """The artifact cannot be read or written; the text says why and what to do."""


def tool_digest(schema: Mapping[str, Any], guide: bytes, python: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of everything that makes the tool what it is.

    Id and version are part of the schema. The layout of `schema.json` does not count, every byte of
    the guide and of the Python files does.
    """
    return hash_files(
        {
            **{f"python/{name}": data for name, data in python.items()},
            "schema": orjson.dumps(schema, option=orjson.OPT_SORT_KEYS),
            "guide": guide,
        }
    )


def contract_digest(schema: Mapping[str, Any], guide: bytes) -> str:
    """Return the SHA-256 of what callers see of a tool, whatever code is behind it."""
    return tool_digest(schema, guide, {})


def registry_version(digests: Mapping[str, str]) -> str:
    """Return the version of a set of tools, made from the digest of each tool id, or of each
    `id@version` of a tool that has several."""
    whole = hashlib.sha256()
    for tool_id in sorted(digests):
        whole.update(f"{tool_id}\0{digests[tool_id]}\n".encode())
    return f"1.0.{whole.hexdigest()[:8]}"


def make_entry(
    definition: ToolDefinition,
    *,
    provider_schemas: Mapping[str, Any],
    losses: Mapping[str, Any],
    summary: str,
    documentation: str,
    handler_path: str,
    digest: str,
) -> dict[str, Any]:
    """Return the artifact's entry for one tool."""
    return {
        **definition.metadata(),
        "jsonSchema": definition.parameters,
        "providerSchemas": dict(provider_schemas),
        "losses": dict(losses),
        "summary": summary,
        "documentation": documentation,
        "handlerPath": handler_path,
        "digest": digest,
    }


def entry_bytes(entry: Mapping[str, Any]) -> bytes:
    """Serialize an entry as it stands in the artifact, so that unchanged ones need not be written
    anew."""
    return orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)


def artifact_parts(
    entries: Iterable[bytes | memoryview],
    *,
    version: str,
    git_commit: str | None,
    build_timestamp: str,
) -> list[bytes | memoryview]:
    """The artifact from its entries (by `entry_bytes`, sorted by tool id), in parts to be joined.

    One line for each tool: indented, a thousand of them would be three times as large to load,
    and a line by line comparison names exactly the tools that differ.
    """
    head = (
        f'{{\n"buildTimestamp": {_text(build_timestamp)},\n'
        f'"gitCommit": {_text(git_commit)},\n{_TOOLS}'
    )
    tail = f'\n],\n"version": {_text(version)}\n}}\n'
    parts: list[bytes | memoryview] = [head.encode()]
    for entry in entries:
        parts += (entry, b",\n")
    # The last comma gives way to the end of the list.
    if len(parts) > 1:
        parts.pop()
    parts.append(tail.encode())
    return parts


def start_of_entries(artifact: bytes) -> int:
    """Return the offset of the first entry in what `artifact_parts` made; ValueError for other
    bytes."""
    return artifact.index(_TOOLS.encode()) + len(_TOOLS)


def _text(value: str | None) -> str:
    return orjson.dumps(value).decode()


def build_timestamp(environ: Mapping[str, str] = os.environ) -> str:
    """Return the time now, or `SOURCE_DATE_EPOCH` when set; raises ArtifactError when that is no
    time."""
    epoch = environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not epoch:
        moment = datetime.fromtimestamp(int(time.time()), UTC)
    else:
        try:
            moment = datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise ArtifactError(
                f"SOURCE_DATE_EPOCH is {epoch[:40]!r}, not a time. "
                "Set it to whole seconds since 1970, or unset it."
            ) from None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class GitCommit:
    """A git process that looks up the commit of `folder` while other work is done. Use as a context
    manager."""

    def __init__(self, folder: Path) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError, ValueError):
            self._process = subprocess.Popen(
                ["git", "rev-parse", "--short", "HEAD"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )

    def __enter__(self) -> GitCommit:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()

    def short_hash(self) -> str | None:
        """Return the short hash of the commit; None outside a repository, or without git."""
        if self._process is None:
            return None
        try:
            said, _ = self._process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            return None
        text = said.decode("ascii", "replace").strip()
        known = self._process.returncode == 0 and re.fullmatch(r"[0-9a-f]{4,64}", text)
        return text if known else None


def relative_posix(path: Path, start: Path) -> str:
    """Return `path` relative to `start`, with slashes."""
    return Path(os.path.relpath(path, start)).as_posix()


def write_atomic(path: Path, parts: Iterable[bytes | memoryview], *, durable: bool = True) -> None:
    """Replace `path` by `parts` in one step: a reader sees the old file or the new.

    With `durable` that holds for a power cut as well. One right after may still bring back the old
    file, whole: waiting for the folder to reach the disk too would only make every build slower.
    Raises ArtifactError, with whatever was there before left in place.
    """
    target = Path(os.path.realpath(path))
    temporary = target.parent / f".{target.name}.{secrets.token_hex(6)}.tmp"
    try:
        mode = _kept_mode(target)
        # Created by hand rather than by `tempfile`: the usual permissions apply, not 0600.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(temporary, flags, 0o666)
        try:
            with open(descriptor, "wb", buffering=_WRITE_BUFFER) as file:
                if mode is not None:
                    os.fchmod(descriptor, mode)
                file.writelines(parts)
                if durable:
                    file.flush()
                    os.fsync(descriptor)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArtifactError(
            f"{path} cannot be written: {reason}. "
            "Check that its folder exists and may be written to, or choose another with --out."
        ) from error


def _kept_mode(target: Path) -> int | None:
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ArtifactError(f"{target} is not a file. Remove it, or choose another with --out.")
    return stat.S_IMODE(status.st_mode)


def read_artifact(path: Path) -> dict[str, Any]:
    """Load the artifact at `path`; raises ArtifactError with what is wrong and how to mend it."""
    if not os.path.lexists(path):
        raise ArtifactError(f"{path} does not exist. {MEND}")
    try:
        raw = read_regular(path, MAX_ARTIFACT)
    except UnreadableFile as error:
        raise ArtifactError(f"{path} {error}. {MEND}") from error
    try:
        artifact = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}:{error.colno}"
        raise ArtifactError(f"{path} is damaged or half-written ({where}). {MEND}") from None
    if problem := _artifact_problem(artifact):
        raise ArtifactError(f"{path} is no registry artifact: {problem}. {MEND}")
    checked: dict[str, Any] = artifact
    return checked


def _artifact_problem(artifact: Any) -> str | None:
    if not isinstance(artifact, dict):
        return "it is not an object"
    version = artifact.get("version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        return "`version` is not of the form 1.0.xxxxxxxx"
    if not isinstance(artifact.get("buildTimestamp"), str):
        return "`buildTimestamp` is missing"
    if not isinstance(artifact.get("gitCommit", False), str | None):
        return "`gitCommit` is neither a string nor null"
    tools = artifact.get("tools")
    if not isinstance(tools, list):
        return "`tools` is not a list"
    seen: set[tuple[str, str]] = set()
    for index, entry in enumerate(tools):
        if problem := _entry_problem(entry):
            return f"/tools/{index}: {problem}"
        mark = entry["toolId"], entry["version"]
        if mark in seen:
            return f"/tools/{index}: the id {entry['toolId']!r} is there twice"
        seen.add(mark)
    return None


def _entry_problem(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return "it is not an object"
    for name, kind in _ENTRY_TYPES.items():
        value = entry.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            return f"`{name}` is missing or of the wrong type"
    if entry["handlerPath"].startswith("/"):
        return "`handlerPath` is not relative"
    return None
