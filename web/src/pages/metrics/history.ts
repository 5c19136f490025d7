/** The figures over time: what the server has kept, and what it has added since. */
import { t } from "../../i18n";
import { barred, type ChartData } from "../../ui/chart-data";

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Sample {
  at: number;
  seconds: number;
  ok: number;
  failed: number;
  refused: number;
  refusals: Record<string, number>;
  latency: Percentiles | null;
  tokens: { input: number; output: number };
  voice: Record<string, Percentiles | null>;
  sessions: number;
}

export interface History {
  started_at: number;
  seconds: number;
  samples: Sample[];
  /** What happened since the last sample; the next answer tells it anew. */
  open: Sample;
}

const KEPT_SECONDS = 3600;

/** Adds an answer to what is known. A server that was started again begins anew. */
export function merged(known: History | null, answer: History): History {
  if (!known || known.started_at !== answer.started_at) return answer;
  const last = known.samples.at(-1)?.at ?? 0;
  const samples = [...known.samples, ...answer.samples.filter((sample) => sample.at > last)];
  const oldest = answer.open.at - KEPT_SECONDS;
  return { ...answer, samples: samples.filter((sample) => sample.at > oldest) };
}

/** From when on to ask. */
export const knownUntil = (known: History | null): number => known?.samples.at(-1)?.at ?? 0;

/** The samples of the last minutes, the one under way included. */
export function within(history: History, minutes: number): Sample[] {
  const from = history.open.at - minutes * 60;
  return [...history.samples.filter((sample) => sample.at > from), history.open];
}

const times = (samples: Sample[]): number[] => samples.map((sample) => sample.at);

export const latencyOver = (samples: Sample[]): ChartData => ({
  times: times(samples),
  series: (["p50", "p95", "p99"] as const).map((name) => ({
    label: name, values: samples.map((sample) => sample.latency?.[name] ?? null),
  })),
});

export const callsOver = (samples: Sample[]): ChartData => ({
  times: times(samples),
  counts: true,
  series: [
    { label: t("succeeded"), values: samples.map((sample) => sample.ok) },
    { label: t("refused"), values: samples.map((sample) => sample.refused) },
    { label: t("failed"), values: samples.map((sample) => sample.failed) },
  ],
});

/** The rules that refused most in this time, each as a series. */
export function refusalsOver(samples: Sample[], most = 4): ChartData {
  const sums = new Map<string, number>();
  for (const sample of samples) {
    for (const [rule, count] of Object.entries(sample.refusals)) sums.set(rule, (sums.get(rule) ?? 0) + count);
  }
  const rules = [...sums].sort((one, two) => two[1] - one[1]).slice(0, most).map(([rule]) => rule);
  return {
    times: times(samples),
    counts: true,
    series: rules.map((rule) => ({ label: rule, values: samples.map((sample) => sample.refusals[rule] ?? 0) })),
  };
}

export const tokensOver = (samples: Sample[]): ChartData => ({
  times: times(samples),
  counts: true,
  series: [
    { label: t("in"), values: samples.map((sample) => sample.tokens.input) },
    { label: t("out"), values: samples.map((sample) => sample.tokens.output) },
  ],
});

export const VOICE: Record<string, string> = {
  time_to_first_audio: t("First sound"),
  turn_gap: t("Unplayed speech"),
  barge_in_stop: t("Silent after interruption"),
};

export const voiceOver = (samples: Sample[]): ChartData => ({
  times: times(samples),
  series: Object.entries(VOICE).map(([mark, label]) => ({
    label, values: samples.map((sample) => sample.voice[mark]?.p95 ?? null),
  })),
});

export const sessionsOver = (samples: Sample[]): ChartData => ({
  times: times(samples),
  series: [{ label: t("open"), values: samples.map((sample) => sample.sessions) }],
});

/** Counts for a small line: summed up into few enough stretches. */
export const perMinute = (samples: Sample[], count: (sample: Sample) => number): number[] =>
  barred({ times: times(samples), series: [{ label: "", values: samples.map(count) }], counts: true }, 30).series[0]!.values as number[];
