/** The conversations: found, named, put into folders, shared, taken along, deleted. */
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { address } from "../../api/address";
import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { at } from "../../router";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Flyout } from "../../ui/flyout";
import { Icon } from "../../ui/icons";
import { Button, Field, Problem } from "../../ui/kit";
import { ago } from "../../ui/time";
import { conversationId, live } from "../../voice/conversation";
import { renew } from "../../voice/thread";
import { answering } from "../../voice/written";
import { change, exported, listed, remove, share, type Summary, unshare } from "./api";
import { changes } from "./deeds";

const STEP = 40;
const TYPES_MS = 200;

type Asked = { what: "rename" | "move" | "delete" | "share"; of: Summary } | null;

export function Past({ onChosen }: { onChosen?: () => void }) {
  const [query, type] = useState("");
  const [sought, seek] = useState("");
  const [folder, enter] = useState<string | null>(null);
  const [limit, more] = useState(STEP);
  const [asked, ask] = useState<Asked>(null);
  useEffect(() => {
    const timer = setTimeout(() => seek(query.trim()), query ? TYPES_MS : 0);
    return () => clearTimeout(timer);
  }, [query]);
  // Asked again when a conversation gets its name, and when an answer is over.
  const found = useLoad(
    (signal) => listed({ query: sought, folder: folder ?? undefined, limit }, signal),
    [sought, folder, limit, conversationId.value, answering.value, live.value, changes.value],
  );
  const id = useId();
  const those = found.data?.conversations ?? [];
  const folders = found.data?.folders ?? [];
  return (
    <nav class="past" aria-label={t("Conversations")} data-tour="chat-past">
      <div class="past-head">
        <Button icon="plus" onClick={() => { renew(); onChosen?.(); }}>{t("New conversation")}</Button>
        <label class="hidden-visually" for={id}>{t("Search conversations")}</label>
        <input id={id} type="search" placeholder={t("Search")} value={query} maxLength={200} onInput={(event) => type(event.currentTarget.value)} />
        {folders.length ? (
          <select aria-label={t("Folder")} value={folder ?? ""} onChange={(event) => enter(event.currentTarget.value || null)}>
            <option value="">{t("All folders")}</option>
            {folders.map(({ name, count }) => <option key={name} value={name}>{name} ({count})</option>)}
          </select>
        ) : null}
      </div>
      {found.error && !found.data ? <Problem error={found.error} retry={found.reload} /> : null}
      {found.data && !those.length ? <p class="hint past-none">{sought ? t("No matching conversations.") : t("Your conversations will be listed here.")}</p> : null}
      <ul class="past-list">
        {those.map((one) => (
          <li key={one.id} class={one.id === conversationId.value ? "here" : ""}>
            <a href={at("chat", [one.id])} aria-current={one.id === conversationId.value ? "page" : undefined} title={one.title} onClick={onChosen}>
              <span class="past-title">{one.title}</span>
              <small>{one.spoken ? <Icon name="mic" size={11} /> : null}{sought && one.preview ? one.preview : [ago(one.updated_at), one.folder, one.shared ? t("shared") : ""].filter(Boolean).join(" · ")}</small>
            </a>
            <Flyout label={t("Actions for “{title}”", { title: one.title })} class="menu down" side="end" button="⋯">
              {(close) => <Menu one={one} onAsk={(what) => { close(); ask({ what, of: one }); }} />}
            </Flyout>
          </li>
        ))}
      </ul>
      {found.data?.next ? <Button kind="quiet" onClick={() => more(limit + STEP)}>{t("Show more")}</Button> : null}
      {asked ? <Question asked={asked} folders={folders.map(({ name }) => name)} onClose={() => ask(null)} onDone={() => { ask(null); changes.value++; }} /> : null}
    </nav>
  );
}

function Menu({ one, onAsk }: { one: Summary; onAsk: (what: NonNullable<Asked>["what"]) => void }) {
  return (
    <>
      <Button needs="workspace.write" kind="quiet" icon="edit" onClick={() => onAsk("rename")}>{t("Rename")}</Button>
      <Button needs="workspace.write" kind="quiet" icon="folder" onClick={() => onAsk("move")}>{t("Move to folder")}</Button>
      <Button needs="workspace.write" kind="quiet" icon="share" onClick={() => onAsk("share")}>{t("Share")}</Button>
      <a class="button quiet" href={address(exported(one.id, "md"))} download><Icon name="download" size={16} />{t("Export as Markdown")}</a>
      <a class="button quiet" href={address(exported(one.id, "json"))} download><Icon name="download" size={16} />{t("Export as JSON")}</a>
      <Button needs="workspace.write" kind="quiet" icon="trash" onClick={() => onAsk("delete")}>{t("Delete")}</Button>
    </>
  );
}

