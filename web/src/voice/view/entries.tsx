/**
 * A transcript. Each entry is drawn once and again only when its own words change; the list takes
 * the entries as they are, so that adding one costs little however many there are.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { lazy } from "../../ui/lazy";
import { minuteTime } from "../../ui/time";
import type { AssistantEntry, ImageEntry, NoteEntry, Transcript, UserEntry } from "../transcript";
import { Actions, Asking, type Deeds } from "./actions";
import { type Answer, type Block, blocks } from "./blocks";
import { Calls } from "./calls";
import { Figure } from "./figure";
import "./view.css";
import { Sources, Words } from "./words";

const Artefacts = lazy(() => import("./artefacts").then((made) => made.Artefacts));

const NEAR_PX = 60;

export function Entries({ transcript, label, deeds, children }: {
  transcript: Transcript; label: string;
  /** What can be done with a message. Left out: it is only read. */
  deeds?: Deeds | undefined;
  /** Shown in place of entries that are not there yet. */
  children?: ComponentChildren;
}) {
  const entries = transcript.entries.value;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [behind, set] = useState(false);
  // The same element for the same block: whoever compares the lists sees at once what is unchanged.
  const elements = useRef(new Map<number, { block: Block; mark: string; element: VNode }>());
  const before = elements.current;
  elements.current = new Map();
  const drawn = (block: Block): VNode => {
    const mark = block.kind === "answer" ? block.mark : "";
    const known = before.get(block.id);
    const same = known && known.mark === mark && (block.kind === "answer" || known.block === block);
    const element = same ? known.element : <One key={block.id} block={block} transcript={transcript} deeds={deeds} />;
    elements.current.set(block.id, { block, mark, element });
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
    <div class="entries-frame" data-tour="vox-transcript">
      <div class="entries" ref={box} tabIndex={0} role="region" aria-label={label} data-tour="chat-messages"
        onClick={(event) => {
          // Who opens a card wants to read it, and not to be carried off to the end.
          if ((event.target as Element).closest("summary")) follows.current = false;
        }}>
        {entries.length ? null : children}
        <div role="list" class="entries-list" ref={list}>
          {parts(blocks(entries)).map((part, n) => <div key={n} class="entries-part" role="none">{part.map(drawn)}</div>)}
        </div>
      </div>
      {behind && entries.length ? <Button class="entries-end" icon="down" onClick={toEnd}>{t("Newest")}</Button> : null}
    </div>
  );
}

/** The browser skips whole parts that are out of sight; watching every entry would cost more. */
const PART = 10;

function parts(all: Block[]): Block[][] {
  return Array.from({ length: Math.ceil(all.length / PART) }, (_, n) => all.slice(n * PART, (n + 1) * PART));
}

function One({ block, transcript, deeds }: { block: Block; transcript: Transcript; deeds: Deeds | undefined }) {
  if (block.kind === "user") return <FromPerson entry={block} deeds={deeds} />;
  if (block.kind === "note") return <Note entry={block} />;
  return <FromAgent answer={block} transcript={transcript} deeds={deeds} />;
}

function FromPerson({ entry, deeds }: { entry: UserEntry; deeds: Deeds | undefined }) {
  const [near, come] = useState(false);
  const [editing, edit] = useState(false);
  const open = entry.open.value;
  if (editing && deeds?.askAgain) {
    return (
      <div role="listitem" class="entry user editing">
        <Asking text={entry.text.value} onCancel={() => edit(false)} onAsk={(text) => { edit(false); void deeds.askAgain!(entry, text); }} />
      </div>
    );
  }
  return (
    <div role="listitem" class={`entry user ${open ? "open" : ""}`} onPointerEnter={() => come(true)}>
      <p class="who"><span class="hidden-visually">{t("You")}</span>{entry.spoken ? <span class="spoken" title={t("Spoken")}><Icon name="mic" size={13} /><span class="hidden-visually">{t("Spoken")}</span></span> : null}<Time at={entry.at} /></p>
      <p class="as-text bubble">{entry.text.value}</p>
      {deeds && !open ? <Actions near={near} entry={entry} deeds={deeds} onEdit={() => edit(true)} /> : null}
    </div>
  );
}

/** What it says first, then what that rests on, and what was done for it in one line. */
function FromAgent({ answer, transcript, deeds }: { answer: Answer; transcript: Transcript; deeds: Deeds | undefined }) {
  const { said, calls, images, notes } = answer;
  return (
    <>
      {said.map((entry, n) => <Said key={entry.id} entry={entry} first={n === 0} transcript={transcript} deeds={deeds} />)}
      {images.map((entry) => <Shown key={entry.id} entry={entry} />)}
      {calls.length ? <Artefacts key="made" calls={calls} /> : null}
      {calls.length ? <Calls key="calls" calls={calls} /> : null}
      {notes.map((entry) => <Note key={entry.id} entry={entry} />)}
    </>
  );
}

function Said({ entry, first, transcript, deeds }: { entry: AssistantEntry; first: boolean; transcript: Transcript; deeds: Deeds | undefined }) {
  const [near, come] = useState(false);
  const state = entry.state.value;
  return (
    <div role="listitem" class={`entry assistant ${state}`} aria-busy={state === "open" || undefined} onPointerEnter={() => come(true)}>
      {first ? <p class="who">Antiphon<Time at={entry.at} /></p> : null}
      <Words text={entry.text.value} heard={entry.heard.value} evidence={entry.evidence} sources={transcript.sources} onSource={deeds?.openSource} />
      <Sources text={entry.text.value} evidence={entry.evidence} sources={transcript.sources} onSource={deeds?.openSource} />
      {state === "interrupted" || entry.heard.value !== null ? <p class="cut">{cutOff(state === "interrupted", entry.heard.value !== null)}</p> : null}
      {deeds && state !== "open" ? <Actions near={near} entry={entry} deeds={deeds} /> : null}
    </div>
  );
}

function cutOff(interrupted: boolean, marked: boolean): string {
  if (!marked) return t("interrupted");
  return interrupted ? t("interrupted; heard up to the mark") : t("heard up to the mark");
}

function Shown({ entry }: { entry: ImageEntry }) {
  return <div role="listitem" class="entry image"><Figure {...entry.picture} /></div>;
}

function Note({ entry }: { entry: NoteEntry }) {
  return <div role="listitem" class={`entry note ${entry.tone}`}><p>{entry.text}</p></div>;
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{minuteTime(at)}</time>;
}
