/** What the pages of administration share: the list with its search and its drawer, and small forms. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { at, go, type PageId, route } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Drawer } from "../../ui/drawer";
import { Button, CopyButton, Field } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";
import { fullTime } from "../../ui/time";
import { useTyped } from "../../ui/typed";
import { chosenOrganisation, kept, type Link, managesOrganisations, type Organisation } from "./api";
import "../../ui/rows.css";
import "./access.css";

interface Item { id: string; title: string }

/** A list of things that have an address each; the chosen one stands beside it. */
export function Listed<T extends Item>({ page, items, label, actions, row, children }: {
  page: PageId; items: readonly T[]; label: string; actions?: ComponentChildren;
  row: (item: T) => ComponentChildren; children: (item: T) => ComponentChildren;
}) {
  const asked = route.value.query.get("q") ?? "";
  const query = () => kept({ q: route.value.query.get("q") ?? "" });
  const [typed, type] = useTyped(asked, (q) => go(at(page, route.value.rest, kept({ q })), true));
  const like = typed.trim().toLowerCase();
  const shown = like ? items.filter((item) => `${item.id} ${item.title}`.toLowerCase().includes(like)) : items;
  const here = route.value.rest[0];
  const chosen = items.find((item) => item.id === here);
  const place = shown.findIndex((item) => item.id === here);
  const open = (id: string) => go(at(page, [id], query()), true);
  return (
    <div class="with-drawer">
      <section class="stack" aria-label={label}>
        <div class="row access-bar">
          <input type="search" class="access-search" aria-label={t("Filter {list}", { list: label })} placeholder={t("Filter")} value={typed} onInput={(event) => type(event.currentTarget.value)} />
          <OrganisationPick page={page} />
          <span class="spring" />
          {actions}
        </div>
        {shown.length ? (
          <ul class="rows">
            {shown.map((item) => (
              <li key={item.id}><a class="rows-item" href={at(page, [item.id], query())} aria-current={item.id === here ? "true" : undefined}>{row(item)}</a></li>
            ))}
          </ul>
        ) : <p class="hint" role="status">{like ? t("Nothing matches.") : t("There are none yet.")}</p>}
      </section>
      {here !== undefined ? (
        <Drawer title={chosen?.title ?? here} onClose={() => go(at(page, [], query()))}
          onPrev={place > 0 ? () => open(shown[place - 1]!.id) : null} onNext={place >= 0 && shown[place + 1] ? () => open(shown[place + 1]!.id) : null}>
          {chosen ? <div class="stack" key={chosen.id}>{children(chosen)}</div> : <p class="hint">{t("There is nothing of that name here.")}</p>}
        </Drawer>
      ) : null}
    </div>
  );
}

/** For who manages the whole server: which organisation is looked at. */
export function OrganisationPick({ page }: { page: PageId }) {
  if (!managesOrganisations() || page === "organisations") return null;
  return <Pick page={page} />;
}

function Pick({ page }: { page: PageId }) {
  const found = useLoad((signal) => get<{ organisations: Organisation[] }>("/api/organisations", { signal }), []);
  const all = found.data?.organisations ?? [];
  if (all.length < 2) return null;
  return (
    <select class="access-organisation" aria-label={t("Organisation")} value={chosenOrganisation() ?? ""}
      onChange={(event) => go(at(page, [], event.currentTarget.value ? { organisation: event.currentTarget.value } : {}))}>
      {all.map(({ id, name }) => <option key={id} value={id}>{nameOf({ id, name })}</option>)}
    </select>
  );
}

export const nameOf = ({ id, name }: Pick<Organisation, "id" | "name">): string => name || (id === "" ? t("First organisation") : id);

/** A secret that is shown once. */
export function Once({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <div class="secret">
          <input {...field} class="access-secret" type="text" readonly value={value} onFocus={(event) => event.currentTarget.select()} />
          <CopyButton text={value} />
        </div>
      )}
    </Field>
  );
}

export function LinkOnce({ link }: { link: Link }) {
  return (
    <Once label={t("Link for {user}", { user: link.user })} value={link.url}
      hint={t("Send it over a channel that you trust. It is good once, until {time}, and cannot be shown again.", { time: fullTime(link.expires_at) })} />
  );
}

/** What a form says of itself as a whole, and its buttons. */
export function FormEnd({ wrong, busy, saved, label, disabled, children }: {
  wrong: string | undefined; busy: boolean;
  /** It was saved, and is as it was saved. */
  saved?: boolean; label: string; disabled?: boolean; children?: ComponentChildren;
}) {
  return (
    <>
      {wrong ? <p class="wrong" role="alert">{wrong}</p> : null}
      <div class="row"><Button kind="primary" type="submit" busy={busy} disabled={disabled}>{label}</Button>{children}<span class="hint" role="status">{saved ? t("Saved.") : ""}</span></div>
    </>
  );
}

/** Something is removed after one question. */
export function Removal({ label, title, what, remove, onDone }: { label: string; title: string; what: string; remove: () => Promise<unknown>; onDone: () => void }) {
  const [asking, ask] = useState(false);
  const { busy, wrong, submit } = useSubmit([]);
  const go = async () => {
    if (await submit(remove)) onDone();
  };
  return (
    <section class="access-part" aria-label={t("Remove")}>
      <div class="row"><Button kind="danger" icon="trash" onClick={() => ask(true)}>{label}</Button></div>
      {asking ? (
        <Dialog title={title} onClose={() => ask(false)}>
          <p>{what}</p>
          {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
          <div class="row"><Button kind="danger" busy={busy} onClick={() => void go()}>{t("Remove for good")}</Button><Button onClick={() => ask(false)}>{t("Cancel")}</Button></div>
        </Dialog>
      ) : null}
    </section>
  );
}

/** A list of short texts, typed with commas or on lines of their own. */
export const listOf = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
