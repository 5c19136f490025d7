/** One automation in a list: what it is called, what it does, how it ran last and when it runs next. */
import type { ComponentChildren } from "preact";

import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { ago } from "../../ui/time";
import type { Standing } from "./api";
import { RunBadge } from "./run";
import { timeInWords } from "./schedule-api";

export function Item({ href, title, about, facts, chosen, standing, children }: {
  href: string; title: string; about: string; facts: string; chosen: boolean; standing: Standing | undefined; children?: ComponentChildren;
}) {
  return (
    <a class="list-item flow-item" href={href} aria-current={chosen ? "true" : undefined}>
      <span class="row"><strong>{title}</strong>{children}</span>
      <small class="flow-about">{about}</small>
      <small class="row flow-last">
        <span>{facts}</span>
        {standing?.last_run ? <><RunBadge run={standing.last_run} /><span>{ago(standing.last_run.created_at)}</span></> : <span>{t("Not run yet")}</span>}
        {standing?.next_at ? <span class="flow-next"><Icon name="clock" size={13} />{t("Next: {time}", { time: timeInWords(standing.next_at) })}</span> : null}
      </small>
    </a>
  );
}
