/** Values that a step takes from earlier ones, chosen from what those gave when they were tested or run. */
import { useId, useState } from "preact/hooks";

import { t } from "../../i18n";
import { Button, IconButton } from "../../ui/kit";
import { brief } from "../../ui/schema-form/schema";
import type { Wrong } from "../../ui/schema-form/form";
import type { Tool } from "../tools/api";
import { innerOf, pipeErrors, type Pipe, type Step } from "./draft";
import { INSIDE, targetOf, type StepProps } from "./step";
import { pathsIn, pathsOf, targetsOf, type Suggestion } from "./suggest";

type Props = StepProps & { tool: Tool; here: Wrong[] };

export function Pipes(props: Props) {
  const { step, index, steps, onChange, here } = props;
  if (index === 0 && !step.pipes.length) return null;
  const change = (pipes: Pipe[]) => onChange((now) => ({ ...now, pipes }));
  const earlier = steps.slice(0, index);
  return (
    <fieldset class="macros-pipes">
      <legend>{t("Values from earlier steps")}</legend>
      {step.pipes.length ? null : <p class="hint">{t("Output of an earlier step can fill a field of this one. Test that step to choose from its output.")}</p>}
      {step.pipes.map((pipe, number) => (
        <PipeRow key={number} {...props} pipe={{ ...pipe, to: targetOf(step, pipe) }} number={number} earlier={earlier}
          wrongs={pipeErrors(here, number, step.pipes.length)}
          onPipe={(changed) => change(step.pipes.with(number, { ...changed, to: changed.to && innerOf(step) ? INSIDE + changed.to : changed.to }))}
          onDrop={() => change(step.pipes.toSpliced(number, 1))} />
      ))}
      <Button kind="quiet" icon="plus" onClick={() => change([...step.pipes, { from: earlier.at(-1)?.key ?? "", path: "", to: "" }])}>
        {t("Use a value")}
      </Button>
    </fieldset>
  );
}

function PipeRow({ pipe, number, index, steps, tools, tool, outputs, earlier, wrongs, onPipe, onDrop }: Props & {
  pipe: Pipe; number: number; earlier: Step[]; wrongs: Wrong[]; onPipe: (pipe: Pipe) => void; onDrop: () => void;
}) {
  const id = useId();
  const from = steps.findIndex((each) => each.key === pipe.from);
  const source = steps[from];
  const ran = source ? innerOf(source) : "";
  const schema = tools.find((each) => each.toolId === (ran || source?.function))?.output;
  const output = source ? outputs[source.key] : undefined;
  const promised = pathsOf(schema).map((each) => (ran ? { ...each, path: `result/${each.path}` } : each));
  const paths = output?.state === "done" ? pathsIn(output.value) : promised;
  const wrong = (name: string) => wrongs.filter((each) => each.pointer === name).map((each) => each.message + (each.expected ? ` (${t("expected")}: ${each.expected})` : "")).join("; ");
  const late = from >= index && from >= 0;
  return (
    <div class="macros-pipe" role="group" aria-label={t("Value {number}", { number: number + 1 })}>
      <div class="macros-pipe-field"><label for={id}>{t("From")}</label>
        <select id={id} value={pipe.from} onChange={(event) => onPipe({ ...pipe, from: event.currentTarget.value, path: "" })} aria-invalid={wrong("/step") || late ? true : undefined}>
          {from < 0 ? <option value="">{t("Choose a step")}</option> : null}
          {earlier.map((each, at) => <option key={each.key} value={each.key}>{t("Step {number}:", { number: at + 1 })} {innerOf(each) || each.function || t("no function")}</option>)}
          {late ? <option value={pipe.from}>{t("Step {number} (comes later)", { number: from + 1 })}</option> : null}
        </select>
      </div>
      <PathChoice label={t("Value")} value={pipe.path} none={t("Whole output")} of={paths} invalid={!!wrong("/path")} onChoose={(path) => onPipe({ ...pipe, path })} />
      <PathChoice label={t("Into field")} value={pipe.to} none={t("Automatic")} of={targetsOf(tool.jsonSchema)} invalid={!!wrong("/to")} onChoose={(to) => onPipe({ ...pipe, to })} />
      <IconButton label={t("Remove value {number}", { number: number + 1 })} icon="trash" onClick={onDrop} />
      {wrong("/step") ? <p class="wrong">{t("From")}: {wrong("/step")}</p> : null}
      {wrong("/path") ? <p class="wrong">{t("Value")}: {wrong("/path")}</p> : null}
      {wrong("/to") ? <p class="wrong">{t("Into field")}: {wrong("/to")}</p> : null}
      {late ? <p class="wrong">{t("That step comes after this one. Move it up, or choose another.")}</p> : null}
      {wrong("") ? <p class="wrong">{wrong("")}</p> : null}
      {output?.state === "done" && pipe.path && !paths.some((each) => each.path === pipe.path)
        ? <p class="hint">{t("The last output has nothing there.")}</p> : null}
    </div>
  );
}

const CUSTOM = "\u0000custom";

/** A path from a list with an example of each value; or one that is typed. */
function PathChoice({ label, value, none, of, invalid, onChoose }: {
  label: string; value: string; none: string; of: Suggestion[]; invalid: boolean; onChoose: (path: string) => void;
}) {
  const listed = value === "" || of.some((each) => each.path === value);
  const [typing, type] = useState(false);
  const id = useId();
  if (typing || (!listed && !of.length)) {
    return (
      <div class="macros-pipe-field"><label for={id}>{label}</label>
        <input id={id} type="text" value={value} placeholder={none} autocomplete="off" spellcheck={false} aria-invalid={invalid || undefined}
          onInput={(event) => onChoose(event.currentTarget.value)} onBlur={() => type(false)} />
      </div>
    );
  }
  return (
    <div class="macros-pipe-field"><label for={id}>{label}</label>
      <select id={id} value={value} aria-invalid={invalid || undefined} onChange={(event) => {
        const chosen = event.currentTarget.value;
        if (chosen === CUSTOM) type(true);
        else onChoose(chosen);
      }}>
        <option value="">{none}</option>
        {listed ? null : <option value={value}>{value}</option>}
        {of.map((each) => <option key={each.path} value={each.path}>{each.path}{each.about ? ` – ${brief(each.about, 50)}` : ""}</option>)}
        <option value={CUSTOM}>{t("Other path…")}</option>
      </select>
    </div>
  );
}
