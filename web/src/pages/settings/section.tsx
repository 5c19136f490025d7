import type { ComponentChildren } from "preact";

/** A part of the settings, under its heading. */
export function Section({ part, title, actions, children }: {
  part: string; title: string; actions?: ComponentChildren; children: ComponentChildren;
}) {
  return (
    <section class="card settings-part" id={`settings-${part}`} data-tour={part === "backend" ? "settings-backend" : undefined} aria-labelledby={`settings-${part}-title`}>
      <header class="card-head">
        <h2 id={`settings-${part}-title`} tabIndex={-1}>{title}</h2>
        {actions ? <div class="row">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}
