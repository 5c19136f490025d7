/**
 * Keys in a grid of cells, as the ARIA pattern says: one cell is in the tab order, arrows move from
 * cell to cell, Enter goes into a cell or acts on it, Escape comes back out.
 */
import { useEffect, useRef } from "preact/hooks";

export interface GridKeys {
  /** Where a key leads from the cell that is in the tab order; null: nowhere. */
  moved: (key: string, shift: boolean) => (() => void) | null;
  /** Enter or Space on a cell with nothing in it. */
  act: () => void;
}

/** The handlers of a grid. `at` names the cell in the tab order; it has that `data-cell`. */
export function useGrid<E extends HTMLElement>(at: string, { moved, act }: GridKeys) {
  const grid = useRef<E>(null);
  const moving = useRef(false);
  useEffect(() => {
    if (!moving.current) return;
    moving.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-cell="${at}"]`)?.focus();
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
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const first = cell.querySelector<HTMLElement>("button.cal-chip");
      if (first) first.focus();
      else act();
      return;
    }
    const go = moved(event.key, event.shiftKey);
    if (!go) return;
    event.preventDefault();
    moving.current = true;
    go();
  };
  return { ref: grid, onKeyDown };
}
