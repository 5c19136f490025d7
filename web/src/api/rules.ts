/** The gates that every call passes, as the server tells them. Asked for once. */
import { t } from "../i18n";
import { get } from "./http";
import { useLoad, type Loaded } from "./load";

export interface Gate {
  id: string;
  title: string;
  rules: { id: string; about: string }[];
}

export interface Rules {
  gates: Gate[];
  /** The numbers in force; null is no limit. */
  policy: Record<string, number | null>;
}

/** One gate on a call's way. */
export interface Passage {
  id: string;
  outcome: "passed" | "idle" | "stopped" | "asked" | "answered" | "ran" | "not_reached";
  rule: string | null;
}

/** Titles of the gates that come with the server; those of a program's own are as it calls them. */
const TITLES: Record<string, string> = {
  registry: t("Same tools"), shape: t("Well formed"), duplicate: t("Not a repeat"), known: t("Known tool"), session: t("Session open"),
  mode: t("Mode"), availability: t("Available"), rate: t("Rate limit"), nesting: t("Nesting"), loop: t("No loop"), budget: t("Budget"),
  plan: t("Needed"), leak: t("No leak"), untrusted: t("Own wish"), arguments: t("Arguments"), confirmation: t("Confirmed"), before_call: t("Program"), spending_cap: t("Spending"), run: t("Execution"),
};

let asked: Promise<Rules> | null = null;

export function loadRules(): Promise<Rules> {
  asked ??= get<Rules>("/api/rules").catch((error: unknown) => {
    asked = null; // the next one who wants them asks again
    throw error;
  });
  return asked;
}

export const useRules = (): Loaded<Rules> => useLoad(loadRules, []);

export function ruleAbout(rules: Rules | null, rule: string | null | undefined): string {
  const all = rules?.gates.flatMap((gate) => gate.rules) ?? [];
  return all.find((each) => each.id === rule)?.about ?? "";
}

export const gateTitle = (rules: Rules | null, id: string): string =>
  TITLES[id] ?? rules?.gates.find((gate) => gate.id === id)?.title ?? id;
