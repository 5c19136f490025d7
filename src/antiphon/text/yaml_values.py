"""YAML of others: read within limits, or refused in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

# A few lines of aliases (`*name`) can unfold to gigabytes.
MAX_VALUES = 100_000
_ANCHOR = re.compile(r"(?:^|[\s\[{,:?-])&\S", re.MULTILINE)


class YamlRefused(ValueError):
    """Text that is no YAML, or too much of it: what is wrong, and in which line if it is known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"{problem} (line {line})")
        self.problem = problem
        self.line = line


def load_yaml(text: str, loader: type[yaml.SafeLoader] | None = None) -> Any:
    """Return the value of the one document in a text. Raises YamlRefused and nothing else."""
    import yaml

    chosen = loader or yaml.SafeLoader
    try:
        if _ANCHOR.search(text):
            _check_aliases(yaml.parse(text, chosen))
        return yaml.load(text, chosen)  # noqa: S506 - a safe one
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None)
        raise YamlRefused(
            str(problem or "it cannot be read"), None if mark is None else mark.line + 1
        ) from error
    except RecursionError as error:
        raise YamlRefused("it is nested too deeply") from error
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        if isinstance(error, YamlRefused):
            raise
        # The library meets a value that is not what its tag says, and lets what it meets come out.
        raise YamlRefused("a value is not of the type that it is written as") from error


def _check_aliases(events: Any) -> None:
    """Refuse what unfolds to more than MAX_VALUES, or to something that is inside of itself."""
    import yaml

    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            name, before = open_.pop()
            if name is not None:
                sizes[name] = total - before
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        line = event.start_mark.line + 1 if event.start_mark else None
        name = event.anchor
        if isinstance(event, yaml.AliasEvent):
            if name in {each for each, _ in open_}:
                raise YamlRefused(f"*{name} is inside of what it stands for", line)
            total += sizes.get(str(name), 1)
        else:
            total += 1
            if isinstance(event, yaml.CollectionStartEvent):
                open_.append((name, total))
            elif name is not None:
                sizes[name] = 1
        if total > MAX_VALUES:
            raise YamlRefused(f"it unfolds to more than {MAX_VALUES:,} values", line)
