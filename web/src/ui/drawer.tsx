/** What was chosen in a list, beside the list; on a narrow screen a sheet over it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { IconButton } from "./kit";
import "./drawer.css";

const NARROW = "(max-width: 900px)";
/** Where the arrow keys mean something else. */
const OWN_ARROWS = "input, textarea, select, audio, pre[tabindex], .table-box[tabindex], [contenteditable], [role='tab'], [role='slider'], [role^='menu'], [role='option']";

interface Props {
  title: string;
  onClose: () => void;
  /** Left out: there is none before, or after, this one. */
  onPrev?: (() => void) | null | undefined;
  onNext?: (() => void) | null | undefined;
  actions?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/**
 * Put it as the second child into `<div class="with-drawer">`, after the list. Escape closes it, the up and
 * down keys step to the neighbours. Keep it mounted while one steps: the focus stays where it is.
 */
export function Drawer(props: Props) {
  const narrow = useNarrow();
  const keys = useRef(props);
  keys.current = props;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      // What lies above it hears its own keys; a sheet is itself the window above everything.
      if (document.querySelector(":popover-open, dialog:modal:not(.drawer), [role=dialog][aria-modal=true]")) return;
      const { onClose, onPrev, onNext } = keys.current;
      if (event.key === "Escape") {
        event.preventDefault();
        onClose();
        return;
      }
      const step = { ArrowUp: onPrev, ArrowDown: onNext }[event.key];
      if (!step || (event.target instanceof Element && event.target.closest(OWN_ARROWS))) return;
      event.preventDefault();
      step();
    };
    document.addEventListener("keydown", hear, true);
    return () => document.removeEventListener("keydown", hear, true);
  }, []);
  return narrow ? <Sheet {...props} /> : <Beside {...props} />;
}

function Beside({ title, class: more, ...rest }: Props) {
  const element = useRef<HTMLElement>(null);
  const heading = useId();
  useFocus(element);
  return (
    <aside ref={element} class={`drawer ${more ?? ""}`} aria-labelledby={heading}>
      <Inside title={title} heading={heading} {...rest} />
    </aside>
  );
}

function Sheet({ title, class: more, onClose, ...rest }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const dialog = element.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  useFocus(element);
  return (
    <dialog ref={element} class={`drawer ${more ?? ""}`} aria-labelledby={heading}
      onCancel={(event) => { event.preventDefault(); onClose(); }}
      onClick={(event) => { if (event.target === element.current) onClose(); }}>
      <Inside title={title} heading={heading} onClose={onClose} {...rest} />
    </dialog>
  );
}

function Inside({ title, heading, onClose, onPrev, onNext, actions, children }: Omit<Props, "class"> & { heading: string }) {
  return (
    <>
      <header class="drawer-head">
        <h2 id={heading} tabIndex={-1} aria-live="polite">{title}</h2>
        {actions}
        {onPrev !== undefined || onNext !== undefined ? (
          <>
            <IconButton label={t("Previous")} icon="up" disabled={!onPrev} onClick={() => onPrev?.()} />
            <IconButton label={t("Next")} icon="down" disabled={!onNext} onClick={() => onNext?.()} />
          </>
        ) : null}
        <IconButton label={t("Close")} icon="close" onClick={onClose} />
      </header>
      <div class="drawer-body">{children}</div>
    </>
  );
}

/** Its heading gets the focus when somebody opens it, and whoever had it before gets it back. */
function useFocus(element: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    // Nobody has chosen anything yet where the address itself opens it.
    if (before instanceof HTMLElement && before !== document.body && !before.matches("main, h1")) {
      element.current!.querySelector<HTMLElement>("h2")!.focus({ preventScroll: true });
    }
    return () => {
      const inside = !document.activeElement || document.activeElement === document.body || element.current?.contains(document.activeElement);
      if (inside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}

export function useNarrow(): boolean {
  const [narrow, set] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const hear = () => set(query.matches);
    query.addEventListener("change", hear);
    return () => query.removeEventListener("change", hear);
  }, []);
  return narrow;
}
