import { dismiss, holdToasts, toasts } from "../stores/toasts";
import { Icon } from "../ui/icons";
import { IconButton } from "../ui/kit";

export function Toasts() {
  return (
    <div class="toasts" role="region" aria-label="Notices" aria-live="polite"
      onMouseEnter={() => holdToasts(true)} onMouseLeave={() => holdToasts(false)}
      onFocusIn={() => holdToasts(true)} onFocusOut={() => holdToasts(false)}>
      {toasts.value.map((each) => (
        <div key={each.id} class={`toast ${each.kind}`} role={each.kind === "bad" ? "alert" : undefined}>
          <Icon name={{ info: "info", good: "check", bad: "warn" }[each.kind]} />
          <div class="toast-text">
            {/* Whoever follows it has seen it; work under way is still worth a place. */}
            {each.href ? <a href={each.href} onClick={() => each.progress === undefined && dismiss(each.id)}>{each.text}</a> : each.text}
            {each.progress !== undefined ? (
              <progress {...(each.progress === null ? {} : { value: each.progress })} max={1} aria-label="Progress" />
            ) : null}
          </div>
          {each.action ? (
            <button type="button" class="toast-action" onClick={each.action.run}>{each.action.label}</button>
          ) : null}
          <IconButton label="Dismiss" icon="close" onClick={() => { each.onDismiss?.(); dismiss(each.id); }} />
        </div>
      ))}
    </div>
  );
}
