/** The form that is made from a schema: it draws every shipped tool and sends exactly what is in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, test } from "vitest";

import { SchemaForm, startValue, Unread, unread, type Schema, type Wrong } from "../src/ui/schema-form/form";
import { numberOf, withOffset } from "../src/ui/schema-form/leaves";
import { flat, initial, shapeOf, type SchemaLike } from "../src/ui/schema-form/schema";

// -- the form in a page ------------------------------------------------------------------------

const open: HTMLElement[] = [];

class Filled {
  value: unknown;
  changes = 0;
  readonly box = document.body.appendChild(document.createElement("div"));

  constructor(readonly schema: Schema, value: unknown = startValue(schema), private errors: Wrong[] = []) {
    open.push(this.box);
    this.value = value;
    this.draw();
  }

  draw(errors = this.errors): void {
    this.errors = errors;
    void act(() => {
      render(
        <SchemaForm label="Arguments" schema={this.schema} value={this.value} errors={errors}
          onChange={(value) => { this.value = value; this.changes++; }} />,
        this.box,
      );
    });
  }

  /** The control at a pointer. */
  at(pointer: string): HTMLInputElement & HTMLSelectElement {
    const place = this.box.querySelector(`[data-at="${pointer}"]`);
    if (!place) throw new Error(`nothing at ${pointer} in ${this.box.innerHTML}`);
    return place.querySelector("input, select, textarea")!;
  }

  write(pointer: string, text: string): this {
    const control = this.at(pointer);
    void act(() => {
      control.value = text;
      control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    });
    this.draw();
    return this;
  }

  press(name: string): this {
    const button = [...this.box.querySelectorAll("button")].find((each) => (each.getAttribute("aria-label") ?? each.textContent) === name);
    if (!button) throw new Error(`no button ${name} in ${this.box.textContent}`);
    void act(() => button.click());
    this.draw();
    return this;
  }
}

afterEach(() => {
  for (const box of open.splice(0)) {
    render(null, box);
    box.remove();
  }
});

const object = (properties: Record<string, SchemaLike>, ...required: string[]): Schema => ({
  type: "object", additionalProperties: false, properties, required,
});

// -- every tool that is shipped ----------------------------------------------------------------

const FOLDER = join(import.meta.dirname, "../../src/antiphon/tools");
const tools = [FOLDER, join(FOLDER, "catalogue")].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory() && each.name !== "catalogue" && !each.name.startsWith("_"))
    .map((each) => JSON.parse(readFileSync(join(folder, each.name, "schema.json"), "utf8")) as { toolId: string; parameters: Schema }),
);

describe("every shipped tool", () => {
  test("there are as many as there should be", () => expect(tools.length).toBeGreaterThan(100));

  test.each(tools.map((tool) => [tool.toolId, tool.parameters] as const))("%s: filled in as little as it needs", (_, schema) => {
    const form = new Filled(schema);
    fill(form, schema, "");
    expect(unread(form.value)).toEqual([]);
    expect(problems(schema, form.value, schema)).toEqual([]);
    // Nothing that is optional was sent along.
    const required = new Set(schema.required);
    expect(Object.keys(form.value as object).filter((name) => !required.has(name))).toEqual([]);
  });

  test.each(tools.map((tool) => [tool.toolId, tool.parameters] as const))("%s: shows what it is given and changes nothing", (name, schema) => {
    const random = numbers(name);
    for (let round = 0; round < 5; round++) {
      const value = sample(schema, schema, random);
      expect(problems(schema, value, schema)).toEqual([]);
      const form = new Filled(schema, value);
      expect(form.box.textContent).not.toContain("does not fit the form");
      expect([form.changes, form.value]).toEqual([0, value]);
    }
  });
});

