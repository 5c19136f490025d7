/** The dialog that asks before something happens. Doing nothing is a no. */
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { rich, t } from "../i18n";
import { type Asked, current, named, type Question, questions, type Remember, respond } from "../stores/confirmations";
import { Icon } from "../ui/icons";
import { Badge, Button } from "../ui/kit";
import { hearing } from "../voice/ear";
import { countdown, inWords, useNow } from "./now";

export function Confirm() {
  const asked = current.value;
  // A question of its own each time: focus and choices start anew.
  return asked ? <Ask key={asked.question.id} asked={asked} /> : null;
}

const SCOPES: { id: "once" | Remember; label: string }[] = [
  { id: "once", label: t("Just this once") },
  { id: "session", label: t("For the rest of this session") },
  { id: "always", label: t("Always, until I revoke it in Settings") },
];

function Ask({ asked }: { asked: Asked }) {
  const { question, spoken, problem } = asked;
  const { id, tool, preview, fields = [], risk } = question;
  const element = useRef<HTMLDialogElement>(null);
  const deny = useRef<HTMLSpanElement>(null);
  const [scope, choose] = useState<"once" | Remember>("once");
  const name = useId();
  const heading = useId();
  const about = useId();
  const scopes = SCOPES.filter((each) => each.id === "once" || question.remember?.includes(each.id));
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    deny.current!.querySelector("button")!.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const refuse = () => void respond(id, { approve: false });
  const approve = () => void respond(id, { approve: true, ...(scope === "once" ? {} : { remember: scope }) });
  return (
    <dialog ref={element} class="dialog confirm" role="alertdialog" aria-labelledby={heading} aria-describedby={about}
      onCancel={(event) => { event.preventDefault(); refuse(); }}
      // A browser closes a dialog on the second Escape whatever a page says.
      onClose={() => element.current && refuse()}
      // Keys mean the dialog while it is open, not the conversation behind it.
      onKeyDown={(event) => event.stopPropagation()}>
      <header class="confirm-head">
        <Icon name="shield" size={22} />
        <h2 id={heading}>{named(question)}?</h2>
        {questions.value.length > 1 ? <Badge>{rich("1 of {count}", { count: questions.value.length })}</Badge> : null}
      </header>
      <div class="confirm-body" tabIndex={fields.length > 3 ? 0 : undefined} role="group" aria-label={t("What would happen")}>
        {/* The fields say the same, to be looked at. */}
        <p id={about} class={fields.length ? "hidden-visually" : ""}>{preview}</p>
        {fields.length ? (
          <dl class="confirm-fields">
            {fields.map((field) => (
              <div key={field.name}>
                <dt>{field.label || field.name}</dt>
                <dd><Value field={field} /></dd>
              </div>
            ))}
          </dl>
        ) : null}
        {question.complete === false ? (
          <p class="wrong">{t("There is more than can be shown here. Approve only if you know the rest.")}</p>
        ) : null}
        <p class="row confirm-facts">
          <Badge>{tool}</Badge>
          <Badge kind={risk === "high" ? "bad" : "plain"}>{rich("{risk} risk", { risk })}</Badge>
          <span class="hint">{rich("Rule {code}: a person decides.", { code: <code>{question.rule ?? "confirmation"}</code> })}</span>
        </p>
        {scopes.length > 1 ? (
          <fieldset class="confirm-scope">
            <legend>{t("Approval applies")}</legend>
            {scopes.map((each) => (
              <label key={each.id}>
                <input type="radio" name={name} checked={scope === each.id} onChange={() => choose(each.id)} />
                {each.label}
              </label>
            ))}
          </fieldset>
        ) : null}
        {problem ? <p class="wrong" role="alert">{problem}</p> : null}
      </div>
      <footer class="confirm-actions">
        <TimeLeft until={question.expires_at * 1000} spoken={spoken && hearing.value} />
        <span class="row" ref={deny}>
          <Button onClick={refuse} class="confirm-deny">{rich("Deny {key}", { key: <kbd aria-hidden="true">Esc</kbd> })}</Button>
          <Button kind={risk === "high" ? "danger" : "primary"} icon="check" onClick={approve}>{t("Approve")}</Button>
        </span>
      </footer>
    </dialog>
  );
}

/** The whole of it: what is approved has to be seen. */
function Value({ field }: { field: NonNullable<Question["fields"]>[number] }) {
  const shown = field.full ?? field.display ?? String(field.value);
  if (!isLong(shown)) return <>{shown}</>;
  return <div class="confirm-long" tabIndex={0} role="group" aria-label={t("{label}, in full", { label: field.label || field.name })}>{shown}</div>;
}

const isLong = (text: string): boolean => text.length > 280 || text.split("\n").length > 6;

/** Said aloud only now and then: every second would be too much. */
const ALOUD = [60, 30, 10];

function TimeLeft({ until, spoken }: { until: number; spoken: boolean }) {
  const left = until - useNow(250);
  const seconds = Math.ceil(left / 1000);
  const mark = ALOUD.findLast((each) => seconds <= each);
  return (
    <p class="hint confirm-time">
      {rich("{left} then it is denied{part}{part2}", { left: <span role="timer" aria-label={t("{left} left", { left: inWords(left) })} class={`number ${seconds <= 10 ? "soon" : ""}`}>{countdown(left)}</span>, part: spoken ? <>{rich(". You can also {part}", { part: <strong>{t("say yes or no")}</strong> })}</> : null, part2: <span class="hidden-visually" aria-live="polite">{mark ? t("Denied in less than {mark}.", { mark: inWords(mark * 1000) }) : ""}</span> })}
    </p>
  );
}
