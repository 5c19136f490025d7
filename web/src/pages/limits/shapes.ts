/** Limits and spending caps as the server has them. */

export type LimitValue = number | "unlimited";
export type LimitValues = Record<string, LimitValue>;
export type LimitKind = "user" | "role" | "organisation";

export interface LimitOverride {
  kind: LimitKind;
  name: string;
  limits: LimitValues;
  updated_at: number;
  updated_by: string;
}

export interface LimitOverview {
  organisation: string;
  user_defaults: LimitValues;
  organisation_defaults: LimitValues;
  overrides: LimitOverride[];
}

export interface Cap {
  scope: "user" | "organisation" | "agent";
  subject: string;
  currency: string;
  day: string | null;
  month: string | null;
  updated_at: number;
  updated_by: string;
}

export interface CapOverview {
  organisation: string;
  currency: string;
  usual: { scope: Cap["scope"]; period: "day" | "month"; cap: string }[];
  caps: Cap[];
}

/** The address under which the limits of somebody are set. */
export const limitPath = (kind: LimitKind, name: string): string =>
  kind === "organisation" ? "/api/limits/organisation" : `/api/limits/${kind}/${encodeURIComponent(name)}`;

export const capPath = (scope: Cap["scope"], subject: string): string =>
  scope === "organisation" ? "/api/usage/caps/organisation" : `/api/usage/caps/${scope}/${encodeURIComponent(subject)}`;

/** What was typed for a limit: a number, `unlimited`, or nothing. Null: it is none of these. */
export function limitTyped(text: string): LimitValue | "" | null {
  const typed = text.trim().toLowerCase();
  if (typed === "" || typed === "unlimited") return typed;
  const value = Number(typed);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
