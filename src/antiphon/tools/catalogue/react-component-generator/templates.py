"""Jinja2 templates of components, tests and styles."""

# ruff: noqa: E501, RUF001 - the templates are lines of TypeScript

from __future__ import annotations

HEAD = """\
{% set hooks = [] %}
{% if kind == "form" or kind == "counter" or kind == "toggle" %}{% set hooks = ["useState"] %}{% endif %}
{% if kind == "list" or kind == "table" %}
{% set hooks = ["useMemo", "useState"] if search or sort or pagination else [] %}
{% endif %}
{% if kind == "todo" or kind == "tabs" %}{% set hooks = ["useState"] %}{% endif %}
{% if kind == "timer" %}{% set hooks = ["useEffect", "useState"] %}{% endif %}
{% if kind == "modal" %}{% set hooks = ["useEffect", "useRef"] %}{% endif %}
{% if kind == "fetch" %}{% set hooks = ["useEffect", "useState"] %}{% endif %}
{% if framework == "next" and (hooks or kind == "form") %}
"use client";

{% endif %}
{% if framework == "preact" %}
{% if hooks %}
import { {{ hooks | join(", ") }} } from "preact/hooks";
{% endif %}
{% if kind in ("card", "modal", "toggle", "tabs") %}
import type { ComponentChildren } from "preact";
{% endif %}
{% else %}
{% set types = [] %}
{% if kind in ("card", "modal", "toggle") %}{% set types = ["type ReactNode"] %}{% endif %}
{% if kind == "tabs" %}{% set types = ["type KeyboardEvent", "type ReactNode"] %}{% endif %}
{% if kind in ("form", "todo") %}{% set types = ["type FormEvent"] %}{% endif %}
{% if hooks or types %}
import { {{ (hooks + types) | join(", ") }} } from "react";
{% endif %}
{% endif %}
{% if styles %}
import styles from "./{{ name }}.module.css";
{% endif %}
{% set node = "ComponentChildren" if framework == "preact" else "ReactNode" %}
{% set root = "{styles.root}" if styles else '"' ~ (name | lower) ~ '"' %}
{% set theme = ' data-theme={dark ? "dark" : "light"}' if dark_mode else "" %}

/** {{ comment }} */
"""

CARD = """\
export interface {{ name }}Props {
  title?: string;
{% for field in fields %}
  {{ field.name }}?: {{ shown_types.get(field.type, "string") }};
{% endfor %}
  children?: {{ node }};
  onSelect?: () => void;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

{% set known = fields | map(attribute="name") | join(", ") %}
export function {{ name }}({ title = {{ title | tojson }}, {{ known ~ ", " if known }}children, onSelect{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  return (
    <article className={{ root }}{{ theme }} aria-label={title}>
      <h2>{title}</h2>
{% if fields %}
      <dl>
{% for field in fields %}
        {{ "{" }}{{ field.name }} !== undefined && (
          <div>
            <dt>{{ field.label }}</dt>
            <dd>{{ "{" }}{{ field.name }}{{ ' ? "Yes" : "No"' if field.type == "checkbox" }}{{ "}" }}</dd>
          </div>
        )}
{% endfor %}
      </dl>
{% endif %}
      <div>{children}</div>
      {onSelect && (
        <button type="button" onClick={onSelect}>
          Open
        </button>
      )}
    </article>
  );
}

export default {{ name }};
"""

