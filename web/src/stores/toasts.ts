/** Short messages in the corner. They are read out, and those that matter stay until closed. */
import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  kind: "info" | "good" | "bad";
  text: string;
  /** A link to where there is more. */
  href?: string;
  /** 0 to 1 for work under way; such a toast stays. */
  progress?: number;
}

export const toasts = signal<Toast[]>([]);
const STAYS_MS = 6000;
let last = 0;

/** Shows one, or replaces the one with that `id`. Errors and work under way stay until closed. */
export function toast(text: string, options: Partial<Omit<Toast, "text">> = {}): number {
  const id = options.id ?? ++last;
  const made: Toast = { kind: "info", ...options, id, text };
  const at = toasts.value.findIndex((each) => each.id === id);
  toasts.value =
    at < 0 ? [...toasts.value, made].slice(-5) : toasts.value.with(at, made);
  if (made.kind !== "bad" && made.progress === undefined) setTimeout(() => dismiss(id), STAYS_MS);
  return id;
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}
