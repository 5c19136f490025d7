/** Organisations of one server: each has users, knowledge and usage of its own. */
import { useState } from "preact/hooks";

import { del, get, patch, post } from "../api/http";
import { useLoad } from "../api/load";
import { plural, t } from "../i18n";
import { at, go } from "../router";
import { Dialog } from "../ui/dialog";
import { Button, Field, Shown } from "../ui/kit";
import { useSubmit } from "../ui/submit";
import { fullTime } from "../ui/time";
import type { Organisation } from "./access/api";
import { FormEnd, Listed, nameOf, Removal } from "./access/frame";

/** In addresses: the first one has an empty id. */
const FIRST = "-";

export default function Organisations() {
  const loaded = useLoad((signal) => get<{ organisations: Organisation[] }>("/api/organisations", { signal }), []);
  const [making, make] = useState(false);
  return (
    <Shown of={loaded}>
      {({ organisations }) => (
        <>
          <Listed page="organisations" label={t("Organisations")} items={organisations.map((each) => ({ ...each, key: each.id, id: each.id || FIRST, title: nameOf(each) }))}
            actions={<Button kind="primary" icon="plus" onClick={() => make(true)}>{t("New organisation")}</Button>}
            row={(each) => (
              <>
                <span class="rows-title">{each.title}</span>
                {each.key ? <span class="rows-wide muted">{each.key}</span> : null}
                <span class="muted">{plural(each.users, "{count} user", "{count} users")}</span>
              </>
            )}>
            {(each) => <One organisation={{ ...each, id: each.key }} onDone={loaded.reload} />}
          </Listed>
          {making ? <New onClose={() => make(false)} onDone={(id) => { make(false); loaded.reload(); go(at("organisations", [id])); }} /> : null}
        </>
      )}
    </Shown>
  );
}

function New({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }) {
  const [values, set] = useState({ id: "", name: "" });
  const { busy, wrong, submit, form } = useSubmit(["id", "name"]);
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => onDone((await post<Organisation>("/api/organisations", values)).id));
  };
  return (
    <Dialog title={t("New organisation")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        <Field label={t("Name")} error={wrong["name"]}>
          {(field) => <input {...field} type="text" required value={values.name} onInput={(event) => set({ ...values, name: event.currentTarget.value })} />}
        </Field>
        <Field label={t("ID")} error={wrong["id"]} hint={t("Small letters, digits and hyphens. It cannot be changed later.")}>
          {(field) => <input {...field} type="text" required autocapitalize="none" spellcheck={false} value={values.id} onInput={(event) => set({ ...values, id: event.currentTarget.value })} />}
        </Field>
        <FormEnd wrong={wrong[""]} busy={busy} label={t("Create")}><Button onClick={onClose}>{t("Cancel")}</Button></FormEnd>
      </form>
    </Dialog>
  );
}

function One({ organisation, onDone }: { organisation: Organisation; onDone: () => void }) {
  const [name, type] = useState(organisation.name);
  const { busy, done, wrong, submit, form } = useSubmit(["name"]);
  const path = `/api/organisations/${encodeURIComponent(organisation.id)}`;
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      await patch(path, { name });
      onDone();
    });
  };
  return (
    <>
      <dl class="facts">
        <div><dt>{t("Users")}</dt><dd><a href={at("users", [], { organisation: organisation.id })}>{plural(organisation.users, "{count} user", "{count} users")}</a></dd></div>
        {organisation.created_at ? <div><dt>{t("Created")}</dt><dd>{fullTime(organisation.created_at)}</dd></div> : null}
      </dl>
      {organisation.id ? (
        <>
          <form class="stack" ref={form} onSubmit={send} autocomplete="off">
            <Field label={t("Name")} error={wrong["name"]}>
              {(field) => <input {...field} type="text" required value={name} onInput={(event) => type(event.currentTarget.value)} />}
            </Field>
            <FormEnd wrong={wrong[""]} busy={busy} saved={done && name === organisation.name} label={t("Save")} disabled={name === organisation.name} />
          </form>
          <Removal label={t("Remove the organisation…")} title={t("Remove {name}?", { name: nameOf(organisation) })} what={t("Only an organisation without users can be removed. Its id can then be given again only if nothing of it is left.")}
            remove={() => del(path)} onDone={() => { go(at("organisations")); onDone(); }} />
        </>
      ) : <p class="hint">{t("The server began with this one. It also manages what concerns the whole server, and stays as it is.")}</p>}
    </>
  );
}
