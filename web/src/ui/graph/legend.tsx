import { t } from "../../i18n";
import { kindOf } from "./kinds";
import type { GraphModel } from "./model";

const SHAPES = [
  <circle cx="6" cy="6" r="5" />,
  <rect x="1.5" y="1.5" width="9" height="9" />,
  <path d="M6 0 12 6 6 12 0 6z" />,
  <path d="M6 0 12 10.5H0z" />,
];

/** Types with their colour and shape; those that are switched off are left pale. */
export function Legend({ model, pale, onToggle }: {
  model: GraphModel; pale: ReadonlySet<string>; onToggle: (type: string) => void;
}) {
  const counts = new Map<string, number>();
  for (const node of model.nodes) counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
  return (
    <div class="graph-legend" role="group" aria-label={t("Node types")}>
      {[...counts].sort((one, two) => two[1] - one[1]).map(([type, count]) => (
        <button type="button" class="graph-type" key={type} aria-pressed={!pale.has(type)} onClick={() => onToggle(type)}>
          <TypeMark type={type} />{type} <span class="number">{count}</span>
        </button>
      ))}
    </div>
  );
}

export function TypeMark({ type }: { type: string }) {
  const { colour, shape } = kindOf(type);
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" style={{ fill: `var(--kind-${colour})` }}>
      {SHAPES[shape]}
    </svg>
  );
}
