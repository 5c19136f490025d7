/** Chooses a function of the registry: type a few letters, then arrows and Enter. */
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { TALK_PROFILE } from "../../stores/talk";
import { Badge } from "../../ui/kit";
import type { ToolSummary } from "../tools/api";
import { related } from "../tools/search";
import { Facts } from "../tools/catalogue";
import { RUNNER } from "./draft";

const MOST = 12;
const MOST_OTHERS = 4;
/** How the agent on Talk can call it: by itself, through another function, or not at all. */
type Way = "itself" | "runner" | null;

function wayOf(tool: ToolSummary, spoken: Set<string> | null): Way {
  if (!spoken || spoken.has(tool.toolId)) return "itself";
  return tool.catalogue && spoken.has(RUNNER) ? "runner" : null;
}

export function Picker({ tools, spoken, value, onChoose, label, error }: {
  tools: ToolSummary[]; spoken: Set<string> | null; value: string; label: string; error?: string;
  /** With `args` it is a function that runs what was chosen. */
  onChoose: (id: string, args?: Record<string, unknown>) => void;
}) {
  const [typed, type] = useState<string | null>(null);
  const [active, point] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const open = typed !== null;
  const fits = open ? related(tools, typed).map((tool) => ({ tool, way: wayOf(tool, spoken) })) : [];
  const offered = fits.filter(({ way }) => way !== null).slice(0, MOST);
  // Whoever looks for one of these by name is told why it is not offered.
  const others = typed ? fits.filter(({ way }) => way === null).slice(0, MOST_OTHERS) : [];
  const close = () => {
    type(null);
    point(0);
  };
  const choose = ({ tool, way }: (typeof fits)[number]) => {
    if (way === "runner") onChoose(RUNNER, { tool_id: tool.toolId });
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
        autocomplete="off" spellcheck={false} placeholder="Type what it should do, or a name"
        aria-activedescendant={open && offered[active] ? `${id}-${active}` : undefined}
        aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-wrong` : undefined}
        value={typed ?? value} onKeyDown={key}
        onClick={() => open || type("")}
        onInput={(event) => { type(event.currentTarget.value); point(0); }} />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!open} class="macros-options">
        {offered.map((each, index) => (
          <li key={each.tool.toolId} id={`${id}-${index}`} role="option" aria-selected={index === active}
            onMouseDown={(event) => { event.preventDefault(); choose(each); }} onMouseMove={() => index !== active && point(index)}>
            <span class="row"><strong class="macros-function">{each.tool.toolId}</strong><Facts tool={each.tool} /></span>
            <small>{each.tool.description}</small>
          </li>
        ))}
        {others.map(({ tool }) => (
          <li key={tool.toolId} class="macros-other" role="option" aria-selected={false} aria-disabled="true">
            <span class="row"><strong class="macros-function">{tool.toolId}</strong><Badge kind="warn">not by voice</Badge></span>
            <small>{tool.allowedModes.includes("voice")
              ? `The agent on Talk may not call it: its profile, ${TALK_PROFILE}, does not include it.`
              : "It works in writing only, so a spoken phrase cannot run it."}</small>
          </li>
        ))}
        {open && !offered.length && !others.length ? <li class="hint" role="option" aria-selected={false} aria-disabled="true">No function fits “{typed}”.</li> : null}
      </ul>
      {error ? <p class="wrong" id={`${id}-wrong`}>{error}</p> : null}
    </div>
  );
}
