/** What decisions, errors and losses mean, in words, and what to do about them. */
import type { Loss } from "./api";

export interface Advice {
  title: string;
  /** What a person can do. */
  advice: string;
}

/** By the type of an error in an envelope. */
export const ERRORS: Record<string, Advice> = {
  VALIDATION: { title: "The arguments do not fit", advice: "Each field that is wrong says why. Nothing was run." },
  NOT_FOUND: { title: "There is no such tool", advice: "Look at the nearest names; the registry may have changed." },
  INTERNAL: { title: "The tool failed in a way nobody planned for", advice: "The server's log says more. It may have done a part of its work." },
  MODE_RESTRICTED: { title: "Not in this mode", advice: "Choose a mode that the tool allows." },
  BUDGET_EXCEEDED: { title: "The turn's budget is used up", advice: "Every try here is a turn of its own, so simply try again." },
  CONFIRMATION_REQUIRED: { title: "A person must approve this", advice: "Nothing has run. Look at the values, then approve or deny." },
  LOOP_DETECTED: { title: "The same call too often", advice: "Change the arguments, or start another turn." },
  UNAVAILABLE: { title: "Not available here", advice: "It is not for this session, user or environment; the message says what is missing." },
  IN_PROGRESS: { title: "Still running", advice: "Send the same key again to get the result when it is done." },
  OUTCOME_UNKNOWN: { title: "Nobody knows whether it happened", advice: "Look first whether it did; do not simply repeat it." },
  CANCELLED: { title: "It was stopped", advice: "By a person, by the provider, or because nobody approved it." },
  SESSION_INACTIVE: { title: "The session is over", advice: "Start another one and try again." },
  SESSION_ACTIVE: { title: "The session is running already", advice: "There is nothing to start." },
  TRANSIENT: { title: "It did not work this time", advice: "Try again in a moment." },
  PERMANENT: { title: "It will not work like this", advice: "Trying again does not help; the message says why." },
  CONFLICT: { title: "It clashes with what is there", advice: "The key may belong to another call, or the thing exists already." },
  AUTH: { title: "Access is missing", advice: "A key or a permission is needed. Settings shows what is there." },
  RATE_LIMIT: { title: "Too often", advice: "Wait, then try again." },
};

export const adviceFor = (type: string): Advice =>
  ERRORS[type] ?? { title: type, advice: "The message says what happened." };

/** By the rule that decided, as the audit has it. */
const RULES: Record<string, string> = {
  run: "nothing stood against it",
  duplicate: "the same call was made before, so its record answers",
  shape: "it has to be a name and one object of arguments",
  known: "there has to be such a tool",
  blocked: "the user is blocked",
  active: "the session has ended",
  "registry.version": "the tools have changed since the session began",
  mode: "the tool may not be used in this mode",
  availability: "the tool is not there for this user or environment",
  rate: "the tool was called too often",
  nesting: "calls made by calls have a cap",
  "loop.empty": "it has returned nothing twice",
  "loop.repeat": "the same call came a third time",
  "budget.rounds": "no rounds are left in this turn",
  "budget.calls": "no calls are left in this turn",
  "budget.retrieval": "no searches are left in this turn",
  "confirmation.token": "only a person may confirm",
  arguments: "the arguments break the tool's schema",
  confirmation: "a person has to approve it",
  approval: "a person has approved this tool beforehand",
  client: "it runs in the browser, and none is connected",
};

export const ruleInWords = (rule: string): string => RULES[rule] ?? "";

const KEYWORDS: Record<string, string> = {
  additionalProperties: "that other members are refused",
  maxLength: "the longest length", minLength: "the shortest length",
  maximum: "the largest value", minimum: "the smallest value",
  maxItems: "the most items", minItems: "the fewest items",
  maxProperties: "the most entries", minProperties: "the fewest entries",
  pattern: "the pattern", format: "the format", default: "the default",
  uniqueItems: "that each comes once", enum: "the allowed values", const: "the one allowed value",
  anyOf: "the choice between forms", oneOf: "the choice between forms", allOf: "the combination of forms",
  $ref: "the reference", type: "the type", required: "what is required",
};

/** One loss as a sentence: "The longest length of `title`: not in strict mode; …". */
export function lossInWords({ keyword, pointer, reason }: Loss): { what: string; where: string; reason: string } {
  const what = KEYWORDS[keyword] ?? `the keyword ${keyword}`;
  return { what: what[0]!.toUpperCase() + what.slice(1), where: placeOf(pointer), reason };
}

/** A pointer into a schema as the place in the arguments: `series[].name`. */
export function placeOf(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  let place = "";
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (part === "properties" && index + 1 < parts.length) place += `${place ? "." : ""}${parts[++index]}`;
    else if (part === "items") place += "[]";
    else if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(part)) place += ` (form ${Number(parts[++index]) + 1})`;
    else if (part === "additionalProperties") place += ".*";
    else if (part === "$defs") place += `${parts[++index]}`;
    else place += `/${part}`;
  }
  return place.trim() || "the arguments as a whole";
}

/** The JSON objects in a guide that could be arguments, with what stands before each. */
export function examplesIn(guide: string, schema: { properties?: object; required?: string[] }): { title: string; args: Record<string, unknown> }[] {
  const known = new Set(Object.keys(schema.properties ?? {}));
  const found: { title: string; args: Record<string, unknown> }[] = [];
  let before = "";
  for (const piece of guide.split(/```json\s*\n([\s\S]*?)```/).entries()) {
    const [index, text] = piece;
    if (index % 2 === 0) {
      before = text.trim().split("\n").at(-1)?.replace(/^[#\-*\s]+/, "").replace(/:$/, "") || before;
      // The heading of them all is the name of none.
      if (/^examples?$/i.test(before)) before = "";
      continue;
    }
    try {
      const args = JSON.parse(text) as Record<string, unknown>;
      const names = Object.keys(args);
      const fits = !Array.isArray(args) && names.length && names.every((name) => known.has(name)) &&
        (schema.required ?? []).every((name) => name in args);
      if (fits) found.push({ title: before || `Example ${found.length + 1}`, args });
    } catch {
      // Shortened for reading, so it is no JSON and nothing to try.
    }
  }
  return found.slice(0, 5);
}
