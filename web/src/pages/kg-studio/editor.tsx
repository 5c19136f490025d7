/** A record is written. What does not fit is said at its field, before and after it is sent. */
import { useRef, useState } from "preact/hooks";

import { ApiError } from "../../api/http";
import { t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Button, Field, Problem } from "../../ui/kit";
import { type KnowledgeRecord, writeRecord } from "./api";
import { idOf } from "./databases";

interface Draft {
  id: string;
  type: string;
  title: string;
  text: string;
  tags: string;
  url: string;
  source_type: string;
  last_updated: string;
  metadata: string;
}
type Wrong = Partial<Record<keyof Draft, string>>;

const NEW: Draft = { id: "", type: "", title: "", text: "", tags: "", url: "", source_type: "console", last_updated: "", metadata: "{}" };

function drafted(record: KnowledgeRecord): Draft {
  return { ...record, tags: record.tags.join(", "), last_updated: "", metadata: JSON.stringify(record.metadata, null, 2) };
}

/** The record that a draft stands for, or what is wrong with it. */
export function readDraft(draft: Draft, now = new Date()): { record: KnowledgeRecord } | { wrong: Wrong } {
  const wrong: Wrong = {};
  const line = (name: "id" | "type") => {
    if (!draft[name].trim()) wrong[name] = t("This field is required.");
    else if (/[\p{Cc}\u2028\u2029]/u.test(draft[name])) wrong[name] = t("Enter a single line.");
  };
  line("id");
  line("type");
  if (draft.id.length > 200) wrong.id = t("At most 200 characters.");
  if (draft.last_updated && Number.isNaN(Date.parse(draft.last_updated))) wrong.last_updated = t("Enter a date such as 2026-03-01 or a time such as 2026-03-01T09:30:00Z.");
  let metadata: unknown = {};
  try {
    metadata = JSON.parse(draft.metadata.trim() || "{}");
    if (metadata === null || typeof metadata !== "object" || Array.isArray(metadata)) wrong.metadata = t("Enter a JSON object, such as {\"status\": \"active\"}.");
  } catch (error) {
    wrong.metadata = t("This is not valid JSON: {message}", { message: (error as Error).message });
  }
  if (Object.keys(wrong).length) return { wrong };
  const tags = [...new Set(draft.tags.split(",").map((tag) => tag.trim()).filter(Boolean))];
  const last_updated = draft.last_updated.trim() || `${now.toISOString().slice(0, 19)}Z`;
  const trimmed = { id: draft.id.trim(), type: draft.type.trim(), title: draft.title.trim(), url: draft.url.trim(), source_type: draft.source_type.trim() };
  return { record: { ...trimmed, text: draft.text, tags, last_updated, metadata: metadata as Record<string, unknown> } };
}

/** Words of the server that are about one field. */
function fieldsOf(error: unknown): Wrong {
  if (error instanceof ApiError && error.status === 412) {
    return { id: "There is a record with this id. Open it to change it, or choose another." };
  }
  const body = error instanceof ApiError ? (error.body as { errors?: { name?: string; message?: string }[] } | null) : null;
  const found: Wrong = {};
  for (const { name = "", message = "" } of body?.errors ?? []) {
    const field = name.split(".")[0] as keyof Draft;
    if (field in NEW) found[field] = message;
  }
  return found;
}

export function Editor({ database, record, onDone, onCancel }: {
  database: string; record: KnowledgeRecord | null; onDone: (id: string) => void; onCancel: () => void;
}) {
  const [draft, set] = useState<Draft>(record ? drafted(record) : NEW);
  const [wrong, blame] = useState<Wrong>({});
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const ownId = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const write = (name: keyof Draft) => (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    const next = { ...draft, [name]: event.currentTarget.value };
    if (name === "id") ownId.current = true;
    else if (!record && !ownId.current) next.id = suggested(next);
    set(next);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const read = readDraft(draft);
    fail(null);
    if ("wrong" in read) return show(read.wrong);
    blame({});
    work(true);
    try {
      await writeRecord(database, read.record, record === null);
      toast(t("{title} saved.", { title: read.record.title || read.record.id }), { kind: "good" });
      onDone(read.record.id);
    } catch (error) {
      const about = fieldsOf(error);
      if (Object.keys(about).length) show(about);
      else fail(error);
    }
    work(false);
  };
  const show = (found: Wrong) => {
    blame(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };
  return (
    <form class="stack" ref={form} onSubmit={submit} noValidate aria-label={record ? t("Edit {title}", { title: record.title || record.id }) : t("New record")}
      onKeyDown={(event) => { if ((event.ctrlKey || event.metaKey) && event.key === "Enter") void submit(event); }}>
      <h2>{record ? t("Edit {title}", { title: record.title || record.id }) : t("New record")}</h2>
      {problem ? <Problem error={problem} /> : null}
      <div class="kg-two">
        <Field label={t("Type")} error={wrong.type} hint={t("What it is: person, project, document…")}>
          {(field) => <input {...field} value={draft.type} maxLength={100} onInput={write("type")} autofocus={!record} />}
        </Field>
        <Field label={t("Title")} error={wrong.title}>
          {(field) => <input {...field} value={draft.title} maxLength={1000} onInput={write("title")} autofocus={!!record} />}
        </Field>
      </div>
      <Field label={t("ID")} error={wrong.id} hint={record ? t("It cannot be changed: edges and links use it.") : t("Unique in this database.")}>
        {(field) => <input {...field} value={draft.id} readOnly={!!record} maxLength={200} onInput={write("id")} />}
      </Field>
      <Field label={t("Text")} error={wrong.text}>
        {(field) => <textarea {...field} rows={8} value={draft.text} onInput={write("text")} />}
      </Field>
      <div class="kg-two">
        <Field label={t("Tags")} error={wrong.tags} hint={t("Separated by commas.")}>
          {(field) => <input {...field} value={draft.tags} onInput={write("tags")} />}
        </Field>
        <Field label={t("Address")} error={wrong.url}>
          {(field) => <input {...field} type="url" value={draft.url} placeholder="https://" onInput={write("url")} />}
        </Field>
        <Field label={t("Source")} error={wrong.source_type} hint={t("Kind of source: wiki, web, mail…")}>
          {(field) => <input {...field} value={draft.source_type} maxLength={100} onInput={write("source_type")} />}
        </Field>
        <Field label={t("Updated")} error={wrong.last_updated} hint={record?.last_updated ? t("Leave empty for now. It was {last_updated}.", { last_updated: record.last_updated }) : t("Leave empty for the current time.")}>
          {(field) => <input {...field} value={draft.last_updated} placeholder="2026-03-01" onInput={write("last_updated")} />}
        </Field>
      </div>
      <Field label={t("Metadata")} error={wrong.metadata} hint={t("Any JSON object.")}>
        {(field) => <textarea {...field} class="kg-code" rows={4} spellcheck={false} value={draft.metadata} onInput={write("metadata")} />}
      </Field>
      <div class="row"><Button kind="primary" type="submit" icon="check" busy={busy}>{t("Save")}</Button><Button onClick={onCancel}>{t("Cancel")}</Button></div>
    </form>
  );
}

const suggested = ({ type, title }: Draft): string =>
  type.trim() && title.trim() ? `${idOf(type)}:${idOf(title).replaceAll("-", "_")}` : "";
