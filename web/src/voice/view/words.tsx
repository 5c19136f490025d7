/** What a model says: Markdown where it is some, and numbered marks for what it rests on. */
import type { ReadonlySignal } from "@preact/signals";

import { t } from "../../i18n";
import { at } from "../../router";
import { Markdown } from "../../ui/markdown";
import type { Source } from "../transcript";
import { cited, isMarkdown, parts, titleOf } from "../words";

type Known = ReadonlySignal<ReadonlyMap<string, Source>>;

interface Props {
  text: string;
  evidence: readonly string[];
  sources: Known;
  /** Opens a record beside the conversation. Left out: the page of the record is opened. */
  onSource: ((id: string) => void) | undefined;
}

export function Words({ text, heard, evidence, sources, onSource }: Props & { heard: number | null }) {
  const cut = heard !== null && heard < text.length ? heard : null;
  // A mark in the midst of it needs the text as it was said.
  if (cut === null && isMarkdown(text)) {
    return <div onClick={(event) => followed(event, onSource)}><Markdown text={withLinks(text, sources)} /></div>;
  }
  const numbers = cited(text, evidence, sources.value);
  let at_ = 0;
  return (
    <p class="as-text">
      {parts(text).map((piece) => {
        if ("cites" in piece) return piece.cites.map((id) => <Mark key={id} id={id} number={numbers.indexOf(id) + 1} sources={sources} onSource={onSource} />);
        const from = at_;
        at_ += piece.text.length;
        if (cut === null || cut >= at_) return piece.text;
        if (cut <= from) return <span class="unheard">{piece.text}</span>;
        return <>{piece.text.slice(0, cut - from)}<span class="heard-to" role="img" aria-label={t("Heard up to here")} title={t("Heard up to here")} /><span class="unheard">{piece.text.slice(cut - from)}</span></>;
      })}
    </p>
  );
}

/** What an answer rests on: its records, numbered as it cites them. */
export function Sources({ text, evidence, sources, onSource }: Props) {
  const found = cited(text, evidence, sources.value);
  if (!found.length) return null;
  return (
    <p class="evidence">
      <span class="hidden-visually">{t("Sources")}</span>
      {found.map((id, n) => {
        const source = sources.value.get(id);
        return (
          <a key={id} class="citation" href={placeOf(id, source)} title={source?.snippet || id} onClick={(event) => opened(event, id, onSource)}>
            <b>{n + 1}</b>{titleOf(id, source)}
          </a>
        );
      })}
    </p>
  );
}

function Mark({ id, number, sources, onSource }: { id: string; number: number; sources: Known; onSource: Props["onSource"] }) {
  const source = sources.value.get(id);
  return (
    <a class="citation mark" href={placeOf(id, source)} title={titleOf(id, source)}
      aria-label={t("Source {number}: {title}", { number, title: titleOf(id, source) })} onClick={(event) => opened(event, id, onSource)}>{number}</a>
  );
}

function opened(event: MouseEvent, id: string, onSource: Props["onSource"]): void {
  if (!onSource || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  onSource(id);
}

/** Links of Markdown carry the id of their record as their title. */
function followed(event: MouseEvent, onSource: Props["onSource"]): void {
  const link = (event.target as Element).closest("a[href^='#/kg-studio/']");
  const id = link?.getAttribute("title");
  if (id) opened(event, id, onSource);
}

/** Where a record can be read. */
export function placeOf(id: string, source: Source | undefined): string {
  return source?.database ? at("kg-studio", [source.database, "record", id]) : at("kg-studio");
}

/** For Markdown: each citation as a link of its own. */
function withLinks(text: string, sources: Known): string {
  const escaped = (title: string) => title.replace(/[[\]\\]/g, "\\$&");
  return parts(text)
    .map((piece) => {
      if ("text" in piece) return piece.text;
      const links = piece.cites.map((id) => {
        const source = sources.value.get(id);
        return `[${escaped(titleOf(id, source))}](<${placeOf(id, source)}> "${id}")`;
      });
      return ` (${links.join(", ")})`;
    })
    .join("");
}
