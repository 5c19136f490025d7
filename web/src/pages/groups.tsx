/** Groups of users: their members have their roles. */
import { useState } from "preact/hooks";

import { del, put } from "../api/http";
import { plural, t } from "../i18n";
import { at, go } from "../router";
import { Checklist } from "../ui/checklist";
import { Dialog } from "../ui/dialog";
import { Button, Field, Shown } from "../ui/kit";
import { useSubmit } from "../ui/submit";
import { type Directory, type Group, inOrganisation, kept, useDirectory } from "./access/api";
import { FormEnd, Listed, Removal } from "./access/frame";
import { roleChoices } from "./access/words";

export default function Groups() {
  const loaded = useDirectory();
  const [making, make] = useState(false);
  return (
    <Shown of={loaded}>
      {(directory) => (
        <>
          <Listed page="groups" label={t("Groups")} items={directory.groups.map((group) => ({ ...group, id: group.name, title: group.name }))}
            actions={<Button kind="primary" icon="plus" onClick={() => make(true)}>{t("New group")}</Button>}
            row={(group) => (
              <>
                <span class="rows-title">{group.name}</span>
                <span class="rows-wide muted">{group.roles.join(", ")}</span>
                <span class="muted">{plural(group.members.length, "{count} member", "{count} members")}</span>
              </>
            )}>
            {(group) => <GroupForm group={group} directory={directory} onDone={loaded.reload} />}
          </Listed>
          {making ? (
            <Dialog title={t("New group")} onClose={() => make(false)}>
              <GroupForm group={null} directory={directory} onDone={(name) => { make(false); loaded.reload(); go(at("groups", [name], kept())); }} />
            </Dialog>
          ) : null}
        </>
      )}
    </Shown>
  );
}


function GroupForm({ group, directory, onDone }: { group: Group | null; directory: Directory; onDone: (name: string) => void }) {
  const [name, setName] = useState(group?.name ?? "");
  const [roles, setRoles] = useState(group?.roles ?? []);
  const [members, setMembers] = useState(group?.members ?? []);
  const { busy, done, wrong, submit, form } = useSubmit(["name", "roles", "members"]);
  const fixed = group !== null && !group.manageable;
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      await put(`/api/groups/${encodeURIComponent(name.trim())}`, { roles, members }, inOrganisation());
      onDone(name.trim());
    });
  };
  return (
    <>
      {fixed ? <p class="hint">{t("This group has rights that you do not have, so you cannot change it.")}</p> : null}
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        {group ? null : (
          <Field label={t("Name")} error={wrong["name"]}>
            {(field) => <input {...field} type="text" autocapitalize="none" spellcheck={false} required maxLength={300} value={name} onInput={(event) => setName(event.currentTarget.value)} />}
          </Field>
        )}
        <Checklist label={t("Roles of the members")} error={wrong["roles"]} disabled={fixed} choices={roleChoices(directory.roles, group?.roles ?? [])} chosen={roles} onChange={setRoles} />
        <Checklist label={t("Members")} error={wrong["members"]} disabled={fixed} chosen={members} onChange={setMembers}
          choices={directory.users.map((user) => ({ id: user.name, label: user.display_name || user.name, hint: user.display_name ? user.name : undefined }))} />
        {fixed ? null : <FormEnd wrong={wrong[""]} busy={busy} saved={done} label={group ? t("Save") : t("Create")} />}
      </form>
      {group && !fixed ? (
        <Removal label={t("Remove the group…")} title={t("Remove {name}?", { name: group.name })} what={t("Its members lose the roles that they have through it. They stay users.")}
          remove={() => del(`/api/groups/${encodeURIComponent(group.name)}`, inOrganisation())} onDone={() => { go(at("groups", [], kept())); onDone(group.name); }} />
      ) : null}
    </>
  );
}
