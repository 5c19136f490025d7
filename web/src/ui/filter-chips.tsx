/** Filters as chips above a list: one for each that is set, and a button that offers the others. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { at, go, route } from "../router";
import { Icon } from "./icons";
import { Button, IconButton } from "./kit";
import { Popover, PopMenu } from "./popover";
import "./filter-chips.css";

export interface Filter<K extends string = string> {
  id: K;
  label: string;
  /** What can be chosen; left out: it is typed. */
  options?: readonly { value: string; label: string; group?: string }[];
  type?: "text" | "datetime-local";
  placeholder?: string;
  /** Words to choose from while typing, asked for when somebody begins. */
  suggest?: () => Promise<string[]>;
  /** The value as people read it, and how it stands in the field. */
  show?: (value: string) => string;
  read?: (value: string) => string;
  write?: (typed: string) => string;
}

/** The values of some filters, as the address has them. */
export function filtersInAddress<K extends string>(names: readonly K[]): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, route.value.query.get(name) ?? ""])) as Record<K, string>;
}

/** Writes filters, or whatever else a page keeps there, into the address. An empty value leaves it. */
export function putIntoAddress(change: Record<string, string>): void {
  const { page, rest, query } = route.value;
  if (page) go(at(page, rest, { ...Object.fromEntries(query), ...change }), true);
}

/** `ready` are sets of filters that people look for most; `children` stand at the end of the row. */
export function FilterChips<K extends string>({ label, filters, values, onChange, ready = [], children, tour }: {
  label: string; filters: readonly Filter<K>[]; values: Record<K, string>; onChange: (values: Record<K, string>) => void;
  ready?: readonly { title: string; values: () => Partial<Record<K, string>> }[]; children?: ComponentChildren; tour?: string;
}) {
  const set = filters.filter((filter) => values[filter.id]);
  const none = Object.fromEntries(filters.map((filter) => [filter.id, ""])) as Record<K, string>;
  const adding = useRef<HTMLButtonElement>(null);
  const change = (id: K, value: string) => {
    onChange({ ...values, [id]: value });
    // Its chip goes away with the value: whoever took it away is still here.
    if (!value) adding.current?.focus();
  };
  return (
    <div class="chips" role="group" aria-label={label} data-tour={tour}>
      {set.map((filter) => (
        <span key={filter.id} class="chip">
          <Popover class="chip-value" name={t("Change filter {name}", { name: filter.label })}
            face={<><span class="muted">{filter.label}</span> <b>{shown(filter, values[filter.id])}</b></>}>
            {(close) => <Editor filter={filter} value={values[filter.id]} onDone={(value) => { close(); change(filter.id, value); }} />}
          </Popover>
          <button type="button" class="chip-remove" aria-label={t("Remove filter {name}", { name: filter.label })} title={t("Remove")}
            onClick={() => change(filter.id, "")}><Icon name="close" size={12} /></button>
        </span>
      ))}
      <Adding filters={filters.filter((filter) => !values[filter.id])} button={adding} onDone={change} />
      {set.length ? <Button kind="quiet" class="chips-act" onClick={() => { onChange(none); adding.current?.focus(); }}>{t("Clear filters")}</Button> : ready.map((each) => (
        <Button key={each.title} kind="quiet" class="chips-act" onClick={() => onChange({ ...none, ...each.values() })}>{each.title}</Button>
      ))}
      {children ? <><span class="spring" />{children}</> : null}
    </div>
  );
}

const shown = (filter: Filter, value: string): string =>
  filter.options?.find((option) => option.value === value)?.label ?? filter.show?.(value) ?? value;

function Adding<K extends string>({ filters, button, onDone }: {
  filters: readonly Filter<K>[]; button: { current: HTMLButtonElement | null }; onDone: (id: K, value: string) => void;
}) {
  const [chosen, choose] = useState<Filter<K> | null>(null);
  if (!filters.length) return null;
  return (
    <Popover class="chip-add" button={button} onToggle={() => choose(null)} face={<><Icon name="plus" size={14} /> {t("Filter")}</>}>
      {(close) => (chosen
        ? <Editor filter={chosen} value="" onDone={(value) => { close(); onDone(chosen.id, value); }} />
        : <PopMenu label={t("Filter by")} items={filters.map((filter) => ({ value: filter.id, label: filter.label }))}
            onChoose={(id) => choose(filters.find((filter) => filter.id === id)!)} />)}
    </Popover>
  );
}

function Editor({ filter, value, onDone }: { filter: Filter; value: string; onDone: (value: string) => void }) {
  if (filter.options) {
    return <PopMenu label={filter.label} items={filter.options} chosen={value} onChoose={onDone} />;
  }
  return <Typed filter={filter} value={value} onDone={onDone} />;
}

function Typed({ filter, value, onDone }: { filter: Filter; value: string; onDone: (value: string) => void }) {
  const [typed, type] = useState(filter.read?.(value) ?? value);
  const [words, know] = useState<string[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => field.current!.focus(), []);
  useEffect(() => {
    filter.suggest?.().then(know, () => undefined); // anything can still be typed
  }, []);
  return (
    <form class="chips-form" onSubmit={(event) => {
      event.preventDefault();
      const text = typed.trim();
      onDone(filter.write ? filter.write(text) : text);
    }}>
      <label for={id}>{filter.label}</label>
      <div class="chips-field">
        <input ref={field} id={id} type={filter.type ?? "text"} value={typed} placeholder={filter.placeholder} list={filter.suggest ? `${id}-words` : undefined}
          autocomplete="off" spellcheck={false} onInput={(event) => type(event.currentTarget.value)} />
        <IconButton type="submit" label={t("Apply")} icon="check" />
      </div>
      {filter.suggest ? <datalist id={`${id}-words`}>{words.map((word) => <option key={word} value={word} />)}</datalist> : null}
    </form>
  );
}
