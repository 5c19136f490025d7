/** The saved macros, and the way in and out for files. */
import { useRef, useState } from "preact/hooks";

import { post, said } from "../../api/http";
import { plural, t } from "../../i18n";
import { at, go } from "../../router";
import { may } from "../../stores/account";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Badge, Button, Empty, IconButton, save } from "../../ui/kit";
import type { Standing } from "../automations/api";
import { Item } from "../automations/item";
import { bodyOf, draftOf, drafts, exported, imported, keep, NEW, type Macro } from "./draft";

export function MacroList({ macros, chosen, last, onSaved }: {
  macros: Macro[]; chosen: string; last: Map<string, Standing> | null; onSaved: () => void;
}) {
  const [importing, ask] = useState(false);
  return (
    <section class="stack flow-side" aria-label={t("Macros")} data-tour="macros-list">
      <div class="row">
        {may("workspace.write") ? <a class="button primary" href={at("macros", [NEW])}>{t("New macro")}</a> : null}
        <span class="spring" />
        <IconButton needs="workspace.write" label={t("Import")} icon="upload" onClick={() => ask(true)} />
        <IconButton label={t("Export all")} icon="download" disabled={!macros.length}
          onClick={() => save("macros.json", JSON.stringify({ macros: macros.map(exported) }, null, 2), "application/json")} />
      </div>
      {macros.length ? (
        <ul class="list">
          {macros.map((macro) => (
            <li key={macro.id}>
              <Item href={at("macros", [macro.id])} title={macro.name} about={`“${macro.trigger_phrase}”`} chosen={macro.id === chosen} standing={last?.get(macro.id)}
                facts={plural(macro.step_count, "{count} step", "{count} steps")}>
                {drafts.value[macro.id] ? <Badge kind="warn">{t("Unsaved")}</Badge> : null}
              </Item>
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon="macro" title={t("No macros yet")}>{t("Build one here, or ask for one in a conversation: “Make a macro called good morning …”.")}</Empty>
      )}
      {importing ? <ImportDialog onClose={() => ask(false)} onSaved={onSaved} /> : null}
    </section>
  );
}

function ImportDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const [text, write] = useState("");
  const [problem, fail] = useState<string[]>([]);
  const [busy, work] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = async () => {
    fail([]);
    let found: Partial<Macro>[];
    try {
      found = imported(text);
    } catch (error) {
      return fail([said(error)]);
    }
    if (found.length === 1) {
      // One is looked at before it is saved.
      keep(NEW, { ...draftOf(found[0]!), id: null });
      onClose();
      return go(at("macros", [NEW]));
    }
    work(true);
    const wrong: string[] = [];
    for (const macro of found) {
      try {
        await post("/api/vox/macros", bodyOf({ ...draftOf(macro), id: null }));
      } catch (error) {
        wrong.push(`${macro.name ?? t("Unnamed macro")}: ${said(error)}`);
      }
    }
    work(false);
    onSaved();
    const count = found.length - wrong.length;
    if (count) toast(plural(count, "{count} macro saved.", "{count} macros saved."), { kind: "good" });
    if (wrong.length) fail(wrong);
    else onClose();
  };
  return (
    <Dialog title={t("Import macros")} onClose={onClose}>
      <p class="hint">{t("One macro opens as a draft, so you can check it first. Several are saved at once.")}</p>
      <label class="stack">{t("Choose a file")}
        <input ref={file} type="file" accept="application/json,.json" onChange={async () => write((await file.current?.files?.[0]?.text()) ?? "")} />
      </label>
      <label class="stack">{t("or paste JSON")}
        <textarea rows={8} class="sf-json" spellcheck={false} value={text} onInput={(event) => write(event.currentTarget.value)} />
      </label>
      {problem.length ? <ul class="wrong" role="alert">{problem.map((each) => <li key={each}>{each}</li>)}</ul> : null}
      <div class="row"><span class="spring" /><Button onClick={onClose}>{t("Cancel")}</Button>
        <Button kind="primary" busy={busy} disabled={!text.trim()} onClick={() => void take()}>{t("Import")}</Button></div>
    </Dialog>
  );
}
