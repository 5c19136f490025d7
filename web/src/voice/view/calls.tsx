/** All calls of an answer in one line, which opens to a card for each. */
import { useState } from "preact/hooks";

import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { Spinner } from "../../ui/kit";
import { lazy } from "../../ui/lazy";
import type { ToolEntry } from "../transcript";
import { inOneLine } from "./summary";

const ToolCard = lazy(() => import("./tool-card").then((card) => card.ToolCard));

export function Calls({ calls }: { calls: ToolEntry[] }) {
  const [open, set] = useState(false);
  const facts = calls.map((entry) => ({ name: entry.name, args: entry.args, at: entry.at, outcome: entry.outcome.value, consent: entry.consent.value }));
  const running = facts.some(({ outcome }) => outcome === null);
  return (
    <div role="listitem" class="entry tool">
      <details class="calls" onToggle={(event) => { if (event.target === event.currentTarget) set(event.currentTarget.open); }}>
        <summary>
          {running ? <Spinner label={t("Running")} /> : <Icon name="tool" size={14} />}
          <span class="calls-line">{inOneLine(facts)}</span>
        </summary>
        {open ? <div class="calls-cards">{calls.map((entry) => <ToolCard key={entry.id} entry={entry} />)}</div> : null}
      </details>
    </div>
  );
}
