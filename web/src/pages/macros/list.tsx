/** The saved macros, and the way in and out for files. */
import { useRef, useState } from "preact/hooks";

import { post, said } from "../../api/http";
import { at, go } from "../../router";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Badge, Button, Card, Empty, save } from "../../ui/kit";
import { bodyOf, draftOf, drafts, exported, imported, keep, NEW, type Macro } from "./draft";

const POLICIES = { abort: "stops on failure", skip: "skips failures", retry: "tries again" };

export function MacroList({ macros, chosen, onSaved }: { macros: Macro[]; chosen: string; onSaved: () => void }) {
  const [importing, ask] = useState(false);
  return (
    <Card title="Macros" tour="macros-list" class="macros-list" actions={<a class="button plain" href={at("macros", [NEW])}>New</a>}>
      {macros.length ? (
        <ul class="list">
          {macros.map((macro) => (
            <li key={macro.id}>
              <a class="list-item" href={at("macros", [macro.id])} aria-current={macro.id === chosen ? "true" : undefined}>
                <span class="row"><strong>{macro.name}</strong>{drafts.value[macro.id] ? <Badge kind="warn">unsaved</Badge> : null}</span>
                <small>“{macro.trigger_phrase}”</small>
                <small>{macro.step_count === 1 ? "1 step" : `${macro.step_count} steps`} · {POLICIES[macro.error_policy]}</small>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon="macro" title="No macros yet">Build one here, or ask in a conversation: “Make a macro called good morning …”.</Empty>
      )}
      <div class="row">
        <Button kind="quiet" icon="upload" onClick={() => ask(true)}>Import</Button>
        <Button kind="quiet" icon="download" disabled={!macros.length}
          onClick={() => save("macros.json", JSON.stringify({ macros: macros.map(exported) }, null, 2), "application/json")}>Export all</Button>
      </div>
      {importing ? <ImportDialog onClose={() => ask(false)} onSaved={onSaved} /> : null}
    </Card>
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
        wrong.push(`${macro.name ?? "A macro without a name"}: ${said(error)}`);
      }
    }
    work(false);
    onSaved();
    const count = found.length - wrong.length;
    if (count) toast(count === 1 ? "1 macro was saved." : `${count} macros were saved.`, { kind: "good" });
    if (wrong.length) fail(wrong);
    else onClose();
  };
  return (
    <Dialog title="Import macros" onClose={onClose}>
      <p class="hint">One macro is opened as a draft so that you can look at it first. Several are saved at once.</p>
      <label class="stack">Choose a file
        <input ref={file} type="file" accept="application/json,.json" onChange={async () => write((await file.current?.files?.[0]?.text()) ?? "")} />
      </label>
      <label class="stack">or paste JSON
        <textarea rows={8} class="sf-json" spellcheck={false} value={text} onInput={(event) => write(event.currentTarget.value)} />
      </label>
      {problem.length ? <ul class="wrong" role="alert">{problem.map((each) => <li key={each}>{each}</li>)}</ul> : null}
      <div class="row"><span class="spring" /><Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={busy} disabled={!text.trim()} onClick={() => void take()}>Import</Button></div>
    </Dialog>
  );
}