function Question({ asked: { what, of }, folders, onClose, onDone }: {
  asked: NonNullable<Asked>; folders: string[]; onClose: () => void; onDone: () => void;
}) {
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const tried = async (deed: () => Promise<unknown>) => {
    work(true);
    fail(null);
    try {
      await deed();
      onDone();
    } catch (error) {
      fail(said(error));
      work(false);
    }
  };
  const props = { of, busy, problem, tried, onClose };
  if (what === "rename") return <Name {...props} title={t("Rename conversation")} label={t("Title")} value={of.title} onSave={(title) => change(of, { title })} />;
  if (what === "move") return <Name {...props} title={t("Move to a folder")} label={t("Folder")} value={of.folder} choices={folders} empty onSave={(folder) => change(of, { folder })} />;
  if (what === "share") return <Share {...props} />;
  return (
    <Dialog title={t("Delete “{title}”?", { title: of.title })} onClose={onClose}>
      {problem ? <Problem error={problem} /> : null}
      <p>{plural(of.turns, "What was said is deleted: {count} message. The audit of its calls stays. This cannot be undone.", "What was said is deleted: {count} messages. The audit of its calls stays. This cannot be undone.")}</p>
      <div class="row"><span class="spring" /><Button autofocus onClick={onClose}>{t("Cancel")}</Button>
        <Button kind="danger" icon="trash" busy={busy} onClick={() => void tried(async () => {
          await remove(of.id);
          if (of.id === conversationId.peek()) renew();
        })}>{t("Delete")}</Button></div>
    </Dialog>
  );
}

interface Asking {
  of: Summary;
  busy: boolean;
  problem: unknown;
  tried: (deed: () => Promise<unknown>) => Promise<void>;
  onClose: () => void;
}

function Name({ title, label, value, choices, empty = false, onSave, busy, problem, tried, onClose }: Asking & {
  title: string; label: string; value: string; choices?: string[]; empty?: boolean; onSave: (text: string) => Promise<unknown>;
}) {
  const [typed, type] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  useEffect(() => box.current!.select(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); void tried(() => onSave(typed.trim())); }}>
        {problem ? <Problem error={problem} /> : null}
        <Field label={label} hint={empty ? t("Enter a new name, or leave it empty for no folder.") : null}>
          {(attributes) => <input {...attributes} ref={box} autofocus value={typed} maxLength={200} list={choices?.length ? list : undefined} autocomplete="off" onInput={(event) => type(event.currentTarget.value)} />}
        </Field>
        {choices?.length ? <datalist id={list}>{choices.map((each) => <option key={each} value={each} />)}</datalist> : null}
        <div class="row"><span class="spring" /><Button onClick={onClose}>{t("Cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!empty && !typed.trim()}>{t("Save")}</Button></div>
      </form>
    </Dialog>
  );
}

function Share({ of, busy, problem, tried, onClose }: Asking) {
  const [link, set] = useState("");
  const copy = async () => {
    const { token } = await share(of.id);
    const made = `${location.origin}${location.pathname}#/shared/${token}`;
    set(made);
    await navigator.clipboard.writeText(made).then(() => toast(t("Link copied."), { kind: "good" }), () => {});
  };
  return (
    <Dialog title={t("Share “{title}”", { title: of.title })} onClose={onClose}>
      {problem ? <Problem error={problem} /> : null}
      <p>{t("Anyone with the link can read the conversation as it continues. Arguments and results of tools are not shown.")}</p>
      {link ? <Field label={t("Link")}>{(attributes) => <input {...attributes} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />}</Field> : null}
      <div class="row">
        {of.shared || link ? <Button kind="danger" busy={busy} onClick={() => void tried(() => unshare(of.id))}>{t("Stop sharing")}</Button> : null}
        <span class="spring" />
        <Button onClick={onClose}>{t("Close")}</Button>
        <Button kind="primary" icon="copy" onClick={() => copy().then(() => { changes.value++; }, (error: unknown) => toast(said(error), { kind: "bad" }))}>{t("Copy link")}</Button>
      </div>
    </Dialog>
  );
}
