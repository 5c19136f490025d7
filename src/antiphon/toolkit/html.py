"""HTML tokens for handlers: the tags and texts of a page, in one pass."""

from __future__ import annotations

from antiphon.text.html import HtmlTag, html_tokens

__all__ = ["HtmlTag", "html_tokens"]
