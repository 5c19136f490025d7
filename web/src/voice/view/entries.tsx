/**
 * A transcript. Each entry is drawn once and again only when its own words change; the list takes
 * the entries as they are, so that adding one costs little however many there are.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { clockTime } from "../../ui/time";
import type { AssistantEntry, Entry, Transcript, UserEntry } from "../transcript";
import { ToolCard } from "./tool-card";
import "./view.css";
import { Evidence, Words } from "./words";

const NEAR_PX = 60;

export function Entries({ transcript, label, tour, children }: {
  transcript: Transcript; label: string; tour: string;
  /** Shown in place of entries that are not there yet. */
  children?: ComponentChildren;
}) {
  const entries = transcript.entries.value;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const [behind, set] = useState(false);
  // The same element for the same entry: whoever compares the lists sees at once what is unchanged.
  const elements = useRef(new WeakMap<Entry, VNode>()).current;
  const drawn = (entry: Entry): VNode => {
    const before = elements.get(entry);
    const element = before ?? <One key={entry.id} entry={entry} transcript={transcript} />;
    if (!before) elements.set(entry, element);
    return element;
  };
  const toEnd = () => box.current?.scrollTo(0, box.current.scrollHeight); // sizes change once more as it goes
  useEffect(() => {
    const { current: scrolled } = box;
    const moved = () => {
      follows.current = scrolled!.scrollHeight - scrolled!.scrollTop - scrolled!.clientHeight < NEAR_PX;
      set(!follows.current);
    };
    const grown = new ResizeObserver(() => follows.current && toEnd());
    grown.observe(list.current!);
    grown.observe(scrolled!);
    scrolled!.addEventListener("scroll", moved, { passive: true });
    return () => {
      grown.disconnect();
      scrolled!.removeEventListener("scroll", moved);
    };
  }, []);
  return (
    <div class="entries-frame" data-tour={tour}>
      <div class="entries" ref={box} tabIndex={0} role="region" aria-label={label}
        onClick={(event) => {
          // Who opens a card wants to read it, and not to be carried off to the end.
          if ((event.target as Element).closest("summary")) follows.current = false;
        }}>
        {entries.length ? null : children}
        <ol ref={list}>{entries.map(drawn)}</ol>
      </div>
      {behind && entries.length ? <Button class="entries-end" icon="chevron" onClick={toEnd}>Newest</Button> : null}
    </div>
  );
}

function One({ entry, transcript }: { entry: Entry; transcript: Transcript }) {
  switch (entry.kind) {
    case "user":
      return <FromPerson entry={entry} />;
    case "assistant":
      return <FromModel entry={entry} transcript={transcript} />;
    case "tool":
      return <li class="entry tool"><ToolCard entry={entry} /></li>;
    case "note":
      return <li class={`entry note ${entry.tone}`}><p>{entry.text}</p><Time at={entry.at} /></li>;
  }
}

function FromPerson({ entry }: { entry: UserEntry }) {
  return (
    <li class={`entry user ${entry.open.value ? "open" : ""}`}>
      <p class="who">You{entry.spoken ? <Icon name="mic" size={13} /> : null}<Time at={entry.at} /></p>
      <p class="as-text">{entry.text.value}</p>
    </li>
  );
}

function FromModel({ entry, transcript }: { entry: AssistantEntry; transcript: Transcript }) {
  const state = entry.state.value;
  return (
    <li class={`entry assistant ${state}`} aria-busy={state === "open" || undefined}>
      <p class="who">Antiphon<Time at={entry.at} /></p>
      <Words text={entry.text.value} sources={transcript.sources} />
      <Evidence text={entry.text.value} evidence={entry.evidence} sources={transcript.sources} />
      {state === "interrupted" ? <p class="cut">interrupted</p> : null}
    </li>
  );
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{clockTime(at)}</time>;
}
