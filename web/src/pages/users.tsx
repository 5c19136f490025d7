/** Users: found, invited, changed, disabled and removed by who may manage them. */
import { useState } from "preact/hooks";

import { del, patch, post } from "../api/http";
import { t } from "../i18n";
import { at, go } from "../router";
import { toast } from "../stores/toasts";
import { Checklist } from "../ui/checklist";
import { Dialog } from "../ui/dialog";
import { Badge, Button, Field, Shown, Switch } from "../ui/kit";
import { useSubmit } from "../ui/submit";
import { ago, fullTime } from "../ui/time";
import { type Directory, inOrganisation, kept, type Link, useDirectory, type User } from "./access/api";
import { FormEnd, LinkOnce, Listed, Removal } from "./access/frame";
import { roleChoices } from "./access/words";

export default function Users() {
  const loaded = useDirectory();
  const [inviting, invite] = useState(false);
  return (
    <Shown of={loaded}>
      {(directory) => (
        <>
          <Listed page="users" label={t("Users")} items={directory.users.map((user) => ({ ...user, id: user.name, title: titleOf(user) }))}
            actions={<Button kind="primary" icon="plus" onClick={() => invite(true)}>{t("Invite a user")}</Button>}
            row={(user) => (
              <>
                <span class="rows-title">{user.display_name || user.name}</span>
                {user.display_name ? <span class="rows-wide muted">{user.name}</span> : null}
                <span class="rows-wide muted">{user.roles.join(", ")}</span>
                {user.you ? <Badge kind="accent">{t("you")}</Badge> : null}
                <State user={user} directory={directory} />
              </>
            )}>
            {(user) => <Change user={user} directory={directory} onDone={loaded.reload} />}
          </Listed>
          {inviting ? <Invite directory={directory} onClose={() => invite(false)} onDone={loaded.reload} /> : null}
        </>
      )}
    </Shown>
  );
}

const titleOf = (user: User): string => (user.display_name ? `${user.display_name} (${user.name})` : user.name);
const invitationOf = (user: User, { invitations }: Directory) => invitations.find((each) => each.user === user.name);

function State({ user, directory }: { user: User; directory: Directory }) {
  if (user.disabled) return <Badge kind="bad">{t("Disabled")}</Badge>;
  if (invitationOf(user, directory)) return <Badge kind="warn">{t("Link sent")}</Badge>;
  return user.has_password || user.identity ? null : <Badge kind="warn">{t("Cannot sign in yet")}</Badge>;
}

const FIELDS = ["name", "display_name", "email", "roles", "groups", "disabled"];

function Invite({ directory, onClose, onDone }: { directory: Directory; onClose: () => void; onDone: () => void }) {
  const [values, set] = useState({ name: "", display_name: "", email: "", roles: ["member"], groups: [] as string[] });
  const [link, have] = useState<Link | null>(null);
  const { busy, wrong, submit, form } = useSubmit(FIELDS);
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      const made = await post<{ link: Link }>("/api/users", { ...values, name: values.name.trim(), ...inOrganisation().query });
      have(made.link);
      onDone();
    });
  };
  if (link) {
    return (
      <Dialog title={t("{user} is invited", { user: link.user })} onClose={onClose}>
        <LinkOnce link={link} />
        <div class="row"><Button kind="primary" onClick={() => { onClose(); go(at("users", [link.user], kept())); }}>{t("Done")}</Button></div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("Invite a user")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        <Field label={t("User name")} error={wrong["name"]} hint={t("They sign in with it. It cannot be changed later.")}>
          {(field) => <input {...field} type="text" autocapitalize="none" spellcheck={false} required maxLength={300} value={values.name} onInput={(event) => set({ ...values, name: event.currentTarget.value })} />}
        </Field>
        <Field label={t("Display name")} error={wrong["display_name"]}>
          {(field) => <input {...field} type="text" value={values.display_name} onInput={(event) => set({ ...values, display_name: event.currentTarget.value })} />}
        </Field>
        <Field label={t("E-mail")} error={wrong["email"]}>
          {(field) => <input {...field} type="email" value={values.email} onInput={(event) => set({ ...values, email: event.currentTarget.value })} />}
        </Field>
        <Checklist label={t("Roles")} error={wrong["roles"]} choices={roleChoices(directory.roles, values.roles)} chosen={values.roles} onChange={(roles) => set({ ...values, roles })} />
        {directory.groups.length ? (
          <Checklist label={t("Groups")} error={wrong["groups"]} choices={groupChoices(directory)} chosen={values.groups} onChange={(groups) => set({ ...values, groups })} />
        ) : null}
        <FormEnd wrong={wrong[""]} busy={busy} label={t("Invite")}><Button onClick={onClose}>{t("Cancel")}</Button></FormEnd>
      </form>
    </Dialog>
  );
}

const groupChoices = ({ groups }: Directory) =>
  groups.map(({ name, roles, manageable }) => ({ id: name, label: name, hint: roles.length ? t("gives: {roles}", { roles: roles.join(", ") }) : undefined, fixed: !manageable }));