FORM = """\
export interface {{ name }}Values {
{% for field in fields %}
  {{ field.name }}: {{ "boolean" if field.type == "checkbox" else "string" }};
{% endfor %}
}

export interface {{ name }}Props {
  onSubmit: (values: {{ name }}Values) => void | Promise<void>;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

type Errors = Partial<Record<keyof {{ name }}Values, string>>;

const EMPTY: {{ name }}Values = {
{% for field in fields %}
  {{ field.name }}: {{ "false" if field.type == "checkbox" else '""' }},
{% endfor %}
};

function validate(values: {{ name }}Values): Errors {
  const errors: Errors = {};
{% for field in fields if field.type != "checkbox" %}
  if (!values.{{ field.name }}.trim()) errors.{{ field.name }} = "{{ field.label }} is required.";
{% if field.type == "email" %}
  else if (!/^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/.test(values.{{ field.name }})) errors.{{ field.name }} = "Enter a valid address.";
{% elif field.type == "password" %}
  else if (values.{{ field.name }}.length < 8) errors.{{ field.name }} = "Use at least 8 characters.";
{% elif field.type == "number" %}
  else if (Number.isNaN(Number(values.{{ field.name }}))) errors.{{ field.name }} = "Enter a number.";
{% endif %}
{% endfor %}
  return errors;
}

export function {{ name }}({ onSubmit{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [values, setValues] = useState<{{ name }}Values>(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);

  function change<K extends keyof {{ name }}Values>(field: K, value: {{ name }}Values[K]) {
    setValues((before) => ({ ...before, [field]: value }));
    setErrors((before) => ({ ...before, [field]: undefined }));
  }

  async function submit(event: {{ "Event" if framework == "preact" else "FormEvent<HTMLFormElement>" }}) {
    event.preventDefault();
    const found = validate(values);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    setFailure("");
    try {
      await onSubmit(values);
      setValues(EMPTY);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "It could not be sent.");
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={{ root }}{{ theme }} aria-label={{ title | tojson }} onSubmit={submit} noValidate>
{% for field in fields %}
      <div>
        <label htmlFor="{{ name | lower }}-{{ field.name }}">{{ field.label }}</label>
{% if field.type == "checkbox" %}
        <input
          id="{{ name | lower }}-{{ field.name }}"
          type="checkbox"
          checked={values.{{ field.name }}}
          onChange={(event) => change("{{ field.name }}", event.currentTarget.checked)}
        />
{% elif field.type == "textarea" %}
        <textarea
          id="{{ name | lower }}-{{ field.name }}"
          value={values.{{ field.name }}}
          aria-invalid={Boolean(errors.{{ field.name }})}
          onChange={(event) => change("{{ field.name }}", event.currentTarget.value)}
        />
{% else %}
        <input
          id="{{ name | lower }}-{{ field.name }}"
          type="{{ field.type }}"
          value={values.{{ field.name }}}
          aria-invalid={Boolean(errors.{{ field.name }})}
          onChange={(event) => change("{{ field.name }}", event.currentTarget.value)}
        />
{% endif %}
        {errors.{{ field.name }} && <p role="alert">{errors.{{ field.name }}}</p>}
      </div>
{% endfor %}
      {failure && <p role="alert">{failure}</p>}
      <button type="submit" disabled={busy}>
        {busy ? "Sending…" : "Submit"}
      </button>
    </form>
  );
}

export default {{ name }};
"""

# The start of what a list or a table shows: the page of what was found, and the search field.
PAGE_OF_FOUND = """\
{% if pagination %}
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const current = Math.min(page, pages - 1);
  const shown = found.slice(current * pageSize, (current + 1) * pageSize);
{% else %}
  const shown = found;
{% endif %}

  return (
    <section className={{ root }}{{ theme }} aria-label={{ title | tojson }}>
{% if search %}
      <input
        type="search"
        aria-label="Search"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
{% endif %}
"""

# Their end: the buttons to the other pages.
PAGER = """\
{% if pagination %}
      <nav aria-label="Pages">
        <button type="button" disabled={current === 0} onClick={() => setPage(current - 1)}>
          Previous
        </button>
        <span>
          {current + 1} of {pages}
        </span>
        <button type="button" disabled={current + 1 >= pages} onClick={() => setPage(current + 1)}>
          Next
        </button>
      </nav>
{% endif %}
    </section>
  );
}

export default {{ name }};
"""

