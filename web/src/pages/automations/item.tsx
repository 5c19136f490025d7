/** One automation in a list: what it is called, what it does, and how it ran last. */
import type { ComponentChildren } from "preact";

import { t } from "../../i18n";
import { ago } from "../../ui/time";
import type { RunSummary } from "./api";
import { RunBadge } from "./run";

export function Item({ href, title, about, facts, chosen, last, children }: {
  href: string; title: string; about: string; facts: string; chosen: boolean; last: RunSummary | undefined; children?: ComponentChildren;
}) {
  return (
    <a class="list-item flow-item" href={href} aria-current={chosen ? "true" : undefined}>
      <span class="row"><strong>{title}</strong>{children}</span>
      <small class="flow-about">{about}</small>
      <small class="row flow-last">
        <span>{facts}</span>
        {last ? <><RunBadge run={last} /><span>{ago(last.created_at)}</span></> : <span>{t("Not run yet")}</span>}
      </small>
    </a>
  );
}
