/** The beginning of a long list, and a button for more of it: thousands of rows are never drawn at once. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { Button } from "./kit";

/** `must` is drawn wherever it stands. Put `more` below the list; null: all of it is drawn. */
export function useSome<T>(all: readonly T[], must?: (item: T) => boolean, step = 200): { some: readonly T[]; more: ComponentChildren } {
  const [most, grow] = useState(step);
  const needed = must ? all.findIndex(must) + 1 : 0;
  const count = Math.max(most, needed);
  if (all.length <= count) return { some: all, more: null };
  const next = Math.min(step, all.length - count);
  return { some: all.slice(0, count), more: <div><Button onClick={() => grow(count + step)}>{t("Show {count} more", { count: next })}</Button></div> };
}
