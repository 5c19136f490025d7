"""Plug-ins in `antiphon doctor`: each with its origin and version, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from antiphon.app.rules import examine_rules
from antiphon.plugins import BUILT_IN, KINDS, Plugins


def listed(plugins: Plugins) -> list[dict[str, str]]:
    """Every plug-in by kind, name, origin and version; the built-in rules in their order."""
    from antiphon import __version__
    from antiphon.policy import RULES

    found: list[dict[str, str]] = []
    for kind in KINDS:
        if kind == "rules":
            made = {"kind": kind, "origin": BUILT_IN, "version": __version__}
            found += [{**made, "name": rule.id} for rule in RULES]
        found += [plugin.to_dict() for plugin in plugins.all(kind)]
    return found


def problems(plugins: Plugins) -> list[str]:
    """Plug-ins that cannot be loaded or used, and names that are taken."""
    from antiphon.app.tools import examine_tools
    from antiphon.providers.backends import examine_providers

    return [
        *plugins.problems(),
        *examine_providers(plugins)[1],
        *examine_rules(plugins)[1],
        *examine_tools(plugins)[1],
    ]


def lines(found: list[dict[str, str]], width: int) -> Iterator[str]:
    """One line for what is built in of a kind, and one for each other plug-in."""
    for kind, of_kind in groupby(found, key=lambda each: each["kind"]):
        for origin, same in groupby(of_kind, key=lambda each: (each["origin"], each["version"])):
            names = ", ".join(each["name"] for each in same)
            yield f"{kind:<{width}}  {names}  ({' '.join(filter(None, origin))})"