LIST = (
    """\
export interface {{ name }}Item {
  id: string;
  label: string;
}

export interface {{ name }}Props {
  items: {{ name }}Item[];
  onSelect?: (item: {{ name }}Item) => void;
{% if pagination %}
  pageSize?: number;
{% endif %}
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ items, onSelect{{ ", pageSize = 10" if pagination }}{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
{% if search %}
  const [query, setQuery] = useState("");
{% endif %}
{% if pagination %}
  const [page, setPage] = useState(0);
{% endif %}
{% if search %}
  const found = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return items.filter((item) => item.label.toLowerCase().includes(wanted));
  }, [items, query]);
{% elif pagination %}
  const found = useMemo(() => items, [items]);
{% else %}
  const found = items;
{% endif %}
"""
    + PAGE_OF_FOUND
    + """\
      {shown.length === 0 ? (
        <p>Nothing to show.</p>
      ) : (
        <ul>
          {shown.map((item) => (
            <li key={item.id}>
              {onSelect ? (
                <button type="button" onClick={() => onSelect(item)}>
                  {item.label}
                </button>
              ) : (
                item.label
              )}
            </li>
          ))}
        </ul>
      )}
"""
    + PAGER
)

TABLE = (
    """\
export interface {{ name }}Row {
  id: string;
{% for field in fields %}
  {{ field.name }}: {{ "number" if field.type == "number" else "boolean" if field.type == "checkbox" else "string" }};
{% endfor %}
}

export interface {{ name }}Props {
  rows: {{ name }}Row[];
{% if pagination %}
  pageSize?: number;
{% endif %}
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

type Column = Exclude<keyof {{ name }}Row, "id">;

const COLUMNS: { key: Column; label: string }[] = [
{% for field in fields %}
  { key: "{{ field.name }}", label: "{{ field.label }}" },
{% endfor %}
];

export function {{ name }}({ rows{{ ", pageSize = 10" if pagination }}{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
{% if search %}
  const [query, setQuery] = useState("");
{% endif %}
{% if sort %}
  const [order, setOrder] = useState<{ key: Column; up: boolean } | null>(null);
{% endif %}
{% if pagination %}
  const [page, setPage] = useState(0);
{% endif %}
{% if search or sort or pagination %}
  const found = useMemo(() => {
    let result = [...rows];
{% if search %}
    const wanted = query.trim().toLowerCase();
    result = result.filter((row) =>
      COLUMNS.some(({ key }) => String(row[key]).toLowerCase().includes(wanted)),
    );
{% endif %}
{% if sort %}
    if (order) {
      const { key, up } = order;
      result.sort((a, b) => {
        const sign = a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0;
        return up ? sign : -sign;
      });
    }
{% endif %}
    return result;
  }, [rows{{ ", query" if search }}{{ ", order" if sort }}]);
{% else %}
  const found = rows;
{% endif %}
"""
    + PAGE_OF_FOUND
    + """\
      <table>
        <thead>
          <tr>
            {COLUMNS.map(({ key, label }) => (
              <th key={key} scope="col"{{ ' aria-sort={order?.key === key ? (order.up ? "ascending" : "descending") : "none"}' if sort }}>
{% if sort %}
                <button
                  type="button"
                  onClick={() => setOrder((before) => ({ key, up: before?.key !== key || !before.up }))}
                >
                  {label}
                </button>
{% else %}
                {label}
{% endif %}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.id}>
              {COLUMNS.map(({ key }) => (
                <td key={key}>{String(row[key])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p>Nothing to show.</p>}
"""
    + PAGER
)

MODAL = """\
export interface {{ name }}Props {
  open: boolean;
  onClose: () => void;
  title?: string;
  children?: {{ node }};
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ open, onClose, title = {{ title | tojson }}, children{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);

  return (
    <dialog ref={dialog} className={{ root }}{{ theme }} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <div>{children}</div>
    </dialog>
  );
}

export default {{ name }};
"""

FETCH = """\
export interface {{ name }}Item {
  id: string | number;
  name: string;
}

export interface {{ name }}Props {
  url: string;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

type State =
  | { status: "loading" }
  | { status: "failed"; message: string }
  | { status: "ready"; items: {{ name }}Item[] };

export function {{ name }}({ url{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [state, setState] = useState<State>({ status: "loading" });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    setState({ status: "loading" });
    fetch(url, { signal: controller.signal })
      .then((response) => {
        if (!response.ok) throw new Error(`The server answered ${response.status}.`);
        return response.json() as Promise<{{ name }}Item[]>;
      })
      .then((items) => setState({ status: "ready", items }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        const message = error instanceof Error ? error.message : "It could not be loaded.";
        setState({ status: "failed", message });
      });
    return () => controller.abort();
  }, [url, attempt]);

  return (
    <section className={{ root }}{{ theme }} aria-label={{ title | tojson }} aria-busy={state.status === "loading"}>
      {state.status === "loading" && <p role="status">Loading…</p>}
      {state.status === "failed" && (
        <p role="alert">
          {state.message}{" "}
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </p>
      )}
      {state.status === "ready" && (
        <ul>
          {state.items.map((item) => (
            <li key={item.id}>{item.name}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

export default {{ name }};
"""

