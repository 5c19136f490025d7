/** The conversation with one expert: what it remembers, a question, and the records behind answers. */
import { useEffect, useRef, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { listed, plural, rich, t } from "../../i18n";
import { at } from "../../router";
import { toast } from "../../stores/toasts";
import { Icon } from "../../ui/icons";
import { Badge, Button, CopyButton, Problem, Shown, Spinner } from "../../ui/kit";
import { Markdown } from "../../ui/markdown";
import { clockTime, fullTime } from "../../ui/time";
import { askExpert, cited, type ExpertDocument, readExpert, recordOf, START_OVER, type Turn } from "./api";

export function Conversation({ id }: { id: string }) {
  const found = useLoad((signal) => readExpert(id, signal), [id]);
  return <Shown of={found}>{(expert) => <Chat expert={expert} />}</Shown>;
}

/** What was asked and is not answered yet, or could not be. */
interface Waiting {
  message: string;
  problem: string | null;
}

function Chat({ expert }: { expert: ExpertDocument }) {
  const [turns, set] = useState<Turn[]>(expert.turns);
  const [waiting, wait] = useState<Waiting | null>(null);
  const [typed, type] = useState("");
  const [shown, show] = useState<number | null>(null);
  const log = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const busy = waiting !== null && waiting.problem === null;
  useEffect(() => {
    const list = log.current!;
    list.scrollTop = list.scrollHeight;
  }, [turns, waiting]);
  const ask = async (message: string) => {
    if (!message.trim() || busy) return;
    type("");
    wait({ message, problem: null });
    try {
      const answer = await askExpert(expert.id, message);
      set((before) => [...before, { at: Date.now() / 1000, message, ...answer }]);
      show(null);
      wait(null);
    } catch (error) {
      wait({ message, problem: said(error) });
    }
    box.current?.focus();
  };
  const startOver = async () => {
    wait({ message: t("New conversation"), problem: null });
    try {
      await askExpert(expert.id, START_OVER);
      set([]);
      wait(null);
      toast(t("{name} started a new conversation.", { name: expert.name }));
    } catch (error) {
      wait({ message: t("New conversation"), problem: said(error) });
    }
    box.current?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void ask(typed.trim());
  };
  const chosen = turns[shown ?? turns.length - 1];
  return (
    <>
      <section class="card experts-chat" data-tour="experts-chat" aria-label={t("Conversation with {name}", { name: expert.name })}>
        <p class="experts-back"><a href={at("experts")}><Icon name="left" size={16} /> {t("All experts")}</a></p>
        <header class="card-head">
          <h2>{expert.name}</h2>
          <Button icon="refresh" kind="quiet" disabled={!turns.length || busy} onClick={() => void startOver()}>{t("New conversation")}</Button>
        </header>
        <p class="hint">{expert.description} {expert.types.length
          ? rich("Answers from {database}, {types} first.", { database: <a href={at("kg-studio", [expert.database_id])}>{expert.database_id}</a>, types: listed(expert.types) })
          : rich("Answers from {database}.", { database: <a href={at("kg-studio", [expert.database_id])}>{expert.database_id}</a> })}</p>
        <div class="experts-log" ref={log} role="log" aria-label={t("Conversation")} tabIndex={0}>
          {turns.length || waiting ? null : (
            <div class="stack experts-begin">
              <p class="muted">{t("Ask something. {name} remembers the conversation until you start a new one.", { name: expert.name })}</p>
              {expert.examples.length ? (
                <ul class="row" aria-label={t("Examples")}>
                  {expert.examples.map((each) => <li key={each}><button type="button" class="experts-example" onClick={() => void ask(each)}>{each}</button></li>)}
                </ul>
              ) : null}
            </div>
          )}
          {turns.map((turn, place) => (
            <Said key={place} turn={turn} expert={expert} chosen={turn === chosen} onShow={() => show(place)} />
          ))}
          {waiting ? (
            <>
              <p class="experts-asked">{waiting.message}</p>
              {waiting.problem ? <Problem error={waiting.problem} retry={() => { wait(null); void ask(waiting.message); }} /> : <p class="experts-busy"><Spinner /> <span role="status">{t("{name} is looking it up…", { name: expert.name })}</span></p>}
            </>
          ) : null}
        </div>
        <form class="experts-form" onSubmit={submit}>
          <textarea ref={box} rows={2} aria-label={t("Your question to {name}", { name: expert.name })} placeholder={expert.examples[0] ?? t("Your question")} maxLength={4000} value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event); }} />
          <Button kind="primary" type="submit" icon="send" disabled={!typed.trim()} busy={busy}>{t("Ask")}</Button>
        </form>
        {turns.length ? <p class="hint">{plural(Math.min(20, turns.length), "{name} remembers {count} turn of this conversation.", "{name} remembers {count} turns of this conversation.", { name: expert.name })}</p> : null}
      </section>
      <Citations expert={expert} turn={chosen} />
    </>
  );
}

function Said({ turn, expert, chosen, onShow }: { turn: Turn; expert: ExpertDocument; chosen: boolean; onShow: () => void }) {
  return (
    <div class={`experts-turn ${chosen ? "chosen" : ""}`}>
      <p class="experts-asked" title={fullTime(turn.at)}>{turn.message}</p>
      <div class="experts-answer">
        <Markdown text={cited(turn.answer, turn.citations, expert.database_id)} />
        {turn.note ? <p class="hint">{turn.note}</p> : null}
        <div class="row">
          <span class="hint">{clockTime(turn.at)}</span>
          {turn.answered ? <Badge kind={turn.by === "model" ? "accent" : "plain"}>{turn.by === "model" ? t("Written by a model") : t("Quoted from records")}</Badge> : null}
          <span class="spring" />
          {turn.citations.length && !chosen ? <Button kind="quiet" onClick={onShow}>{plural(turn.citations.length, "{count} source", "{count} sources")}</Button> : null}
          <CopyButton text={turn.answer} />
        </div>
      </div>
    </div>
  );
}

function Citations({ expert, turn }: { expert: ExpertDocument; turn: Turn | undefined }) {
  return (
    <section class="card experts-citations" data-tour="experts-citations" aria-label={t("Sources")}>
      <h2>{t("Sources")}</h2>
      {turn?.citations.length ? (
        <>
          <p class="hint">{t("Sources of the answer to “{message}”.", { message: turn.message })}</p>
          <ol>
            {turn.citations.map((each) => (
              <li key={each.id}>
                <a href={recordOf(expert.database_id, each.id)}>{each.title}</a> <code class="muted">{each.id}</code>
                {each.snippet ? <p>{each.snippet}</p> : null}
                <a class="hint" href={at("kg-studio", [expert.database_id], { tab: "graph", around: each.id, node: each.id })}>{t("Show in graph")}</a>
              </li>
            ))}
          </ol>
        </>
      ) : <p class="hint">{turn ? t("This answer cites no record.") : t("The sources of an answer are listed here, each with a link to its record.")}</p>}
    </section>
  );
}
