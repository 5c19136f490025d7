import type { ComponentChildren } from "preact";

/** A part of the settings that a link can lead to, and that a tour can point at. */
export function Section({ part, title, actions, children }: {
  part: string; title: string; actions?: ComponentChildren; children: ComponentChildren;
}) {
  return (
    <section class="card settings-part" id={`settings-${part}`} data-tour={`settings-${part}`} aria-labelledby={`settings-${part}-title`}>
      <header class="card-head">
        <h2 id={`settings-${part}-title`} tabIndex={-1}>{title}</h2>
        {actions ? <div class="row">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}
