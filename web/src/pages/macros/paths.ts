/** Paths into results: names with slashes between them; `~1` stands for a slash in a name. */
const names = (path: string): string[] => path.split("/").filter((name) => name !== "").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

export function lookUp(value: unknown, path: string): unknown {
  let here = value;
  for (const name of names(path)) {
    if (here === null || typeof here !== "object") return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

/** A copy with `value` at a path. */
export function putAt(into: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [first, ...rest] = names(path);
  if (first === undefined) return into;
  const inner = into[first];
  const object = inner && typeof inner === "object" && !Array.isArray(inner) ? (inner as Record<string, unknown>) : {};
  return { ...into, [first]: rest.length ? putAt(object, rest.join("/"), value) : value };
}
