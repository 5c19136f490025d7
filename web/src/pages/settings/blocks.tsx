import { useState } from "preact/hooks";

import { ApiError, del, get, said } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { hasSession, may } from "../../stores/account";
import { unblock } from "../../stores/blocked";
import { toast } from "../../stores/toasts";
import { Button, Empty, Field, Shown } from "../../ui/kit";
import { ago, fullTime } from "../../ui/time";
import { Section } from "./section";

interface Block {
  user: string;
  /** Seconds of the epoch. */
  until: number;
  reason: string;
  created_at: number;
}

/** For the operator: who is kept out, and letting them in again. */
export function Blocks() {
  const loaded = useLoad((signal) => get<{ blocks: Block[] }>("/api/blocks", { signal }), []);
  const [token, setToken] = useState("");
  const [busy, set] = useState("");
  const [wrong, tell] = useState<string>();
  // Whoever is signed in either has the permission, or lifts no blocks.
  const asksToken = !hasSession.value;
  const lifts = asksToken || may("others.manage");
  const lift = async ({ user }: Block) => {
    if (asksToken && !token.trim()) return tell(t("Enter the admin token to unblock a user."));
    set(user);
    tell(undefined);
    try {
      await del(`/api/blocks/${encodeURIComponent(user)}`, asksToken ? { headers: { Authorization: `Bearer ${token.trim()}` } } : {});
      unblock();
      toast(t("{user} is no longer blocked.", { user }), { kind: "good" });
    } catch (error) {
      tell(asksToken && error instanceof ApiError && error.status === 401 ? t("That is not the admin token. It is in the file admin-token in the data folder.") : said(error));
    }
    set("");
    loaded.reload();
  };
  return (
    <Section part="blocks" title={t("Blocked users")}>
      <Shown of={loaded}>
        {({ blocks }) => blocks.length === 0 ? (
          <Empty icon="check" title={t("No one is blocked")}>
            {t("An agent can block a user for a while. Blocked users are listed here until the time is up.")}
          </Empty>
        ) : (
          <>
            <ul class="list">
              {blocks.map((each) => (
                <li key={each.user} class="row settings-approval">
                  <strong>{each.user}</strong>
                  <span class="hint" title={t("Blocked {when}: {reason}", { when: ago(each.created_at), reason: each.reason })}>{t("until {time}", { time: fullTime(each.until) })}</span>
                  <span class="spring" />
                  {lifts ? <Button busy={busy === each.user} onClick={() => void lift(each)}>
                    {t("Unblock")}<span class="hidden-visually"> {each.user}</span>
                  </Button> : null}
                </li>
              ))}
            </ul>
            {asksToken ? <Field label={t("Admin token for blocks")} error={wrong} hint={t("Proves that you may unblock users. It is the same token as for keys, and it is not stored here.")}>
              {(field) => (
                <input {...field} type="password" autocomplete="off" spellcheck={false} value={token}
                  onInput={(event) => setToken(event.currentTarget.value)} />
              )}
            </Field> : wrong ? <p class="wrong" role="alert">{wrong}</p> : null}
          </>
        )}
      </Shown>
    </Section>
  );
}
