import { useEffect, useRef } from "preact/hooks";

import { t } from "../../i18n";
import { useNow } from "../../overlays/now";
import { at } from "../../router";
import { ownName } from "../../stores/account";
import { named } from "../../stores/confirmations";
import { Badge } from "../../ui/kit";
import { briefAgo, fullTime } from "../../ui/time";
import { type Confirmation, type Filters, KINDS, settledHow, STATUSES } from "./shapes";

interface Choosing {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

export function Rows({ rows, here, filters, chosen, onChoose }: { rows: Confirmation[]; here: string; filters: Filters } & Choosing) {
  const open = rows.filter((row) => row.status === "pending");
  const people = rows.some((row) => row.user !== ownName.value);
  const all = open.length > 0 && open.every((row) => chosen.has(row.id));
  return (
    <>
      {open.length > 1 ? (
        <label class="inbox-all">
          <input type="checkbox" checked={all} onChange={() => onChoose(all ? new Set() : new Set(open.map((row) => row.id)))} />
          {t("Select all open approvals")}
        </label>
      ) : null}
      <ul class="rows inbox-rows">
        {rows.map((row) => <li key={row.id}><Row row={row} here={row.id === here} filters={filters} people={people} chosen={chosen} onChoose={onChoose} /></li>)}
      </ul>
    </>
  );
}

function Row({ row, here, filters, people, chosen, onChoose }: { row: Confirmation; here: boolean; filters: Filters; people: boolean } & Choosing) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (here) link.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const open = row.status === "pending";
  const flip = () => {
    const next = new Set(chosen);
    if (!next.delete(row.id)) next.add(row.id);
    onChoose(next);
  };
  return (
    <div class="inbox-row">
      <span class="inbox-pick">
        {open ? <input type="checkbox" checked={chosen.has(row.id)} onChange={flip} aria-label={t("Select: {what}", { what: named(row) })} /> : null}
      </span>
      <a class="rows-item" ref={link} href={at("inbox", [row.id], filters)} aria-current={here ? "true" : undefined}>
        <span class="rows-title" title={named(row)}>{named(row)}</span>
        {row.approvals > 1 ? <span class="rows-wide"><Badge>{t("{done} of {count} approved", { done: open ? row.approved_by.length : row.status === "approved" ? row.approvals : row.approved_by.length, count: row.approvals })}</Badge></span> : null}
        <code class="rows-wide muted">{row.tool}</code>
        {people ? <span class="muted">{row.user === ownName.value ? t("you") : row.user}</span> : null}
        <span title={settledHow(row)}><Badge kind={KINDS[row.status]}>{STATUSES[row.status]}</Badge></span>
        {open ? <Left until={row.expires_at} /> : <time class="number muted" title={fullTime(row.created_at)}>{briefAgo(row.resolved_at ?? row.created_at)}</time>}
      </a>
    </div>
  );
}

/** How long an answer is waited for. */
function Left({ until }: { until: number }) {
  const now = useNow(1000);
  if (until * 1000 <= now) return <span class="number muted">{t("expires now")}</span>;
  return <time class="number muted" title={t("Expires {when}", { when: fullTime(until) })}>{t("{left} left", { left: clock(until - now / 1000) })}</time>;
}

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
