/** How fast, how often and how well: live, as charts and as numbers. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";

import { address } from "../api/address";
import { get } from "../api/http";
import { useLoad } from "../api/load";
import { at, go, route } from "../router";
import { Chart } from "../ui/chart";
import { Icon } from "../ui/icons";
import { Card, Field, Shown, Switch } from "../ui/kit";
import { useReload } from "../ui/poll";
import { duration, fullTime } from "../ui/time";
import { callsIn, type Metrics as Figures } from "./metrics/document";
import { callsOver, knownUntil, latencyOver, merged, refusalsOver, tokensOver, voiceOver, within, type History } from "./metrics/history";
import { RefusalTable, TokenTable, ToolTable, VoiceTable } from "./metrics/tables";
import "./metrics.css";

const POLL_MS = 5000;
const WINDOWS = [5, 15, 60];
const whole = (value: number): string => (Number.isInteger(value) ? value.toLocaleString() : "");

// Kept while the console is open: whoever comes back sees what went on.
const history = signal<History | null>(null);

async function ask(abort: AbortSignal): Promise<Figures> {
  const [figures, more] = await Promise.all([
    get<Figures>("/metrics", { signal: abort }),
    get<History>("/metrics/history", { query: { since: knownUntil(history.value) }, signal: abort }),
  ]);
  history.value = merged(history.value, more);
  return figures;
}

export default function Metrics() {
  const [live, setLive] = useState(true);
  const figures = useLoad(ask, []);
  useReload(figures, POLL_MS, live);
  const asked = Number(route.value.query.get("minutes"));
  const minutes = WINDOWS.includes(asked) ? asked : 15;
  return (
    <div class="stack metrics">
      <div class="row metrics-bar">
        <Field label="Time">
          {(field) => (
            <select {...field} value={String(minutes)}
              onChange={(event) => go(at("metrics", [], { ...Object.fromEntries(route.value.query), minutes: event.currentTarget.value }), true)}>
              {WINDOWS.map((each) => <option key={each} value={each}>The last {each} minutes</option>)}
            </select>
          )}
        </Field>
        <Switch label="Live" hint="every 5 seconds, while this tab is seen" checked={live} onChange={setLive} />
        <span class="spring" />
        <a href={address("/metrics/prometheus")} target="_blank" rel="noopener">For Prometheus</a>
        <a href={address("/metrics")} target="_blank" rel="noopener">As JSON</a>
      </div>
      <Shown of={figures}>{(data) => (history.value ? <Page figures={data} history={history.value} minutes={minutes} /> : null)}</Shown>
    </div>
  );
}

function Page({ figures, history, minutes }: { figures: Figures; history: History; minutes: number }) {
  const samples = within(history, minutes);
  const { ran, failed, refused } = callsIn(figures);
  const each = `in each ${history.seconds} seconds`;
  return (
    <>
      <dl class="metrics-tiles">
        <Tile name="Calls that ran" value={ran} more={failed ? `${failed.toLocaleString()} failed` : "none failed"} />
        <Tile name="Refused by a rule" value={refused} more={figures.loopDetection.detected ? `${figures.loopDetection.detected} loops` : "no loops"} />
        <Tile name="Open sessions" value={figures.sessions.active} more={`${figures.sessions.started.toLocaleString()} started`} />
        <Tile name="Turns" value={figures.sessions.turns} more={`since ${fullTime(history.started_at)}`} />
      </dl>
      {figures.alerts.length ? (
        <p class="metrics-alert"><Icon name="warn" size={16} /> Answers have become longer than {figures.alerts[0]!.limit.toLocaleString()} characters, and
          models read all of them. 95 % are up to {figures.alerts.map((alert, index) => (
            <span key={alert.toolId}>{index ? ", " : ""}{Math.round(alert.value).toLocaleString()} for <a href={at("tools", [alert.toolId])}>{alert.toolId}</a></span>
          ))}.</p>
      ) : null}
      <div class="metrics-charts">
        <Card tour="metrics-latency">
          <Chart title="How long calls take" data={latencyOver(samples)} show={duration}
            empty="No tool ran in this time. Try one, or talk, and the lines begin." />
          <p class="hint">p95: 95 of 100 calls took no longer. A high p99 with a low p50 is a tool that is slow now and then.</p>
        </Card>
        <Card tour="metrics-calls">
          <Chart title={`Calls ${each}`} data={callsOver(samples)} show={whole}
            empty="Nothing was called in this time." />
        </Card>
        <Card>
          <Chart title={`Refusals by rule ${each}`} data={refusalsOver(samples)} show={whole}
            empty="No rule had to say no in this time." />
          <RefusalTable counts={figures.refusalRules} />
        </Card>
        <Card tour="metrics-tokens">
          <Chart title={`Tokens ${each}`} data={tokensOver(samples)} show={whole}
            empty="No provider has counted tokens in this time. The built-in model takes none that anybody bills." />
          <TokenTable figures={figures} />
        </Card>
        <Card tour="metrics-voice">
          <Chart title="What people who talk wait for (p95)" data={voiceOver(samples)} show={duration}
            empty="Nobody talked in this time. Talk to it, and see how soon it answers." />
          <VoiceTable voice={figures.voice} />
        </Card>
      </div>
      <ToolTable figures={figures} />
    </>
  );
}

function Tile({ name, value, more }: { name: string; value: number; more: string }) {
  return <div><dt>{name}</dt><dd><b class="number">{value.toLocaleString()}</b><small>{more}</small></dd></div>;
}
