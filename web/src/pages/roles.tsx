/** Roles: what they permit, which tools they open, what they include, and whose calls they approve. */
import { useState } from "preact/hooks";

import { del, put } from "../api/http";
import { plural, t } from "../i18n";
import { at, go } from "../router";
import { may } from "../stores/account";
import { Checklist } from "../ui/checklist";
import { Dialog } from "../ui/dialog";
import { Badge, Button, Field, Shown } from "../ui/kit";
import { useSubmit } from "../ui/submit";
import { inOrganisation, kept, type Role, type Rule, useList } from "./access/api";
import { FormEnd, Listed, listOf, Removal } from "./access/frame";
import { RuleEditor } from "./access/rule";
import { PERMISSIONS, permissionWords, roleWords } from "./access/words";

interface Roles {
  roles: Role[];
  permissions: { name: string; description: string }[];
}

export default function RolesPage() {
  const loaded = useList<Roles>("/api/roles");
  // The roles that the new one includes at first; null: none is being made.
  const [making, make] = useState<string[] | null>(null);
  return (
    <Shown of={loaded}>
      {(all) => (
        <>
          <Listed page="roles" label={t("Roles")} items={all.roles.map((role) => ({ ...role, id: role.name, title: role.name }))}
            actions={may("roles.manage") ? <Button kind="primary" icon="plus" onClick={() => make([])}>{t("New role")}</Button> : null}
            row={(role) => (
              <>
                <span class="rows-title">{role.name}</span>
                {role.built_in ? <Badge>{t("built in")}</Badge> : null}
                <span class="muted">{plural(role.used_by, "{count} use", "{count} uses")}</span>
              </>
            )}>
            {(role) => (
              <>
                <RoleForm role={role} all={all} onDone={loaded.reload} />
                {may("roles.manage") ? <div class="row"><Button icon="plus" onClick={() => make([role.name])}>{t("New role that includes this one")}</Button></div> : null}
              </>
            )}
          </Listed>
          {making ? (
            <Dialog title={t("New role")} onClose={() => make(null)}>
              <RoleForm role={null} includes={making} all={all} onDone={(name) => { make(null); loaded.reload(); go(at("roles", [name], kept())); }} />
            </Dialog>
          ) : null}
        </>
      )}
    </Shown>
  );
}

const EMPTY: Pick<Role, "permissions" | "rules" | "includes" | "approves"> = { permissions: [], rules: [], includes: [], approves: [] };

function RoleForm({ role, includes = [], all, onDone }: { role: Role | null; includes?: string[]; all: Roles; onDone: (name: string) => void }) {
  const [name, setName] = useState(role?.name ?? "");
  const [values, set] = useState(role ?? { ...EMPTY, includes });
  const [approves, setApproves] = useState((role?.approves ?? []).filter((each) => each !== "*").join("\n"));
  const { busy, done, wrong, submit, form } = useSubmit(["name", "permissions", "includes", "approves", ...values.rules.map((_, at) => `rules.${at}`)]);
  const fixed = !may("roles.manage") || (role !== null && (role.built_in || !role.grantable));
  const everybody = values.approves.includes("*");
  const through = (role?.all_permissions ?? []).filter((each) => !role!.permissions.includes(each));
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      const { permissions, rules, includes } = values;
      const body = { permissions, rules, includes, approves: everybody ? ["*"] : listOf(approves) };
      await put(`/api/roles/${encodeURIComponent(name.trim())}`, body, inOrganisation());
      onDone(name.trim());
    });
  };
  const rule = (at: number, next: Rule | null) => set({ ...values, rules: next ? values.rules.with(at, next) : values.rules.toSpliced(at, 1) });
  return (
    <>
      {role?.built_in ? <p class="hint">{roleWords(role)} {t("Built-in roles cannot be changed. Make one that includes it.")}</p>
        : fixed ? <p class="hint">{t("This role has rights that you do not have, so you cannot change it.")}</p> : null}
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        {role ? null : (
          <Field label={t("Name")} error={wrong["name"]} hint={t("Small letters, digits, hyphens and underscores.")}>
            {(field) => <input {...field} type="text" autocapitalize="none" spellcheck={false} required maxLength={300} value={name} onInput={(event) => setName(event.currentTarget.value)} />}
          </Field>
        )}
        <Checklist label={t("Permissions")} error={wrong["permissions"]} disabled={fixed}
          hint={through.length ? t("Through included roles also: {permissions}.", { permissions: through.join(", ") }) : undefined}
          choices={all.permissions.map(({ name: id, description }) => ({ id, label: (id in PERMISSIONS ? permissionWords(id) : description) || id, hint: id }))}
          chosen={values.permissions} onChange={(permissions) => set({ ...values, permissions })} />
        <Checklist label={t("Includes these roles")} error={wrong["includes"]} disabled={fixed} chosen={values.includes} onChange={(includes) => set({ ...values, includes })}
          choices={all.roles.filter((each) => each.name !== role?.name).map((each) => ({ id: each.name, label: each.name, hint: roleWords(each) || undefined }))} />
        <section class="access-part" aria-label={t("Rules about tools")}>
          <h3>{t("Rules about tools")}</h3>
          <p class="hint">{t("A call needs a rule that allows it. Any rule that refuses wins; one that asks lets the call through after a person approves.")}</p>
          {values.rules.map((each, at) => (
            <RuleEditor key={at} rule={each} number={at + 1} fixed={fixed} wrong={wrong[`rules.${at}`]} onChange={(next) => rule(at, next)} />
          ))}
          {values.rules.length ? null : <p class="hint">{t("No rules of its own.")}</p>}
          {fixed ? null : (
            <div class="row"><Button icon="plus" onClick={() => set({ ...values, rules: [...values.rules, { tools: [], effect: "allow", modes: [], writes: null, when: "" }] })}>{t("Add a rule")}</Button></div>
          )}
        </section>
        {fixed && !values.approves.length ? null : <section class="access-part" aria-label={t("Approvals")}>
          <h3>{t("Approves the calls of")}</h3>
          <Checklist label={t("Whose calls")} disabled={fixed && everybody} chosen={everybody ? ["*"] : []} choices={[{ id: "*", label: t("Everybody in the organisation") }]}
            hint={t("Takes effect together with the permission to approve calls.")} error={everybody ? wrong["approves"] : undefined}
            onChange={(chosen) => set({ ...values, approves: chosen })} />
          {everybody ? null : (
            <Field label={t("Users and groups")} error={wrong["approves"]} hint={t("One on each line: a user name, or group: and the name of a group.")}>
              {(field) => <textarea {...field} rows={2} readonly={fixed} spellcheck={false} value={approves} onInput={(event) => setApproves(event.currentTarget.value)} />}
            </Field>
          )}
        </section>}
        {fixed ? null : <FormEnd wrong={wrong[""]} busy={busy} saved={done} label={role ? t("Save") : t("Create")} />}
      </form>
      {role && !fixed ? (
        <Removal label={t("Remove the role…")} title={t("Remove {name}?", { name: role.name })} what={t("A role that somebody has cannot be removed. Take it from them first.")}
          remove={() => del(`/api/roles/${encodeURIComponent(role.name)}`, inOrganisation())} onDone={() => { go(at("roles", [], kept())); onDone(role.name); }} />
      ) : null}
    </>
  );
}
