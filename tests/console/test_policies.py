"""Policies of the page: no page breaks them, and a script that came by a text does not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from antiphon.workspace.pages import PAGES

NOTE = """() => {
  window.broken = [];
  addEventListener("securitypolicyviolation", (event) => window.broken.push(
    `${event.violatedDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}`));
}"""


def test_no_page_breaks_the_policy_of_its_server(opened: Callable[..., Page]) -> None:
    """With its service worker, the worker that arranges graphs, and texts in Markdown."""
    page = opened(service_workers="allow")
    page.context.add_init_script(f"({NOTE})()")
    page.reload()
    broken: list[str] = []
    for each in [page_.id for page_ in PAGES]:
        page.goto(f"/#/{each}")
        page.locator("main").wait_for()
        expect(page.locator("main .page, main [data-page]").first).to_be_visible()
        broken += [f"{each}: {one}" for one in page.evaluate("window.broken.splice(0)")]
    assert not broken, "\n".join(broken)
    registered: Any = page.evaluate(
        "navigator.serviceWorker.ready.then((it) => it.active.scriptURL)"
    )
    assert registered.endswith("/console/service-worker.js")


def test_a_text_becomes_no_script(opened: Callable[..., Page], watch: Any) -> None:
    """Whatever puts text where scripts are made, the browser refuses."""
    watch.expected += ["TrustedHTML", "TrustedScript", "Content Security Policy", "trusted"]
    page = opened()
    for attempt in (
        "document.body.innerHTML = '<img src=x onerror=window.hit=1>'",
        "document.head.append(Object.assign(document.createElement('script'), {text: 'hit=1'}))",
        "new Worker('/console/app.js')",
        "trustedTypes.createPolicy('mine', {createHTML: (text) => text})",
    ):
        refused = page.evaluate(f"() => {{ try {{ {attempt} }} catch {{ return true }} }}")
        assert refused, attempt
    assert page.evaluate("window.hit") is None