/** Writes into the boxes of what is required, as a person would. */
function fill(form: Filled, given: SchemaLike, at: string): void {
  const shape = shapeOf(given, form.schema);
  switch (shape.kind) {
    case "object":
      for (const member of shape.members.filter((each) => each.required)) fill(form, member.schema, `${at}/${member.name}`);
      return;
    case "array": {
      const count = shape.schema.minItems ?? 0;
      for (let index = 0; index < count; index++) {
        if (index) form.press(`Add to ${at.split("/").at(-1)}`);
        fill(form, shape.items, `${at}/${index}`);
      }
      return;
    }
    case "variants":
      return fill(form, shape.variants[0]!.schema, at);
    case "choice":
      form.write(at, "0");
      return;
    case "json":
      form.write(at, shape.schema.type === "object" ? "{}" : "1");
      return;
    case "text":
      form.write(at, String(sample(given, form.schema, () => 0)));
      return;
    case "number":
      form.write(at, String(sample(given, form.schema, () => 0)));
  }
}

/** A value that the schema allows. */
function sample(given: SchemaLike, root: Schema, random: () => number): any {
  const shape = shapeOf(given, root);
  const { schema } = shape;
  const among = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  if (shape.nullable && random() > 0.7) return null;
  switch (shape.kind) {
    case "const":
      return shape.value;
    case "choice":
      return shape.options[among(0, shape.options.length - 1)];
    case "variants":
      return sample(shape.variants[among(0, shape.variants.length - 1)]!.schema, root, random);
    case "number": {
      const least = schema.minimum ?? 0;
      return among(Math.ceil(least), Math.min(schema.maximum ?? least + 5, least + 50));
    }
    case "array":
      return Array.from({ length: among(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 2)) },
        (_, index) => (schema.uniqueItems && shapeOf(shape.items, root).kind === "choice"
          ? (shapeOf(shape.items, root) as { options: unknown[] }).options[index]
          : sample(shape.items, root, random)));
    case "object": {
      const made = Object.fromEntries(shape.members
        .filter((member) => member.required || random() > 0.5)
        .map((member) => [member.name, sample(member.schema, root, random)]));
      if (shape.more !== false && (schema.minProperties || random() > 0.5)) made["own_name"] = sample(shape.more, root, random);
      return made;
    }
    case "json":
      return schema.type === "object" ? { any: [1, "two"] } : "any";
    case "text":
      return textFor(shape.format || "", schema, among);
  }
}

function textFor(format: string, schema: Schema, among: (least: number, most: number) => number): string {
  const known: Record<string, string> = {
    "date-time": "2026-03-01T09:30:00Z", date: "2026-03-01", email: "ada@example.org", uri: "https://example.org/",
  };
  if (known[format]) return known[format];
  for (const tried of ["2026-03-01T09:30:00Z", "FF8800", "#ff8800", "1.2.3", "ada", "AB", "a1b2c3d4", "0 9 * * 1", "ada@example.org"]) {
    if (schema.pattern && new RegExp(schema.pattern, "u").test(tried)) return tried;
  }
  return "n".repeat(among(Math.max(schema.minLength ?? 0, 1), Math.min(schema.maxLength ?? 12, (schema.minLength ?? 0) + 12)));
}

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 8) & 0xffff) / 0x10000;
  };
}

/** What keeps a value from being what the schema asks for, by the rules that shape it. */
function problems(given: SchemaLike, value: any, root: Schema, at = ""): string[] {
  const schema = flat(given, root);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const { anyOf: _a, oneOf: _o, ...base } = schema;
    const some = branches.some((branch) => !problems({ ...base, ...flat(branch, root) }, value, root).length);
    return some ? [] : [`${at} fits no branch`];
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const is: Record<string, boolean> = {
    string: typeof value === "string", number: typeof value === "number", integer: Number.isInteger(value),
    boolean: typeof value === "boolean", null: value === null, array: Array.isArray(value),
    object: value !== null && typeof value === "object" && !Array.isArray(value),
  };
  if (types.length && !types.some((type) => is[type])) return [`${at} is no ${types}: ${JSON.stringify(value)}`];
  const found: string[] = [];
  if (schema.enum && !schema.enum.includes(value)) found.push(`${at} is none of the allowed`);
  if (is["string"] && (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity))) found.push(`${at} has a wrong length`);
  if (is["string"] && schema.pattern && !new RegExp(schema.pattern, "u").test(value)) found.push(`${at} ${value} does not match ${schema.pattern}`);
  if (is["number"] && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) found.push(`${at} is out of bounds`);
  if (is["array"]) {
    if (value.length < (schema.minItems ?? 0)) found.push(`${at} is too short`);
    found.push(...value.flatMap((item: unknown, index: number) => problems(schema.items ?? true, item, root, `${at}/${index}`)));
  }
  if (is["object"]) {
    for (const name of schema.required ?? []) if (!(name in value)) found.push(`${at}/${name} is missing`);
    for (const [name, member] of Object.entries(value)) {
      const own = schema.properties?.[name] ?? schema.additionalProperties ?? true;
      if (own === false) found.push(`${at}/${name} is not known`);
      else found.push(...problems(own, member, root, `${at}/${name}`));
    }
  }
  return found;
}

