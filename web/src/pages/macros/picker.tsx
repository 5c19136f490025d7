/** Chooses a function of the registry: type a few letters, then arrows and Enter. */
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { Badge } from "../../ui/kit";
import type { ToolSummary } from "../tools/api";
import { Facts } from "../tools/catalogue";
import { related } from "../tools/search";
import { RUNNER } from "./draft";
import { runnerFor, type Ways } from "./ways";

const MOST = 12;

export function Picker({ tools, ways, value, onChoose, label, error }: {
  tools: ToolSummary[]; ways: Ways | null; value: string; label: string; error?: string;
  /** With `args` it is a function that runs what was chosen. */
  onChoose: (id: string, args?: Record<string, unknown>) => void;
}) {
  const [typed, type] = useState<string | null>(null);
  const [active, point] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const open = typed !== null;
  const offered = open ? related(tools, typed).slice(0, MOST) : [];
  const close = () => {
    type(null);
    point(0);
  };
  const choose = (tool: ToolSummary) => {
    if (runnerFor(tool, ways)) onChoose(RUNNER, { tool_id: tool.toolId });
    else onChoose(tool.toolId);
    close();
  };
  useEffect(() => {
    if (open) box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, open]);
  const key = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) return type("");
      const step = event.key === "ArrowDown" ? 1 : -1;
      point((active + step + offered.length) % Math.max(1, offered.length));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (offered[active]) choose(offered[active]);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class="macros-picker" ref={box} onFocusOut={(event) => {
      if (!box.current?.contains(event.relatedTarget as Node | null)) close();
    }}>
      <label for={id}>{label}</label>
      <input id={id} type="text" role="combobox" aria-expanded={open} aria-controls={`${id}-list`} aria-autocomplete="list"
        autocomplete="off" spellcheck={false} placeholder={t("Describe what it should do, or type a name")}
        aria-activedescendant={open && offered[active] ? `${id}-${active}` : undefined}
        aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-wrong` : undefined}
        value={typed ?? value} onKeyDown={key}
        onClick={() => open || type("")}
        onInput={(event) => { type(event.currentTarget.value); point(0); }} />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!open} class="macros-options">
        {offered.map((tool, index) => (
          <li key={tool.toolId} id={`${id}-${index}`} role="option" aria-selected={index === active}
            onMouseDown={(event) => { event.preventDefault(); choose(tool); }} onMouseMove={() => index !== active && point(index)}>
            <span class="row"><strong class="macros-function">{tool.toolId}</strong><Facts tool={tool} />
              {tool.allowedModes.includes("voice") ? null : <Badge>{t("Not by voice")}</Badge>}</span>
            <small>{tool.description}</small>
          </li>
        ))}
        {open && !offered.length ? <li class="hint" role="option" aria-selected={false} aria-disabled="true">{t("No function matches “{typed}”.", { typed })}</li> : null}
      </ul>
      {error ? <p class="wrong" id={`${id}-wrong`}>{error}</p> : null}
    </div>
  );
}
