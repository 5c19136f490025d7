/** Questions of all sessions, open and settled. */
import { t } from "../../i18n";
import { ownName } from "../../stores/account";
import type { Question } from "../../stores/confirmations";

export type Status = "pending" | "approved" | "denied" | "expired" | "void";

export interface Confirmation extends Question {
  session_id: string;
  user: string;
  status: Status;
  created_at: number;
  resolved_at: number | null;
  approvals: number;
  approved_by: string[];
  answered_by: string | null;
  via: string | null;
  changes: Record<string, { asked?: unknown; approved?: unknown }>;
  audit_seq?: number | null;
}

export interface Page {
  confirmations: Confirmation[];
  next: string | null;
  open: number;
}

export const FILTERS = ["status", "tool", "risk", "session_id"] as const;
export type Filters = Record<(typeof FILTERS)[number], string>;

export const STATUSES: Record<Status, string> = {
  pending: t("Open"),
  approved: t("Approved"),
  denied: t("Denied"),
  expired: t("Expired"),
  void: t("Withdrawn"),
};

export const KINDS: Record<Status, "plain" | "good" | "accent"> = {
  pending: "accent", approved: "good", denied: "plain", expired: "plain", void: "plain",
};

const ABOUT: Record<Status, string> = {
  pending: t("Waiting for an answer."),
  approved: t("It was approved and ran."),
  denied: t("It was denied and did not run."),
  expired: t("No one answered in time, so it did not run."),
  void: t("The conversation ended or the tools changed first, so it did not run."),
};

/** Who settled it and how, in one sentence. */
export function settledHow({ status, answered_by: by, via }: Pick<Confirmation, "status" | "answered_by" | "via">): string {
  if (!by || status === "pending") return ABOUT[status];
  const you = by === ownName.value;
  if (via === "voice") return status === "approved" ? t("Approved by voice.") : t("Denied by voice.");
  if (status === "approved") return you ? t("You approved it.") : t("{who} approved it.", { who: by });
  return you ? t("You denied it.") : t("{who} denied it.", { who: by });
}

/** A value as one line of text. */
export function brief(value: unknown): string {
  if (value === undefined || value === null || value === "") return t("not set");
  return typeof value === "string" ? value : JSON.stringify(value);
}
