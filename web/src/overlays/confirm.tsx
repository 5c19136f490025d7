/** The dialog that asks before something happens. Doing nothing is a no. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { locale, rich, t } from "../i18n";
import { ownName } from "../stores/account";
import { type Asked, current, named, type Question, type QuestionField, questions, type Remember, respond } from "../stores/confirmations";
import { Icon } from "../ui/icons";
import { Badge, Button, Loading } from "../ui/kit";
import { hearing } from "../voice/ear";
import type { ChangeFormProps } from "./change-form";
import { countdown, inWords, useNow } from "./now";
import "./confirm.css";

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
  const { question, spoken, problem, wrong, draft } = asked;
  const { id, preview, fields = [] } = question;
  const element = useRef<HTMLDialogElement>(null);
  const deny = useRef<HTMLSpanElement>(null);
  const [scope, choose] = useState<"once" | Remember>("once");
  // What was written, where the values are being changed; null while something in it is no value.
  const [changing, change] = useState(draft !== null);
  const [args, write] = useState<Record<string, unknown> | null>(draft ?? question.args ?? null);
  const heading = useId();
  const about = useId();
  const final = cannotBeUndone(question);
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
  const approve = () => {
    if (changing && !args) return; // the form says what is wrong
    void respond(id, { approve: true, ...(scope === "once" ? {} : { remember: scope }), ...(changing && args ? { args } : {}) });
  };
  const shown = fields.filter((field) => !field.empty);
  return (
    <dialog ref={element} class={`dialog confirm ${final ? "is-final" : ""}`} role="alertdialog" aria-labelledby={heading} aria-describedby={about}
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
      <div class="confirm-body" tabIndex={shown.length > 3 ? 0 : undefined} role="group" aria-label={t("What would happen")}>
        {/* The fields say the same, to be looked at. */}
        <p id={about} class={shown.length ? "hidden-visually" : ""}>{preview}</p>
        {changing ? <Changing question={question} value={args ?? question.args ?? {}} wrong={wrong} onChange={write} /> : shown.length ? <Fields fields={shown} /> : null}
        {question.complete === false ? (
          <p class="wrong">{t("There is more than can be shown here. Approve only if you know the rest.")}</p>
        ) : null}
        <Facts question={question} final={final} changing={changing} onChange={() => change(true)} />
        <Scopes question={question} scope={scope} onChoose={choose} />
        {problem ? <p class="wrong" role="alert">{problem}</p> : null}
      </div>
      <footer class="confirm-actions">
        <TimeLeft until={question.expires_at * 1000} spoken={spoken && hearing.value} />
        <span class="row" ref={deny}>
          <Button onClick={refuse} class="confirm-deny">{rich("Deny {key}", { key: <kbd aria-hidden="true">Esc</kbd> })}</Button>
          <Button kind={final ? "danger" : "primary"} icon="check" disabled={changing && !args} onClick={approve}>{changing ? t("Approve with changes") : t("Approve")}</Button>
        </span>
      </footer>
    </dialog>
  );
}

/** What stands red: a high risk that nobody can take back. */
const FINAL = /(^|_)(delete|remove|drop|purge|erase|wipe|send|pay|transfer|wire|publish)(_|$)/;
export const cannotBeUndone = ({ risk, tool }: Pick<Question, "risk" | "tool">): boolean => risk === "high" && FINAL.test(tool);

function Facts({ question, final, changing, onChange }: { question: Question; final: boolean; changing: boolean; onChange: () => void }) {
  const { tool, args, approvals = 1, approved_by: by = [] } = question;
  const untrusted = question.rule?.startsWith("untrusted.") || question.rule === "leak.private";
  return (
    <>
      <p class="row confirm-facts">
        <Badge>{tool}</Badge>
        {final ? <Badge kind="bad">{t("Cannot be undone")}</Badge> : null}
        {question.rule && question.rule !== "confirmation" && !untrusted ? <span class="hint">{rich("Required by the rule {code}.", { code: <code>{question.rule}</code> })}</span> : null}
        <span class="spring" />
        {args && !changing ? <Button kind="quiet" icon="edit" onClick={onChange}>{t("Change values")}</Button> : null}
      </p>
      {question.user !== undefined && question.user !== ownName.value ? <p>{rich("{user} asks for this, and has approved it.", { user: <strong>{question.user}</strong> })}</p> : null}
      {untrusted ? <p class="confirm-read">{reason(question)}</p> : null}
      {approvals > 1 ? (
        <p class="hint">{by.length ? by.includes(question.user ?? "") && question.user !== ownName.value ? t("You are the second person. It runs when you approve.") : t("Approved by {names}. A second person must approve it too.", { names: by.join(", ") }) : t("Two people must approve this. After you, a second person is asked.")}</p>
      ) : null}
    </>
  );
}

