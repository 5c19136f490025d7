/** How a JSON Schema is drawn: which control, under which rules. Nothing here touches the page. */
import { number, plural, t } from "../../i18n";


export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: SchemaLike;
  prefixItems?: SchemaLike[];
  properties?: Record<string, SchemaLike>;
  required?: string[];
  additionalProperties?: SchemaLike;
  patternProperties?: Record<string, SchemaLike>;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: SchemaLike[];
  oneOf?: SchemaLike[];
  allOf?: SchemaLike[];
  $ref?: string;
  $defs?: Record<string, SchemaLike>;
  [keyword: string]: unknown;
}
export type SchemaLike = Schema | boolean;

export interface Member {
  name: string;
  schema: SchemaLike;
  required: boolean;
}

export type Shape = { schema: Schema; nullable: boolean } & (
  | { kind: "text"; format: string; long: boolean }
  | { kind: "number"; whole: boolean }
  | { kind: "choice"; options: unknown[] }
  | { kind: "const"; value: unknown }
  | { kind: "object"; members: Member[]; more: SchemaLike }
  | { kind: "array"; items: SchemaLike }
  | { kind: "variants"; variants: { title: string; schema: Schema }[] }
  | { kind: "json" }
);

/** Longer texts get a box of several lines. */
const LINE = 500;
const LONG_NAMES =
  /code|text|content|body|document|message|prompt|markdown|html|csv|json|yaml|sql|diff|source|template|log|notes?$/i;
const HOPS = 20;

/** What to draw for a schema; `name` is what the value is called. */
export function shapeOf(given: SchemaLike, root: Schema, name = ""): Shape {
  const whole = flat(given, root);
  if (whole.prefixItems || whole.patternProperties) return { kind: "json", schema: whole, nullable: false };
  if ("const" in whole) return { kind: "const", schema: whole, nullable: false, value: whole.const };
  if (whole.enum) return { kind: "choice", schema: whole, nullable: false, options: whole.enum };
  return branched(whole, root, name) ?? typed(whole, root, name);
}

/** anyOf and oneOf; null where there is none. */
function branched(whole: Schema, root: Schema, name: string): Shape | null {
  const branches = whole.anyOf ?? whole.oneOf;
  if (!branches) return null;
  const { anyOf: _any, oneOf: _one, ...base } = whole;
  const all = branches.map((branch) => merged(base, flat(branch, root)));
  const rest = all.filter((branch) => !isNull(branch));
  const nullable = rest.length < all.length;
  if (rest.length === 1) {
    const only = shapeOf(rest[0]!, root, name);
    return { ...only, nullable: nullable || only.nullable };
  }
  const shapes = rest.map((branch) => shapeOf(branch, root, name));
  if (shapes.length && shapes.every((each) => each.kind === "text")) {
    // They differ in what they allow, not in what is written: the server checks that.
    const format = shapes.map((each) => each.format).find(Boolean) ?? "";
    const long = shapes.some((each) => each.long);
    return { kind: "text", schema: base, nullable, format, long };
  }
  const variants = rest.map((schema, index) => ({ title: titleOf(schema, root, index), schema }));
  return { kind: "variants", schema: base, nullable, variants };
}

function typed(whole: Schema, root: Schema, name: string): Shape {
  const types = typesOf(whole);
  const nullable = types.includes("null");
  const others = types.filter((type) => type !== "null");
  const base = { schema: whole, nullable };
  if (others.length > 1) {
    const variants = others.map((type, index) => {
      const schema = { ...whole, type };
      return { title: titleOf({ type }, root, index), schema };
    });
    return { ...base, kind: "variants", variants };
  }
  switch (others[0]) {
    case "string": {
      const { format = "", maxLength } = whole;
      const long = maxLength === undefined ? LONG_NAMES.test(name) && !format : maxLength > LINE;
      return { ...base, kind: "text", format, long };
    }
    case "number":
    case "integer":
      return { ...base, kind: "number", whole: others[0] === "integer" };
    case "boolean":
      return { ...base, kind: "choice", options: [true, false] };
    case "array":
      return { ...base, kind: "array", items: whole.items ?? true };
    case "object": {
      const required = new Set(whole.required);
      const named = Object.entries(whole.properties ?? {});
      const order = (member: Member) => whole.required?.indexOf(member.name) ?? -1;
      const members = named
        .map(([member, schema]) => ({ name: member, schema, required: required.has(member) }))
        // What has to be there comes first, in the order in which that is said.
        .sort((one, two) => Number(two.required) - Number(one.required) || order(one) - order(two));
      const more = whole.additionalProperties ?? true;
      // Nothing is known of what is in it: text is better than a row of boxes.
      if (!members.length && more === true) return { ...base, kind: "json" };
      return { ...base, kind: "object", members, more };
    }
  }
  if (types.length && !others.length) return { kind: "const", schema: whole, nullable: false, value: null };
  return { ...base, kind: "json" };
}

