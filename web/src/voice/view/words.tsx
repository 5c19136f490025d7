/** What a model says: Markdown where it is some, and citations as links to what they rest on. */
import type { ReadonlySignal } from "@preact/signals";

import { at } from "../../router";
import { Markdown } from "../../ui/markdown";
import type { Source } from "../transcript";
import { isMarkdown, parts, restsOn, titleOf } from "../words";

type Sources = ReadonlySignal<ReadonlyMap<string, Source>>;

export function Words({ text, sources }: { text: string; sources: Sources }) {
  const pieces = parts(text);
  if (isMarkdown(text)) return <Markdown text={withLinks(text, sources)} />;
  return (
    <p class="as-text">
      {pieces.map((piece) => ("text" in piece ? piece.text : piece.cites.map((id) => <Citation key={id} id={id} sources={sources} />)))}
    </p>
  );
}

/** What an answer rests on, where it does not say so itself: speech has no brackets. */
export function Evidence({ text, evidence, sources }: { text: string; evidence: readonly string[]; sources: Sources }) {
  const named = evidence.length ? restsOn(text, evidence, sources.value) : [];
  if (!named.length) return null;
  return <p class="evidence">From{named.map((id) => <Citation key={id} id={id} sources={sources} />)}</p>;
}

function Citation({ id, sources }: { id: string; sources: Sources }) {
  const source = sources.value.get(id);
  return <a class="citation" href={placeOf(id, source)} title={id}>{titleOf(id, source)}</a>;
}

/** Where a record can be read. */
function placeOf(id: string, source: Source | undefined): string {
  return source?.database ? at("kg-studio", [source.database, "record", id]) : at("kg-studio");
}

/** For Markdown: each citation as a link of its own. */
function withLinks(text: string, sources: Sources): string {
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
