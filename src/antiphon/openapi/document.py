"""OpenAPI documents: read from a mapping, a file or an address, and their references followed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

import orjson

from antiphon.registry.findings import pointer_to, shown
from antiphon.text.yaml_values import YamlRefused, load_yaml

OpenApiSpec: TypeAlias = Mapping[str, Any] | str | os.PathLike[str]

VERSIONS = ("3.0", "3.1")
_FETCH_SECONDS = 30.0


class OpenApiError(ValueError):
    """A document that cannot be used at all; the message says why and what to do."""


class BrokenReference(Exception):
    """A `$ref` that cannot be followed: where it stands, what is wrong, and what to do."""

    def __init__(self, pointer: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message
        self.fix = fix


class OpenApiDocument:
    """One document of OpenAPI 3.0 or 3.1. `label` names it in findings, `url` says where it is."""

    def __init__(self, root: Mapping[str, Any], label: str, url: str | None = None) -> None:
        """Raises OpenApiError for a document of another version or shape."""
        self.root = root
        self.label = label
        self.url = url
        said = root.get("openapi")
        version = said if isinstance(said, str) else ""
        if not version.startswith(VERSIONS):
            found = f"it says openapi: {shown(said)}" if said is not None else "it has no `openapi`"
            if "swagger" in root:
                found = f"it is of Swagger {root['swagger']}"
            raise OpenApiError(
                f"{label} is no OpenAPI document of version 3.0 or 3.1: {found}. Convert it to 3.1."
            )
        self.is_30 = version.startswith("3.0")
        if not isinstance(root.get("paths", {}), Mapping):
            raise OpenApiError(f"{label}: `/paths` must be an object.")

    @classmethod
    def load(cls, spec: OpenApiSpec) -> OpenApiDocument:
        """Read a document: a mapping, a path, or an address (http or https).

        Raises OpenApiError when it cannot be read.
        """
        if isinstance(spec, Mapping):
            return cls(spec, "openapi")
        text = os.fspath(spec)
        if text.startswith(("http://", "https://")):
            return cls(_parse(_fetched(text), text), text, text)
        path = Path(text)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise OpenApiError(f"{text} cannot be read: {error.strerror or error}.") from None
        return cls(_parse(content, path.name), path.name)

    @property
    def title(self) -> str:
        """The name of the API."""
        info = self.root.get("info")
        return str(info.get("title", "")) if isinstance(info, Mapping) else ""

    @property
    def server_url(self) -> str | None:
        """The first address of `servers`, taken from where the document lies; None: there is none
        that can be used without more."""
        servers = self.root.get("servers")
        first = servers[0] if isinstance(servers, list) and servers else {"url": "/"}
        url = first.get("url") if isinstance(first, Mapping) else None
        if not isinstance(url, str) or "{" in url:
            return None
        whole = urljoin(self.url, url) if self.url else url
        return whole if urlsplit(whole).scheme in ("http", "https") else None

    def follow(self, node: Any, pointer: str) -> tuple[Any, str]:
        """The object that `node` is or refers to, and its place. Raises BrokenReference."""
        seen: list[str] = []
        while isinstance(node, Mapping) and isinstance(node.get("$ref"), str):
            ref = node["$ref"]
            if ref in seen:
                message = f"{shown(ref)} refers to itself"
                raise BrokenReference(pointer_to_ref(pointer), message, "Give it a definition.")
            seen.append(ref)
            node, pointer = self.resolve(ref, pointer_to_ref(pointer))
        return node, pointer

    def resolve(self, ref: str, at: str) -> tuple[Any, str]:
        """What one reference names, and its place. Raises BrokenReference with the place `at`."""
        address, _, fragment = ref.partition("#")
        if address:
            message = f"{shown(ref)} is outside this document; nothing is fetched"
            fix = "Bundle the document into one file."
            raise BrokenReference(at, message, fix)
        node: Any = self.root
        parts = [
            unquote(part).replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:]
        ]
        for part in parts:
            if isinstance(node, Mapping) and part in node:
                node = node[part]
            elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
                node = node[int(part)]
            else:
                message = f"{shown(ref)} leads nowhere in this document"
                raise BrokenReference(at, message, "Add the definition, or correct the reference.")
        return node, pointer_to(*parts)


def pointer_to_ref(pointer: str) -> str:
    return f"{pointer}/$ref"


def _fetched(url: str) -> bytes:
    from antiphon.net import HttpClient, NetworkError
    from antiphon.net.blocking import BlockingHttpClient

    client = BlockingHttpClient(HttpClient(timeout=_FETCH_SECONDS))
    try:
        answer = client.request("GET", url, headers={"accept": "application/json, */*;q=0.5"})
    except NetworkError as error:
        raise OpenApiError(f"{url} cannot be fetched: {error}.") from None
    finally:
        client.close()
    if answer.status != 200:
        raise OpenApiError(f"{url} answered with status {answer.status}. Check the address.")
    return answer.body


def _parse(content: bytes, label: str) -> Mapping[str, Any]:
    try:
        root = orjson.loads(content)
    except orjson.JSONDecodeError:
        root = _parse_yaml(content, label)
    if not isinstance(root, dict):
        raise OpenApiError(f"{label} is no OpenAPI document: it must be an object.")
    return root


def _parse_yaml(content: bytes, label: str) -> Any:
    try:
        root = load_yaml(content.decode("utf-8-sig"))
        # Statuses are numbers in YAML, and dates are dates; in JSON both are texts.
        return orjson.loads(orjson.dumps(root, default=str, option=orjson.OPT_NON_STR_KEYS))
    except UnicodeDecodeError:
        reason = "it is not in UTF-8"
    except (YamlRefused, TypeError) as error:
        reason = str(error)
    raise OpenApiError(f"{label} is neither JSON nor YAML: {reason}.")