// -- what each control does --------------------------------------------------------------------

describe("absent is not empty", () => {
  const schema = object({ title: { type: "string" }, note: { type: "string", default: "none" }, count: { type: "integer" } }, "title");

  test("an empty box is left out, and empty text is sent when it is asked for", () => {
    const form = new Filled(schema);
    expect(form.value).toEqual({});
    form.write("/note", "x").write("/note", "");
    expect(form.value).toEqual({});
    form.press("Send empty text: note");
    expect(form.value).toEqual({ note: "" });
    form.press("Clear: note");
    expect(form.value).toEqual({});
  });

  test("defaults are shown and not sent", () => {
    const form = new Filled(schema);
    expect(form.at("/note").placeholder).toBe("none");
    expect(form.box.textContent).toContain("default none");
  });

  test("members come in the order of the schema, however they are filled in", () => {
    const form = new Filled(schema).write("/count", "3").write("/title", "a");
    expect(JSON.stringify(form.value)).toBe('{"title":"a","count":3}');
  });
});

describe("numbers", () => {
  test.each([
    ["1", 1], ["-2.5", -2.5], ["1e3", 1000], [".5", 0.5], ["1.", 1],
  ])("%s is %d", (text, number) => expect(numberOf(text, false)).toBe(number));

  test.each(["", "one", "1,5", "0x10", "1e999", "NaN", "--1"])("%s is none", (text) =>
    expect(numberOf(text, false)).toBeInstanceOf(Unread));

  test("what cannot be sent exactly is not sent", () => {
    expect(numberOf("9007199254740993", true)).toBeInstanceOf(Unread);
    expect(numberOf("1.5", true)).toBeInstanceOf(Unread);
  });

  test("what was typed stays, and what is no number is said at its field", () => {
    const form = new Filled(object({ n: { type: "integer", minimum: 1, maximum: 10 } }));
    form.write("/n", "2.0");
    expect([form.value, form.at("/n").value]).toEqual([{ n: 2 }, "2.0"]);
    form.write("/n", "two");
    expect(unread(form.value)).toEqual([{ pointer: "/n", message: "is not a number" }]);
    expect(form.at("/n").getAttribute("aria-invalid")).toBe("true");
    expect(form.box.textContent).toContain("n is not a number");
    expect(form.box.textContent).toContain("1 to 10");
  });
});

describe("choices", () => {
  test("a boolean can be left out, true or false", () => {
    const form = new Filled(object({ on: { type: "boolean", default: true } }));
    expect(form.at("/on").textContent).toContain("Not set (default yes (true))");
    form.write("/on", "1");
    expect(form.value).toEqual({ on: false });
    form.write("/on", "");
    expect(form.value).toEqual({});
  });

  test("options keep their type", () => {
    const form = new Filled(object({ size: { enum: [1, "1", null] } }, "size"));
    expect(form.write("/size", "1").value).toEqual({ size: "1" });
    expect(form.write("/size", "0").value).toEqual({ size: 1 });
    expect(form.write("/size", "2").value).toEqual({ size: null });
  });

  test("a value that is none of the options stays as it is", () => {
    const form = new Filled(object({ size: { enum: ["s", "m"] } }), { size: "xl" });
    expect(form.box.textContent).toContain("xl (not allowed)");
    expect(form.value).toEqual({ size: "xl" });
  });

  test("a constant that is required is there from the start", () =>
    expect(startValue(object({ kind: { const: "a" }, other: { const: "b" } }, "kind"))).toEqual({ kind: "a" }));
});

