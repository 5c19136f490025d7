/** What decisions, errors and losses mean, in words, and what to do about them. */
import { t } from "../../i18n";
import type { Loss } from "./api";

export interface Advice {
  title: string;
  /** What a person can do. */
  advice: string;
}

/** By the type of an error in an envelope. */
export const ERRORS: Record<string, Advice> = {
  VALIDATION: { title: t("The arguments are not valid"), advice: t("Each invalid field says why. Nothing ran.") },
  NOT_FOUND: { title: t("There is no such tool"), advice: t("Check the closest names; the registry may have changed.") },
  INTERNAL: { title: t("The tool failed unexpectedly"), advice: t("See the server's log. Part of its work may be done.") },
  MODE_RESTRICTED: { title: t("Not in this mode"), advice: t("Choose a mode that the tool allows.") },
  BUDGET_EXCEEDED: { title: t("The turn's budget is used up"), advice: t("Every call here is its own turn, so just try again.") },
  CONFIRMATION_REQUIRED: { title: t("A person must approve this"), advice: t("Nothing has run. Review the values, then approve or deny.") },
  LOOP_DETECTED: { title: t("The same call too often"), advice: t("Change the arguments, or start another turn.") },
  UNAVAILABLE: { title: t("Not available here"), advice: t("Not for this session, user or environment; the message says what is missing.") },
  IN_PROGRESS: { title: t("Still running"), advice: t("Send the same key again to get the result when it is done.") },
  OUTCOME_UNKNOWN: { title: t("Its outcome is unknown"), advice: t("Check whether it took effect before you repeat it.") },
  CANCELLED: { title: t("It was stopped"), advice: t("By a person, by the provider, or because nobody approved it.") },
  SESSION_INACTIVE: { title: t("The session is over"), advice: t("Start a new one and try again.") },
  SESSION_ACTIVE: { title: t("The session is already running"), advice: t("There is nothing to start.") },
  TRANSIENT: { title: t("It failed this time"), advice: t("Try again in a moment.") },
  PERMANENT: { title: t("It cannot work like this"), advice: t("Retrying does not help; the message says why.") },
  CONFLICT: { title: t("It conflicts with existing data"), advice: t("The key may belong to another call, or the item already exists.") },
  AUTH: { title: t("Access denied"), advice: t("A key or permission is needed. See Settings.") },
  RATE_LIMIT: { title: t("Too many calls"), advice: t("Wait, then try again.") },
};

export const adviceFor = (type: string): Advice =>
  ERRORS[type] ?? { title: type, advice: t("The message says what happened.") };

/** By the rule that decided, as the audit has it. */
const RULES: Record<string, string> = {
  run: t("no rule objected"),
  duplicate: t("the same call was made before, so its record answers"),
  shape: t("a call is a name and one object of arguments"),
  known: t("the tool must exist"),
  blocked: t("the user is blocked"),
  active: t("the session has ended"),
  "registry.version": t("the tools have changed since the session began"),
  mode: t("the tool may not be used in this mode"),
  availability: t("the tool is not available to this user or environment"),
  rate: t("the tool was called too often"),
  nesting: t("nested calls are limited"),
  "loop.empty": t("it has returned nothing twice"),
  "loop.repeat": t("the same call came a third time"),
  "budget.rounds": t("no rounds are left in this turn"),
  "budget.calls": t("no calls are left in this turn"),
  "budget.retrieval": t("no searches are left in this turn"),
  "confirmation.token": t("only a person may confirm"),
  arguments: t("the arguments violate the tool's schema"),
  confirmation: t("a person must approve it"),
  approval: t("a person has approved this tool beforehand"),
  client: t("it runs in the browser, and none is connected"),
};

export const ruleInWords = (rule: string): string => RULES[rule] ?? "";

const KEYWORDS: Record<string, string> = {
  additionalProperties: t("that other members are refused"),
  maxLength: t("the longest length"), minLength: t("the shortest length"),
  maximum: t("the largest value"), minimum: t("the smallest value"),
  maxItems: t("the most items"), minItems: t("the fewest items"),
  maxProperties: t("the most entries"), minProperties: t("the fewest entries"),
  pattern: "the pattern", format: t("the format"), default: t("the default"),
  uniqueItems: t("that items are unique"), enum: t("the allowed values"), const: t("the one allowed value"),
  anyOf: t("the choice between forms"), oneOf: t("the choice between forms"), allOf: t("the combination of forms"),
  $ref: t("the reference"), type: "the type", required: t("what is required"),
};

/** One loss as a sentence: "The longest length of `title`: not in strict mode; …". */
export function lossInWords({ keyword, pointer, reason }: Loss): { what: string; where: string; reason: string } {
  const what = KEYWORDS[keyword] ?? t("the keyword {keyword}", { keyword });
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
    else if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(part)) place += ` ${t("(form {number})", { number: Number(parts[++index]) + 1 })}`;
    else if (part === "additionalProperties") place += ".*";
    else if (part === "$defs") place += `${parts[++index]}`;
    else place += `/${part}`;
  }
  return place.trim() || t("the arguments as a whole");
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
      if (fits) found.push({ title: before || t("Example {count}", { count: found.length + 1 }), args });
    } catch {
      // Shortened for reading, so it is no JSON and nothing to try.
    }
  }
  return found.slice(0, 5);
}
