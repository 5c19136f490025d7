/** Servers that one signs in to oneself, step by step. */
import { useState } from "preact/hooks";

import { del, get, post } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { route } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Badge, Button, Card, Shown } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";

interface SignIn { server: string; place: string; signed_in: boolean }
const pathOf = (server: string) => `/api/mcp/sign-in/${encodeURIComponent(server)}`;

export function SignIns() {
  const loaded = useLoad((signal) => get<{ servers: SignIn[] }>("/api/mcp/sign-in", { signal }), []);
  const [asked, ask] = useState<SignIn | null>(null);
  const { busy, wrong, submit } = useSubmit([]);
  const done = route.value.query.get("signed-in");
  const problem = route.value.query.get("problem");
  return (
    <Shown of={loaded}>
      {({ servers }) => (servers.length || done || problem ? (
        <Card title={t("Your sign-ins")}>
          {done ? <p role="status">{t("You are signed in to {server}. Its tools act in your name.", { server: done })}</p> : null}
          {problem ? <p class="wrong" role="alert">{t("The sign-in did not work ({code}). Nothing was kept; begin again.", { code: problem })}</p> : null}
          <ul class="rows">
            {servers.map((each) => (
              <li key={each.server} class="mcp-sign-in row">
                <strong>{each.server}</strong> <span class="muted mcp-place">{each.place}</span>
                <span class="spring" />
                {each.signed_in ? <Badge kind="good">{t("signed in")}</Badge> : null}
                {each.signed_in
                  ? <Button busy={busy} onClick={() => void submit(async () => { await del(pathOf(each.server)); loaded.reload(); })}>{t("Sign out")}<span class="hidden-visually"> {each.server}</span></Button>
                  : <Button kind="primary" icon="key" onClick={() => ask(each)}>{t("Sign in…")}<span class="hidden-visually"> {each.server}</span></Button>}
              </li>
            ))}
          </ul>
          {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
          {asked ? <Guide server={asked} onClose={() => ask(null)} /> : null}
        </Card>
      ) : null)}
    </Shown>
  );
}

function Guide({ server, onClose }: { server: SignIn; onClose: () => void }) {
  const [address, found] = useState<string | null>(null);
  const { busy, wrong, submit } = useSubmit([]);
  const begin = () => void submit(async () => found((await post<{ address: string }>(pathOf(server.server))).address));
  const host = address ? new URL(address).host : "";
  return (
    <Dialog title={t("Sign in to {server}", { server: server.server })} onClose={onClose}>
      <ol class="mcp-steps">
        <li aria-current={address ? undefined : "step"}>
          <p>{t("This server asks {place} who may let you in, and registers itself there.", { place: server.place })}</p>
          {address ? <p class="hint" role="status">{t("Done.")}</p> : <Button kind="primary" busy={busy} onClick={begin}>{t("Ask")}</Button>}
        </li>
        <li aria-current={address ? "step" : undefined}>
          <p>{address ? t("Go to {host} and sign in. Look at the address before you type a password.", { host }) : t("You go to the address that it names, and sign in there.")}</p>
          {address ? <a class="button primary" href={address} rel="noreferrer">{t("Go to {host}", { host })}</a> : null}
        </li>
        <li><p>{t("You come back here within ten minutes. The token is kept encrypted, for you alone.")}</p></li>
      </ol>
      {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
    </Dialog>
  );
}
