/** Which values of an earlier step could go where: from its output schema, or from a real result. */
import { flat, type Schema, type SchemaLike } from "../../ui/schema-form/schema";

const DEEP = 4;
const MOST = 40;
const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

export interface Suggestion {
  path: string;
  about: string;
}

/** Paths into what a tool promises to return. */
export function pathsOf(output: Schema | undefined): Suggestion[] {
  if (!output) return [];
  const found: Suggestion[] = [];
  const look = (given: SchemaLike, path: string, depth: number) => {
    const schema = flat(given, output);
    if (path) found.push({ path, about: schema.description ?? String(schema.type ?? "") });
    if (depth >= DEEP) return;
    for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, join(path, escaped(name)), depth + 1);
    if (schema.items) look(schema.items, join(path, "0"), depth + 1);
  };
  look(output, "", 0);
  return found.slice(0, MOST);
}

/** Paths into a result that was there, each with its value. */
export function pathsIn(result: unknown): Suggestion[] {
  const found: Suggestion[] = [];
  const look = (value: unknown, path: string, depth: number) => {
    if (path) found.push({ path, about: shortly(value) });
    if (depth >= DEEP || !value || typeof value !== "object") return;
    const members = Array.isArray(value) ? value.slice(0, 1).map((each, index) => [String(index), each] as const) : Object.entries(value);
    for (const [name, each] of members) look(each, join(path, escaped(name)), depth + 1);
  };
  look(result, "", 0);
  return found.slice(0, MOST);
}

/** The parameters that can take a value, and those inside of objects. */
export function targetsOf(parameters: Schema): Suggestion[] {
  const found: Suggestion[] = [];
  const look = (given: SchemaLike, path: string, depth: number) => {
    const schema = flat(given, parameters);
    if (path) found.push({ path, about: schema.description ?? String(schema.type ?? "") });
    if (depth < 2) for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, join(path, escaped(name)), depth + 1);
  };
  look(parameters, "", 0);
  return found;
}

const join = (path: string, name: string) => (path ? `${path}/${name}` : name);

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 50 ? `${text.slice(0, 49)}…` : text;
}
