/** The few pieces that every page is made of. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

import type { Loaded } from "../api/load";
import { t } from "../i18n";
import { may, type Permission } from "../stores/account";
import { toast } from "../stores/toasts";
import { Icon } from "./icons";

type ButtonProps = Omit<JSX.IntrinsicElements["button"], "class" | "icon"> & {
  kind?: "plain" | "primary" | "danger" | "quiet";
  icon?: string;
  /** True while its work is under way: it cannot be pressed again, and says so. */
  busy?: boolean;
  /** The permission for what it does: whoever has it not, has no such button. */
  needs?: Permission;
  class?: string;
};

export function Button({ kind = "plain", icon, busy, needs, class: more, children, ...rest }: ButtonProps) {
  if (needs && !may(needs)) return null;
  return (
    <button type="button" {...rest} class={`button ${kind} ${more ?? ""}`} disabled={rest.disabled || busy}
      aria-busy={busy || undefined}>
      {busy ? <Spinner /> : icon ? <Icon name={icon} size={16} /> : null}
      {children}
    </button>
  );
}

/** A button with a picture only; `label` is what it is called. */
export function IconButton({ label, icon, needs, class: more, ...rest }:
  Omit<ButtonProps, "children" | "icon" | "kind"> & { label: string; icon: string }) {
  if (needs && !may(needs)) return null;
  return (
    <button type="button" {...rest} class={`icon-button ${more ?? ""}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

/** A labelled control. `children` gets the id that ties the label to it. */
export function Field({ label, hint, error, children }: {
  label: string; hint?: ComponentChildren; error?: string | null | undefined;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean }) => ComponentChildren;
}) {
  const id = useId();
  const about = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(about ? { "aria-describedby": about } : {}), ...(error ? { "aria-invalid": true } : {}) })}
      {hint ? <p class="hint" id={`${id}-hint`}>{hint}</p> : null}
      {error ? <p class="wrong" id={`${id}-error`}>{error}</p> : null}
    </div>
  );
}

/**
 * A line of text that counts when it is done: with Enter, or when one leaves it. Until then it is the
 * person's, however often the page around it is drawn anew.
 */
export function TextInput({ value, onDone, ...rest }: {
  value: string; onDone: (text: string) => void; type?: "text" | "search";
  id?: string; list?: string; placeholder?: string; onFocus?: () => void;
}) {
  const [typed, type] = useState<string | null>(null);
  return (
    <input type="text" {...rest} autocomplete="off" spellcheck={false} value={typed ?? value} onInput={(event) => type(event.currentTarget.value)}
      onChange={(event) => { type(null); onDone(event.currentTarget.value.trim()); }} onBlur={() => type(null)} />
  );
}

export function Switch({ label, checked, onChange, hint }: {
  label: string; checked: boolean; onChange: (on: boolean) => void; hint?: string;
}) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}{hint ? <small class="hint">{hint}</small> : null}</span>
    </label>
  );
}

export function Badge({ kind = "plain", children }: {
  kind?: "plain" | "good" | "bad" | "warn" | "accent" | "second"; children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

export function Card({ title, actions, children, tour, class: more }: {
  title?: ComponentChildren; actions?: ComponentChildren; children?: ComponentChildren;
  /** The name that guided tours point at: `data-tour`. */
  tour?: string; class?: string;
}) {
  return (
    <section class={`card ${more ?? ""}`} data-tour={tour}>
      {title || actions ? (
        <header class="card-head">{title ? <h2>{title}</h2> : <span />}{actions ? <div class="row">{actions}</div> : null}</header>
      ) : null}
      {children}
    </section>
  );
}

/** Nothing is here yet: a drawing, what belongs here, and what to do (`action`, a button as a rule). */
export function Empty({ icon = "info", title, action, children }: {
  icon?: string; title: string; action?: ComponentChildren; children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-art" aria-hidden="true"><span><Icon name={icon} size={22} /></span><i /></span>
      <p class="empty-title">{title}</p>
      {children ? <div class="hint">{children}</div> : null}
      {action ? <div class="row">{action}</div> : null}
    </div>
  );
}

/** Something went wrong: what, and a way on. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = error instanceof Error ? error.message : String(error);
  return (
    <div class="problem" role="alert">
      <Icon name="warn" />
      <p>{text}</p>
      {retry ? <Button onClick={retry} icon="refresh">{t("Try again")}</Button> : null}
    </div>
  );
}

export function Spinner({ label }: { label?: string }) {
  return <span class="spinner" role={label ? "status" : undefined} aria-label={label} />;
}

/** What was loaded, or that it is loading, or what went wrong. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.data !== null) {
    return <>{of.error ? <Problem error={of.error} retry={of.reload} /> : null}{children(of.data)}</>;
  }
  if (of.error) return <Problem error={of.error} retry={of.reload} />;
  return <Loading />;
}

/** Grey lines in the place of what is on its way. */
export function Loading() {
  return <div class="loading" role="status" aria-busy="true" aria-label={t("Loading")}><i /><i /><i /></div>;
}

/** Tabs by arrow keys, as the ARIA pattern says. The chosen one is kept by the page. */
export function Tabs<K extends string>({ label, tabs, chosen, onChoose }: {
  label: string; tabs: readonly { id: K; title: string }[]; chosen: K; onChoose: (id: K) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <button type="button" role="tab" key={tab.id} data-tab={tab.id} aria-selected={tab.id === chosen}
          tabIndex={tab.id === chosen ? 0 : -1} onClick={() => onChoose(tab.id)}>{tab.title}</button>
      ))}
    </div>
  );
}

/** JSON as text, in a box that can be scrolled by keyboard. */
export function Json({ value, label = "JSON" }: { value: unknown; label?: string }) {
  return (
    <pre class="json" tabIndex={0} aria-label={label}>{JSON.stringify(value, null, 2)}</pre>
  );
}

export function CopyButton({ text, label = t("Copy") }: { text: string | (() => string); label?: string }) {
  const [done, set] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => set(false), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      set(true);
    } catch {
      toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
    }
  };
  return <Button kind="quiet" icon={done ? "check" : "copy"} onClick={copy}>{done ? t("Copied") : label}</Button>;
}

/** Offers `text` as a file. */
export function save(name: string, text: string | Blob, type = "text/plain"): void {
  const address = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
