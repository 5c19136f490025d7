"""References of strict schemas: nothing may stand beside `$ref`, so words of its own are moved."""

from __future__ import annotations

from typing import Any

from antiphon.registry.schemas import dumps

# A definition up to this many characters is written out in place of a reference with words.
MAX_INLINE = 600


def bare_references(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """`schema` with every `$ref` standing alone, and the definitions that it needs.

    A reference with a description becomes what it leads to, with that description before its own:
    in place where that is small, else as a definition of its own.
    """
    return _Bare(definitions).run(schema)


class _Bare:
    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions
        self.made: dict[str, Any] = {}
        self.copies: dict[tuple[str, str], str] = {}

    def run(self, schema: dict[str, Any]) -> dict[str, Any]:
        body = self.fixed(schema)
        return {**body, "$defs": self.made} if self.made else body

    def fixed(self, schema: dict[str, Any]) -> dict[str, Any]:
        ref = schema.get("$ref")
        if isinstance(ref, str):
            name = ref.rsplit("/", 1)[1]
            words = schema.get("description")
            return self.bare(name) if not words else self.described(name, words)
        body = dict(schema)
        if "properties" in body:
            body["properties"] = {n: self.fixed(child) for n, child in body["properties"].items()}
        if "items" in body:
            body["items"] = self.fixed(body["items"])
        if "anyOf" in body:
            body["anyOf"] = [self.fixed(branch) for branch in body["anyOf"]]
        return body

    def bare(self, name: str) -> dict[str, Any]:
        if name not in self.made:
            self.made[name] = {}  # known from here on: it may refer to itself
            self.made[name] = self.fixed(self.definitions[name])
        return {"$ref": f"#/$defs/{name}"}

    def described(self, name: str, words: str) -> dict[str, Any]:
        target = self.definitions[name]
        text = dumps(target)
        if len(text) <= MAX_INLINE and '"$ref"' not in text:
            return _with_words(target, words)
        copy = self.copies.get((name, words))
        if copy is None:
            copy = self.copies[name, words] = self.free(name)
            self.made[copy] = {}
            self.made[copy] = _with_words(self.fixed(target), words)
        return {"$ref": f"#/$defs/{copy}"}

    def free(self, name: str) -> str:
        number = 2
        while f"{name}_{number}" in self.definitions or f"{name}_{number}" in self.made:
            number += 1
        return f"{name}_{number}"


def _with_words(schema: dict[str, Any], words: str) -> dict[str, Any]:
    own = schema.get("description", "")
    return {**schema, "description": words if own in words else f"{words} {own}".strip()}
