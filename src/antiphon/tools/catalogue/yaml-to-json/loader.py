"""Strict YAML loader: no objects, no repeated keys, no merges without bound."""

from __future__ import annotations

from collections import Counter
from typing import Any

import yaml

from antiphon.toolkit import invalid

from .json_values import DEEPEST

MOST_MERGED = 1000


class StrictYamlLoader(yaml.SafeLoader):
    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        own = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(own)) < len(own):
            again = Counter(own).most_common(1)[0][0]
            raise invalid(
                "/text",
                f"line {node.start_mark.line + 1}: this mapping has the key {again[:80]!r} twice.",
                line=node.start_mark.line + 1,
            )
        before = len(node.value)
        for key, value in node.value:
            merged = key.tag == "tag:yaml.org,2002:merge"
            if merged and sum(1 + len(one) for one in parts(value)) > MOST_MERGED:
                raise invalid("/text", f"line {key.start_mark.line + 1}: the merge is too large.")
        super().flatten_mapping(node)
        if len(node.value) - before > MOST_MERGED:
            raise invalid("/text", f"line {node.start_mark.line + 1}: the merge is too large.")


def parts(node: yaml.Node) -> list[Any]:
    """Yield the entries of the mappings that a merge key names."""
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return [one.value for one in nodes if isinstance(one, yaml.MappingNode)]


def load(text: str) -> list[Any]:
    try:
        documents = list(yaml.load_all(text.removeprefix("\ufeff"), StrictYamlLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise invalid(
            "/text",
            f"{where}{error.problem or error.context or 'no YAML'}.",
            **({"line": mark.line + 1} if mark else {}),
        ) from None
    except yaml.YAMLError as error:
        raise invalid("/text", f"{' '.join(str(error).split())[:300]}.") from None
    except RecursionError:
        raise invalid("/text", f"it is nested more than {DEEPEST} levels deep.") from None
    except (ValueError, OverflowError, TypeError) as error:
        raise invalid("/text", f"a value cannot be read: {error}.") from None
    if not documents:
        raise invalid("/text", "there is nothing in it.")
    return documents
