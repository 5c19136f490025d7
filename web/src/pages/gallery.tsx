/** Every piece that pages are made of, in every state: to look at, and compared picture by picture by a test. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { prefer, prefs, type Theme } from "../stores/prefs";
import type { Passage } from "../api/rules";
import { Chart } from "../ui/chart";
import { Count } from "../ui/count";
import { Drawer } from "../ui/drawer";
import { FilterChips } from "../ui/filter-chips";
import { GateList, GateStrip } from "../ui/gates";
import { TypeMark } from "../ui/graph/legend";
import { Icon, ICONS } from "../ui/icons";
import { Badge, Button, Card, CopyButton, Empty, Field, IconButton, Json, Loading, Problem, Spinner, Switch, Tabs } from "../ui/kit";
import { Markdown } from "../ui/markdown";
import { Readable } from "../ui/readable";
import { SchemaForm } from "../ui/schema-form/form";
import { Sparkline } from "../ui/sparkline";
import { duration } from "../ui/time";
import type { Source, ToolEntry } from "../voice/transcript";
import { Calls } from "../voice/view/calls";
import { Words } from "../voice/view/words";
import "../ui/rows.css";
import "../voice/view/view.css";
import "./gallery.css";

const THEMES: Theme[] = ["light", "dark", "high-contrast"];
const COLOURS = [
  "ground", "surface", "raised", "line", "line-strong", "mark", "text", "muted", "accent", "accent-soft", "second", "second-soft",
  "good", "good-soft", "bad", "bad-soft", "warn", "warn-soft",
];
const SIZES = ["xs", "s", "m", "read", "l", "xl", "xxl"];
const KINDS = ["person", "org", "project", "event", "doc", "place", "term", "link", "process", "client", "note", "fact"];

/** The same at every look: a test compares it. */
const BEGIN = 1_700_000_000;
const WAVE = Array.from({ length: 36 }, (_, at) => 40 + Math.round(30 * Math.sin(at / 4)) + (at % 5) * 4);
const TIMES = WAVE.map((_, at) => BEGIN + at * 10);
const LATENCY = { times: TIMES, series: [{ label: "p50", values: WAVE }, { label: "p95", values: WAVE.map((value) => value * 1.8) }, { label: "p99", values: WAVE.map((value, at) => (at % 6 ? null : value * 2.4)) }] };
const CALLS = { times: TIMES, counts: true, series: [{ label: "succeeded", values: WAVE.map((value) => value % 9) }, { label: "refused", values: WAVE.map((value) => value % 3) }, { label: "failed", values: WAVE.map((value) => (value % 7 ? 0 : 1)) }] };
const SCHEMA = {
  type: "object", required: ["title"],
  properties: {
    title: { type: "string", description: "What it is called.", maxLength: 80 },
    minutes: { type: "integer", minimum: 5, maximum: 480, default: 30 },
    kind: { enum: ["call", "visit", "letter"] },
    urgent: { type: "boolean" },
  },
};
const ROWS = [
  { tool: "kb_search", calls: 128, p95: "41 ms", state: "ok" },
  { tool: "calendar_create_event", calls: 9, p95: "171 ms", state: "asks first" },
  { tool: "calculator", calls: 1204, p95: "3 ms", state: "ok" },
];
const FILTERS = [{ id: "tool", label: "Tool" }, { id: "since", label: "From" }, { id: "user", label: "User" }] as const;
const GATES: Passage[] = [
  { id: "known", outcome: "passed", rule: null }, { id: "session", outcome: "passed", rule: null }, { id: "shape", outcome: "idle", rule: null },
  { id: "confirmation", outcome: "asked", rule: "confirmation.required" }, { id: "run", outcome: "not_reached", rule: null },
];
const SOURCES = signal<ReadonlyMap<string, Source>>(new Map([["project:harbor_light", { title: "Harbor Light", snippet: "", database: "studio" }]]));
const ANSWER = "Kenji Okuhara leads Harbor Light. (project:harbor_light)";
const HEARD = "This was said to its end, and this was not heard any more.";
const call = (id: number, name: string, args: unknown, result: unknown): ToolEntry => ({
  kind: "tool", id, at: BEGIN, callId: null, name, args, decision: { outcome: "run", rule: "run" }, here: false, consent: signal(null),
  outcome: signal({ ok: true, result, error: null, errorType: null, durationMs: 120, replayed: false, meta: {} }),
} as ToolEntry);
const CALLED = [call(1, "kb_search", { query: "Who leads Harbor Light?", namespace: "studio" }, { results: [{}, {}] })];
const GUIDE = "### A guide\n\nWords *lean*, are **strong** or `code`, and [lead on](#/tools).\n\n- 2*pi is a product\n- a list has items\n\n> What somebody said.\n\n```\ncurl -s localhost:8080/api/tools\n```";