COUNTER = """\
export interface {{ name }}Props {
  initial?: number;
  min?: number;
  max?: number;
  onChange?: (value: number) => void;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({
  initial = 0,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  onChange,
{% if dark_mode %}
  dark = false,
{% endif %}
}: {{ name }}Props) {
  const [value, setValue] = useState(initial);

  function change(by: number) {
    const next = Math.min(max, Math.max(min, value + by));
    setValue(next);
    onChange?.(next);
  }

  return (
    <div className={{ root }}{{ theme }} role="group" aria-label={{ title | tojson }}>
      <button type="button" aria-label="Decrease" disabled={value <= min} onClick={() => change(-1)}>
        −
      </button>
      <output>{value}</output>
      <button type="button" aria-label="Increase" disabled={value >= max} onClick={() => change(1)}>
        +
      </button>
    </div>
  );
}

export default {{ name }};
"""

TOGGLE = """\
export interface {{ name }}Props {
  label?: string;
  initiallyOpen?: boolean;
  children?: {{ node }};
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ label = {{ title | tojson }}, initiallyOpen = false, children{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [open, setOpen] = useState(initiallyOpen);

  return (
    <div className={{ root }}{{ theme }}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div>{children}</div>}
    </div>
  );
}

export default {{ name }};
"""

TODO = """\
export interface {{ name }}Item {
  id: number;
  text: string;
  done: boolean;
}

export interface {{ name }}Props {
  initial?: {{ name }}Item[];
  onChange?: (items: {{ name }}Item[]) => void;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ initial = [], onChange{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [items, setItems] = useState<{{ name }}Item[]>(initial);
  const [text, setText] = useState("");
  const left = items.filter((item) => !item.done).length;

  function change(next: {{ name }}Item[]) {
    setItems(next);
    onChange?.(next);
  }

  function add(event: {{ "Event" if framework == "preact" else "FormEvent<HTMLFormElement>" }}) {
    event.preventDefault();
    const wanted = text.trim();
    if (!wanted) return;
    const id = items.reduce((most, item) => Math.max(most, item.id), 0) + 1;
    change([...items, { id, text: wanted, done: false }]);
    setText("");
  }

  return (
    <section className={{ root }}{{ theme }} aria-label={{ title | tojson }}>
      <form onSubmit={add}>
        <input aria-label="New item" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <button type="submit">Add</button>
      </form>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <label>
              <input
                type="checkbox"
                checked={item.done}
                onChange={() => change(items.map((each) => (each.id === item.id ? { ...each, done: !each.done } : each)))}
              />
              {item.done ? <del>{item.text}</del> : item.text}
            </label>
            <button
              type="button"
              aria-label={`Remove ${item.text}`}
              onClick={() => change(items.filter((each) => each.id !== item.id))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{left} left</p>
    </section>
  );
}

export default {{ name }};
"""

TIMER = """\
export interface {{ name }}Props {
  seconds?: number;
  onDone?: () => void;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ seconds = {{ seconds }}, onDone{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [left, setLeft] = useState(seconds);
  const [endsAt, setEndsAt] = useState<number | null>(null);

  useEffect(() => {
    if (endsAt === null) return;
    const timer = setInterval(() => {
      // From the clock: a tab in the background ticks less often than it should.
      const rest = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      setEndsAt(null);
      onDone?.();
    }, 250);
    return () => clearInterval(timer);
  }, [endsAt, onDone]);

  const running = endsAt !== null;
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;

  return (
    <div className={{ root }}{{ theme }} role="group" aria-label={{ title | tojson }}>
      <output role="timer">{clock}</output>
      <button
        type="button"
        disabled={!running && left === 0}
        onClick={() => setEndsAt(running ? null : Date.now() + left * 1000)}
      >
        {running ? "Pause" : "Start"}
      </button>
      <button
        type="button"
        onClick={() => {
          setEndsAt(null);
          setLeft(seconds);
        }}
      >
        Reset
      </button>
    </div>
  );
}

export default {{ name }};
"""

