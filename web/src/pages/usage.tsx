/** What was used and spent, and how one stands with one's caps. */
import { address } from "../api/address";
import { get } from "../api/http";
import { useLoad } from "../api/load";
import { number, t } from "../i18n";
import { route } from "../router";
import { may, mayForServer } from "../stores/account";
import { FilterChips, filtersInAddress, putIntoAddress, type Filter } from "../ui/filter-chips";
import { Button, Card, Empty, Field, Shown } from "../ui/kit";
import { duration, fullTime } from "../ui/time";
import { dayOf, daysBefore, type Group, groupTitle, GROUPS, groupValue, money, type Standing, type Sums, type Usage as Figures } from "./usage/shapes";
import "../ui/figures.css";
import "./usage.css";

const SPANS = [
  { id: "1", title: t("Today") },
  { id: "7", title: t("7 days") },
  { id: "30", title: t("30 days") },
  { id: "", title: t("This month") },
] as const;
const NAMES = ["user", "agent", "model", "tool"] as const;

const asked = (name: string): string => route.value.query.get(name) ?? "";

/** The groups of the address, each once; by day where it names none. */
function groups(): Group[] {
  const named = asked("by").split(",");
  const found = GROUPS.filter((group) => named.includes(group));
  return found.length ? found : ["day"];
}

/** What the server is asked for, as it stands in an address. */
function query(): string {
  const span = Number(asked("days"));
  const filters = Object.entries(filtersInAddress(NAMES)).filter(([, value]) => value !== "");
  const days = span ? [["from", daysBefore(span - 1)], ["to", dayOf(new Date())]] : [];
  return new URLSearchParams([...groups().map((group) => ["by", group]), ...days, ...filters]).toString();
}

export default function Usage() {
  const wanted = query();
  const figures = useLoad((signal) => get<Figures>(`/api/usage?${wanted}`, { signal }), [wanted]);
  const caps = useLoad((signal) => get<{ caps: Standing[] }>("/api/usage/caps/me", { signal }), []);
  const days = asked("days");
  const everybody = may("usage.read");
  const filters: Filter<(typeof NAMES)[number]>[] = [
    ...(everybody ? [{ id: "user" as const, label: t("User") }] : []),
    { id: "agent", label: t("Agent") }, { id: "model", label: t("Model") }, { id: "tool", label: t("Tool") },
  ];
  return (
    <div class="stack figures usage">
      <div class="row figures-bar">
        <div class="figures-windows" role="group" aria-label={t("Time range")}>
          {SPANS.map(({ id, title }) => (
            <Button key={id} kind="quiet" aria-pressed={id === days} onClick={() => putIntoAddress({ days: id })}>{title}</Button>
          ))}
        </div>
        <GroupPick everybody={everybody} />
        <span class="spring" />
        <a href={address(`/api/usage.csv?${wanted}`)} download>CSV</a>
      </div>
      <FilterChips label={t("Filters")} filters={filters} values={filtersInAddress(NAMES)} onChange={(values) => putIntoAddress(values)} />
      <Shown of={caps}>{({ caps: standing }) => (standing.length ? <Caps standing={standing} /> : null)}</Shown>
      <Shown of={figures}>{(data) => <Table data={data} />}</Shown>
      <p class="hint">{everybody ? t("Days are those of UTC. You see the usage of everybody in your organisation.") : t("Days are those of UTC. You see your own usage.")}</p>
    </div>
  );
}

function GroupPick({ everybody }: { everybody: boolean }) {
  const hidden: Group[] = [...(everybody ? [] : ["user" as const]), ...(mayForServer("organisations.manage") ? [] : ["organisation" as const])];
  const chosen = groups().join(",");
  const single = GROUPS.filter((group) => !hidden.includes(group)).map((group) => [group]);
  const pairs = ([["day", "model"], ["user", "model"], ["user", "day"]] as Group[][]).filter((pair) => !pair.some((group) => hidden.includes(group)));
  const choices = [...single, ...pairs].map((each) => GROUPS.filter((group) => each.includes(group)));
  return (
    <Field label={t("Group by")}>
      {(field) => (
        <select {...field} value={chosen} onChange={(event) => putIntoAddress({ by: event.currentTarget.value })}>
          {choices.map((each) => <option key={each.join()} value={each.join()}>{each.map(groupTitle).join(" · ")}</option>)}
        </select>
      )}
    </Field>
  );
}

/** How much of each cap is used up. */
function Caps({ standing }: { standing: readonly Standing[] }) {
  return (
    <dl class="figures-tiles" aria-label={t("Caps")}>
      {standing.map((cap) => {
        const used = Number(cap.spent) + Number(cap.reserved);
        const full = used >= 0.8 * Number(cap.cap);
        return (
          <div key={`${cap.scope} ${cap.period}`}>
            <dt>{capTitle(cap)}</dt>
            <dd>
              <b class="number">{money(cap.spent, cap.currency)}</b>
              <small>{t("of {cap}", { cap: money(cap.cap, cap.currency) })}</small>
              <meter class={full ? "usage-full" : ""} aria-label={capTitle(cap)} min={0} max={Number(cap.cap) || 1} value={Number(cap.cap) ? used : 1} />
              <small>{Number(cap.reserved) ? t("{amount} set aside; resets {time}", { amount: money(cap.reserved, cap.currency), time: fullTime(cap.resets_at) }) : t("resets {time}", { time: fullTime(cap.resets_at) })}</small>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function capTitle({ scope, period }: Standing): string {
  if (scope === "organisation") return period === "day" ? t("Organisation today") : t("Organisation this month");
  if (scope === "agent") return period === "day" ? t("Agent today") : t("Agent this month");
  return period === "day" ? t("You today") : t("You this month");
}

function Table({ data }: { data: Figures }) {
  if (!data.rows.length) {
    return <Empty icon="metrics" title={t("Nothing was used in this period.")}>{t("Requests to models, spoken conversations and tools with a price are listed here.")}</Empty>;
  }
  return (
    <Card>
      <div class="table-box">
        <table>
          <caption>{t("From {from} to {to}", { from: data.from, to: data.to })}</caption>
          <thead>
            <tr>
              {data.by.map((group) => <th key={group} scope="col">{groupTitle(group)}</th>)}
              <th scope="col" class="number">{t("Requests")}</th>
              <th scope="col" class="number">{t("Tokens in")}</th>
              <th scope="col" class="number">{t("Tokens out")}</th>
              <th scope="col" class="number">{t("Live voice")}</th>
              <th scope="col" class="number">{t("Cost")}</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={[row.currency, ...data.by.map((group) => row[group])].join("\n")}>
                {data.by.map((group) => <td key={group}>{groupValue(row, group)}</td>)}
                <Cells sums={row} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            {data.totals.map((sums) => (
              <tr key={sums.currency}><th scope="row" colSpan={data.by.length}>{t("Total")}</th><Cells sums={sums} /></tr>
            ))}
          </tfoot>
        </table>
      </div>
      {data.totals.some((sums) => sums.estimated > 0) ? <p class="hint">{t("Requests that nobody counted, such as those cut off, cost their estimate.")}</p> : null}
    </Card>
  );
}

function Cells({ sums }: { sums: Sums }) {
  return (
    <>
      <td class="number">{number(sums.requests)}</td>
      <td class="number">{number(sums.input_tokens)}</td>
      <td class="number">{number(sums.output_tokens)}</td>
      <td class="number">{sums.voice_seconds ? duration(sums.voice_seconds * 1000) : "–"}</td>
      <td class="number">{money(sums.cost, sums.currency)}</td>
    </>
  );
}
