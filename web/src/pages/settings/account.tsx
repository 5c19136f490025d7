/** One's own account: who one is here, what one may do, and the way out. */
import { useState } from "preact/hooks";

import { patch } from "../../api/http";
import { t } from "../../i18n";
import { type Account as Known, account, signOut } from "../../stores/account";
import { Badge, Button, Field } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";
import { FormEnd } from "../access/frame";
import { permissionWords } from "../access/words";
import { Section } from "./section";

export function Account() {
  const me = account.value!;
  return (
    <>
      <Section part="account" title={t("Account")} actions={<SignOut />}>
        <dl class="facts">
          <div><dt>{t("User name")}</dt><dd>{me.user}</dd></div>
          <div><dt>{t("Roles")}</dt><dd>{me.roles.join(", ") || t("none")}</dd></div>
          {me.organisation ? <div><dt>{t("Organisation")}</dt><dd>{me.organisation}</dd></div> : null}
        </dl>
        <Names me={me} />
      </Section>
      <Section part="permissions" title={t("What you may do")}>
        <ul class="list">
          {me.permissions.map((name) => <li key={name} class="row settings-approval"><span>{permissionWords(name) || name}</span><span class="spring" /><Badge>{name}</Badge></li>)}
        </ul>
      </Section>
    </>
  );
}

function SignOut() {
  const { busy, wrong, submit } = useSubmit([]);
  return <>{wrong[""] ? <span class="wrong" role="alert">{wrong[""]}</span> : null}<Button busy={busy} onClick={() => void submit(signOut)}>{t("Sign out")}</Button></>;
}

function Names({ me }: { me: Known }) {
  const [values, set] = useState({ display_name: me.display_name, email: me.email });
  const { busy, done, wrong, submit, form } = useSubmit(["display_name", "email"]);
  const same = values.display_name === me.display_name && values.email === me.email;
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      account.value = await patch<Known>("/api/account", values);
    });
  };
  return (
    <form class="stack" ref={form} onSubmit={send}>
      <Field label={t("Display name")} error={wrong["display_name"]}>
        {(field) => <input {...field} type="text" autocomplete="name" value={values.display_name} onInput={(event) => set({ ...values, display_name: event.currentTarget.value })} />}
      </Field>
      <Field label={t("E-mail")} error={wrong["email"]}>
        {(field) => <input {...field} type="email" autocomplete="email" value={values.email} onInput={(event) => set({ ...values, email: event.currentTarget.value })} />}
      </Field>
      <FormEnd wrong={wrong[""]} busy={busy} saved={done && same} label={t("Save")} disabled={same} />
    </form>
  );
}
