"""Functions that can be no tools, one mistake each."""

# ruff: noqa: F821
# mypy: ignore-errors

import socket

from antiphon import tool


@tool(side_effects="none")
def untyped(a, b: int, c):
    """Take anything."""


@tool(side_effects="none")
def starred(*words: str):
    """Take many."""


@tool(side_effects="none")
def open_ended(**words: str):
    """Take any."""


@tool(side_effects="none")
def positional(word: str, /):
    """Take one by its place."""


@tool(side_effects="none")
def connected(line: socket.socket):
    """Take a socket."""


@tool(side_effects="none")
def connecting() -> socket.socket:
    """Return a socket."""


@tool(side_effects="none")
def unknown(word: "Missing"):
    """Take what is not there."""


@tool(side_effects="none")
def misdescribed(city: str):
    """Tell the weather.

    Args:
        cities: Where.
    """


@tool(side_effects="none")
def speechless(word: str):
    pass


@tool(side_effects="none")
def stepping(word: str):
    """Yield."""
    yield word


class Shop:
    """A shop."""

    @tool(side_effects="none")
    def order(self, number: int):
        """Order something."""

    def bound(self, number: int) -> int:
        """Order something.

        Args:
            number: How many.
        """
        return number + 1


@tool(side_effects="none", name="taken")
def first_taken():
    """Be the first."""


@tool(side_effects="none", name="taken")
def second_taken():
    """Be the second."""


@tool(side_effects="wrote")
def misspelt():
    """Write."""


@tool(side_effects="none", rate="often")
def hasty():
    """Hurry."""


unnamed = tool(side_effects="none")(lambda word: word)


def make_closure(**options):
    """Make a tool inside a function."""
    secret = "x"

    @tool(side_effects="none", **options)
    def closure() -> str:
        """Tell the secret."""
        return secret

    return closure


@tool
def pay():
    """Pay."""


@pay.prepare
def _check(sum: int):
    """Take what the tool does not have."""


@tool
def refund():
    """Pay back."""


@refund.reconcile
def _look_up():
    """Take no key."""
