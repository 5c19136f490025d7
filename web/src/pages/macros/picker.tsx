/** Chooses a function of the registry: type a few letters, then arrows and Enter. */
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { Badge } from "../../ui/kit";
import type { ToolSummary } from "../tools/api";
import { found } from "../tools/search";
import { Facts } from "../tools/catalogue";

const MOST = 12;

export function Picker({ tools, spoken, value, onChoose, label, error }: {
  tools: ToolSummary[]; spoken: Set<string> | null; value: string; onChoose: (id: string) => void; label: string; error?: string;
}) {
  const [typed, type] = useState<string | null>(null);
  const [active, point] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const open = typed !== null;
  const fitting = open ? found(tools, { q: typed, sort: "", chosen: {} }).slice(0, MOST) : [];
  const close = () => {
    type(null);
    point(0);
  };
  const choose = (chosen: string) => {
    onChoose(chosen);
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
      point((active + step + fitting.length) % Math.max(1, fitting.length));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (fitting[active]) choose(fitting[active].toolId);
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
        aria-activedescendant={open && fitting[active] ? `${id}-${active}` : undefined}
        aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-wrong` : undefined}
        value={typed ?? value} onKeyDown={key}
        onClick={() => open || type("")}
        onInput={(event) => { type(event.currentTarget.value); point(0); }} />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!open} class="macros-options">
        {fitting.map((tool, index) => (
          <li key={tool.toolId} id={`${id}-${index}`} role="option" aria-selected={index === active}
            onMouseDown={(event) => { event.preventDefault(); choose(tool.toolId); }} onMouseMove={() => index !== active && point(index)}>
            <span class="row"><strong class="macros-function">{tool.toolId}</strong><Facts tool={tool} />
              {spoken && !spoken.has(tool.toolId) ? <Badge kind="warn">not by voice</Badge> : null}</span>
            <small>{tool.description}</small>
          </li>
        ))}
        {open && !fitting.length ? <li class="hint" role="option" aria-selected={false} aria-disabled="true">No function fits “{typed}”.</li> : null}
      </ul>
      {error ? <p class="wrong" id={`${id}-wrong`}>{error}</p> : null}
    </div>
  );
}
