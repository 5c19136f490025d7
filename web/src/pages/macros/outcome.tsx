/** What a run would do, step by step. */
import { useEffect, useRef } from "preact/hooks";

import { t } from "../../i18n";
import { Badge, Card } from "../../ui/kit";
import { brief } from "../../ui/schema-form/schema";
import { ruleInWords } from "../tools/words";
import { RUNNER } from "./draft";

export interface Planned {
  step: number;
  function: string;
  args: Record<string, unknown>;
  outcome: "run" | "confirm" | "refuse";
  rule: string;
  message?: string;
  steps?: Planned[];
}

const OUTCOMES = {
  run: { word: t("Would run"), kind: "good" },
  confirm: { word: t("Would ask you"), kind: "warn" },
  refuse: { word: t("Would be refused"), kind: "bad" },
} as const;

export function PlanCard({ steps }: { steps: Planned[] }) {
  const stops = steps.find((each) => each.outcome !== "run");
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [steps]);
  return (
    <Card title={t("Dry run")} class="macros-plan">
      <span ref={box} hidden />
      <p role="status">{t("Nothing was called.")} {!stops ? t("No gate would stop any of these steps.")
        : stops.outcome === "confirm" ? t("A run would stop at step {step} and ask you first.", { step: stops.step })
          : t("A run would stop at step {step}: {reason}", { step: stops.step, reason: stops.message ?? t("it would be refused.") })}</p>
      <Plan steps={steps} />
    </Card>
  );
}

/** A tool of the catalogue goes by its own name. */
function shownAs({ function: name, args }: Planned): [string, unknown] {
  const { tool_id: tool, params } = args;
  return name === RUNNER && typeof tool === "string" ? [tool, params ?? {}] : [name, args];
}

function Plan({ steps }: { steps: Planned[] }) {
  return (
    <ol class="macros-results">
      {steps.map((each) => {
        const { word, kind } = OUTCOMES[each.outcome];
        const [name, args] = shownAs(each);
        return (
          <li key={each.step}>
            <span class="row"><span class="macros-number">{each.step}</span><strong class="macros-function">{name}</strong><Badge kind={kind}>{word}</Badge>
              {each.rule !== "run" ? <span class="muted">{t("Rule")} <code>{each.rule}</code>{ruleInWords(each.rule) ? `: ${ruleInWords(each.rule)}` : ""}</span> : null}</span>
            {each.message && each.outcome === "refuse" ? <p class="wrong">{each.message}</p> : null}
            <code class="macros-call">{brief(args, 300)}</code>
            {each.steps ? <Plan steps={each.steps} /> : null}
          </li>
        );
      })}
    </ol>
  );
}
