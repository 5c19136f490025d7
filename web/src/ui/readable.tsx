/** A result as people read it: tables for lists of records, pictures as pictures, text as text. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { address } from "../api/address";
import { plural, t } from "../i18n";
import { CopyButton, Json } from "./kit";
import { Markdown } from "./markdown";
import "./readable.css";

type Record_ = Record<string, unknown>;
const MOST_COLUMNS = 8;
const MOST_ROWS = 100;
const MARKDOWN = /^(markdown|md|answer|report|briefing|guide|documentation)$/i;

export const isRecord = (value: unknown): value is Record_ =>
  !!value && typeof value === "object" && !Array.isArray(value);

/** The columns of a list of records, or null where it is none. */
export function columnsOf(list: unknown[]): string[] | null {
  if (!list.length || !list.every(isRecord)) return null;
  const names = [...new Set(list.flatMap((row) => Object.keys(row as Record_)))];
  // What is the same nothing in every row says nothing.
  const told = names.filter((name) => list.some((row) => hasValue((row as Record_)[name])));
  return told.slice(0, MOST_COLUMNS);
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

export function Readable({ value, name = "result" }: { value: unknown; name?: string }): ComponentChildren {
  if (value === null || value === undefined) return <span class="muted">{t("nothing")}</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return <span class="number">{String(value)}</span>;
  if (typeof value === "string") return <Text text={value} name={name} />;
  if (Array.isArray(value)) return <List list={value} name={name} />;
  const entries = Object.entries(value as Record_);
  if (!entries.length) return <span class="muted">{t("empty")}</span>;
  return (
    <dl class="readable">
      {entries.map(([key, each]) => (
        <div key={key} class={isWide(each) ? "is-wide" : ""}>
          <dt>{key.replaceAll("_", " ")}</dt>
          <dd><Readable value={each} name={key} /></dd>
        </div>
      ))}
    </dl>
  );
}

const isWide = (value: unknown): boolean =>
  (typeof value === "string" && (value.length > 80 || value.includes("\n"))) || (typeof value === "object" && value !== null);

function List({ list, name }: { list: unknown[]; name: string }) {
  if (!list.length) return <span class="muted">{t("none")}</span>;
  const columns = columnsOf(list);
  const left = list.length - MOST_ROWS;
  const more = left > 0 ? <p class="hint">{plural(left, "{count} more in the JSON.", "{count} more in the JSON.")}</p> : null;
  if (columns) {
    return (
      <div class="table-box" tabIndex={0} role="region" aria-label={t("Table of {name}", { name: name.replaceAll("_", " ") })}>
        <table>
          <thead><tr>{columns.map((column) => <th key={column} scope="col">{column.replaceAll("_", " ")}</th>)}</tr></thead>
          <tbody>
            {list.slice(0, MOST_ROWS).map((row, index) => (
              <tr key={index}>{columns.map((column) => <td key={column} class={isLong((row as Record_)[column]) ? "is-long" : ""}><Cell value={(row as Record_)[column]} name={column} /></td>)}</tr>
            ))}
          </tbody>
        </table>
        {more}
      </div>
    );
  }
  if (list.every((each) => typeof each !== "object" || each === null)) {
    return <ul class="readable-list">{list.slice(0, MOST_ROWS).map((each, index) => <li key={index}><Readable value={each} name={name} /></li>)}{more}</ul>;
  }
  return <Json value={list} label={name} />;
}

const isLong = (value: unknown): boolean =>
  (typeof value === "string" ? value : JSON.stringify(value) ?? "").length > 40;

function Cell({ value, name }: { value: unknown; name: string }): ComponentChildren {
  if (!hasValue(value)) return <span class="muted" aria-label={t("nothing")}>–</span>;
  if (typeof value === "object") {
    if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ") || "none";
    return <code class="readable-small">{JSON.stringify(value)}</code>;
  }
  return <Readable value={value} name={name} />;
}

function Text({ text, name }: { text: string; name: string }): ComponentChildren {
  const trimmed = text.trim();
  if (/^(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(trimmed)) return <Picture source={trimmed} name={name} />;
  if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(trimmed)) return <img class="readable-picture" src={trimmed} alt={name} />;
  if (/^\/api\/images\/[\w.-]+$/.test(trimmed)) return <img class="readable-picture" src={address(trimmed)} alt={name} />;
  if (/^https?:\/\/\S+$/.test(trimmed)) return <a href={trimmed} target="_blank" rel="noreferrer noopener">{trimmed}</a>;
  if (MARKDOWN.test(name)) return <Markdown text={text} />;
  if (text === "") return <span class="muted">{t("empty text")}</span>;
  if (!text.includes("\n") && text.length <= 300) return text;
  return (
    <div class="readable-text">
      <pre tabIndex={0} aria-label={name.replaceAll("_", " ")}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}

/** A drawing from the server or a tool. As an image it can neither run scripts nor load anything. */
function Picture({ source, name }: { source: string; name: string }) {
  const [address, set] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
    set(made);
    return () => URL.revokeObjectURL(made);
  }, [source]);
  return (
    <figure class="readable-figure">
      {address ? <img class="readable-picture" src={address} alt={name} /> : null}
      <figcaption><CopyButton text={source} label={t("Copy SVG")} /></figcaption>
    </figure>
  );
}
