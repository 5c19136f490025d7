import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { at, route } from "../../router";
import { putIntoAddress } from "../../ui/filter-chips";
import { Field, Shown } from "../../ui/kit";
import { duration, fullTime } from "../../ui/time";
import { compared, difference, idOf, titleOf, type Trace, type TraceSummary } from "./shapes";
import { Waterfall } from "./waterfall";

/** One turn, and beside it another one to compare it with. */
export function TraceDetail({ session, turn, others }: { session: string; turn: string; others: TraceSummary[] }) {
  const other = route.value.query.get("with") ?? "";
  const load = (id: string, signal: AbortSignal) => {
    const [one = "", two = ""] = id.split("/");
    return get<Trace>(`/api/traces/${encodeURIComponent(one)}/${encodeURIComponent(two)}`, { signal });
  };
  const own = `${session}/${turn}`;
  const found = useLoad((signal) => Promise.all([own, ...(other && other !== own ? [other] : [])].map((id) => load(id, signal))), [own, other]);
  const choices = others.filter((trace) => idOf(trace) !== own);
  const known = choices.some((trace) => idOf(trace) === other);
  return (
    <Shown of={found}>
      {(traces) => {
        const most = Math.max(...traces.map((trace) => trace.duration_ms), 1);
        return (
          <>
            <div class="traces-columns">
              {traces.map((trace, index) => <One key={idOf(trace)} trace={trace} most={most} heading={traces.length > 1 ? (index ? "B" : "A") : ""} />)}
            </div>
            {traces.length > 1 ? <Comparison traces={traces} /> : null}
            {choices.length || other ? (
              <Field label={t("Compare with")}>
                {(field) => (
                  <select {...field} value={other === own ? "" : other} onChange={(event) => putIntoAddress({ with: event.currentTarget.value })}>
                    <option value="">{t("Nothing")}</option>
                    {other && !known && other !== own ? <option value={other}>{other}</option> : null}
                    {choices.map((trace) => (
                      <option key={idOf(trace)} value={idOf(trace)}>{`${titleOf(trace)} · ${duration(trace.duration_ms)} · ${fullTime(trace.started_at)}`}</option>
                    ))}
                  </select>
                )}
              </Field>
            ) : null}
          </>
        );
      }}
    </Shown>
  );
}

function One({ trace, most, heading }: { trace: Trace; most: number; heading: string }) {
  return (
    <section class="traces-one" aria-label={heading || t("Waterfall")}>
      {heading ? <h3 class="traces-asked">{heading} · {titleOf(trace)}</h3> : null}
      {trace.answer ? <p class="muted traces-answer">{trace.answer}</p> : null}
      <Waterfall trace={trace} most={most} />
      <p class="row hint">
        <time>{fullTime(trace.started_at)}</time>
        <a href={at("sessions", [trace.session_id])}>{t("Session")}</a>
        <a href={at("audit", [], { session: trace.session_id })}>{t("Audit lines")}</a>
        {trace.tokens ? <span>{t("{input} tokens in, {output} out", { input: trace.tokens.input, output: trace.tokens.output })}</span> : null}
      </p>
    </section>
  );
}

function Comparison({ traces }: { traces: Trace[] }) {
  return (
    <table class="traces-table" aria-label={t("Comparison")}>
      <thead><tr><th scope="col">{t("Metric")}</th><th scope="col" class="number">A</th><th scope="col" class="number">B</th><th scope="col" class="number">{t("Difference")}</th></tr></thead>
      <tbody>
        {compared(traces).map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.title}</th>
            {row.values.map((value, index) => <td key={index} class="number">{value === null ? "–" : row.show(value)}</td>)}
            <td class="number">{difference(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
