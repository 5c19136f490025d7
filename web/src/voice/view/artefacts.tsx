/** What calls have made, as what it is: a picture, code, a file, a chart, a table. */
import { address } from "../../api/address";
import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { Button, CopyButton, save } from "../../ui/kit";
import { isRecord, Readable } from "../../ui/readable";
import type { ToolEntry } from "../transcript";
import { Figure, pictureIn } from "./figure";
import { argsInWords, isAside, isSearch } from "./summary";

export type Artefact =
  | { kind: "code"; name: string; code: string }
  | { kind: "file"; name: string; url?: string; content?: string }
  | { kind: "chart"; name: string; bars: Bar[] }
  | { kind: "table"; name: string; rows: Record<string, unknown>[] };

interface Bar {
  label: string;
  value: number;
}

export function Artefacts({ calls }: { calls: ToolEntry[] }) {
  const made = calls.flatMap((entry) => {
    const outcome = entry.outcome.value;
    if (!outcome?.ok || isSearch(entry.name) || isAside(entry.name) || entry.name === "send_image") return [];
    const picture = pictureIn(outcome.result);
    if (picture) return [<Figure key={entry.id} {...picture} alt={picture.alt || argsInWords(entry.args)} />];
    const found = artefactIn(outcome.result);
    return found ? [<Made key={entry.id} artefact={found} />] : [];
  });
  return made.length ? <div role="listitem" class="entry made">{made}</div> : null;
}

function Made({ artefact }: { artefact: Artefact }) {
  switch (artefact.kind) {
    case "code":
      return (
        <figure class="code-block">
          <figcaption>
            <span>{words(artefact.name)}</span><span class="spring" />
            <CopyButton text={artefact.code} />
            <Button kind="quiet" icon="download" onClick={() => save(`${artefact.name}.txt`, artefact.code)}>{t("Download")}</Button>
          </figcaption>
          <pre tabIndex={0} aria-label={words(artefact.name)}><code>{artefact.code}</code></pre>
        </figure>
      );
    case "file":
      return artefact.url
        ? <a class="button plain" href={address(artefact.url)} download={artefact.name}><Icon name="download" size={16} />{artefact.name}</a>
        : <Button icon="download" onClick={() => save(artefact.name, artefact.content!)}>{artefact.name}</Button>;
    case "chart":
      return <Bars name={artefact.name} bars={artefact.bars} />;
    case "table":
      return <Readable value={artefact.rows} name={artefact.name} />;
  }
}

function Bars({ name, bars }: { name: string; bars: Bar[] }) {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value))) || 1;
  return (
    <figure class="bars">
      <figcaption>{words(name)}</figcaption>
      <dl>
        {bars.map(({ label, value }, n) => (
          <div key={n}>
            <dt>{label}</dt>
            <dd><meter min={0} max={most} value={Math.abs(value)} aria-hidden="true" /><span class="number">{value.toLocaleString()}</span></dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

const words = (name: string): string => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

const CODE = /^(code|source|component|component_code|endpoint|endpoint_code|tests|test_code|html|css|sql|script|snippet_code|formatted)$/;
const MOST_BARS = 30;
const MOST_ROWS = 50;

/** What is worth showing of a result; null: the line that tells of the call is enough. */
export function artefactIn(result: unknown): Artefact | null {
  if (!isRecord(result)) return null;
  // A tool of the catalogue answers inside of the answer of `run_tool`.
  const inner = isRecord(result["result"]) ? result["result"] : isRecord(result["data"]) ? result["data"] : null;
  return own(result) ?? (inner ? own(inner) : null);
}

function own(fields: Record<string, unknown>): Artefact | null {
  const named = fields["filename"] ?? fields["file_name"];
  const { url, content } = fields;
  if (typeof named === "string" && typeof url === "string" && url.startsWith("/")) return { kind: "file", name: named, url };
  if (typeof named === "string" && typeof content === "string") return { kind: "file", name: named, content };
  for (const [name, value] of Object.entries(fields)) {
    if (CODE.test(name) && typeof value === "string" && value.includes("\n")) return { kind: "code", name, code: value };
  }
  for (const [name, value] of Object.entries(fields)) {
    const made = Array.isArray(value) ? listed(name, value) : null;
    if (made) return made;
  }
  return null;
}

function listed(name: string, list: unknown[]): Artefact | null {
  if (list.length < 2 || !list.every(isRecord)) return null;
  const rows = list as Record<string, unknown>[];
  const columns = Object.keys(rows[0]!);
  const plain = columns.filter((column) => rows.every((row) => ["string", "number", "boolean"].includes(typeof row[column]) || row[column] == null));
  if (plain.length < 2 || rows.length > MOST_ROWS) return null;
  const numbers = plain.filter((column) => rows.every((row) => typeof row[column] === "number"));
  const labels = plain.filter((column) => rows.every((row) => typeof row[column] === "string"));
  if (plain.length === 2 && numbers.length === 1 && labels.length === 1 && rows.length <= MOST_BARS) {
    return { kind: "chart", name, bars: rows.map((row) => ({ label: String(row[labels[0]!]), value: row[numbers[0]!] as number })) };
  }
  return { kind: "table", name, rows: rows.map((row) => Object.fromEntries(plain.map((column) => [column, row[column]]))) };
}
