/** A button and what it opens below itself: a menu, or a small form. Escape and a click elsewhere close it. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import "./popover.css";

export function Popover({ face, name, class: more, button, onToggle, children }: {
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
      <div ref={box} id={id} popover="auto" class="popover" onToggle={(event) => {
        set((event as unknown as ToggleEvent).newState === "open");
        onToggle?.();
      }}>
        {open ? children(() => box.current?.hidePopover()) : null}
      </div>
    </>
  );
}

/** Items by arrow keys and first letters; with `chosen`, one of them is in force. */
export function PopMenu({ label, items, chosen, onChoose }: {
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
    <div role="menu" aria-label={label} class="popover-menu" ref={list} onKeyDown={move}>
      {items.map((item, index) => (
        <div key={item.value} role="none">
          {item.group && item.group !== items[index - 1]?.group ? <p class="popover-group" role="none">{item.group}</p> : null}
          <button type="button" role={role} tabIndex={-1} {...(chosen === undefined ? {} : { "aria-checked": item.value === chosen })}
            onClick={() => onChoose(item.value)}>{item.label}</button>
        </div>
      ))}
    </div>
  );
}
