/** Filters as chips above a list: one for each that is set, and a button that offers the others. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { at, go, route } from "../router";
import { Icon } from "./icons";
import { Button, IconButton } from "./kit";
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
          <Pop class="chip-value" name={t("Change filter {name}", { name: filter.label })}
            face={<><span class="muted">{filter.label}</span> <b>{shown(filter, values[filter.id])}</b></>}>
            {(close) => <Editor filter={filter} value={values[filter.id]} onDone={(value) => { close(); change(filter.id, value); }} />}
          </Pop>
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
    <Pop class="chip-add" button={button} onToggle={() => choose(null)} face={<><Icon name="plus" size={14} /> {t("Filter")}</>}>
      {(close) => (chosen
        ? <Editor filter={chosen} value="" onDone={(value) => { close(); onDone(chosen.id, value); }} />
        : <Menu label={t("Filter by")} items={filters.map((filter) => ({ value: filter.id, label: filter.label }))}
            onChoose={(id) => choose(filters.find((filter) => filter.id === id)!)} />)}
    </Pop>
  );
}

/** A button and what it opens below itself. */
function Pop({ face, name, class: more, button, onToggle, children }: {
  face: ComponentChildren; name?: string; class: string; button?: { current: HTMLButtonElement | null };
  onToggle?: () => void; children: (close: () => void) => ComponentChildren;
}) {
  const own = useRef<HTMLButtonElement>(null);
  const opener = button ?? own;
  const box = useRef<HTMLDivElement>(null);
  const [open, set] = useState(false);
  const id = useId();
  useLayoutEffect(() => {
    if (!open) return;
    const { left, bottom } = opener.current!.getBoundingClientRect();
    const { style, offsetWidth } = box.current!;
    style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${bottom + 4}px`;
    style.maxHeight = `${Math.max(160, innerHeight - bottom - 16)}px`;
  });
  return (
    <>
      <button type="button" ref={opener} class={more} aria-label={name} aria-expanded={open} popovertarget={id}>{face}</button>
      <div ref={box} id={id} popover="auto" class="chips-pop" onToggle={(event) => {
        set((event as unknown as ToggleEvent).newState === "open");
        onToggle?.();
      }}>
        {open ? children(() => box.current?.hidePopover()) : null}
      </div>
    </>
  );
}

function Editor({ filter, value, onDone }: { filter: Filter; value: string; onDone: (value: string) => void }) {
  if (filter.options) {
    return <Menu label={filter.label} items={filter.options} chosen={value} onChoose={onDone} />;
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

function Menu({ label, items, chosen, onChoose }: {
  label: string; items: readonly { value: string; label: string; group?: string }[]; chosen?: string; onChoose: (value: string) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const buttons = () => [...list.current!.querySelectorAll<HTMLElement>("button")];
  useLayoutEffect(() => {
    const all = buttons();
    (all.find((button) => button.getAttribute("aria-checked") === "true") ?? all[0])?.focus();
  }, []);
  const move = (event: KeyboardEvent) => {
    const all = buttons();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const places: Record<string, number> = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 };
    let next = places[event.key];
    if (next === undefined && /^\S$/.test(event.key)) {
      const letter = event.key.toLowerCase();
      next = [...all.keys()].map((step) => (here + 1 + step) % all.length).find((at) => all[at]!.textContent!.trim().toLowerCase().startsWith(letter));
    }
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]!.focus();
  };
  const role = chosen === undefined ? "menuitem" : "menuitemradio";
  return (
    <div role="menu" aria-label={label} class="chips-menu" ref={list} onKeyDown={move}>
      {items.map((item, index) => (
        <div key={item.value} role="none">
          {item.group && item.group !== items[index - 1]?.group ? <p class="chips-group" role="none">{item.group}</p> : null}
          <button type="button" role={role} tabIndex={-1} {...(chosen === undefined ? {} : { "aria-checked": item.value === chosen })}
            onClick={() => onChoose(item.value)}>{item.label}</button>
        </div>
      ))}
    </div>
  );
}
