/** Long lists page by page: the newest items are asked for again and again, older ones once. */
import { useEffect, useRef, useState } from "preact/hooks";

import { toast } from "../stores/toasts";
import { useReload } from "../ui/poll";
import { said } from "./http";
import { useLoad, type Loaded } from "./load";

const POLL_MS = 5000;

export interface PageOf<T> {
  items: T[];
  /** What the next older page begins before; null: this is the last. */
  next: string | number | null;
}

export interface Pages<T> extends Loaded<T[]> {
  /** Loads the next older ones and gives them; null where there are none. */
  more: (() => Promise<T[]>) | null;
}

/** The newest items over the older ones, each once. */
export function joined<T>(newest: T[], older: T[], idOf: (item: T) => string): T[] {
  const known = new Set(newest.map(idOf));
  return [...newest, ...older.filter((item) => !known.has(idOf(item)))];
}

/** `key` is what was asked for (filters); another key begins anew. */
export function usePages<T>(key: string, ask: (before?: string | number, signal?: AbortSignal) => Promise<PageOf<T>>, idOf: (item: T) => string): Pages<T> {
  const first = useLoad((signal) => ask(undefined, signal), [key]);
  useReload(first, POLL_MS);
  const [older, add] = useState<PageOf<T>>({ items: [], next: null });
  const current = useRef(key);
  current.current = key;
  useEffect(() => add({ items: [], next: null }), [key]);
  const data = first.data && joined(first.data.items, older.items, idOf);
  const next = older.items.length ? older.next : (first.data?.next ?? null);
  const more = async (): Promise<T[]> => {
    try {
      const page = await ask(next!);
      // The filters may have changed meanwhile: then nobody wants these any more.
      if (current.current !== key) return [];
      add((before) => ({ items: joined(joined(first.data!.items, before.items, idOf), page.items, idOf), next: page.next }));
      return page.items;
    } catch (error) {
      toast(said(error), { kind: "bad" });
      return [];
    }
  };
  return { ...first, data, more: next ? more : null };
}
