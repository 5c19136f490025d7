/** A link that was sent: it sets a password, or names the first administrator. Good once. */
import { useEffect, useRef, useState } from "preact/hooks";

import { post } from "../api/http";
import { useLoad } from "../api/load";
import { rich, t } from "../i18n";
import { type Account, enter } from "../stores/account";
import { check } from "../stores/connection";
import { linkSecret } from "../stores/entrance";
import { Button, Field, Loading, Problem } from "../ui/kit";
import { Secret, SHORTEST } from "../ui/secret";
import { useSubmit } from "../ui/submit";
import { fullTime } from "../ui/time";
import { Entrance } from "./entrance";
import { linkWords } from "./words";

interface Link {
  purpose: "password" | "first_admin";
  user: string | null;
  expires_at: number;
}

export function FollowLink({ secret }: { secret: string }) {
  const found = useLoad((signal) => post<Link>("/api/sign-in/link/look", { secret }, { signal }), [secret]);
  const over = found.error ? linkWords(found.error) : null;
  if (found.data) return <Choose link={found.data} secret={secret} />;
  return (
    <Entrance title={found.error ? t("This link does not work") : t("One moment")}>
      {over ? <Problem error={over} /> : found.error ? <Problem error={found.error} retry={found.reload} /> : <Loading />}
      {found.error ? <Button onClick={() => (linkSecret.value = null)}>{t("Go to sign-in")}</Button> : null}
    </Entrance>
  );
}

function Choose({ link, secret }: { link: Link; secret: string }) {
  const first = link.purpose === "first_admin";
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [over, tell] = useState("");
  const { busy, wrong, setWrong, submit, form } = useSubmit(["user", "name", "password"]);
  const once = useRef(form);
  useEffect(() => once.current.current!.querySelector<HTMLElement>("input:not([readonly])")!.focus(), []);
  const send = async (event: Event) => {
    event.preventDefault();
    if (password.length < SHORTEST) return setWrong({ password: t("Use at least {count} characters.", { count: SHORTEST }) });
    await submit(async () => {
      try {
        const me = await post<Account>("/api/sign-in/link", { secret, password, ...(first ? { user: user.trim() } : {}) });
        linkSecret.value = null;
        enter(me);
        void check();
      } catch (error) {
        const words = linkWords(error);
        if (!words) throw error;
        tell(words);
      }
    });
  };
  if (over) {
    return (
      <Entrance title={t("This link does not work")}>
        <Problem error={over} />
        <Button onClick={() => (linkSecret.value = null)}>{t("Go to sign-in")}</Button>
      </Entrance>
    );
  }
  return (
    <Entrance title={first ? t("Set up the first administrator") : t("Set your password")}>
      <p class="hint">{first ? t("Whoever signs in as this user manages the server, its users and their rights.") : rich("For the user {name}.", { name: <strong>{link.user}</strong> })} {t("The link is good once, until {time}.", { time: fullTime(link.expires_at) })}</p>
      <form ref={form} onSubmit={(event) => void send(event)}>
        {first ? (
          <Field label={t("User name")} error={wrong["user"] ?? wrong["name"]}>
            {(field) => (
              <input {...field} type="text" name="username" autocomplete="username" autocapitalize="none" spellcheck={false} required maxLength={300}
                value={user} onInput={(event) => setUser(event.currentTarget.value)} />
            )}
          </Field>
        ) : <input class="hidden-visually" type="text" name="username" autocomplete="username" readonly tabIndex={-1} aria-hidden="true" value={link.user ?? ""} />}
        <Secret label={t("New password")} name="password" autocomplete="new-password" value={password} onType={setPassword} error={wrong["password"]}
          hint={t("At least {count} characters. A few words that mean something to you alone are good and easy to type.", { count: SHORTEST })} />
        {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
        <Button kind="primary" type="submit" busy={busy}>{first ? t("Make the administrator") : t("Set password and sign in")}</Button>
      </form>
    </Entrance>
  );
}