/** What was changed, and nothing else: nobody changes their own roles, not even to what they are. */
function changed(before: User, after: User): Partial<User> {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return Object.fromEntries(FIELDS.slice(1).flatMap((name) => {
    const key = name as keyof User;
    return same(before[key], after[key]) ? [] : [[key, after[key]]];
  }));
}

function Change({ user, directory, onDone }: { user: User; directory: Directory; onDone: () => void }) {
  const [values, set] = useState(user);
  const { busy, done, wrong, submit, form } = useSubmit(FIELDS);
  const fixed = !user.manageable;
  const same = Object.keys(changed(user, values)).length === 0;
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      set(await patch<User>(`/api/users/${encodeURIComponent(user.name)}`, changed(user, values)));
      onDone();
    });
  };
  return (
    <>
      {fixed ? <p class="hint">{t("This user has rights that you do not have, so you cannot change them.")}</p> : null}
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        <Field label={t("Display name")} error={wrong["display_name"]}>
          {(field) => <input {...field} type="text" disabled={fixed} value={values.display_name} onInput={(event) => set({ ...values, display_name: event.currentTarget.value })} />}
        </Field>
        <Field label={t("E-mail")} error={wrong["email"]}>
          {(field) => <input {...field} type="email" disabled={fixed} value={values.email} onInput={(event) => set({ ...values, email: event.currentTarget.value })} />}
        </Field>
        <Checklist label={t("Roles")} error={wrong["roles"]} disabled={fixed || user.you} hint={user.you ? t("Nobody changes their own roles. Another administrator can.") : undefined}
          choices={roleChoices(directory.roles, user.roles)} chosen={values.roles} onChange={(roles) => set({ ...values, roles })} />
        {directory.groups.length ? (
          <Checklist label={t("Groups")} error={wrong["groups"]} disabled={fixed || user.you} choices={groupChoices(directory)} chosen={values.groups} onChange={(groups) => set({ ...values, groups })} />
        ) : null}
        {user.you || fixed ? null : (
          <Switch label={t("Disabled")} checked={values.disabled} hint={t("They cannot sign in, their browsers are signed out, and their tokens do not work.")} onChange={(disabled) => set({ ...values, disabled })} />
        )}
        {wrong["disabled"] ? <p class="wrong" role="alert">{wrong["disabled"]}</p> : null}
        {fixed ? null : <FormEnd wrong={wrong[""]} busy={busy} saved={done && same} label={t("Save")} disabled={same} />}
      </form>
      <SignIn user={user} directory={directory} fixed={fixed} onDone={onDone} />
      {fixed || user.you ? null : (
        <Removal label={t("Remove the user…")} title={t("Remove {name}?", { name: user.name })}
          what={t("Their browsers are signed out and their tokens, passkeys and memberships end now. What they made stays, and the name can never be given again. To keep them out for a while, disable them instead.")}
          remove={() => del(`/api/users/${encodeURIComponent(user.name)}`)}
          onDone={() => { toast(t("{user} is removed.", { user: user.name }), { kind: "good" }); go(at("users", [], kept())); onDone(); }} />
      )}
    </>
  );
}

function SignIn({ user, directory, fixed, onDone }: { user: User; directory: Directory; fixed: boolean; onDone: () => void }) {
  const [link, have] = useState<Link | null>(null);
  const { busy, wrong, submit } = useSubmit([]);
  const waiting = invitationOf(user, directory);
  const path = encodeURIComponent(user.name);
  const make = () => void submit(async () => {
    have(await post<Link>(`/api/users/${path}/link`));
    onDone();
  });
  const withdraw = () => void submit(async () => {
    await del(`/api/invitations/${path}`);
    have(null);
    onDone();
  });
  return (
    <section class="access-part" aria-label={t("Sign-in")}>
      <h3>{t("Sign-in")}</h3>
      <dl class="facts">
        <div><dt>{t("Password")}</dt><dd>{user.has_password ? t("set") : t("not set")}</dd></div>
        {user.identity ? <div><dt>{t("Identity provider")}</dt><dd>{user.identity}</dd></div> : null}
        <div><dt>{t("Last sign-in")}</dt><dd>{user.signed_in_at ? <time title={fullTime(user.signed_in_at)}>{ago(user.signed_in_at)}</time> : t("never")}</dd></div>
        <div><dt>{t("Created")}</dt><dd>{fullTime(user.created_at)}</dd></div>
        {waiting ? <div><dt>{t("Open link")}</dt><dd>{t("until {time}", { time: fullTime(waiting.expires_at) })}</dd></div> : null}
        <div><dt>{t("Tokens")}</dt><dd><a href={at("tokens", [], kept({ q: user.name }))}>{t("Show tokens")}</a></dd></div>
      </dl>
      {link ? <LinkOnce link={link} /> : null}
      {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
      {fixed ? null : (
        <div class="row">
          <Button icon="key" busy={busy} disabled={user.disabled} onClick={make}>{waiting ? t("Make a new link") : t("Make a link to set a password")}</Button>
          {waiting ? <Button kind="quiet" disabled={busy} onClick={withdraw}>{t("Withdraw the link")}</Button> : null}
        </div>
      )}
    </section>
  );
}
