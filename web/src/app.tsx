import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { address } from "./api/address";
import { AWAY_MS } from "./api/load";
import { at, NOWHERE, PAGES, pageTitle, route, type PageId } from "./router";
import { prefer, prefs } from "./stores/prefs";
import { Icon } from "./ui/icons";
import { IconButton, Problem, Spinner } from "./ui/kit";
import { Overlays, openPalette, TourButton } from "./overlays";
import { Status } from "./status";

/** Each page comes when it is first opened. */
type Shown = PageId | typeof NOWHERE;
const LOADERS: Record<Shown, () => Promise<{ default: ComponentType }>> = {
  vox: () => import("./pages/vox"),
  chat: () => import("./pages/chat"),
  tools: () => import("./pages/tools"),
  "kg-studio": () => import("./pages/kg-studio"),
  projects: () => import("./pages/projects"),
  playbooks: () => import("./pages/playbooks"),
  workflows: () => import("./pages/workflows"),
  agents: () => import("./pages/agents"),
  experts: () => import("./pages/experts"),
  macros: () => import("./pages/macros"),
  calendar: () => import("./pages/calendar"),
  sessions: () => import("./pages/sessions"),
  audit: () => import("./pages/audit"),
  metrics: () => import("./pages/metrics"),
  settings: () => import("./pages/settings"),
  nowhere: () => import("./pages/nowhere"),
};

export function App() {
  return (
    <div class={`shell ${prefs.value.navOpen ? "" : "nav-closed"}`}>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>Skip to the page</a>
      <Navigation />
      <header class="top">
        <IconButton class="nav-toggle" label={prefs.value.navOpen ? "Hide the menu" : "Show the menu"} icon="menu"
          aria-expanded={prefs.value.navOpen} onClick={() => prefer({ navOpen: !prefs.value.navOpen })} />
        <h1>{pageTitle}</h1>
        <span class="spring" />
        <Status />
        <TourButton />
        <button type="button" class="palette-button" aria-label="Go to a page or an action" onClick={openPalette}>
          <Icon name="search" size={16} /><span>Go to…</span><kbd>Ctrl K</kbd>
        </button>
      </header>
      <main id="main" tabIndex={-1}><Page id={route.value.page ?? NOWHERE} /></main>
      <Overlays />
    </div>
  );
}

function Navigation() {
  const here = route.value.page;
  const groups = [...new Set(PAGES.map((page) => page.group))];
  const nav = useRef<HTMLElement>(null);
  // On a phone the menu is a row that is longer than the screen.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [here]);
  return (
    <nav class="nav" aria-label="Pages" ref={nav}>
      <a class="brand" href={at("vox")}><img src={address("/console/icon.svg")} alt="" width="28" height="28" /><span>Antiphon</span></a>
      {groups.map((group) => (
        <div class="nav-group" key={group} role="group" aria-label={group}>
          <p class="nav-title" aria-hidden="true">{group}</p>
          {PAGES.filter((page) => page.group === group).map((page) => (
            <a key={page.id} href={at(page.id)} aria-current={page.id === here ? "page" : undefined}>
              <Icon name={page.icon} /><span>{page.title}</span>
            </a>
          ))}
        </div>
      ))}
    </nav>
  );
}

const loaded = new Map<Shown, ComponentType>();

function Page({ id }: { id: Shown }) {
  const [, shown] = useState<Shown | null>(null);
  const [problem, fail] = useState<Error | null>(null);
  const load = () => {
    fail(null);
    LOADERS[id]().then(
      (module) => { loaded.set(id, module.default); shown(id); },
      () => fail(new Error("This part of the console could not be loaded. Is the server still running?")),
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
    return () => clearTimeout(timer);
  }, [problem]);
  const Content = loaded.get(id);
  if (Content) return <div class={`page page-${id}`} key={id}><Content /></div>;
  if (problem) return <div class="page"><Problem error={problem} retry={load} /></div>;
  return <div class="loading"><Spinner label="Loading the page" /></div>;
}
