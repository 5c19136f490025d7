/** Go anywhere, find anything and do anything by a few letters: a combobox as the ARIA pattern says. */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { said } from "../api/http";
import { plural, rich, t } from "../i18n";
import { at, go } from "../router";
import { blocked } from "../stores/blocked";
import { type Entry, type Found, gather, grouped, paletteOpen, recent, remember, search } from "../stores/palette";
import { searchServer } from "../stores/server-search";
import { ask } from "../stores/talk";
import { toast } from "../stores/toasts";
import { Icon } from "../ui/icons";

export function Palette() {
  return paletteOpen.value ? <Open /> : null;
}

/** So long after the last letter the server is asked. */
const PAUSE_MS = 120;
/** Fewer letters are in everything. */
const LEAST = 2;
const PER_GROUP = 6;

function Open() {
  const element = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, type] = useState("");
  const { entries, gathering } = useOffers();
  const server = useServer(query);
  const [at, move] = useState(0);
  const id = useId();
  const groups = useMemo(() => listed(entries, server.found, query), [entries, server.found, query]);
  const found = groups.flatMap((group) => group.items);
  const close = () => (paletteOpen.value = false);
  // Before anything is typed: the first letters belong into the box.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at, groups]);
  const choose = (one: Found | undefined) => {
    if (!one) return;
    remember(one.entry);
    // Closed first: where the focus goes next is up to what was chosen.
    close();
    setTimeout(() => one.entry.run());
  };
  // Who is faster than the server means what it finds, and not a question to the agent.
  const searching = gathering || server.searching;
  const [waiting, wait] = useState(false);
  useEffect(() => {
    if (waiting && !searching) choose(found[at]);
  }, [waiting, searching]);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    const to = {
      ArrowDown: at < last ? at + 1 : 0,
      ArrowUp: at > 0 ? at - 1 : last,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(Math.max(0, to));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (searching && at === 0 && (!found[0] || found[0].entry.id === ASK)) wait(true);
      else choose(found[at]);
    }
    event.stopPropagation();
  };
  let index = -1;
  return (
    <dialog ref={element} class="dialog palette" aria-label={t("Search and commands")} onKeyDown={onKeyDown}
      onCancel={(event) => { event.preventDefault(); close(); }}
      // A dialog that is gone says so a little later; by then another one may be open.
      onClose={() => element.current && close()}
      onClick={(event) => { if (event.target === element.current) close(); }}>
      <div class="palette-box">
        <Icon name="search" />
        <input type="text" role="combobox" aria-label={t("Search or ask")} aria-expanded="true" aria-autocomplete="list"
          aria-controls={`${id}-list`} aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          placeholder={t("Find a page, a record, a tool … or ask")} autocomplete="off" spellcheck={false} maxLength={500} value={query}
          onInput={(event) => { type(event.currentTarget.value); move(0); wait(false); }} />
      </div>
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label={t("Results")} ref={list}>
        {groups.map((group) => (
          <div key={group.kind} role="group" aria-label={group.kind}>
            <p class="palette-group" aria-hidden="true">{group.kind}</p>
            {group.items.map((one) => {
              const here = ++index;
              return (
                <div key={one.entry.id} class="palette-item" id={`${id}-${here}`} role="option" aria-selected={here === at}
                  onMouseMove={() => here !== at && move(here)} onClick={() => choose(one)}>
                  <Icon name={one.entry.icon ?? "chevron"} size={16} />
                  <span class="palette-label"><Marked text={one.entry.label} marks={one.marks} /></span>
                  {one.entry.hint ? <span class="palette-hint">{one.entry.hint}</span> : null}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {server.problem ? <p class="palette-problem" role="alert"><Icon name="warn" size={16} /> {server.problem}</p> : null}
      <p class="palette-foot hint" aria-live="polite">
        {searching ? t("Searching…") : plural(found.length, "{count} result", "{count} results")}{" "}
        <span aria-hidden="true">{rich("{key} {key2} to select, {key3} to open, {key4} to close", { key: <kbd>↑</kbd>, key2: <kbd>↓</kbd>, key3: <kbd>Enter</kbd>, key4: <kbd>Esc</kbd> })}</span>
      </p>
    </dialog>
  );
}

const ASK = "ask";

function listed(entries: readonly Entry[], server: readonly Entry[], query: string): { kind: string; items: Found[] }[] {
  const question = query.trim();
  const plain = (all: readonly Entry[]): Found[] => all.map((entry) => ({ entry, score: 0, marks: [] }));
  if (!question) return grouped([...plain(recent(entries)), ...plain(entries.filter((entry) => entry.first))], Infinity);
  // What is known here comes at once and stays where it is; what the server finds comes below it.
  const here = search(entries, question);
  const known = new Set(here.map(({ entry }) => entry.address));
  const groups = grouped([...here, ...plain(server.filter((entry) => !known.has(entry.address)))], PER_GROUP);
  if (!blocked.value) {
    const label = t("Ask: {question}", { question });
    const run = () => {
      go(at("chat"));
      ask(question).catch((error: unknown) => toast(said(error), { kind: "bad" }));
    };
    groups.push({ kind: t("Ask"), items: plain([{ id: ASK, kind: t("Ask"), label, icon: "chat", run }]) });
  }
  return groups;
}

/** What the console itself offers, as the parts of it come. */
function useOffers(): { entries: Entry[]; gathering: boolean } {
  const [entries, add] = useState<Entry[]>([]);
  const [gathering, gathered] = useState(true);
  useLayoutEffect(() => {
    let open = true;
    void gather((more) => open && add((those) => [...those, ...more])).then(() => open && gathered(false));
    return () => {
      open = false;
    };
  }, []);
  return { entries, gathering };
}

/** What the server finds; an answer to what is not asked any more is dropped. */
function useServer(query: string): { found: Entry[]; problem: string | null; searching: boolean } {
  const asked = query.trim();
  const [state, set] = useState<{ found: Entry[]; problem: string | null; asked: string }>({ found: [], problem: null, asked: "" });
  useEffect(() => {
    if (asked.length < LEAST) return set({ found: [], problem: null, asked });
    const leave = new AbortController();
    const timer = setTimeout(() => {
      searchServer(asked, leave.signal).then(
        ({ found, problems }) => !leave.signal.aborted && set({ found, problem: problems.join(" ") || null, asked }),
        (error: unknown) => !leave.signal.aborted
          && set({ found: [], problem: t("Only pages, tools and actions were searched. {problem}", { problem: said(error) }), asked }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [asked]);
  return { ...state, searching: asked.length >= LEAST && state.asked !== asked };
}

function Marked({ text, marks }: { text: string; marks: number[] }) {
  if (!marks.length) return <>{text}</>;
  return <>{[...text].map((letter, index) => (marks.includes(index) ? <mark key={index}>{letter}</mark> : letter))}</>;
}
