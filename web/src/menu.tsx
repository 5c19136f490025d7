/** The menu of the frame: beside the page, on a phone below it, with the tabs of merged pages. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { address } from "./api/address";
import { get } from "./api/http";
import { plural, t } from "./i18n";
import { at, labelOf, MENU, menuOf, type MenuId, pageOf, route, tabsOf } from "./router";
import { hasSession, ownName } from "./stores/account";
import { openQuestions } from "./stores/confirmations";
import { prefer, prefs, shownTheme } from "./stores/prefs";
import { Count } from "./ui/count";
import { Dialog } from "./ui/dialog";
import { Icon } from "./ui/icons";
import { IconButton } from "./ui/kit";

/** An entry with several pages opens at the one that was open last. */
function hrefOf(menu: MenuId): string {
  const pages = tabsOf(menu);
  return pages.length > 1 ? `#/${menu}` : at(pages[0]!.id);
}

const here = () => pageOf(route.value.page)?.menu ?? null;

function Entry({ entry, onFollow }: { entry: (typeof MENU)[number]; onFollow?: () => void }) {
  return (
    <a class={entry.thumb ? "thumb" : ""} href={hrefOf(entry.id)} title={entry.title} onClick={onFollow}
      aria-current={entry.id === here() ? "page" : undefined}>
      <Icon name={entry.icon} /><span>{entry.title}</span>
      {entry.id === "activity" ? <Waiting /> : null}
    </a>
  );
}

/** How many questions wait for a yes. */
function Waiting() {
  const count = openQuestions.value;
  return <Count of={count} label={plural(count, "{count} open approval", "{count} open approvals")} />;
}

export function Menu() {
  const more = MENU.some((entry) => !entry.thumb && entry.id === here());
  return (
    <nav class="nav" aria-label={t("Pages")}>
      <a class="brand" href={at("vox")}><img src={address("/console/icon.svg")} alt="" width="28" height="28" /><span>Antiphon</span></a>
      <div class="nav-list">{menuOf().map((entry) => <Entry key={entry.id} entry={entry} />)}</div>
      <button type="button" class={`nav-more ${more ? "here" : ""}`} aria-haspopup="dialog" onClick={() => (moreOpen.value = true)}>
        <Icon name="more" /><span>{t("More")}</span>
      </button>
      <Foot><Toggle /></Foot>
    </nav>
  );
}

const moreOpen = signal(false);

/** On a phone: the pages that have no tab of their own. */
export function More() {
  const close = () => (moreOpen.value = false);
  if (!moreOpen.value) return null;
  return (
    <Dialog title={t("More")} class="more-sheet" onClose={close}>
      <nav class="more-list" aria-label={t("More pages")}>
        {menuOf().filter((entry) => !entry.thumb).map((entry) => <Entry key={entry.id} entry={entry} onFollow={close} />)}
      </nav>
      <Foot />
    </Dialog>
  );
}

const version = signal("");

async function askVersion(): Promise<void> {
  if (version.value) return;
  // Without an answer the frame has one word less.
  version.value = await get<{ version: string }>("/healthz").then((found) => found.version, () => "");
}

function Toggle() {
  const open = prefs.value.navOpen;
  return (
    <IconButton class="nav-toggle" label={open ? t("Hide menu") : t("Show menu")} icon="menu"
      aria-expanded={open} onClick={() => prefer({ navOpen: !open })} />
  );
}

function Foot({ children }: { children?: ComponentChildren }) {
  useEffect(() => void askVersion(), []);
  const dark = shownTheme.value !== "light";
  return (
    <div class="nav-foot">
      <IconButton label={dark ? t("Light theme") : t("Dark theme")} icon={dark ? "sun" : "moon"}
        onClick={() => prefer({ theme: dark ? "light" : "dark" })} />
      <a class="icon-button" href={address("/openapi.json")} target="_blank" rel="noopener" aria-label={t("API description")} title={t("API description")}>
        <Icon name="book" />
      </a>
      {hasSession.value ? (
        <a class="icon-button" href={at("settings", ["account"])} aria-label={t("Account of {user}", { user: ownName.value })} title={t("Account of {user}", { user: ownName.value })}><Icon name="user" /></a>
      ) : null}
      {children}
      {version.value ? <span class="nav-version" title={t("Version {version}", { version: version.value })}>{version.value}</span> : null}
    </div>
  );
}

/** Each page of a merged entry has an address of its own, so these are links. */
export function PageTabs({ has }: { has: (id: string) => boolean }) {
  const menu = here();
  const pages = menu ? tabsOf(menu).filter((page) => has(page.id)) : [];
  if (pages.length < 2) return null;
  const entry = MENU.find((each) => each.id === menu)!;
  return (
    <nav class="page-tabs" aria-label={entry.title}>
      {pages.map((page) => (
        <a key={page.id} href={at(page.id)} aria-current={page.id === route.value.page ? "page" : undefined}>
          {labelOf(page)}{page.id === "inbox" ? <> <Waiting /></> : null}
        </a>
      ))}
    </nav>
  );
}
