/** What lies over every page: dialogs that ask, toasts, the palette, shortcuts and tours. */
import { dismiss, toasts } from "./stores/toasts";
import { Icon } from "./ui/icons";
import { IconButton } from "./ui/kit";

export function openPalette(): void {}

export function Overlays() {
  return <Toasts />;
}

function Toasts() {
  return (
    <div class="toasts" role="region" aria-label="Notices" aria-live="polite">
      {toasts.value.map((each) => (
        <div key={each.id} class={`toast ${each.kind}`} role={each.kind === "bad" ? "alert" : undefined}>
          <Icon name={{ info: "info", good: "check", bad: "warn" }[each.kind]} />
          <div class="toast-text">
            {each.href ? <a href={each.href}>{each.text}</a> : each.text}
            {each.progress !== undefined ? <progress value={each.progress} max={1} aria-label="Progress" /> : null}
          </div>
          <IconButton label="Dismiss" icon="close" onClick={() => dismiss(each.id)} />
        </div>
      ))}
    </div>
  );
}
