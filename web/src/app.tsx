import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { AWAY_MS } from "./api/load";
import { t } from "./i18n";
import { Menu, More, PageTabs } from "./menu";
import { at, go, isOpen, NOWHERE, pageOf, type PageId, pageTitle, route } from "./router";
import { may } from "./stores/account";
import { check, onReturn } from "./stores/connection";
import { prefs } from "./stores/prefs";
import { compose } from "./stores/talk";
import { Icon } from "./ui/icons";
import { Empty, Problem, Spinner } from "./ui/kit";
import { Overlays, openPalette, TourButton } from "./overlays";
import { Dock } from "./dock";

/** Each page is a module of its own, which comes when it is first opened. */
const MODULES = import.meta.glob<{ default: ComponentType }>("./pages/*.tsx");
const loaderOf = (id: string) => MODULES[`./pages/${id}.tsx`];
const has = (id: string) => loaderOf(id) !== undefined;

export function App() {
  const { page } = route.value;
  const id = page && has(page) ? page : NOWHERE;
  const heading = useHeadingFocus(id);
  useDraft();
  return (
    <div class={`shell ${prefs.value.navOpen ? "" : "nav-closed"}`}>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>{t("Skip to content")}</a>
      <Menu />
      <header class="top">
        <h1 tabIndex={-1} ref={heading}>{pageTitle}</h1>
        <span class="spring" />
        <TourButton />
        <button type="button" class="palette-button" aria-label={t("Go to a page or action")} onClick={openPalette}>
          <Icon name="search" size={16} /><span>{t("Go to…")}</span><kbd>Ctrl K</kbd>
        </button>
      </header>
      <PageTabs has={has} />
      <div class="middle"><main id="main" tabIndex={-1}>{isLocked(id) ? <Locked /> : <Page id={id} />}</main>{may("tools.call") ? <Dock /> : null}</div>
      <More />
      <Overlays />
    </div>
  );
}

function isLocked(id: string): boolean {
  const page = pageOf(id as PageId);
  return page !== undefined && !isOpen(page);
}

/** A page that this person has no permission for. */
function Locked() {
  useEffect(() => { document.title = `${pageTitle.value} · Antiphon`; });
  return (
    <div class="page">
      <Empty icon="key" title={t("You have no access to this page")}>
        <p>{t("Your roles do not include the permission for it. An administrator can change that.")}</p>
      </Empty>
    </div>
  );
}

/** `#/chat?draft=…`: a text for the message box, from a link or from another application. It is not sent. */
function useDraft() {
  const { page, rest, query } = route.value;
  const draft = page === "chat" ? query.get("draft") : null;
  useEffect(() => {
    if (draft === null) return;
    go(at("chat", rest), true);
    if (draft) void compose(draft);
  }, [draft]);
}

let byKey = false;
addEventListener("keydown", () => (byKey = true), true);
addEventListener("pointerdown", () => (byKey = false), true);

/** Whoever goes to another page by keyboard goes on from its heading, unless they are typing. */
function useHeadingFocus(page: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(page);
  useLayoutEffect(() => {
    if (before.current === page) return;
    before.current = page;
    const busy = document.activeElement?.matches("input, textarea, select, [contenteditable], dialog *, .tour *");
    if (byKey && !busy) heading.current?.focus({ preventScroll: true });
  }, [page]);
  return heading;
}

const loaded = new Map<string, ComponentType>();

function Page({ id }: { id: string }) {
  const [, shown] = useState("");
  const [problem, fail] = useState<Error | null>(null);
  const load = () => {
    fail(null);
    loaderOf(id)!().then(
      (module) => { loaded.set(id, module.default); shown(id); },
      () => {
        void check();
        fail(new Error(t("This part of the console could not be loaded. Is the server still running?")));
      },
    );
  };
  useEffect(() => {
    document.title = `${pageTitle.value} · Antiphon`;
    if (!loaded.has(id)) load();
    else fail(null);
  }, [id]);
  // A server that is away may be back soon.
  useEffect(() => {
    if (!problem) return;
    const timer = setTimeout(load, AWAY_MS);
    const stop = onReturn(load);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [problem]);
  const Content = loaded.get(id);
  if (Content) return <div class={`page page-${id}`} key={id}><Content /></div>;
  if (problem) return <div class="page"><Problem error={problem} retry={load} /></div>;
  return <div class="loading"><Spinner label={t("Loading the page")} /></div>;
}
