"""Further policy rules: those of plug-ins, as the orchestrator takes them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from antiphon.plugins import ARGUMENT

if TYPE_CHECKING:
    from antiphon.plugins import Plugins
    from antiphon.policy import Rule

logger = logging.getLogger(__name__)


def further_rules(plugins: Plugins) -> list[Rule]:
    """The rules of plug-ins that can be placed among the built-in ones.

    An installed one that cannot be used is named in the log and left out; an argument that cannot
    be raises RuleError.
    """
    found, problems = examine_rules(plugins)
    for problem in problems:
        logger.warning("%s", problem)
    return found


def examine_rules(plugins: Plugins) -> tuple[list[Rule], list[str]]:
    """The rules of plug-ins that can be used, and what is wrong with the others. Raises RuleError
    for an argument."""
    from antiphon.policy import RuleError, RuleSet

    found: list[Rule] = []
    problems: list[str] = []
    for plugin, rule in plugins.usable("rules"):
        try:
            RuleSet([*found, rule])
        except RuleError as error:
            if plugin.origin == ARGUMENT:
                raise
            problems.append(f"{error} It is of the plug-in {plugin.origin} {plugin.version}.")
        else:
            found.append(rule)
    return found, problems
