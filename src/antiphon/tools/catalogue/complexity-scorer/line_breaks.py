"""Line breaks before the bodies of one-line functions, without which lizard does not see them."""

from __future__ import annotations

import ast
import re


class SplitSource:
    """Source with line breaks added, and the map from its lines back to the original ones."""

    def __init__(self, code: str, tree: ast.Module | None = None) -> None:
        lines = code.split("\n")
        places = {} if tree is None else bodies(tree, lines)
        broken: list[str] = []
        self._origins: list[int] = []  # of each line, its number in the code
        for number, line in enumerate(lines, 1):
            place = places.get(number)
            parts = [line] if place is None else [line[: place[0]], place[1] + line[place[0] :]]
            broken += parts
            self._origins += [number] * len(parts)
        self.text = "\n".join(broken)
        self.breaks = len(places)
        self._owners = {owner for _, _, owner in places.values()}

    def line(self, number: int) -> int:
        """Return the original number of a line."""
        return self._origins[min(max(1, number), len(self._origins)) - 1]

    def broken(self, number: int) -> bool:
        """Return whether the function of this line got a line of its own for its body."""
        return self.line(number) in self._owners


def bodies(tree: ast.Module, lines: list[str]) -> dict[int, tuple[int, str, int]]:
    """Find one-line function bodies, by line: column, indentation, and the function's line."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[0]
            # A syntax tree counts bytes.
            before = lines[body.lineno - 1].encode()[: body.col_offset].decode()
            if before.strip():
                indent = re.match(r"\s*", lines[node.lineno - 1])
                found[body.lineno] = (len(before), f"{indent[0] if indent else ''} ", node.lineno)
    return found
