/** Experts: personas that answer from a knowledge graph, and say from where. */
import { useLoad } from "../api/load";
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
            <nav aria-label="Experts">
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
          ) : <Empty icon="expert" title="There is no expert" />}
          <LeftOutFiles files={left_out} folder={folder} what="expert" />
          <p class="hint">Your own: a TOML file with <code>name</code>, <code>description</code>, <code>database</code> and <code>persona</code>, in <code>{folder}</code>.</p>
        </div>
        <div class="experts-main">
          {id ? <Conversation key={id} id={id} /> : (
            <>
              <section class="card" data-tour="experts-chat"><Empty icon="expert" title="Whom would you like to ask?">
                <p>An expert answers from one knowledge graph and cites the records its answer rests on.</p></Empty></section>
              <section class="card" data-tour="experts-citations"><h2>Citations</h2><p class="hint">The records behind an answer are listed here, each with a link into KG Studio.</p></section>
            </>
          )}
        </div>
      </div>
    )}</Shown>
  );
}
