/** Controls for what has parts: objects, lists, maps, and a choice between variants. */
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { Button, IconButton } from "../kit";
import { JsonLeaf } from "./leaves";
import { Part } from "./part";
import { Act, Around, Hint, Tag, useWrong, type Told } from "./parts";
import {
  blank, escaped, initial, likeness, same, shapeOf, Unread, type SchemaLike, type Shape,
} from "./schema";

type Of<K extends Shape["kind"]> = Told<Extract<Shape, { kind: K }>>;
type Entries = [string, unknown][];

/** The frame around parts, or one line that offers to add them. Any of it can be written as JSON. */
function Group({ place, children }: { place: Told; children: () => ComponentChildren }) {
  const { root } = useContext(Around);
  const [asJson, write] = useState(false);
  const box = useRef<HTMLFieldSetElement>(null);
  const added = useRef(false);
  const absent = place.value === undefined;
  const wrong = useWrong(place.at, absent);
  const id = useId();
  useLayoutEffect(() => {
    if (absent || !added.current) return;
    added.current = false;
    box.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [absent]);
  if (asJson || place.value instanceof Unread) {
    const readable = !(place.value instanceof Unread);
    return (
      <div class="sf-as-json">
        <JsonLeaf {...place} />
        <Act place={place} icon="edit" label={t("Back to the form")} disabled={!readable} onClick={() => write(false)} />
      </div>
    );
  }
  return (
    <fieldset class={`sf-group ${absent ? "is-absent" : ""} ${wrong ? "is-wrong" : ""}`} data-at={place.at} ref={box}
      aria-describedby={`${id}-hint${wrong ? ` ${id}-wrong` : ""}`}>
      <legend class="hidden-visually">{place.name}</legend>
      <div class="sf-head">
        <span class="field-label" aria-hidden="true">{place.name}</span>
        <Tag place={place} />
        <span class="spring" />
        {absent ? (
          <Act place={place} icon="plus" label={t("Add")} onClick={() => {
            added.current = true;
            const made = place.shape.kind === "array" ? [blank(place.shape.items, root)] : initial(place.schema, root);
            place.onChange(made ?? {});
          }} />
        ) : place.need === "optional" ? (
          <Act place={place} label={t("Clear")} onClick={() => place.onChange(undefined)} />
        ) : null}
        {absent && place.shape.nullable ? <Act place={place} label={t("Send null")} onClick={() => place.onChange(null)} /> : null}
        <Act place={place} label="JSON" onClick={() => write(true)} />
      </div>
      <Hint id={`${id}-hint`} shape={place.shape} place={place} />
      {wrong ? <p class="wrong" id={`${id}-wrong`}>{place.name} {wrong}</p> : null}
      {absent ? null : <div class="sf-parts">{children()}</div>}
    </fieldset>
  );
}

export function ObjectGroup(place: Of<"object">) {
  return <Group place={place}>{() => <Members {...place} />}</Group>;
}

/** The members of an object, without a frame: the form itself is one of these. */
export function Members(place: Of<"object">) {
  const { shape, at, onChange } = place;
  const value = (place.value ?? {}) as Record<string, unknown>;
  const known = new Set(shape.members.map((member) => member.name));
  const put = (name: string, part: unknown) => onChange(withMember(value, shape.members, name, part));
  const others = Object.entries(value).filter(([name]) => !known.has(name));
  return (
    <>
      {shape.members.map((member) => (
        <Part key={member.name} at={`${at}/${escaped(member.name)}`} name={member.name} schema={member.schema}
          value={value[member.name]} need={member.required ? "required" : "optional"}
          onChange={(part) => put(member.name, part)} />
      ))}
      {shape.more === false ? (
        others.map(([name, part]) => (
          <div class="sf-stranger" key={name}>
            <Part at={`${at}/${escaped(name)}`} name={name} schema={true} value={part} need="optional"
              onChange={(changed) => put(name, changed)} />
          </div>
        ))
      ) : (
        <MapRows place={place} entries={others} schema={shape.more}
          onChange={(entries) => onChange({ ...Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name))), ...entries })} />
      )}
    </>
  );
}

