/** What came of all calls, gate by gate. Without calls it explains the gates. */
import { useRules } from "../../api/rules";
import { Card, Shown } from "../../ui/kit";
import { tally, type Turn } from "./shapes";

export function GateSummary({ turns }: { turns: Turn[] }) {
  const rules = useRules();
  const { calls, ran, failed, refused, asked, replayed, stops } = tally(turns);
  const parts = [
    [ran, "ran"], [failed, "of them failed"], [refused, "refused"], [asked, "asked first"], [replayed, "replayed"],
  ].filter(([count]) => count) as [number, string][];
  return (
    <Card title="Gates" tour="sessions-gates" class="sessions-gates">
      <p class="hint">
        {calls
          ? `${calls} ${calls === 1 ? "call" : "calls"}: ${parts.map(([count, word]) => `${count} ${word}`).join(", ")}. The numbers show where calls were stopped.`
          : "Every call passes these gates in this order. The first that has something against it decides, and says so."}
      </p>
      <Shown of={rules}>
        {({ gates }) => (
          <ol class="sessions-chain">
            {gates.map((gate) => (
              <li key={gate.id} class={stops[gate.id] ? "stops" : ""} title={gate.rules.map((rule) => `${rule.id}: ${rule.about}`).join("\n")}>
                {gate.title}
                {stops[gate.id] ? <b class="number"> {stops[gate.id]}<span class="hidden-visually"> stopped</span></b> : null}
              </li>
            ))}
          </ol>
        )}
      </Shown>
    </Card>
  );
}
