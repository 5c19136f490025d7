/** What came of all calls, gate by gate. Without calls it explains the gates. */
import { gateTitle, useRules } from "../../api/rules";
import { plural, t } from "../../i18n";
import { Shown } from "../../ui/kit";
import { tally, type Turn } from "./shapes";

export function GateSummary({ turns }: { turns: Turn[] }) {
  const rules = useRules();
  const { calls, ran, failed, refused, asked, replayed, stops } = tally(turns);
  const parts = [
    ran ? t("{count} ran", { count: ran }) : "",
    failed ? t("{count} failed", { count: failed }) : "",
    refused ? t("{count} refused", { count: refused }) : "",
    asked ? t("{count} asked first", { count: asked }) : "",
    replayed ? t("{count} replayed", { count: replayed }) : "",
  ].filter(Boolean).join(", ");
  return (
    <details class="sessions-gates" data-tour="sessions-gates">
      <summary>
        <h3>{t("Gates")}</h3>
        <span class="hint">{calls ? `${plural(calls, "{count} call", "{count} calls")}: ${parts}` : t("Every call passes these checks in order.")}</span>
      </summary>
      <Shown of={rules}>
        {({ gates }) => (
          <ol class="sessions-chain">
            {gates.map((gate) => (
              <li key={gate.id} class={stops[gate.id] ? "stops" : ""} title={gate.rules.map((rule) => `${rule.id}: ${rule.about}`).join("\n")}>
                {gateTitle(rules.data, gate.id)}
                {stops[gate.id] ? <b class="number"> {stops[gate.id]}<span class="hidden-visually"> {t("stopped")}</span></b> : null}
              </li>
            ))}
          </ol>
        )}
      </Shown>
    </details>
  );
}
