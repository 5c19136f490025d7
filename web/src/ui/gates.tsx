/** A call's way through the gates: small for a line, and in full with what each gate sees to. */
import { gateTitle, ruleAbout, type Passage, type Rules } from "../api/rules";
import { plural, t } from "../i18n";
import { Icon } from "./icons";
import "./gates.css";

const WORDS: Record<Passage["outcome"], string> = {
  passed: "passed",
  idle: t("not applicable"),
  stopped: t("stopped here"),
  asked: t("approval asked"),
  answered: t("answered from the record"),
  ran: "ran",
  not_reached: t("not reached"),
};
const ICONS: Partial<Record<Passage["outcome"], string>> = {
  passed: "check", stopped: "close", asked: "shield", answered: "copy", ran: "play",
};
const DECIDED = ["stopped", "asked", "answered", "ran"];

export const decidedAt = (gates: Passage[]): Passage | undefined =>
  gates.find((gate) => DECIDED.includes(gate.outcome));

/** In one sentence where the way ended. */
export function wayInWords(gates: Passage[], rules: Rules | null): string {
  const end = decidedAt(gates);
  if (!end) return "";
  const passed = gates.filter((gate) => gate.outcome === "passed").length;
  const title = gateTitle(rules, end.id);
  if (end.outcome === "ran") return plural(passed, "Passed {count} gate and ran", "Passed {count} gates and ran");
  const rule = end.rule && end.rule !== end.id ? ` (${end.rule})` : "";
  const gate = `“${title}”${rule}`;
  if (end.outcome === "asked") return plural(passed, "Approval asked at {gate} after {count} gate", "Approval asked at {gate} after {count} gates", { gate });
  if (end.outcome === "answered") return plural(passed, "Answered at {gate} after {count} gate", "Answered at {gate} after {count} gates", { gate });
  return plural(passed, "Stopped at {gate} after {count} gate", "Stopped at {gate} after {count} gates", { gate });
}

/** Dots in the order of the gates; the sentence beside it says the same. */
export function GateStrip({ gates, rules }: { gates: Passage[]; rules: Rules | null }) {
  if (!gates.length) return null;
  return (
    <span class="gates-strip">
      <span class="gates-dots" aria-hidden="true">
        {gates.map((gate) => <i key={gate.id} class={gate.outcome} title={`${gateTitle(rules, gate.id)}: ${WORDS[gate.outcome]}`} />)}
      </span>
      <span class="gates-words">{wayInWords(gates, rules)}</span>
    </span>
  );
}

export function GateList({ gates, rules }: { gates: Passage[]; rules: Rules | null }) {
  if (!gates.length) return null;
  return (
    <ol class="gates-list" aria-label={t("Gates in order")}>
      {gates.map((gate) => (
        <li key={gate.id} class={gate.outcome}>
          <span class="gates-mark">{ICONS[gate.outcome] ? <Icon name={ICONS[gate.outcome]!} size={13} /> : null}</span>
          <span class="gates-title">{gateTitle(rules, gate.id)}</span>
          <span class="gates-outcome">{WORDS[gate.outcome]}</span>
          {gate.rule && gate.outcome !== "ran" ? (
            <span class="gates-rule"><code>{gate.rule}</code> {ruleAbout(rules, gate.rule)}</span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
