/** What lies over every page: dialogs that ask, toasts, the palette, shortcuts and tours. */
import { useLayoutEffect } from "preact/hooks";

import "./functions";
import { t } from "./i18n";
import { actions, conversations, databases, macros, pages, themes, tools } from "./overlays/actions";
import { Banners } from "./overlays/banners";
import { ShortcutsOverlay, shortcutsOpen } from "./overlays/shortcuts";
import { goToNotices, Toasts } from "./overlays/toasts";
import { may, type Permission } from "./stores/account";
import { watchPerson } from "./stores/awareness";
import { watchConnection } from "./stores/connection";
import { remind } from "./stores/confirmations";
import { restoreTyped } from "./stores/kept-input";
import { type Entry, offer, paletteOpen } from "./stores/palette";
import { addShortcuts, hearShortcuts } from "./stores/shortcuts";
import "./stores/spending";
import { watchTasks } from "./stores/tasks";
import { lazy } from "./ui/lazy";

export { TourButton } from "./overlays/tour-button";

// They come right behind the page, before anybody needs them.
const Confirm = lazy(() => import("./overlays/confirm").then((part) => part.Confirm));
const TourOverlay = lazy(() => import("./overlays/tour").then((part) => part.TourOverlay));
const Palette = lazy(() => import("./overlays/palette").then((part) => part.Palette));

export function openPalette(): void {
  paletteOpen.value = true;
}

const showShortcuts = () => (shortcutsOpen.value = true);

/** What waits on the server is looked at behind the page, too. */
function watchLater(): () => void {
  let over = false;
  let stop: (() => void) | null = null;
  void import("./stores/open-questions").then((part) => { if (!over) stop = part.watchOpen(); }, () => undefined);
  return () => { over = true; stop?.(); };
}

/** Calls over HTTP without a session share this one. */
const SHARED_SESSION = "rest-text";

/** What the palette finds, in its order. */
function offers() {
  const all: [(() => Entry[] | Promise<Entry[]>), Permission?][] = [
    [conversations, "tools.call"], [actions], [pages], [macros, "tools.call"], [databases, "knowledge.read"], [themes], [tools, "tools.call"],
  ];
  return all.flatMap(([source, permission]) => (permission && !may(permission) ? [] : [source]));
}

export function Overlays() {
  // Whoever sees the page may press its keys.
  useLayoutEffect(() => {
    const answers = may("tools.call") || may("approvals.answer");
    const undo = [
      ...offers().map(offer),
      addShortcuts([
        { keys: "Ctrl+K", label: t("Go to a page or action"), group: t("Everywhere"), run: openPalette },
        { keys: "Ctrl+/", label: t("Show shortcuts"), group: t("Everywhere"), run: showShortcuts },
        { keys: "F8", label: t("Go to notifications; Esc closes one"), group: t("Everywhere"), run: goToNotices },
        { keys: "Esc", label: t("Close what is open; in an approval: deny"), group: t("Everywhere") },
      ]),
      hearShortcuts(),
      watchPerson(),
      watchConnection(),
      ...(may("tools.call") || may("others.read") ? [watchTasks()] : []),
      ...(answers ? [watchLater()] : []),
    ];
    restoreTyped();
    // Without an answer there is nothing to remind of.
    if (answers) remind(SHARED_SESSION).catch(() => {});
    return () => undo.forEach((each) => each());
  }, []);
  return (
    <>
      <Banners />
      <Toasts />
      <TourOverlay />
      <Palette />
      <ShortcutsOverlay />
      <Confirm />
    </>
  );
}
