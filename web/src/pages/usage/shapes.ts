/** What the server says about usage and spending caps, and how money is written. */
import { locale, t } from "../../i18n";

/** Sums of one currency. Amounts are decimal numbers in texts, exact. */
export interface Sums {
  currency: string;
  requests: number;
  estimated: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  voice_seconds: number;
  cost: string;
  reserved: string;
}

export const GROUPS = ["day", "user", "organisation", "agent", "model", "tool"] as const;
export type Group = (typeof GROUPS)[number];
export type Row = Sums & Partial<Record<Group, string>>;

export interface Usage {
  from: string;
  to: string;
  by: Group[];
  rows: Row[];
  totals: Sums[];
}

export interface Standing {
  scope: "user" | "organisation" | "agent";
  period: "day" | "month";
  cap: string;
  spent: string;
  reserved: string;
  currency: string;
  resets_at: number;
  usual: boolean;
}

/** Money as it is written here, exact to the last place that the server has, and at least two. */
export function money(amount: string, currency: string): string {
  const places = amount.split(".")[1]?.length ?? 0;
  const form = new Intl.NumberFormat(locale, { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, places) });
  return form.format(amount as Intl.StringNumericLiteral);
}

export const groupTitle = (group: Group): string =>
  ({ day: t("Day"), user: t("User"), organisation: t("Organisation"), agent: t("Agent"), model: t("Model"), tool: t("Tool") })[group];

/** What a row is about; a request to a model is no call of a tool, and the other way round. */
export function groupValue(row: Row, group: Group): string {
  const value = row[group] ?? "";
  if (value !== "") return value;
  return { day: "", user: t("nobody"), organisation: t("First organisation"), agent: t("none"), model: t("none (tools)"), tool: t("none (models)") }[group];
}

/** A day of UTC, by which usage is counted. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export function daysBefore(days: number, now = new Date()): string {
  return dayOf(new Date(now.getTime() - days * 86_400_000));
}
