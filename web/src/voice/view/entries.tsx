/**
 * A transcript. Each entry is drawn once and again only when its own words change; the list takes
 * the entries as they are, so that adding one costs little however many there are.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { clockTime } from "../../ui/time";
import type { AssistantEntry, Entry, ImageEntry, Transcript, UserEntry } from "../transcript";
import { Figure } from "./figure";
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
  const list = useRef<HTMLDivElement>(null);
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
    let before = 0;
    const moved = () => {
      const { scrollHeight, scrollTop, clientHeight } = scrolled!;
      if (scrollHeight - scrollTop - clientHeight < NEAR_PX || !transcript.entries.peek().length) follows.current = true;
      // Only who goes back leaves the end; what grows or gets less room leaves them behind it for a moment.
      else if (scrollTop < before) follows.current = false;
      before = scrollTop;
      set(!follows.current);
    };
    const grown = new ResizeObserver(() => {
      // What stands there before anything was said is read from its beginning.
      if (follows.current && transcript.entries.peek().length) toEnd();
    });
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
        <div role="list" ref={list}>
          {parts(entries).map((part, n) => <div key={n} class="entries-part" role="none">{part.map(drawn)}</div>)}
        </div>
      </div>
      {behind && entries.length ? <Button class="entries-end" icon="chevron" onClick={toEnd}>Newest</Button> : null}
    </div>
  );
}

/** The browser skips whole parts that are out of sight; watching every entry would cost more. */
const PART = 25;

function parts(entries: Entry[]): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / PART) }, (_, n) => entries.slice(n * PART, (n + 1) * PART));
}

function One({ entry, transcript }: { entry: Entry; transcript: Transcript }) {
  switch (entry.kind) {
    case "user":
      return <FromPerson entry={entry} />;
    case "assistant":
      return <FromModel entry={entry} transcript={transcript} />;
    case "tool":
      return <div role="listitem" class="entry tool"><ToolCard entry={entry} /></div>;
    case "image":
      return <Shown entry={entry} />;
    case "note":
      return <div role="listitem" class={`entry note ${entry.tone}`}><p>{entry.text}</p><Time at={entry.at} /></div>;
  }
}

function FromPerson({ entry }: { entry: UserEntry }) {
  return (
    <div role="listitem" class={`entry user ${entry.open.value ? "open" : ""}`}>
      <p class="who">You{entry.spoken ? <Icon name="mic" size={13} /> : null}<Time at={entry.at} /></p>
      <p class="as-text">{entry.text.value}</p>
    </div>
  );
}

function FromModel({ entry, transcript }: { entry: AssistantEntry; transcript: Transcript }) {
  const state = entry.state.value;
  return (
    <div role="listitem" class={`entry assistant ${state}`} aria-busy={state === "open" || undefined}>
      <p class="who">Antiphon<Time at={entry.at} /></p>
      <Words text={entry.text.value} sources={transcript.sources} />
      <Evidence text={entry.text.value} evidence={entry.evidence} sources={transcript.sources} />
      {state === "interrupted" ? <p class="cut">interrupted</p> : null}
    </div>
  );
}

function Shown({ entry }: { entry: ImageEntry }) {
  return (
    <div role="listitem" class="entry image">
      <p class="who">Antiphon<Time at={entry.at} /></p>
      <Figure {...entry.picture} />
    </div>
  );
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{clockTime(at)}</time>;
}
