import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

import { t } from "../i18n";
import { IconButton } from "./kit";

/**
 * A modal window on the browser's own `<dialog>`: focus stays inside, Escape closes it, and focus
 * goes back to where it was. Shown while it is rendered.
 */
export function Dialog({ title, onClose, children, class: more }: {
  title: string; onClose: () => void; children: ComponentChildren; class?: string;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // At once: the next key belongs to the window, not to what lies under it.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={`dialog ${more ?? ""}`} aria-labelledby={heading}
      onCancel={(event) => { event.preventDefault(); onClose(); }}
      onClick={(event) => { if (event.target === element.current) onClose(); }}>
      <div class="dialog-body">
        <header class="dialog-head"><h2 id={heading}>{title}</h2><IconButton label={t("Close")} icon="close" onClick={onClose} /></header>
        {children}
      </div>
    </dialog>
  );
}
