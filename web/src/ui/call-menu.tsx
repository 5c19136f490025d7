/** What can be done with a call: copy it for another program, run it again, keep it under a name. */
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { said } from "../api/http";
import { t } from "../i18n";
import { at, go } from "../router";
import { forgetRequest, savedRequests, saveRequest, type SavedRequest } from "../stores/saved-requests";
import { toast } from "../stores/toasts";
import { asAntiphon, asCurl, asHttpx, asMcp, withoutSecrets, type CallToCopy } from "./copy-call";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { Button, Empty, IconButton } from "./kit";
import { Popover, PopMenu } from "./popover";
import "./rows.css";

const FORMS: { id: string; title: string; of: (call: CallToCopy) => string }[] = [
  { id: "curl", title: "curl", of: asCurl },
  { id: "antiphon", title: t("Python (antiphon)"), of: asAntiphon },
  { id: "httpx", title: t("Python (httpx)"), of: asHttpx },
  { id: "mcp", title: t("MCP (JSON-RPC)"), of: asMcp },
];

/** `redact` are the pointers of the tool's contract; a value that is redacted already is left out as well. */
export function CallMenu({ call, redact = [], runs = true }: { call: CallToCopy; redact?: readonly string[]; runs?: boolean }) {
  const clean = { ...call, args: withoutSecrets(call.args, redact) };
  const left = JSON.stringify(clean.args) !== JSON.stringify(call.args);
  const copy = async (form: (typeof FORMS)[number]) => {
    try {
      await navigator.clipboard.writeText(form.of(clean));
      toast(left ? t("Copied without redacted values. Fill them in before you use it.") : t("Copied."), { kind: "good" });
    } catch {
      toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
    }
  };
  return (
    <div class="row call-menu">
      <Popover class="button quiet" face={<><Icon name="copy" size={16} />{t("Copy as")}</>}>
        {(close) => <PopMenu label={t("Copy as")} items={FORMS.map((form) => ({ value: form.id, label: form.title }))}
          onChoose={(id) => { close(); void copy(FORMS.find((form) => form.id === id)!); }} />}
      </Popover>
      <Save call={clean} />
      {runs ? <Button kind="quiet" icon="play" onClick={() => go(placeOf(clean))}>{t("Open in Tools")}</Button> : null}
    </div>
  );
}

/** Where the tool's form has these arguments. */
const placeOf = ({ tool, args }: CallToCopy): string => at("tools", [tool], { args: JSON.stringify(args) });

/** Calls it with a key of its own, through all gates; the tool's page shows what comes of it. */
async function runAgain(call: CallToCopy): Promise<void> {
  try {
    const { attempt, opening, tries } = await import("../pages/tools/tries");
    void attempt(call.tool, call.args, call.mode);
    opening.value = tries.value[0]!.id;
    go(placeOf(call));
  } catch (error) {
    toast(said(error), { kind: "bad" });
  }
}

function Save({ call }: { call: CallToCopy }) {
  const [open, show] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="plus" onClick={() => show(true)}>{t("Save request")}</Button>
      {open ? <SaveDialog call={call} onClose={() => show(false)} /> : null}
    </>
  );
}

function SaveDialog({ call, onClose }: { call: CallToCopy; onClose: () => void }) {
  const [name, type] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => field.current!.focus(), []);
  return (
    <Dialog title={t("Save request")} onClose={onClose}>
      <form class="stack" onSubmit={(event) => {
        event.preventDefault();
        try {
          saveRequest(name, call);
          toast(t("Request saved. Find it under Saved requests in Tools and Activity."), { kind: "good" });
          onClose();
        } catch (error) {
          toast(t("The browser could not save it: {reason}", { reason: said(error) }), { kind: "bad" });
        }
      }}>
        <div class="field">
          <label for={id}>{t("Name")}</label>
          <input ref={field} id={id} type="text" value={name} placeholder={call.tool} maxLength={100} autocomplete="off" onInput={(event) => type(event.currentTarget.value)} />
        </div>
        <p class="hint">{t("Kept in this browser. Redacted values are not saved.")}</p>
        <div class="row"><span class="spring" /><Button onClick={onClose}>{t("Cancel")}</Button><Button kind="primary" type="submit">{t("Save")}</Button></div>
      </form>
    </Dialog>
  );
}

/** A button with the saved requests behind it; those of one tool, or all. */
export function SavedRequests({ tool }: { tool?: string }) {
  const [open, show] = useState(false);
  const saved = savedRequests.value.filter((each) => !tool || each.tool === tool);
  if (tool && !saved.length) return null;
  return (
    <>
      <Button kind="quiet" icon="list" onClick={() => show(true)}>{t("Saved requests")}{saved.length ? ` (${saved.length})` : ""}</Button>
      {open ? (
        <Dialog title={t("Saved requests")} onClose={() => show(false)} class="saved-requests">
          {saved.length ? (
            <ul class="rows">{saved.map((each) => <li key={each.id}><Saved saved={each} onRun={() => show(false)} /></li>)}</ul>
          ) : (
            <Empty icon="list" title={t("No saved requests")}><p>{t("Open a call in Tools, Sessions, Audit or Traces and choose Save request.")}</p></Empty>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function Saved({ saved, onRun }: { saved: SavedRequest; onRun: () => void }) {
  return (
    <div class="rows-item saved-request">
      <span class="rows-title" title={JSON.stringify(saved.args)}>{saved.name}</span>
      <code class="muted">{saved.tool}</code>
      <Button kind="quiet" icon="play" onClick={() => { onRun(); void runAgain(saved); }}>{t("Run again")}</Button>
      <IconButton label={t("Edit {name}", { name: saved.name })} icon="edit" onClick={() => { onRun(); go(placeOf(saved)); }} />
      <IconButton label={t("Delete {name}", { name: saved.name })} icon="trash" onClick={() => forgetRequest(saved.id)} />
    </div>
  );
}
