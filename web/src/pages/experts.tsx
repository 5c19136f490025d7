/** Experts: personas that answer from a knowledge graph, and say from where. */
import { useLoad } from "../api/load";
import { rich, t } from "../i18n";
import { at, route } from "../router";
import { Badge, Empty, Shown } from "../ui/kit";
import { listExperts } from "./experts/api";
import { Conversation } from "./experts/conversation";
import { LeftOutFiles } from "./playbooks/left-out";
import "./experts.css";
import "./playbooks.css";

export default function Experts() {
  const { rest: [id = ""] } = route.value;
  const found = useLoad(listExperts, []);
  return (
    <Shown of={found}>{({ experts, folder, left_out }) => (
      <div class={`split experts ${id ? "talking" : ""}`}>
        <div class="stack experts-side" data-tour="experts-list">
          {experts.length ? (
            <nav aria-label={t("Experts")}>
              <ul class="list">
                {experts.map((each) => (
                  <li key={each.id}>
                    <a class="list-item" href={at("experts", [each.id])} aria-current={each.id === id ? "page" : undefined}>
                      <span class="row"><strong>{each.name}</strong><span class="spring" /><Badge>{each.database_id}</Badge></span>
                      <small>{each.description}</small>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          ) : <Empty icon="expert" title={t("No experts yet")} />}
          <LeftOutFiles files={left_out} folder={folder} />
          <p class="hint">{rich("Add your own: TOML files with {members}, in {folder}.", { members: <><code>name</code>, <code>description</code>, <code>database</code>, <code>persona</code></>, folder: <code>{folder}</code> })}</p>
        </div>
        <div class="experts-main">
          {id ? <Conversation key={id} id={id} /> : (
            <>
              <section class="card" data-tour="experts-chat"><Empty icon="expert" title={t("Choose an expert")}>
                <p>{t("An expert answers from one database and cites its sources.")}</p></Empty></section>
              <section class="card" data-tour="experts-citations"><h2>{t("Sources")}</h2><p class="hint">{t("The sources of an answer are listed here, each with a link to its record.")}</p></section>
            </>
          )}
        </div>
      </div>
    )}</Shown>
  );
}
