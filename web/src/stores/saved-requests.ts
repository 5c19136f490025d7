/** Calls that somebody keeps under a name, in this browser. Redacted values are not among them. */
import { computed, signal } from "@preact/signals";

import type { CallToCopy } from "../ui/copy-call";

export interface SavedRequest extends CallToCopy {
  id: string;
  name: string;
}

const KEY = "antiphon.requests";
export const MOST = 200;

function isSaved(value: unknown): value is SavedRequest {
  const one = value as Partial<SavedRequest> | null;
  return !!one && typeof one === "object" && [one.id, one.name, one.tool].every((each) => typeof each === "string")
    && !!one.args && typeof one.args === "object" && (one.mode === "text" || one.mode === "voice");
}

function read(): SavedRequest[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isSaved) : [];
  } catch {
    return [];
  }
}

const all = signal<SavedRequest[]>(read());
export const savedRequests = computed(() => all.value);

// Another tab may have saved one.
addEventListener("storage", (event) => {
  if (event.key === KEY) all.value = read();
});

/** Throws where the browser has no room for it. */
function write(next: SavedRequest[]): void {
  localStorage.setItem(KEY, JSON.stringify(next));
  all.value = next;
}

/** The newest first; the same name of the same tool is replaced. */
export function saveRequest(name: string, call: CallToCopy): SavedRequest {
  const saved = { ...call, name: name.trim() || call.tool, id: crypto.randomUUID() };
  const others = read().filter((each) => each.name !== saved.name || each.tool !== saved.tool);
  write([saved, ...others].slice(0, MOST));
  return saved;
}

export const forgetRequest = (id: string): void => write(read().filter((each) => each.id !== id));
