/** Short messages in the corner. They are read out, and those that matter stay until closed. */
import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  kind: "info" | "good" | "bad";
  text: string;
  /** A link to where there is more. */
  href?: string;
  /** 0 to 1 for work under way, null where nobody knows; such a toast stays. */
  progress?: number | null;
  /** It is about something that waits: it stays until closed. */
  stays?: boolean;
  /** One thing that can be done about it. */
  action?: { label: string; run: () => void };
  /** Called when the person closes it. */
  onDismiss?: () => void;
}

export const toasts = signal<Toast[]>([]);
const STAYS_MS = 6000;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let last = 0;

/** Shows one, or replaces the one with that `id`. Errors and work under way stay until closed. */
export function toast(text: string, options: Partial<Omit<Toast, "text">> = {}): number {
  const id = options.id ?? ++last;
  const made: Toast = { kind: "info", ...options, id, text };
  const at = toasts.value.findIndex((each) => each.id === id);
  toasts.value =
    at < 0 ? [...toasts.value, made].slice(-5) : toasts.value.with(at, made);
  wait(made);
  return id;
}

function wait({ id, kind, progress, stays }: Toast): void {
  clearTimeout(timers.get(id));
  if (held || kind === "bad" || progress !== undefined || stays) return;
  timers.set(id, setTimeout(() => dismiss(id), STAYS_MS));
}

let held = false;

/** While the person points at them or has gone to them, none goes away by itself. */
export function holdToasts(on: boolean): void {
  if (on === held) return;
  held = on;
  for (const each of toasts.value) wait(each);
}

export function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.value.filter((each) => each.id !== id);
}
