/** How fast, how often and how well: live, as charts and as numbers. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";

import { address } from "../api/address";
import { get } from "../api/http";
import { useLoad } from "../api/load";
import { number, plural, t } from "../i18n";
import { route } from "../router";
import { Chart } from "../ui/chart";
import { putIntoAddress } from "../ui/filter-chips";
import { Button, Card, Shown, Switch } from "../ui/kit";
import { useReload } from "../ui/poll";
import { Sparkline } from "../ui/sparkline";
import { briefAgo, duration } from "../ui/time";
import { callsIn, type Metrics as Figures } from "./metrics/document";
import { callsOver, knownUntil, latencyOver, merged, perMinute, refusalsOver, sessionsOver, tokensOver, voiceOver, within, type History } from "./metrics/history";
import { RefusalTable, TokenTable, ToolTable, VoiceTable } from "./metrics/tables";
import "../ui/figures.css";
import "./metrics.css";

const POLL_MS = 5000;
const WINDOWS = [5, 15, 60];
const whole = (value: number): string => (Number.isInteger(value) ? number(value) : "");

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
    <div class="stack metrics figures">
      <div class="row figures-bar">
        <div class="figures-windows" role="group" aria-label={t("Time range")}>
          {WINDOWS.map((each) => (
            <Button key={each} kind="quiet" aria-pressed={each === minutes} onClick={() => putIntoAddress({ minutes: String(each) })}>{t("{count} min", { count: each })}</Button>
          ))}
        </div>
        <Switch label={t("Live")} checked={live} onChange={setLive} />
        <span class="spring" />
        <a href={address("/metrics/prometheus")} target="_blank" rel="noopener">Prometheus</a>
        <a href={address("/metrics")} target="_blank" rel="noopener">JSON</a>
      </div>
      <Shown of={figures}>{(data) => (history.value ? <Page figures={data} history={history.value} minutes={minutes} /> : null)}</Shown>
    </div>
  );
}

function Page({ figures, history, minutes }: { figures: Figures; history: History; minutes: number }) {
  const samples = within(history, minutes);
  const { ran, failed, refused } = callsIn(figures);
  const last = <T,>(values: (T | null)[]): T | null => values.findLast((value) => value !== null) ?? null;
  const latency = samples.map((sample) => sample.latency?.p95 ?? null);
  const sound = samples.map((sample) => sample.voice["time_to_first_audio"]?.p95 ?? null);
  return (
    <>
      <dl class="figures-tiles">
        <Tile name={t("Calls")} value={number(ran)} more={failed ? t("{count} failed", { count: failed }) : t("none failed")}
          values={perMinute(samples, (sample) => sample.ok + sample.failed)} />
        <Tile name={t("Refused")} value={number(refused)} kind="warn" more={plural(figures.loopDetection.detected, "{count} loop", "{count} loops")}
          values={perMinute(samples, (sample) => sample.refused)} />
        <Tile name={t("Call latency, p95")} value={shown(last(latency))} more={t("latest")} values={latency} />
        <Tile name={t("First sound, p95")} value={shown(last(sound))} more={t("latest")} values={sound} kind="second" />
        <Tile name={t("Open sessions")} value={number(figures.sessions.active)} more={t("{count} started", { count: figures.sessions.started })}
          values={samples.map((sample) => sample.sessions)} />
        <Tile name={t("Turns")} value={number(figures.sessions.turns)} more={t("server started {when}", { when: briefAgo(history.started_at) })} />
      </dl>
      <div class="metrics-charts">
        <Card tour="metrics-latency">
          <Chart title={t("Call latency")} data={latencyOver(samples)} show={duration} empty={t("No tool ran in this period. Try one, or start a conversation.")} />
          <p class="hint">{t("p95: 95 of 100 calls took no longer. A high p99 with a low p50 means that a tool is occasionally slow.")}</p>
        </Card>
        <Card tour="metrics-calls">
          <Chart title={t("Calls")} data={callsOver(samples)} show={whole} empty={t("No calls in this period.")} />
        </Card>
        <Card>
          <Chart title={t("Refusals by rule")} data={refusalsOver(samples)} show={whole} empty={t("No rule refused anything in this period.")} />
          <RefusalTable counts={figures.refusalRules} />
        </Card>
        <Card tour="metrics-tokens">
          <Chart title={t("Tokens")} data={tokensOver(samples)} show={whole} empty={t("No provider counted tokens in this period. The built-in model uses none.")} />
          <TokenTable figures={figures} />
        </Card>
        <Card tour="metrics-voice">
          <Chart title={t("Voice latency (p95)")} data={voiceOver(samples)} show={duration} empty={t("No one talked in this period.")} />
          <VoiceTable voice={figures.voice} />
        </Card>
        <Card>
          <Chart title={t("Open sessions")} data={sessionsOver(samples)} show={whole} empty={t("No sessions were open in this period.")} />
        </Card>
      </div>
      <ToolTable figures={figures} />
    </>
  );
}

const shown = (ms: number | null): string => (ms === null ? "–" : duration(ms));

function Tile({ name, value, more, values, kind = "accent" }: {
  name: string; value: string; more: string; values?: (number | null)[]; kind?: "accent" | "second" | "warn";
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd><b class="number">{value}</b><small>{more}</small>{values ? <Sparkline values={values} kind={kind} /> : null}</dd>
    </div>
  );
}