TABS = """\
const TABS = [
{% for field in fields %}
  { key: "{{ field.name }}", label: "{{ field.label }}" },
{% endfor %}
] as const;

export type {{ name }}Key = (typeof TABS)[number]["key"];

export interface {{ name }}Props {
  panels: Record<{{ name }}Key, {{ node }}>;
  initial?: {{ name }}Key;
{% if dark_mode %}
  dark?: boolean;
{% endif %}
}

export function {{ name }}({ panels, initial = TABS[0].key{{ ", dark = false" if dark_mode }} }: {{ name }}Props) {
  const [current, setCurrent] = useState<{{ name }}Key>(initial);

  function move(event: {{ "KeyboardEvent" if framework == "preact" else "KeyboardEvent<HTMLDivElement>" }}) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const place = TABS.findIndex((tab) => tab.key === current);
    const next = TABS[(place + step + TABS.length) % TABS.length];
    if (!next) return;
    setCurrent(next.key);
    document.getElementById(`{{ name | lower }}-tab-${next.key}`)?.focus();
  }

  return (
    <div className={{ root }}{{ theme }}>
      <div role="tablist" aria-label={{ title | tojson }} onKeyDown={move}>
        {TABS.map((tab) => (
          <button
            key={tab.key}
            id={`{{ name | lower }}-tab-${tab.key}`}
            type="button"
            role="tab"
            aria-selected={tab.key === current}
            aria-controls={`{{ name | lower }}-panel-${tab.key}`}
            tabIndex={tab.key === current ? 0 : -1}
            onClick={() => setCurrent(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`{{ name | lower }}-panel-${current}`} aria-labelledby={`{{ name | lower }}-tab-${current}`}>
        {panels[current]}
      </div>
    </div>
  );
}

export default {{ name }};
"""

USAGE = """\
{% if kind == "todo" %}<{{ name }} onChange={(items) => console.log(items)} />
{% elif kind == "timer" %}<{{ name }} seconds={ {{- seconds -}} } onDone={() => console.log("done")} />
{% elif kind == "tabs" %}<{{ name }} panels={ {{- "{ " -}} {% for field in fields %}{{ field.name }}: "{{ field.label }}"{{ ", " if not loop.last }}{% endfor %} {{- " }" -}} } />
{% elif kind == "form" %}<{{ name }} onSubmit={(values) => console.log(values)} />
{% elif kind == "list" %}<{{ name }} items={[{ id: "1", label: "First" }]} />
{% elif kind == "table" %}<{{ name }} rows={[]} />
{% elif kind == "modal" %}<{{ name }} open={open} onClose={() => setOpen(false)}>Content</{{ name }}>
{% elif kind == "fetch" %}<{{ name }} url="/api/items" />
{% elif kind == "counter" %}<{{ name }} initial={1} min={0} max={10} />
{% elif kind == "card" and fields %}<{{ name }} {% for field in fields %}{{ field.name }}={{ shown_values.get(field.type, '"' ~ field.label ~ '"') }}{{ " " if not loop.last }}{% endfor %} />
{% else %}<{{ name }}>Content</{{ name }}>
{% endif %}
"""

COMPONENTS = {
    "head": HEAD,
    "card": CARD,
    "form": FORM,
    "list": LIST,
    "table": TABLE,
    "modal": MODAL,
    "fetch": FETCH,
    "counter": COUNTER,
    "toggle": TOGGLE,
    "todo": TODO,
    "timer": TIMER,
    "tabs": TABS,
    "usage": USAGE,
}

STYLES = """\
.root {
  display: grid;
  gap: 0.75rem;
  padding: 1rem;
  border: 1px solid currentColor;
  border-radius: 0.5rem;
}

.root button:focus-visible,
.root input:focus-visible,
.root textarea:focus-visible {
  outline: 2px solid Highlight;
}
{% if dark_mode %}

.root[data-theme="dark"] {
  color: #f4f4f5;
  background: #18181b;
}
{% endif %}
"""

