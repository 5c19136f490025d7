/**
 * Keys in a grid of cells, as the ARIA pattern says: one cell is in the tab order, arrows move from
 * cell to cell, Enter goes into a cell or acts on it, Escape comes back out.
 *
 * A key is about the cell that the keys before it led to, drawn or not: somebody who types quickly
 * is ahead of the page.
 */
import { useLayoutEffect, useRef } from "preact/hooks";

export interface GridKeys {
  /** The cell to which a key leads from another; null: nowhere. */
  moved: (key: string, shift: boolean, from: string) => string | null;
  /** That cell is now the one in the tab order. */
  go: (cell: string) => void;
  /** Enter or Space on a cell with nothing in it. */
  act: (cell: string) => void;
}

/** The handlers of a grid. `at` names the cell in the tab order; it has that `data-cell`. */
export function useGrid<E extends HTMLElement>(at: string, { moved, go, act }: GridKeys) {
  const grid = useRef<E>(null);
  /** Where the keys led, while it is not drawn. */
  const ahead = useRef<string | null>(null);
  const focus = (name: string): boolean => {
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${name}"]`);
    cell?.focus();
    return Boolean(cell);
  };
  useLayoutEffect(() => {
    if (ahead.current && focus(ahead.current)) ahead.current = null;
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>("[data-cell]");
    if (!cell) return;
    const inside = [...cell.querySelectorAll<HTMLElement>("button")];
    const place = inside.indexOf(target);
    if (place >= 0) {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) inside[(place + step + inside.length) % inside.length]!.focus();
      else if (event.key === "Escape") cell.focus();
      else return;
      event.preventDefault();
      return;
    }
    const from = ahead.current ?? cell.dataset["cell"]!;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const first = ahead.current ? null : cell.querySelector<HTMLElement>("button.cal-chip");
      if (first) first.focus();
      else act(from);
      return;
    }
    const to = moved(event.key, event.shiftKey, from);
    if (!to || to === from) return;
    event.preventDefault();
    ahead.current = focus(to) ? null : to;
    go(to);
  };
  return { ref: grid, onKeyDown };
}