describe("lists", () => {
  const schema = object({ tags: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 3 } });

  test("items are added, moved and removed", () => {
    const form = new Filled(schema);
    form.press("Add: tags").write("/tags/0", "a").press("Add to tags").write("/tags/1", "b");
    expect(form.value).toEqual({ tags: ["a", "b"] });
    form.press("Move tags 2 up");
    expect(form.value).toEqual({ tags: ["b", "a"] });
    form.press("Remove tags 1");
    expect(form.value).toEqual({ tags: ["a"] });
    form.press("Remove tags 1");
    expect(form.value).toEqual({ tags: [] });
    form.press("Clear: tags");
    expect(form.value).toEqual({});
  });

  test("no more than the schema allows", () => {
    const form = new Filled(schema, { tags: ["a", "b", "c"] });
    const add = [...form.box.querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === "Add to tags")!;
    expect([add.disabled, add.textContent]).toEqual([true, "At most 3"]);
  });

  test("a list that must not be empty starts with one item, and an empty number is said", () => {
    const form = new Filled(object({ values: { type: "array", minItems: 1, items: { type: "number" } } }, "values"));
    expect(unread(form.value)).toEqual([{ pointer: "/values/0", message: "is empty" }]);
    expect(form.write("/values/0", "4").value).toEqual({ values: [4] });
  });

  test("any part can be written as JSON", () => {
    const form = new Filled(object({ m: { type: "array", items: { type: "array", items: { type: "number" } } } }, "m"));
    form.press("JSON: m").write("/m", "[[1, 2], [3");
    expect(unread(form.value)[0]?.message).toContain("is not valid JSON");
    form.write("/m", "[[1, 2], [3, 4]]").press("Back to the form: m");
    expect(form.value).toEqual({ m: [[1, 2], [3, 4]] });
    expect(form.at("/m/1/0").value).toBe("3");
  });
});

describe("objects and maps", () => {
  const nested = object({ filters: object({ kind: { type: "string", enum: ["a", "b"] }, deep: object({ id: { type: "string" } }, "id") }) });

  test("an object is there when it is added, with what it has to have", () => {
    const form = new Filled(nested);
    expect(form.press("Add: filters").value).toEqual({ filters: {} });
    form.press("Add: deep").write("/filters/deep/id", "x");
    expect(form.value).toEqual({ filters: { deep: { id: "x" } } });
  });

  test("a map has names of the person's own; one that is there twice is not sent", () => {
    const form = new Filled(object({ values: { type: "object", additionalProperties: { type: "number" } } }, "values"));
    form.press("Add entry");
    const names = () => [...form.box.querySelectorAll<HTMLInputElement>(".sf-key input")];
    const name = (index: number, text: string) => {
      void act(() => {
        names()[index]!.value = text;
        names()[index]!.dispatchEvent(new Event("input", { bubbles: true }));
      });
      form.draw();
    };
    name(0, "a");
    form.write("/values/a", "1");
    expect(form.value).toEqual({ values: { a: 1 } });
    form.press("Add entry");
    name(1, "a");
    expect(form.box.textContent).toContain("only the first is sent");
    expect(form.value).toEqual({ values: { a: 1 } });
    name(1, "b");
    form.write("/values/b", "2");
    expect(form.value).toEqual({ values: { a: 1, b: 2 } });
  });

  test("what the schema does not know is shown, not dropped", () => {
    const form = new Filled(object({ a: { type: "string" } }), { a: "x", more: 1 });
    expect(form.box.querySelector(".sf-stranger")?.textContent).toContain("more");
    expect(form.press("Clear: more").value).toEqual({ a: "x" });
  });

  test("what does not fit its control is shown as JSON, not dropped", () => {
    const form = new Filled(object({ a: { type: "string" } }), { a: ["x"] });
    expect(form.at("/a").value).toContain('"x"');
    expect(form.box.textContent).toContain("does not fit the form");
    expect(form.value).toEqual({ a: ["x"] });
  });
});

