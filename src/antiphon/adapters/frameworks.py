"""Missing frameworks, told in words with the pip line that installs them."""

from __future__ import annotations


class MissingFramework(ImportError):
    """The framework of an adapter is not installed; the message has the pip line for it."""


def missing_framework(error: ImportError, title: str, package: str) -> ImportError:
    """The error to raise for an adapter whose imports failed, in words. Frameworks are the user's
    own choice, in the version that their program runs on, so no extra of ours brings one."""
    if isinstance(error, ModuleNotFoundError):
        words = f"This adapter works with {title}, which is not installed here"
    else:
        words = f"This adapter does not fit the {title} that is installed here ({error})"
    return MissingFramework(f"{words}: pip install --upgrade {package}", name=error.name)
