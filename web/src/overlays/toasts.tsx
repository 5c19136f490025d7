import { useLayoutEffect, useRef } from "preact/hooks";

import { t } from "../i18n";
import { dismiss, holdToasts, type Toast, toasts } from "../stores/toasts";
import { Icon } from "../ui/icons";
import { IconButton } from "../ui/kit";

/** Where the person was before they went to the notices. */
let before: Element | null = null;

const closers = () => [...document.querySelectorAll<HTMLElement>(".toast-close")];

/** To the newest of them, and back to where one was from the last that is closed. */
export function goToNotices(): void {
  const newest = closers().at(-1);
  if (!newest || newest.closest(".toasts")!.contains(document.activeElement)) return;
  before = document.activeElement;
  newest.focus();
}

function close(each: Toast, byKeyboard: boolean): void {
  const at = toasts.value.indexOf(each);
  each.onDismiss?.();
  dismiss(each.id);
  if (!byKeyboard) return;
  // Once the others have moved up.
  setTimeout(() => {
    const next = closers()[Math.min(at, toasts.value.length - 1)];
    if (next) next.focus();
    else if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
}

export function Toasts() {
  const region = useRef<HTMLDivElement>(null);
  const hold = (focused: unknown = document.activeElement, hovered = region.current!.matches(":hover")) =>
    holdToasts(hovered || region.current!.contains(focused as Node | null));
  // The one that the person was at may be gone, and they with it.
  useLayoutEffect(() => hold(), [toasts.value]);
  return (
    <div class="toasts" ref={region} role="region" aria-label={t("Notifications")} aria-live="polite"
      onMouseEnter={() => hold(null, true)} onMouseLeave={() => hold(document.activeElement, false)}
      onFocusIn={() => hold()} onFocusOut={(event) => hold(event.relatedTarget)}>
      {toasts.value.map((each) => (
        <div key={each.id} class={`toast ${each.kind}`} role={each.kind === "bad" ? "alert" : undefined}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            close(each, true);
          }}>
          <Icon name={{ info: "info", good: "check", bad: "warn" }[each.kind]} />
          <div class="toast-text">
            {/* Whoever follows it has seen it; work under way is still worth a place. */}
            {each.href ? <a href={each.href} onClick={() => each.progress === undefined && dismiss(each.id)}>{each.text}</a> : each.text}
            {each.progress !== undefined ? (
              <progress {...(each.progress === null ? {} : { value: each.progress })} max={1} aria-label={t("Progress")} />
            ) : null}
          </div>
          {each.action ? (
            <button type="button" class="toast-action" onClick={each.action.run}>{each.action.label}</button>
          ) : null}
          {/* A click without a number of clicks was made by a key. */}
          <IconButton class="toast-close" label={t("Dismiss")} icon="close" onClick={(event) => close(each, event.detail === 0)} />
        </div>
      ))}
    </div>
  );
}