/** In the order of the schema, so that what is sent reads like it; `undefined` leaves it out. */
function withMember(value: Record<string, unknown>, members: { name: string }[], name: string, part: unknown) {
  const changed = { ...value, [name]: part };
  const names = [...new Set([...members.map((member) => member.name), ...Object.keys(changed)])];
  return Object.fromEntries(names.filter((each) => changed[each] !== undefined).map((each) => [each, changed[each]]));
}

/** Entries under names of the person's own. */
function MapRows({ place, entries, schema, onChange }: {
  place: Told; entries: Entries; schema: SchemaLike; onChange: (entries: Record<string, unknown>) => void;
}) {
  const { root } = useContext(Around);
  // Names that are empty or there twice are no object yet; they are kept here until they are.
  const [rows, set] = useState<Entries>(entries);
  const sent = useRef(entries);
  useEffect(() => {
    if (!same(sent.current, entries)) set(entries);
    sent.current = entries;
  }, [JSON.stringify(entries)]);
  const names = rows.map(([name]) => name);
  const change = (next: Entries) => {
    set(next);
    const good = next.filter(([name], index) => name && next.findIndex(([other]) => other === name) === index);
    sent.current = good;
    onChange(Object.fromEntries(good));
  };
  return (
    <div class="sf-map">
      {rows.map(([name, part], index) => {
        const twice = names.indexOf(name) !== index;
        const problem = name === "" ? t("Enter a name, or it is not sent.") : twice ? t("This name exists already; only the first is sent.") : "";
        return (
          <div class="sf-entry" key={index}>
            <label class="sf-key"><span class="hint">{t("Name")}</span>
              <input type="text" value={name} autocomplete="off" aria-invalid={problem ? true : undefined}
                onInput={(event) => change(rows.with(index, [event.currentTarget.value, part]))} />
            </label>
            <Part at={`${place.at}/${escaped(name)}`} name={name || "value"} schema={schema} value={part} need="item"
              onChange={(changed) => change(rows.with(index, [name, changed]))} />
            <IconButton label={t("Remove {name}", { name: name || t("this entry") })} icon="trash" onClick={() => change(rows.toSpliced(index, 1))} />
            {problem ? <p class="wrong">{problem}</p> : null}
          </div>
        );
      })}
      <Button kind="quiet" icon="plus" onClick={() => change([...rows, ["", blank(schema, root)]])}>{t("Add entry")}</Button>
    </div>
  );
}

export function ArrayGroup(place: Of<"array">) {
  return <Group place={place}>{() => <Items {...place} />}</Group>;
}

let made = 0;