function typesOf({ type, properties, items, format, pattern, minLength, maxLength, minimum, maximum }: Schema): string[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  if (properties) return ["object"];
  if (items) return ["array"];
  if (format ?? pattern ?? minLength ?? maxLength) return ["string"];
  if (minimum !== undefined || maximum !== undefined) return ["number"];
  return [];
}

/** With references and allOf written out. */
export function flat(given: SchemaLike, root: Schema): Schema {
  let schema: Schema = given === true ? {} : given === false ? { enum: [] } : given;
  for (let hop = 0; schema.$ref !== undefined && hop < HOPS; hop++) {
    const { $ref, ...beside } = schema;
    const target = pointed($ref, root);
    schema = merged(target === undefined || typeof target === "boolean" ? {} : target, beside);
  }
  delete (schema = { ...schema }).$ref;
  if (schema.allOf) {
    const { allOf, ...beside } = schema;
    schema = allOf.map((part) => flat(part, root)).reduce(merged, beside);
  }
  return schema;
}

function pointed(reference: string, root: Schema): SchemaLike | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = found && typeof found === "object" ? (found as Record<string, unknown>)[name] : undefined;
  }
  return found as SchemaLike | undefined;
}

/** Both hold. Where they name the same keyword the second says it. */
function merged(one: Schema, two: Schema): Schema {
  const both: Schema = { ...one, ...two };
  if (one.properties && two.properties) both.properties = { ...one.properties, ...two.properties };
  if (one.required && two.required) both.required = [...new Set([...one.required, ...two.required])];
  return both;
}

const isNull = (schema: Schema): boolean => schema.type === "null" || schema.const === null;

function titleOf(schema: Schema, root: Schema, index: number): string {
  if (schema.title) return schema.title;
  if ("const" in schema) return JSON.stringify(schema.const);
  const tags = Object.entries(schema.properties ?? {})
    .map(([name, member]) => [name, flat(member, root)] as const)
    .filter(([, member]) => "const" in member);
  if (tags[0]) return `${tags[0][0]}: ${JSON.stringify(tags[0][1].const)}`;
  const names = Object.keys(schema.properties ?? {});
  const words: Record<string, string> = {
    ...{ string: t("text"), number: t("number"), integer: t("whole number"), boolean: t("yes or no") },
    ...{ array: t("list"), object: names.length ? t("object with {names}", { names: names.slice(0, 3).join(", ") }) : t("object") },
  };
  const type = typesOf(schema)[0];
  return (type && words[type]) || t("variant {index}", { index: index + 1 });
}

// -- values ------------------------------------------------------------------------------------

/** Something was written that is no value yet: it stands in its place until it is. */
export class Unread {
  constructor(
    readonly text: string,
    readonly problem: string,
  ) {}
}

export interface Wrong {
  pointer: string;
  message: string;
  expected?: string;
}

/** The places where something was written that cannot be sent. */
export function unread(value: unknown, at = ""): Wrong[] {
  if (value instanceof Unread) return [{ pointer: at, message: value.problem }];
  if (!value || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => unread(each, `${at}/${escaped(name)}`));
}

export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** What a part starts with when it is there; undefined: nothing until the person writes it. */
export function initial(given: SchemaLike, root: Schema, depth = 0): unknown {
  const shape = shapeOf(given, root);
  switch (shape.kind) {
    case "const":
      return shape.value;
    case "object": {
      const made: Record<string, unknown> = {};
      for (const member of shape.members) {
        if (!member.required || depth > 8) continue;
        const value = initial(member.schema, root, depth + 1);
        if (value !== undefined) made[member.name] = value;
      }
      return made;
    }
    case "array":
      return shape.schema.minItems && depth <= 8 ? [blank(shape.items, root, depth + 1)] : [];
    case "variants":
      return shape.variants[0] && initial(shape.variants[0].schema, root, depth + 1);
    default:
      return undefined;
  }
}

