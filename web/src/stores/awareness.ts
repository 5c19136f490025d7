/** Tells the server what the person does here, so that agents know what "this" and "here" mean. */
import { effect } from "@preact/signals";

import { type ApiError, onFailure, send } from "../api/http";
import { pageOf, type PageId, route } from "../router";

const SETTLES_MS = 600;
const ERRORS_PER_MINUTE = 10;

const PATH = "/api/vox/awareness";
/** The pages that the server has a name for. */
function isKnown(page: PageId | null): page is PageId {
  const known = pageOf(page);
  return known !== undefined && known.menu !== null && !("plain" in known);
}

const told = new Map<string, string>();
let recent: number[] = [];

/** Not being able to tell is no trouble of the person's. */
function report(event: object): void {
  // An answer that nobody reads stays open.
  void send("POST", PATH, event)
    .then((answer) => answer.text())
    .catch(() => {});
}

/** What is in hand: `inHand("active_project", id)`; an empty value takes it back. */
export function inHand(key: "active_project" | "active_graph" | (string & {}), value: string): void {
  if ((told.get(key) ?? "") === value) return;
  told.set(key, value);
  report({ event_type: "context", key, value: value.slice(0, 500) });
}

export function wentWrong(kind: string, message: string): void {
  const now = Date.now();
  recent = recent.filter((at) => now - at < 60_000);
  // A page that fails over and over must not keep the server busy with it.
  if (recent.length >= ERRORS_PER_MINUTE) return;
  recent.push(now);
  const { page } = route.value;
  report({ event_type: "error", error_type: kind, message: message.slice(0, 500) || kind, ...(isKnown(page) ? { page } : {}) });
}

/** Begins to watch pages and errors; the answer stops it. */
export function watchPerson(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = "";
  const stopRoute = effect(() => {
    const { page, rest } = route.value;
    clearTimeout(timer);
    if (!isKnown(page)) return;
    // Whoever only passes through a page was not there.
    timer = setTimeout(() => {
      // The address says which graph is looked at; other pages tell what is in hand themselves.
      if (page === "kg-studio" && rest[0]) inHand("active_graph", rest[0]);
      if (page === before) return;
      before = page;
      report({ event_type: "page_visit", page, ...(rest.length ? { metadata: { place: rest.join("/").slice(0, 200) } } : {}) });
    }, SETTLES_MS);
  });
  const stopFailures = onFailure((error: ApiError, path: string) => {
    if (error.status >= 500 && path !== PATH) wentWrong(`HTTP ${error.status}`, error.message);
  });
  const onError = (event: ErrorEvent) => wentWrong("script", event.message);
  const onRejection = (event: PromiseRejectionEvent) => {
    const reason: unknown = event.reason;
    wentWrong("script", reason instanceof Error ? reason.message : String(reason));
  };
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onRejection);
  return () => {
    clearTimeout(timer);
    stopRoute();
    stopFailures();
    removeEventListener("error", onError);
    removeEventListener("unhandledrejection", onRejection);
  };
}
