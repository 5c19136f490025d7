/** Signing in: with a password, a passkey, or an identity provider. */
import { useEffect, useRef, useState } from "preact/hooks";

import { address } from "../api/address";
import { ApiError, post, said } from "../api/http";
import { t } from "../i18n";
import { useNow } from "../overlays/now";
import { type Account, account, enter, ways } from "../stores/account";
import { check } from "../stores/connection";
import { providerProblem } from "../stores/entrance";
import { keepTyped, TOO_MUCH, wantedBefore } from "../stores/kept-input";
import { Button, Field, Problem } from "../ui/kit";
import { Secret } from "../ui/secret";
import { Entrance } from "./entrance";
import { hasPasskeys, offersPasskeys, signInWithPasskey } from "./passkeys";
import { providerWords, tooMany } from "./words";

export function SignIn() {
  const offered = ways.value;
  const back = account.value;
  const [problem, tell] = useState(providerProblem.value ? providerWords(providerProblem.value) : "");
  const [busy, work] = useState("");
  const [until, hold] = useState(0);
  const left = Math.max(0, Math.ceil((until - useNow(1000)) / 1000));
  const waiting = left > 0;
  const come = async (how: string, ask: () => Promise<Account | null>) => {
    work(how);
    tell("");
    try {
      const me = await ask();
      if (me) goIn(me);
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) hold(Date.now() + (error.retryAfter ?? 60) * 1000);
      else tell(error instanceof ApiError && error.status === 401 ? WRONG[how] ?? said(error) : said(error));
    }
    work("");
  };
  usePasskeyInName(offered?.passkey ?? false, (me) => goIn(me));
  if (!offered) return null;
  return (
    <Entrance title={back ? t("Sign in again") : t("Sign in")}>
      {back ? <p class="hint">{t("Your sign-in has ended. What you typed is still there, and you go on where you were.")}</p> : null}
      {problem ? <Problem error={problem} /> : null}
      {waiting ? (
        <p class="wrong"><span role="alert" class="hidden-visually">{t("Too many attempts.")}</span><span class="number">{tooMany(left)}</span></p>
      ) : null}
      {offered.password ? <Password user={back?.user ?? ""} passkeys={offered.passkey} busy={busy === "password"} held={waiting} onSend={(user, password) => void come("password", () => post<Account>("/api/sign-in/password", { user, password }))} /> : null}
      {offered.password && (offered.providers.length || (offered.passkey && hasPasskeys())) ? <p class="entrance-or">{t("or")}</p> : null}
      {offered.passkey && hasPasskeys() ? (
        <Button icon="key" busy={busy === "passkey"} onClick={() => void come("passkey", () => signInWithPasskey())}>{t("Sign in with a passkey")}</Button>
      ) : null}
      {offered.providers.map(({ id, title }) => (
        <Button key={id} icon="external" onClick={() => { if (!goTo(id)) tell(TOO_MUCH); }}>{t("Sign in with {name}", { name: title })}</Button>
      ))}
    </Entrance>
  );
}

const WRONG: Record<string, string> = {
  password: t("The user name or the password is wrong."),
  passkey: t("This passkey is not known here any more. Sign in another way."),
};

function Password({ user, passkeys, busy, held, onSend }: {
  user: string; passkeys: boolean; busy: boolean; held: boolean; onSend: (user: string, password: string) => void;
}) {
  const [name, setName] = useState(user);
  const [password, setPassword] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current!.querySelector<HTMLElement>(user ? "[name=password]" : "[name=username]")!.focus();
  }, []);
  return (
    <form ref={form} onSubmit={(event) => {
      event.preventDefault();
      if (!held) onSend(name.trim(), password);
    }}>
      <Field label={t("User name")}>
        {(field) => (
          <input {...field} type="text" name="username" autocomplete={passkeys ? "username webauthn" : "username"} autocapitalize="none" spellcheck={false}
            required maxLength={300} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        )}
      </Field>
      <Secret label={t("Password")} name="password" autocomplete="current-password" value={password} onType={setPassword} />
      <Button kind="primary" type="submit" busy={busy} disabled={held}>{t("Sign in")}</Button>
    </form>
  );
}

function goIn(me: Account): void {
  providerProblem.value = "";
  const wanted = wantedBefore();
  if (wanted && !location.hash.replace(/^#\/?/, "")) history.replaceState(null, "", wanted);
  enter(me);
  void check();
}

/** As long as the server takes it. */
const LONGEST_WAY = 500;

/** Away from this page to the provider, and back to what was wanted. False: what was typed would be lost. */
function goTo(provider: string): boolean {
  if (!keepTyped()) return false;
  const to = location.hash.startsWith("#/") && location.hash.length <= LONGEST_WAY ? location.hash : "#/";
  location.assign(`${address(`/api/sign-in/oidc/${encodeURIComponent(provider)}`)}?${new URLSearchParams({ to })}`);
  return true;
}

/** A browser may offer passkeys where the name is typed. */
function usePasskeyInName(wanted: boolean, onDone: (me: Account) => void): void {
  useEffect(() => {
    if (!wanted) return;
    const leave = new AbortController();
    void offersPasskeys().then((can) => {
      if (!can || leave.signal.aborted) return;
      // Nobody chose one, or the server did not take it: the form is still there.
      signInWithPasskey(leave.signal).then((me) => me && onDone(me), () => undefined);
    });
    return () => leave.abort();
  }, [wanted]);
}