/** What an item of a list starts with: it has to be something. */
export function blank(given: SchemaLike, root: Schema, depth = 0): unknown {
  const value = initial(given, root, depth);
  if (value !== undefined) return value;
  const shape = shapeOf(given, root);
  if (shape.kind === "text") return "";
  if (shape.kind === "choice") return shape.options.length === 2 && shape.options[0] === true ? false : shape.options[0];
  if (shape.kind === "variants" && shape.variants[0]) return blank(shape.variants[0].schema, root, depth + 1);
  return new Unread("", t("is empty"));
}

/** Whether the control for that shape can show the value. Rules about it are the server's. */
export function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || shape.kind === "json" || shape.kind === "variants") return true;
  if (value === null) return shape.nullable || (shape.kind === "const" && shape.value === null) ||
    (shape.kind === "choice" && shape.options.includes(null));
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || value instanceof Unread;
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "array":
      return Array.isArray(value) || value instanceof Unread;
    default:
      return !(value instanceof Unread);
  }
}

/** How well a value is one of a variant's: its type, its constants and what it has to have. */
export function likeness(given: SchemaLike, root: Schema, value: unknown): number {
  const shape = shapeOf(given, root);
  if (value === undefined || !fits(shape, value)) return 0;
  if (shape.kind === "const") return same(shape.value, value) ? 2 : 0;
  if (shape.kind === "choice") return shape.options.some((option) => same(option, value)) ? 2 : 0;
  if (shape.kind === "variants") return Math.max(0, ...shape.variants.map((each) => likeness(each.schema, root, value)));
  if (shape.kind !== "object") return shape.kind === "json" ? 0.5 : 1;
  const has = value as Record<string, unknown>;
  if (shape.members.some((member) => member.required && !(member.name in has))) return 0.25;
  const constants = shape.members.filter((member) => "const" in flat(member.schema, root));
  if (constants.some((member) => member.name in has && likeness(member.schema, root, has[member.name]) === 0)) return 0;
  const known = new Set(shape.members.map((member) => member.name));
  return 1 + Object.keys(has).filter((name) => known.has(name)).length / 100;
}

export const same = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);

// -- words -------------------------------------------------------------------------------------

/** What a person should know about a field besides its description. */
export function limits({ schema, ...shape }: Shape): string {
  const said: string[] = [];
  if (shape.kind === "text") {
    said.push(between(schema.minLength, schema.maxLength, (count) => plural(count, "character", "characters")));
    if (schema.pattern && !schema.anyOf) said.push(t("matches {pattern}", { pattern: schema.pattern }));
  } else if (shape.kind === "number") {
    said.push(between(schema.minimum, schema.maximum));
    if (schema.exclusiveMinimum !== undefined) said.push(t("more than {exclusiveMinimum}", { exclusiveMinimum: schema.exclusiveMinimum }));
    if (schema.exclusiveMaximum !== undefined) said.push(t("less than {exclusiveMaximum}", { exclusiveMaximum: schema.exclusiveMaximum }));
    if (schema.multipleOf) said.push(t("a multiple of {multipleOf}", { multipleOf: schema.multipleOf }));
  } else if (shape.kind === "array") {
    said.push(between(schema.minItems, schema.maxItems, (count) => plural(count, "item", "items")));
    if (schema.uniqueItems) said.push(t("unique"));
  } else if (shape.kind === "object") {
    said.push(between(schema.minProperties, schema.maxProperties, (count) => plural(count, "entry", "entries")));
  }
  return said.filter(Boolean).join(", ");
}

function between(least: number | undefined, most: number | undefined, what?: (count: number) => string): string {
  const count = (value: number) => (Math.abs(value) >= 1e6 ? value.toExponential().replace("+", "") : number(value));
  const amount = (value: number) => (what ? `${count(value)} ${what(value)}` : count(value));
  if (least && most !== undefined) return least === most ? t("exactly {amount}", { amount: amount(most) }) : t("{least} to {most}", { least: count(least), most: amount(most) });
  if (most !== undefined) return !what && least === 0 ? t("{least} to {most}", { least, most: amount(most) }) : t("up to {amount}", { amount: amount(most) });
  if (least) return t("at least {amount}", { amount: amount(least) });
  return least === 0 && !what ? t("0 or more") : "";
}

/** A value in one short line. */
export function brief(value: unknown, most = 40): string {
  const text = typeof value === "string" ? value || '""' : JSON.stringify(value) ?? "";
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
