/** Calling a tool by hand: the form, the mode, the result, and what was tried before. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { address } from "../../api/address";
import { rich, t } from "../../i18n";
import { at, go, route } from "../../router";
import { CallMenu, SavedRequests } from "../../ui/call-menu";
import { Badge, Button, Card, CopyButton, IconButton } from "../../ui/kit";
import { focusWrong, SchemaForm, startValue, unread, type Wrong } from "../../ui/schema-form/form";
import { brief } from "../../ui/schema-form/schema";
import { clockTime, duration } from "../../ui/time";
import type { Mode, Tool } from "./api";
import { Outcome, standing } from "./outcome";
import { attempt, attemptHere, forget, opening, tries, type Try } from "./tries";
import { examplesIn } from "./words";

/** What was written for each tool is there when one comes back to it. */
const written = new Map<string, unknown>();

export function TryIt({ tool, onDone }: { tool: Tool; onDone: () => void }) {
  const id = tool.toolId;
  const [value, set] = useState<unknown>(() => fromAddress() ?? written.get(id) ?? startValue(tool.jsonSchema));
  const [mode, choose] = useState<Mode>(tool.allowedModes[0] ?? "text");
  const [shown, show] = useState<number | null>(opening.value);
  const form = useRef<HTMLFormElement>(null);
  const own = tries.value.filter((each) => each.toolId === id);
  const current = own.find((each) => each.id === shown) ?? null;
  const examples = useMemo(() => examplesIn(tool.documentation, tool.jsonSchema), [tool]);
  // What the server found wrong belongs to what was sent, until that is changed.
  const errors: Wrong[] = current?.args === value ? current?.envelope?.error?.errors ?? [] : [];
  const bad = unread(value);
  const change = (next: unknown) => {
    written.set(id, next);
    set(next);
  };
  const run = async (calling: Promise<Try>) => {
    show(tries.value[0]!.id);
    const tried = await calling;
    onDone();
    if (tried.envelope?.error?.errors?.length) requestAnimationFrame(() => focusWrong(form.current));
  };
  const press = (event: Event) => {
    event.preventDefault();
    if (bad.length) return focusWrong(form.current);
    void run(attempt(id, value as Record<string, unknown>, mode));
  };
  useEffect(() => {
    // A link with arguments fills the form once; after that the form is the person's.
    if (route.value.query.has("args")) {
      const { args: _, ...rest } = Object.fromEntries(route.value.query);
      go(at("tools", [id], rest), true);
    }
  }, []);
  const args = bad.length ? null : (value as Record<string, unknown>);
  const inBrowser = tool.execution === "client";
  const running = current?.state === "running";
  return (
    <Card title={t("Try it")} tour="tools-form" class="tools-try">
      {inBrowser ? (
        <p class="tools-note">{t("This function runs in the user's browser. During a conversation, an agent asks this page to run it; calls over HTTP have no browser and are refused. You can also run it in this browser now.")}</p>
      ) : null}
      {tool.available ? null : <p class="tools-note is-warn">{rich("Not available here: {unavailableBecause}. Calls will be refused.", { unavailableBecause: tool.unavailableBecause })}</p>}
      {examples.length ? (
        <div class="row" role="group" aria-label={t("Examples from the guide")}>
          <span class="hint">{t("Examples:")}</span>
          {examples.map((each) => <button type="button" class="tools-chip" key={each.title} onClick={() => change(each.args)}>{brief(each.title, 50)}</button>)}
        </div>
      ) : null}
      <form ref={form} onSubmit={press} noValidate class="stack">
        <SchemaForm label={t("Arguments of {id}", { id })} schema={tool.jsonSchema} value={value} onChange={change} errors={errors} />
        <div class="row tools-try-bar">
          <fieldset class="tools-try-mode">
            <legend class="hidden-visually">{t("Mode")}</legend>
            {(["text", "voice"] as const).map((each) => (
              <label key={each}><input type="radio" name="mode" checked={mode === each} onChange={() => choose(each)} /> {each}
                {tool.allowedModes.includes(each) ? "" : " (refused)"}</label>
            ))}
          </fieldset>
          <span class="spring" />
          <Button kind="quiet" onClick={() => change(startValue(tool.jsonSchema))}>{t("Reset")}</Button>
          {inBrowser ? <Button icon="play" onClick={() => args && void run(attemptHere(id, args))}>{t("Run in this browser")}</Button> : null}
          <Button kind="primary" icon="play" type="submit" busy={running}>{t("Try it")}</Button>
        </div>
      </form>
      {/* After the form: from the list to the form is a step or two. */}
      <div class="row tools-copy">
        <CopyButton text={id} label={t("Copy name")} />
        {args ? (
          <>
            <CopyButton label={t("Copy link")} text={() => `${location.origin}${address("/")}${at("tools", [id], { args: JSON.stringify(args) })}`} />
            <CallMenu call={{ tool: id, args, mode }} redact={tool.redact ?? []} runs={false} />
          </>
        ) : null}
        <SavedRequests tool={id} />
      </div>
      {tool.requiresConfirmation ? <p class="hint">{t("It needs approval: you will see the values and decide.")}</p> : null}
      {current ? <Outcome tried={current} /> : null}
      {own.length ? (
        <History own={own} shown={shown} onShow={show} onLoad={(tried) => { change(tried.args); choose(tried.mode); }}
          onAgain={(tried, same) => void run(attempt(id, tried.args, tried.mode, same ? tried.key : undefined))} />
      ) : null}
    </Card>
  );
}

function fromAddress(): unknown {
  const given = route.value.query.get("args");
  if (!given) return undefined;
  try {
    const args: unknown = JSON.parse(given);
    return args && typeof args === "object" && !Array.isArray(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

function History({ own, shown, onShow, onLoad, onAgain }: {
  own: Try[]; shown: number | null; onShow: (id: number) => void; onLoad: (tried: Try) => void;
  onAgain: (tried: Try, same: boolean) => void;
}) {
  return (
    <details class="tools-tries" open={own.length > 1}>
      <summary>{rich("Calls in this visit ({count})", { count: own.length })}</summary>
      <ul class="list">
        {own.map((tried) => {
          const { word, kind } = standing(tried);
          return (
            <li key={tried.id} class="tools-tries-item">
              <button type="button" class="list-item" aria-current={tried.id === shown ? "true" : undefined} onClick={() => onShow(tried.id)}>
                <span class="row"><Badge kind={kind}>{word}</Badge><span class="muted number">{clockTime(tried.at)}</span>
                  {tried.envelope && tried.state === "done" ? <span class="muted number">{duration(tried.envelope.meta.duration)}</span> : null}
                  <span class="muted">{tried.mode}</span></span>
                <small><code>{brief(tried.args, 90)}</code></small>
              </button>
              <span class="row tools-tries-acts">
                <Button kind="quiet" onClick={() => onAgain(tried, true)} title={t("Same key: answered from the record")} disabled={tried.here}>{t("Replay")}</Button>
                <Button kind="quiet" onClick={() => onAgain(tried, false)} title={t("New key: runs again")} disabled={tried.here}>{t("Run again")}</Button>
                <IconButton label={t("Copy these arguments into the form")} icon="edit" onClick={() => onLoad(tried)} />
              </span>
            </li>
          );
        })}
      </ul>
      <p class="hint">{t("Replay reuses the key, so the recorded answer is returned and nothing happens twice. Run again uses a new key.")}
        <Button kind="quiet" class="sf-act" onClick={() => forget(own[0]!.toolId)}>{t("Clear list")}</Button></p>
    </details>
  );
}
