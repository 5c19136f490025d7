/** What waits for an answer on the server, of whatever session, and what other tabs answer. */
import { get } from "../api/http";
import { held, named, openQuestions, type Outcome, type Question, settled, watchBy } from "./confirmations";
import { notify } from "./notifications";

const POLL_MS = 20_000;
const SOON_MS = 300;
const FIRST = 50;
let timer: ReturnType<typeof setTimeout> | undefined;
let watching = false;
const seen = new Set<string>();

/** Asks for the open ones now and then, and hears what other tabs answer. */
export function watchOpen(): () => void {
  watching = true;
  const others = new BroadcastChannel("antiphon.confirmations");
  others.onmessage = ({ data }: MessageEvent<{ id: string; outcome: Outcome["outcome"] }>) => settled(data, "elsewhere");
  watchBy({
    opened: (id, what) => {
      notify(id, what);
      soon();
    },
    settled: (message) => {
      if (message) others.postMessage(message);
      soon();
    },
  });
  document.addEventListener("visibilitychange", soon);
  soon();
  return () => {
    watching = false;
    clearTimeout(timer);
    watchBy(null);
    others.close();
    document.removeEventListener("visibilitychange", soon);
  };
}

/** Something may be different. */
function soon(): void {
  clearTimeout(timer);
  if (watching) timer = setTimeout(() => void look(), SOON_MS);
}

async function look(): Promise<void> {
  try {
    const found = await get<{ confirmations: (Question & { status: string })[]; open: number }>("/api/confirmations", {
      query: { status: "pending", limit: FIRST },
    });
    openQuestions.value = found.open;
    const open = new Set(found.confirmations.map((each) => each.id));
    const here = held();
    for (const each of found.confirmations) {
      if (!seen.has(each.id) && !here.some(({ id }) => id === each.id)) notify(each.id, named(each));
      seen.add(each.id);
    }
    for (const { id } of here) {
      if (found.open <= FIRST && !open.has(id)) await settle(id);
    }
  } catch {
    // The server is away; the next look may find it.
  }
  clearTimeout(timer);
  if (watching) timer = setTimeout(() => void look(), POLL_MS);
}

/** One that is not open any more: somebody answered it in another window, or its time ran out. */
async function settle(id: string): Promise<void> {
  const { status } = await get<{ status: Outcome["outcome"] }>(`/api/confirmations/${encodeURIComponent(id)}`);
  // What was answered here is told by its own answer, except by a second person.
  if (status !== "pending" && held().some((each) => each.id === id && !each.told)) settled({ id, outcome: status }, "elsewhere");
}
