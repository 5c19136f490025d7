import { useState } from "preact/hooks";

import { del, get, said } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { at } from "../../router";
import { toast } from "../../stores/toasts";
import { Badge, Button, Empty, Shown } from "../../ui/kit";
import { ago, fullTime } from "../../ui/time";
import { Section } from "./section";

interface Approval {
  id: string;
  tool: string;
  scope: "session" | "always";
  session_id: string | null;
  created_at: number;
}

export function Approvals() {
  const loaded = useLoad((signal) => get<{ approvals: Approval[] }>("/api/approvals", { signal }), []);
  const [busy, set] = useState("");
  const takeBack = async ({ id, tool }: Approval) => {
    set(id);
    try {
      await del(`/api/approvals/${encodeURIComponent(id)}`);
      toast(t("You will be asked again before {tool} runs.", { tool }), { kind: "good" });
    } catch (error) {
      toast(said(error), { kind: "bad" });
    }
    set("");
    loaded.reload();
  };
  return (
    <Section part="approvals" title={t("Standing approvals")}>
      <Shown of={loaded}>
        {({ approvals }) => approvals.length === 0 ? (
          <Empty icon="shield" title={t("You are asked every time")}>
            {t("For low-risk tools you can approve once for a session or for always. Such approvals are listed here.")}
          </Empty>
        ) : (
          <ul class="list">
            {approvals.map((each) => (
              <li key={each.id} class="row settings-approval">
                <a href={at("tools", [each.tool])}>{each.tool}</a>
                {each.scope === "always" ? <Badge kind="warn">{t("always")}</Badge> : <Badge>{t("one session")}</Badge>}
                <span class="hint" title={fullTime(each.created_at)}>
                  {t("approved {when}", { when: ago(each.created_at) })}
                  {each.session_id ? <>, <a href={at("sessions", [each.session_id])}>{t("session {id}", { id: each.session_id.slice(0, 8) })}</a></> : null}
                </span>
                <span class="spring" />
                <Button kind="danger" busy={busy === each.id} onClick={() => void takeBack(each)}>
                  {t("Revoke")}<span class="hidden-visually"> {each.tool}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Section>
  );
}