TESTS = {
    "head": """\
{% set library = "preact" if framework == "preact" else "react" %}
{% set events = "" if kind in ("table", "fetch", "timer") else "fireEvent, " %}
import { {{ events }}render, screen } from "@testing-library/{{ library }}";
import { expect, test{{ "" if kind in ("table", "toggle", "timer", "tabs") else ", vi" }} } from "vitest";

import { {{ name }} } from "./{{ name }}";

""",
    "card": """\
test("calls back when it is opened", () => {
  const onSelect = vi.fn();
  render(<{{ name }} title="Hello" onSelect={onSelect} />);
  fireEvent.click(screen.getByRole("button"));
  expect(onSelect).toHaveBeenCalledOnce();
});
""",
    "form": """\
test("does not submit what is empty", () => {
  const onSubmit = vi.fn();
  render(<{{ name }} onSubmit={onSubmit} />);
  fireEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(onSubmit).not.toHaveBeenCalled();
  expect(screen.getAllByRole("alert").length).toBeGreaterThan(0);
});
""",
    "list": """\
test("shows every item", () => {
  const onSelect = vi.fn();
  render(<{{ name }} items={[{ id: "1", label: "First" }]} onSelect={onSelect} />);
  fireEvent.click(screen.getByText("First"));
  expect(onSelect).toHaveBeenCalledWith({ id: "1", label: "First" });
});
""",
    "table": """\
test("says when there are no rows", () => {
  render(<{{ name }} rows={[]} />);
  expect(screen.getByText("Nothing to show.")).toBeTruthy();
});
""",
    "modal": """\
test("closes by its button", () => {
  const onClose = vi.fn();
  render(<{{ name }} open={false} onClose={onClose} />);
  fireEvent.click(screen.getByLabelText("Close"));
  expect(onClose).toHaveBeenCalledOnce();
});
""",
    "fetch": """\
test("shows what the server sent", async () => {
  vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify([{ id: 1, name: "One" }]))));
  render(<{{ name }} url="/items" />);
  expect(await screen.findByText("One")).toBeTruthy();
});
""",
    "counter": """\
test("counts within its limits", () => {
  const onChange = vi.fn();
  render(<{{ name }} initial={1} max={2} onChange={onChange} />);
  fireEvent.click(screen.getByLabelText("Increase"));
  fireEvent.click(screen.getByLabelText("Increase"));
  expect(onChange).toHaveBeenCalledOnce();
  expect(onChange).toHaveBeenCalledWith(2);
});
""",
    "todo": """\
test("adds an item and checks it off", () => {
  const onChange = vi.fn();
  render(<{{ name }} onChange={onChange} />);
  fireEvent.change(screen.getByLabelText("New item"), { target: { value: "Milk" } });
  fireEvent.click(screen.getByText("Add"));
  fireEvent.click(screen.getByRole("checkbox"));
  expect(onChange).toHaveBeenLastCalledWith([{ id: 1, text: "Milk", done: true }]);
  expect(screen.getByRole("status").textContent).toBe("0 left");
});
""",
    "timer": """\
test("shows the time that is left", () => {
  render(<{{ name }} seconds={90} />);
  expect(screen.getByRole("timer").textContent).toBe("1:30");
});
""",
    "tabs": """\
test("shows the panel of the tab that was chosen", () => {
  render(<{{ name }} panels={ {{- "{ " -}} {% for field in fields %}{{ field.name }}: "{{ field.name }} content"{{ ", " if not loop.last }}{% endfor %} {{- " }" -}} } />);
  fireEvent.click(screen.getByText("{{ (fields | last).label }}"));
  expect(screen.getByRole("tabpanel").textContent).toBe("{{ (fields | last).name }} content");
});
""",
    "toggle": """\
test("shows its content when it is opened", () => {
  const { container } = render(<{{ name }} label="More">Content</{{ name }}>);
  expect(container.textContent).not.toContain("Content");
  fireEvent.click(screen.getByText("More"));
  expect(container.textContent).toContain("Content");
});
""",
}
