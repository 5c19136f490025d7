/** Macros: several steps behind one phrase. They are listed, built, tried and run here. */
import { useEffect, useRef } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { at, route } from "../router";
import { TALK_PROFILE } from "../stores/talk";
import { Card, Empty, Shown, Spinner } from "../ui/kit";
import { on } from "../voice/bus";
import { Builder } from "./macros/builder";
import { NEW, type Macro } from "./macros/draft";
import { MacroList } from "./macros/list";
import { loadCatalogue, type ToolSummary } from "./tools/api";
import "./macros.css";

interface Profile {
  name: string;
  tools: string[];
  /** Beyond the tools' own. */
  modes: Record<string, string[]>;
}

/** The agent on Talk: only steps that it may call run when the phrase is said. */
async function loadSpoken(signal: AbortSignal): Promise<Profile | null> {
  const { profiles } = await get<{ profiles: Profile[] }>("/api/profiles", { signal });
  return profiles.find((each) => each.name === TALK_PROFILE) ?? null;
}

/** Those of its tools that may be called by voice. */
function byVoice({ tools: names, modes }: Profile, tools: ToolSummary[]): Set<string> {
  const spoken = ({ toolId, allowedModes }: ToolSummary) => [...allowedModes, ...(modes[toolId] ?? [])].includes("voice");
  return new Set(tools.filter((tool) => names.includes(tool.toolId) && spoken(tool)).map((tool) => tool.toolId));
}

const CHANGING = ["create_macro", "delete_macro"];

export default function Macros() {
  const macros = useLoad((signal) => get<{ macros: Macro[] }>("/api/vox/macros", { signal }), []);
  const catalogue = useLoad(loadCatalogue, []);
  const spoken = useLoad(loadSpoken, []);
  const chosen = route.value.rest[0] ?? "";
  const unknown = chosen !== "" && chosen !== NEW && macros.data !== null && !macros.data.macros.some((each) => each.id === chosen);
  const lookedFor = useRef("");
  // A link may lead to one that was made elsewhere since the list was loaded.
  useEffect(() => {
    if (!unknown || lookedFor.current === chosen) return;
    lookedFor.current = chosen;
    macros.reload();
  }, [unknown, chosen]);
  // An agent may make or delete one while this page is open.
  useEffect(() => on("function_result", (message) => {
    if (CHANGING.includes(String(message.name))) macros.reload();
  }), []);
  return (
    <Shown of={macros}>
      {(data) => (
        <div class={`split macros ${chosen ? "has-chosen" : ""}`}>
          <MacroList macros={data.macros} chosen={chosen} onSaved={macros.reload} />
          <Shown of={catalogue}>
            {({ tools }) => {
              const macro = data.macros.find((each) => each.id === chosen) ?? null;
              if (unknown) return macros.loading ? <div class="loading"><Spinner label="Looking for the macro" /></div> : <Missing id={chosen} />;
              return <Builder key={macro ? `${macro.id} ${macro.updated_at}` : NEW} macro={macro} macros={data.macros} tools={tools} spoken={spoken.data && byVoice(spoken.data, tools)} onSaved={macros.reload} />;
            }}
          </Shown>
        </div>
      )}
    </Shown>
  );
}

function Missing({ id }: { id: string }) {
  return (
    <Card>
      <Empty icon="macro" title={`There is no macro ${id}`}>
        It may have been deleted. <a href={at("macros")}>See all macros</a> or <a href={at("macros", [NEW])}>build a new one</a>.
      </Empty>
    </Card>
  );
}