describe("variants, null and references", () => {
  test("one of several is chosen, and found again in a value", () => {
    const schema = object({ from: { anyOf: [{ type: "integer" }, object({ step: { type: "integer" } }, "step"), { type: "null" }] } });
    const form = new Filled(schema);
    form.write("/from", "2");
    expect(form.value).toEqual({ from: 2 });
    const pick = form.box.querySelector<HTMLSelectElement>(".sf-pick select")!;
    void act(() => { pick.value = "1"; pick.dispatchEvent(new Event("change", { bubbles: true })); });
    form.draw();
    form.write("/from/step", "3");
    expect(form.value).toEqual({ from: { step: 3 } });
    expect(new Filled(schema, { from: { step: 1 } }).box.querySelector<HTMLSelectElement>(".sf-pick select")!.value).toBe("1");
  });

  test("null is sent when it is asked for", () => {
    const form = new Filled(object({ a: { type: ["string", "null"] } }));
    expect(form.press("Send null: a").value).toEqual({ a: null });
    expect(form.press("Clear: a").value).toEqual({});
  });

  test("branches that only differ in their rules are one box", () => {
    const schema = object({ start: { type: "string", anyOf: [{ format: "date-time" }, { pattern: "^x$" }] } }, "start");
    expect(new Filled(schema).write("/start", "x").value).toEqual({ start: "x" });
  });

  test("references are followed, also those of a schema that holds itself", () => {
    const schema: Schema = {
      ...object({ tree: { $ref: "#/$defs/node" } }, "tree"),
      $defs: { node: object({ name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } }, "name") },
    };
    expect(startValue(schema)).toEqual({ tree: {} });
    const form = new Filled(schema).write("/tree/name", "root").press("Add: children").write("/tree/children/0/name", "leaf");
    expect(form.value).toEqual({ tree: { name: "root", children: [{ name: "leaf" }] } });
  });

  test("a schema that needs itself comes to an end", () => {
    const schema: Schema = { ...object({ next: { $ref: "#" } }, "next") };
    expect(JSON.stringify(initial(schema, schema)).length).toBeLessThan(200);
  });

  test("what cannot be drawn is written as JSON, with its own error", () => {
    const form = new Filled(object({ pair: { prefixItems: [{ type: "string" }, { type: "number" }] } }, "pair"));
    form.write("/pair", '["a", ');
    expect(unread(form.value)[0]?.pointer).toBe("/pair");
    expect(form.write("/pair", '["a", 1]').value).toEqual({ pair: ["a", 1] });
  });
});

describe("what the server finds wrong", () => {
  const schema = object({ query: { type: "string" }, filters: object({ tags: { type: "array", items: { type: "string" } } }) }, "query");

  test("stands at its field, also inside a part that is not there", () => {
    const form = new Filled(schema, {}, [
      { pointer: "/query", message: "is missing", expected: "a value" },
      { pointer: "/filters/tags/0", message: "3 is not of type string", expected: "string" },
    ]);
    expect(form.box.querySelector('[data-at="/query"] .wrong')?.textContent).toBe("query is missing");
    expect(form.at("/query").getAttribute("aria-describedby")).toContain("wrong");
    expect(form.box.querySelector('[data-at="/filters"] .wrong')?.textContent).toContain("tags/0 3 is not of type string");
    form.value = { filters: { tags: ["x"] } };
    form.draw();
    expect(form.box.querySelector('[data-at="/filters/tags/0"] .wrong')?.textContent).toContain("is not of type string");
  });

  test("about the whole stands above", () => {
    const form = new Filled(schema, {}, [{ pointer: "", message: "makes no sense" }]);
    expect(form.box.querySelector('[role="alert"]')?.textContent).toBe("makes no sense");
  });
});

test("a time from the calendar has the offset of this place", () => {
  expect(withOffset("2026-03-01T09:30")).toMatch(/^2026-03-01T09:30:00(Z|[+-]\d\d:\d\d)$/);
  expect(new Date(withOffset("2026-07-01T09:30")).getHours()).toBe(9);
});
