/** Looks at a run again and again until it is over: soon at first, then less and less often. */
import { useEffect, useState } from "preact/hooks";

import { isOver, loadRun, type Run } from "./api";

const FIRST_MS = 250;
const SLOWEST_MS = 2000;
const GROWTH = 1.4;
/** So often one that is not there is looked for. */
const LATE = 3;

/** How long to wait before the next look. What moved is looked at soon again. */
export function nextWait(before: number, moved: boolean): number {
  return moved ? FIRST_MS : Math.min(SLOWEST_MS, Math.round(before * GROWTH));
}

/** What a person would see as a change. */
export function mark(run: Run): string {
  return [run.status, run.stop_requested, ...run.steps.map((step) => step.status)].join("|");
}

export interface Watched {
  run: Run | null;
  error: Error | null;
  /** Looks at once. */
  look: () => void;
}

export function useRun(task: string, onOver: () => void): Watched {
  const [state, set] = useState<{ run: Run | null; error: Error | null; task: string }>({ run: null, error: null, task });
  const [round, again] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = FIRST_MS;
    let before = "";
    let looks = 0;
    const look = async () => {
      clearTimeout(timer);
      try {
        let run = await loadRun(task, leave.signal);
        // What a macro is for is what its last step gave.
        if (run.kind === "macro" && run.status === "succeeded") run = await loadRun(task, leave.signal, true);
        if (leave.signal.aborted) return;
        set({ run, error: null, task });
        if (isOver(run)) {
          onOver();
          return;
        }
        wait = nextWait(wait, mark(run) !== before);
        before = mark(run);
      } catch (error) {
        if (leave.signal.aborted) return;
        set((old) => ({ run: old.task === task ? old.run : null, error: error as Error, task }));
        // A run that waits its turn is not there yet; a server that is away may be back.
        if ((error as { status?: number }).status === 404 && (looks += 1) >= LATE) return;
        wait = SLOWEST_MS;
      }
      if (!document.hidden) timer = setTimeout(look, wait);
    };
    const back = () => {
      if (!document.hidden) void look();
    };
    document.addEventListener("visibilitychange", back);
    void look();
    return () => {
      leave.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", back);
    };
  }, [task, round]);
  const own = state.task === task;
  return { run: own ? state.run : null, error: own ? state.error : null, look: () => again((count) => count + 1) };
}
