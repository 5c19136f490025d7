/** Go anywhere and do anything by a few letters: a combobox as the ARIA pattern says. */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { plural, rich, t } from "../i18n";
import { type Entry, type Found, gather, paletteOpen, search } from "../stores/palette";
import { Icon } from "../ui/icons";

export function Palette() {
  return paletteOpen.value ? <Open /> : null;
}

function Open() {
  const element = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [query, type] = useState("");
  const [entries, add] = useState<Entry[]>([]);
  const [at, move] = useState(0);
  const id = useId();
  const found = useMemo(() => search(entries, query), [entries, query]);
  const close = () => (paletteOpen.value = false);
  // Before anything is typed: the first letters belong into the box.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    let open = true;
    dialog.showModal();
    void gather((more) => open && add((those) => [...those, ...more]));
    return () => {
      open = false;
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at, found]);
  const choose = (one: Found | undefined) => {
    if (!one) return;
    // Closed first: where the focus goes next is up to what was chosen.
    close();
    setTimeout(() => one.entry.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = found.length - 1;
    const to = {
      ArrowDown: at < last ? at + 1 : 0,
      ArrowUp: at > 0 ? at - 1 : last,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(Math.max(0, to));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      choose(found[at]);
    }
    event.stopPropagation();
  };
  return (
    <dialog ref={element} class="dialog palette" aria-label={t("Go to a page or action")} onKeyDown={onKeyDown}
      onCancel={(event) => { event.preventDefault(); close(); }}
      // A dialog that is gone says so a little later; by then another one may be open.
      onClose={() => element.current && close()}
      onClick={(event) => { if (event.target === element.current) close(); }}>
      <div class="palette-box">
        <Icon name="search" />
        <input type="text" role="combobox" aria-label={t("Page, tool, macro or action")} aria-expanded="true" aria-autocomplete="list"
          aria-controls={`${id}-list`} aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          placeholder={t("Search or run an action")} autocomplete="off" spellcheck={false} value={query}
          onInput={(event) => { type(event.currentTarget.value); move(0); }} />
      </div>
      <ul class="palette-list" role="listbox" id={`${id}-list`} aria-label={t("Results")} ref={list}>
        {found.map((one, index) => (
          <li key={one.entry.id} id={`${id}-${index}`} role="option" aria-selected={index === at}
            onMouseMove={() => index !== at && move(index)} onClick={() => choose(one)}>
            <Icon name={one.entry.icon ?? "chevron"} size={16} />
            <span class="palette-label"><Marked text={one.entry.label} marks={one.marks} /></span>
            {one.entry.hint ? <span class="palette-hint">{one.entry.hint}</span> : null}
            <span class="palette-kind">{one.entry.kind}</span>
          </li>
        ))}
      </ul>
      <p class="palette-foot hint" aria-live="polite">
        {found.length ? plural(found.length, "{count} result", "{count} results") : query ? t("No match for “{query}”. Try fewer letters.", { query }) : t("Searching…")}{" "}
        <span aria-hidden="true">{rich("{key} {key2} to select, {key3} to open, {key4} to close", { key: <kbd>↑</kbd>, key2: <kbd>↓</kbd>, key3: <kbd>Enter</kbd>, key4: <kbd>Esc</kbd> })}</span>
      </p>
    </dialog>
  );
}

function Marked({ text, marks }: { text: string; marks: number[] }) {
  if (!marks.length) return <>{text}</>;
  return <>{[...text].map((letter, index) => (marks.includes(index) ? <mark key={index}>{letter}</mark> : letter))}</>;
}