export default function Gallery() {
  const [tab, choose] = useState<"one" | "two" | "three">("one");
  const [on, turn] = useState(true);
  const [filters, filter] = useState<Record<"tool" | "since" | "user", string>>({ tool: "kb_search", since: "", user: "ada" });
  const [value, write] = useState<unknown>({ title: "Review", minutes: 45 });
  return (
    <div class="gallery">
      <p class="row gallery-themes" role="group" aria-label={t("Theme")}>
        {THEMES.map((theme) => <Button key={theme} aria-pressed={prefs.value.theme === theme} onClick={() => prefer({ theme })}>{theme}</Button>)}
      </p>
      <Part title={t("Colours")}>
        <ul class="gallery-colours">{COLOURS.map((name) => <li key={name}><i style={{ background: `var(--${name})` }} /><code>{name}</code></li>)}</ul>
      </Part>
      <Part title={t("Type")}>
        {SIZES.map((size) => <p key={size} style={{ fontSize: `var(--text-${size})` }}>Grüße, 0123456789 <span class="muted">{size}</span></p>)}
        <p><code>code</code> <kbd>Ctrl</kbd> <kbd>K</kbd> <a href="#/gallery">{t("A link")}</a> <mark>{t("found")}</mark></p>
      </Part>
      <Part title={t("Buttons")}>
        <div class="row"><Button kind="primary" icon="play">{t("Run")}</Button><Button icon="edit">{t("Edit")}</Button><Button kind="danger" icon="trash">{t("Delete")}</Button><Button kind="quiet">{t("Cancel")}</Button></div>
        <div class="row"><Button kind="primary" disabled>{t("Run")}</Button><Button disabled>{t("Edit")}</Button><Button kind="danger" disabled>{t("Delete")}</Button><Button kind="primary" busy>{t("Save")}</Button></div>
        <div class="row"><Button aria-pressed={true}>{t("Pressed")}</Button><CopyButton text="x" /><IconButton label={t("Settings")} icon="settings" /><IconButton label={t("Close")} icon="close" disabled /></div>
      </Part>
      <Part title={t("Fields")}>
        <Field label={t("Title")} hint={t("At most 80 characters.")}>{(field) => <input {...field} value="Review" readOnly />}</Field>
        <Field label={t("Empty")}>{(field) => <input {...field} placeholder={t("Type here")} />}</Field>
        <Field label={t("Wrong")} error={t("This is not a number.")}>{(field) => <input {...field} value="abc" readOnly />}</Field>
        <Field label={t("Disabled")}>{(field) => <input {...field} value="fixed" disabled />}</Field>
        <Field label={t("Choice")}>{(field) => <select {...field}><option>Server default</option><option>Gemini</option></select>}</Field>
        <Field label={t("Date")}>{(field) => <input {...field} type="date" value="2026-11-16" />}</Field>
        <Field label={t("Time")}>{(field) => <input {...field} type="time" value="15:30" />}</Field>
        <Field label={t("Text")}>{(field) => <textarea {...field} rows={2} value={"Two lines\nof text"} readOnly />}</Field>
      </Part>
      <Part title={t("Choices")}>
        <Switch label={t("Captions")} checked={on} onChange={turn} hint={t("What is spoken also appears in large letters.")} />
        <Switch label={t("Off")} checked={false} onChange={() => {}} />
        <div class="row">
          <label class="row"><input type="checkbox" checked readOnly />{t("On")}</label><label class="row"><input type="checkbox" />{t("Off")}</label>
          <label class="row"><input type="checkbox" checked disabled />{t("Disabled")}</label>
          <label class="row"><input type="radio" name="gallery" checked readOnly />{t("One")}</label><label class="row"><input type="radio" name="gallery" />{t("Two")}</label>
        </div>
        <input type="range" aria-label={t("Level")} min={0} max={10} value={4} readOnly />
        <progress aria-label={t("Progress")} value={0.4} />
      </Part>
      <Part title={t("Badges")}>
        <p class="row">{(["plain", "accent", "second", "good", "warn", "bad"] as const).map((kind) => <Badge key={kind} kind={kind}>{kind}</Badge>)}</p>
        <p class="row">{KINDS.map((kind) => <span key={kind} class="row gallery-kind"><TypeMark type={kind} />{kind}</span>)}</p>
      </Part>
      <Part title={t("Tabs and lists")}>
        <Tabs label={t("Views")} tabs={[{ id: "one", title: "Search" }, { id: "two", title: "Graph" }, { id: "three", title: "Add" }]} chosen={tab} onChoose={choose} />
        <ul class="list">
          {ROWS.map((row, at) => <li key={row.tool}><button type="button" class="list-item" aria-current={at === 1 ? "true" : undefined}><strong class="cut">{row.tool}</strong><small>{row.state}</small></button></li>)}
        </ul>
      </Part>
      <Part title={t("Nothing, loading, wrong")}>
        <Empty icon="folder" title={t("No projects yet")} action={<Button kind="primary" icon="plus">{t("New project")}</Button>}>{t("A project collects everything that mentions it.")}</Empty>
        <Loading />
        <p class="row"><Spinner /> {t("Loading")}</p>
        <Problem error={t("The server cannot be reached.")} retry={() => {}} />
      </Part>
      <Part title={t("Notices")}>
        {(["info", "good", "bad"] as const).map((kind) => (
          <div key={kind} class={`toast ${kind}`}><Icon name={kind === "bad" ? "warn" : kind === "good" ? "check" : "info"} size={16} /><span class="toast-text">{kind === "bad" ? t("The browser did not allow copying.") : t("Saved.")}</span></div>
        ))}
      </Part>
      <Part title={t("An answer")}>
        <Words text={ANSWER} heard={null} evidence={[]} sources={SOURCES} onSource={undefined} />
        <div role="list"><Calls calls={CALLED} /></div>
        <div class="entry"><Words text={HEARD} heard={26} evidence={[]} sources={SOURCES} onSource={undefined} /></div>
      </Part>
      <Part title={t("Gates")}>
        <GateStrip gates={GATES} rules={null} />
        <GateList gates={GATES} rules={null} />
        <p class="row">{t("Activity")} <Count of={3} label="" /> <Count of={120} label="" /></p>
      </Part>
      <Part title={t("Filters, rows and details")} wide>
        <div class="with-drawer">
          <div>
            <FilterChips label={t("Filters")} filters={FILTERS} values={filters} onChange={filter} />
            <ul class="rows">
              {ROWS.map((row, at) => <li key={row.tool}><button type="button" class="rows-item" aria-current={at === 1 ? "true" : undefined}><span class="rows-title">{row.tool}</span><span class="muted">{row.state}</span><span class="number">{row.p95}</span></button></li>)}
            </ul>
          </div>
          <Drawer title={ROWS[1]!.tool} onClose={() => {}} onPrev={() => {}}>
            <dl class="facts"><div><dt>{t("Calls")}</dt><dd>9</dd></div><div><dt>{t("Status")}</dt><dd>{ROWS[1]!.state}</dd></div></dl>
          </Drawer>
        </div>
      </Part>
      <Part title={t("Data")} wide>
        <Readable value={ROWS} />
        <Json value={{ ok: true, data: { count: 3 } }} />
      </Part>
      <Part title={t("Charts")} wide>
        <div class="gallery-charts">
          <Chart title={t("Call latency")} data={LATENCY} show={duration} empty="" />
          <Chart title={t("Calls")} data={CALLS} show={String} empty="" />
          <Chart title={t("Tokens")} data={{ times: [], series: [] }} show={String} empty={t("No tokens were counted in this period.")} />
          <div class="gallery-sparks">{(["accent", "second", "good", "warn", "bad"] as const).map((kind, at) => <Sparkline key={kind} kind={kind} values={WAVE.slice(at * 4, at * 4 + 16)} />)}</div>
        </div>
      </Part>
      <Part title={t("Form of a tool")}><SchemaForm label={t("Arguments")} schema={SCHEMA} value={value} onChange={write} /></Part>
      <Part title={t("Text")}><Markdown text={GUIDE} /></Part>
      <Part title={t("Icons")} wide><ul class="gallery-icons">{ICONS.map((name) => <li key={name}><Icon name={name} /><code>{name}</code></li>)}</ul></Part>
    </div>
  );
}

function Part({ title, wide, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
  return <Card title={title} class={wide ? "gallery-wide" : ""}>{children}</Card>;
}