/** Why a person is asked about what text of others may have led to. */
function reason({ rule, read_before: read }: Question): ComponentChildren {
  if (!read) return rule === "leak.private" ? t("This would send private data outside.") : t("Text written by others may have led to this.");
  const source = { source: <strong>{read}</strong> };
  if (rule === "untrusted.destination") return rich("Asked after reading {source}: this goes to somewhere new.", source);
  if (rule === "untrusted.values") return rich("Asked after reading {source}: not all values are your own.", source);
  if (rule === "leak.private") return rich("Asked after reading {source}: this would send private data outside.", source);
  return rich("Asked after reading {source}: you did not ask for this yourself.", source);
}

function Scopes({ question, scope, onChoose }: { question: Question; scope: "once" | Remember; onChoose: (scope: "once" | Remember) => void }) {
  const name = useId();
  const scopes = SCOPES.filter((each) => each.id === "once" || question.remember?.includes(each.id));
  if (scopes.length < 2) return null;
  return (
    <fieldset class="confirm-scope">
      <legend>{t("Approval applies")}</legend>
      {scopes.map((each) => (
        <label key={each.id}>
          <input type="radio" name={name} checked={scope === each.id} onChange={() => onChoose(each.id)} />
          {each.label}
        </label>
      ))}
    </fieldset>
  );
}

export function Fields({ fields }: { fields: readonly QuestionField[] }) {
  return (
    <dl class="confirm-fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label || field.name}</dt>
          <dd><span class="confirm-value"><Value field={field} /></span><Origin field={field} /></dd>
        </div>
      ))}
    </dl>
  );
}

/** The whole of it: what is approved has to be seen. */
function Value({ field }: { field: QuestionField }) {
  const shown = inPeoplesForm(field.value) ?? field.full ?? field.display ?? String(field.value);
  if (!isLong(shown)) return <>{shown}</>;
  return <div class="confirm-long" tabIndex={0} role="group" aria-label={t("{label}, in full", { label: field.label || field.name })}>{shown}</div>;
}

const isLong = (text: string): boolean => text.length > 280 || text.split("\n").length > 6;

const MOMENT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)$/;
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
const offset = new Intl.DateTimeFormat(locale, { timeZoneName: "short" });

/** A moment in the person's own time zone. */
export function inPeoplesForm(value: unknown): string | null {
  if (typeof value !== "string" || !MOMENT.test(value)) return null;
  const date = new Date(value.replace(" ", "T"));
  if (Number.isNaN(date.getTime())) return null;
  const zone = offset.formatToParts(date).find((part) => part.type === "timeZoneName")?.value ?? "";
  return `${moment.format(date)} ${zone}`.trim();
}

function Origin({ field: { origin, new: isNew } }: { field: QuestionField }) {
  if (!origin) return isNew ? <small class="confirm-origin untrusted">{t("new")}</small> : null;
  const { kind, text } = origin;
  const words = kind === "said" ? t("you said “{words}”", { words: text })
    : kind === "result" ? t("from {source}", { source: text })
    : kind === "untrusted" ? t("written by others: {source}", { source: text })
    : kind === "default" ? t("default") : t("chosen by the model");
  return <small class={`confirm-origin ${kind}`}>{isNew ? t("new") + " · " : ""}{words}</small>;
}

/** The form comes when somebody wants to change something. */
function Changing({ question, value, wrong, onChange }: {
  question: Question; value: Record<string, unknown>; wrong: ChangeFormProps["wrong"]; onChange: (args: Record<string, unknown> | null) => void;
}) {
  const [Form, have] = useState<ComponentType<ChangeFormProps> | null>(null);
  const [problem, fail] = useState(false);
  useEffect(() => {
    import("./change-form").then((module) => have(() => module.ChangeForm), () => fail(true));
  }, []);
  if (problem) return <p class="wrong" role="alert">{t("The form could not be loaded. You can still approve or deny.")}</p>;
  return Form ? <Form tool={question.tool} value={value} wrong={wrong} onChange={onChange} /> : <Loading />;
}

/** Said aloud only now and then: every second would be too much. */
const ALOUD = [60, 30, 10];

function TimeLeft({ until, spoken }: { until: number; spoken: boolean }) {
  const left = until - useNow(250);
  const seconds = Math.ceil(left / 1000);
  const mark = ALOUD.findLast((each) => seconds <= each);
  const clock = <span role="timer" aria-label={t("{left} left", { left: inWords(left) })} class={`number ${seconds <= 10 ? "soon" : ""}`}>{countdown(left)}</span>;
  return (
    <p class="hint confirm-time">
      {rich("Denied in {time} without an answer.", { time: clock })}
      {spoken ? <> {rich("You can also {answer}.", { answer: <strong>{t("say yes or no")}</strong> })}</> : null}
      <span class="hidden-visually" aria-live="polite">{mark ? t("Denied in less than {mark}.", { mark: inWords(mark * 1000) }) : ""}</span>
    </p>
  );
}
