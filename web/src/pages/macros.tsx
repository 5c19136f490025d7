/** Macros: several steps behind one phrase. They are listed, built, tested, run and scheduled here. */
import { useEffect, useRef } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { rich, t } from "../i18n";
import { at, route } from "../router";
import { TALK_PROFILE } from "../stores/talk";
import { Card, Empty, Loading, Shown } from "../ui/kit";
import { useReload } from "../ui/poll";
import { on } from "../voice/bus";
import { loadStandings } from "./automations/api";
import { Builder } from "./macros/builder";
import { NEW, type Macro } from "./macros/draft";
import { MacroList } from "./macros/list";
import { waysIn, type Ways } from "./macros/ways";
import { loadCatalogue } from "./tools/api";
import "./automations/flow.css";
import "./macros.css";

const LAST_MS = 5000;

interface Profile {
  name: string;
  tools: string[];
  /** Beyond the tools' own. */
  modes: Record<string, string[]>;
}

/** The agent of conversations: only steps that it may call run when the phrase is said or typed. */
async function loadAgent(signal: AbortSignal): Promise<Profile | null> {
  const { profiles } = await get<{ profiles: Profile[] }>("/api/profiles", { signal });
  return profiles.find((each) => each.name === TALK_PROFILE) ?? null;
}

const CHANGING = ["create_macro", "delete_macro"];

export default function Macros() {
  const macros = useLoad((signal) => get<{ macros: Macro[] }>("/api/vox/macros", { signal }), []);
  const catalogue = useLoad(loadCatalogue, []);
  const agent = useLoad(loadAgent, []);
  const last = useLoad((signal) => loadStandings("macro", signal), []);
  useReload(last, LAST_MS);
  const [chosen = "", run = ""] = route.value.rest;
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
        <div class={`split flow macros ${chosen ? "has-chosen" : ""}`}>
          <MacroList macros={data.macros} chosen={chosen} last={last.data} onSaved={macros.reload} />
          <Shown of={catalogue}>
            {({ tools }) => {
              const macro = data.macros.find((each) => each.id === chosen) ?? null;
              if (unknown) return macros.loading ? <Loading /> : <Missing id={chosen} />;
              const ways: Ways | null = agent.data && waysIn(agent.data, tools);
              return <Builder key={macro ? `${macro.id} ${macro.updated_at}` : NEW} macro={macro} macros={data.macros} tools={tools} ways={ways} run={run}
                onSaved={macros.reload} onRun={last.reload} />;
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
      <Empty icon="macro" title={t("There is no macro {id}", { id })}>
        {rich("It may have been deleted. {all} or {create}.", {
          all: <a href={at("macros")}>{t("See all macros")}</a>,
          create: <a href={at("macros", [NEW])}>{t("create a new one")}</a>,
        })}
      </Empty>
    </Card>
  );
}