function Items(place: Of<"array">) {
  const { shape, at, onChange } = place;
  const { root } = useContext(Around);
  const items = place.value as unknown[];
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<string | null>(null);
  // Items keep their identity while they are moved, so that what is open in them stays open.
  const keys = useRef<number[]>([]);
  while (keys.current.length < items.length) keys.current.push(++made);
  keys.current.length = items.length;
  useLayoutEffect(() => {
    if (focus.current === null) return;
    list.current?.querySelector<HTMLElement>(focus.current)?.focus();
    focus.current = null;
  });
  const full = shape.schema.maxItems !== undefined && items.length >= shape.schema.maxItems;
  const put = (next: unknown[], order: number[], then: string) => {
    keys.current = order;
    focus.current = then;
    onChange(next);
  };
  const insert = (index: number, parts: unknown[]) =>
    put(items.toSpliced(index, 0, ...parts), keys.current.toSpliced(index, 0, ...parts.map(() => ++made)),
      `:scope > li:nth-child(${index + parts.length}) :is(input, select, textarea)`);
  const move = (index: number, to: number) => {
    const next = items.toSpliced(index, 1).toSpliced(to, 0, items[index]);
    const key = keys.current[index]!;
    const way = to < index ? "up" : "down";
    const end = way === "up" ? to === 0 : to === items.length - 1;
    const button = end ? (way === "up" ? "down" : "up") : way;
    put(next, keys.current.toSpliced(index, 1).toSpliced(to, 0, key), `:scope > li:nth-child(${to + 1}) > .sf-item-acts > [data-act="${button}"]`);
  };
  const single = ["text", "number"].includes(shapeOf(shape.items, root).kind);
  return (
    <>
      {items.length ? (
        <ol class="sf-items" ref={list}>
          {items.map((item, index) => (
            <li key={keys.current[index]} class={single ? "is-single" : ""}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || !single || full || !(event.target instanceof HTMLInputElement)) return;
                event.preventDefault();
                insert(index + 1, [blank(shape.items, root)]);
              }}
              onPaste={(event) => {
                // A column from elsewhere becomes items.
                const lines = event.clipboardData?.getData("text/plain").split(/\r?\n/).filter((line) => line.trim()) ?? [];
                if (!single || lines.length < 2 || !(event.target instanceof HTMLInputElement)) return;
                event.preventDefault();
                const kind = shapeOf(shape.items, root);
                const parts = lines.map((line) => (kind.kind === "number" ? pasted(line.trim()) : line));
                put(items.toSpliced(index, 1, ...parts), keys.current.toSpliced(index, 1, ...parts.map(() => ++made)),
                  `:scope > li:nth-child(${index + parts.length}) input`);
              }}>
              <Part at={`${at}/${index}`} name={`${place.name} ${index + 1}`} schema={shape.items} value={item} need="item"
                onChange={(part) => onChange(items.with(index, part))} />
              <div class="sf-item-acts">
                <IconButton data-act="up" label={t("Move {name} {index} up", { name: place.name, index: index + 1 })} icon="up" disabled={index === 0} onClick={() => move(index, index - 1)} />
                <IconButton data-act="down" label={t("Move {name} {index} down", { name: place.name, index: index + 1 })} icon="down" disabled={index === items.length - 1} onClick={() => move(index, index + 1)} />
                <IconButton label={t("Remove {name} {index}", { name: place.name, index: index + 1 })} icon="trash"
                  onClick={() => put(items.toSpliced(index, 1), keys.current.toSpliced(index, 1),
                    `:scope > li:nth-child(${Math.max(1, index)}) :is(input, select, textarea)`)} />
              </div>
            </li>
          ))}
        </ol>
      ) : <p class="hint">{t("An empty list is sent.")}</p>}
      <Button kind="quiet" icon="plus" disabled={full} onClick={() => insert(items.length, [blank(shape.items, root)])}
        aria-label={t("Add to {name}", { name: place.name })}>{full ? t("At most {maxItems}", { maxItems: shape.schema.maxItems ?? 0 }) : t("Add item")}</Button>
    </>
  );
}

const pasted = (text: string): unknown => {
  const number = Number(text.replace(/,$/, ""));
  return Number.isFinite(number) && text ? number : new Unread(text, t("is not a number"));
};

export function VariantGroup(place: Of<"variants">) {
  const { root } = useContext(Around);
  const { shape, value, need } = place;
  const scores = shape.variants.map((each) => likeness(each.schema, root, value));
  const best = Math.max(0, scores.indexOf(Math.max(...scores)));
  const [picked, pick] = useState(best);
  // What was chosen holds as long as the value can be of that kind.
  const open = value === undefined || value instanceof Unread || scores[picked]! > 0;
  const chosen = open ? picked : best;
  const id = useId();
  const variant = shape.variants[chosen];
  if (!variant) return <JsonLeaf {...place} />;
  return (
    <div class="sf-variants">
      <div class="sf-pick">
        <label for={id} class="hint">{t("Type of {name}", { name: place.name })}</label>
        <select id={id} value={String(chosen)} onChange={(event) => {
          const next = Number(event.currentTarget.value);
          pick(next);
          const schema = shape.variants[next]!.schema;
          place.onChange(need === "item" ? blank(schema, root) : value === undefined ? undefined : initial(schema, root));
        }}>
          {shape.variants.map((each, index) => <option key={index} value={String(index)}>{each.title}</option>)}
        </select>
      </div>
      <Part key={chosen} {...place} schema={{ ...variant.schema, description: variant.schema.description ?? shape.schema.description }}
        nullable={shape.nullable} />
    </div>
  );
}
