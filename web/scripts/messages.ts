/** What the console says, read from its sources: messages that go through the catalogue, and texts that do not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

export interface Message {
  /** The English text; of one that counts, the plural. */
  key: string;
  /** The singular of one that counts. */
  one?: string;
  place: string;
}
export interface Stray {
  text: string;
  place: string;
}
export interface Words {
  messages: Message[];
  /** Texts for people that stand outside `t`, `plural` and `rich`. */
  strays: Stray[];
  /** Calls of these with something that is no plain text. */
  unreadable: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const SPEAKERS = new Set(["t", "plural", "rich"]);
/** Attributes and fields whose value a person reads or hears, whatever it looks like. */
const READ = new Set([
  ..."label title placeholder alt hint empty aria-label aria-description aria-roledescription aria-valuetext detail summary heading legend".split(" "),
]);
/** Those that nobody reads, however much their value looks like a sentence. */
const UNREAD = new Set(
  "class className d viewBox transform style rel type role target pattern accept autocomplete key name id href src icon kind tour data-tour for list points preserveAspectRatio sizes font filter".split(" "),
);
/** Functions whose arguments are no words for people. */
const TECHNICAL = new Set(
  "querySelector querySelectorAll closest matches addEventListener removeEventListener matchMedia getContext createElement setAttribute getAttribute removeAttribute Intl.Locale DateTimeFormat NumberFormat supports includes startsWith endsWith split replace replaceAll join localeCompare RegExp".split(" "),
);

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function* children(node: Node): Generator<[string, Node]> {
  for (const [field, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield [field, each];
  }
}

/** The text of a literal, of literals joined by `+`, or null. */
function plain(node: Node | undefined): string | null {
  if (!node) return null;
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type === "TemplateLiteral" && (node["expressions"] as Node[]).length === 0) {
    return ((node["quasis"] as Node[])[0]!["value"] as { cooked: string }).cooked;
  }
  if (node.type === "BinaryExpression" && node["operator"] === "+") {
    const [left, right] = [plain(node["left"] as Node), plain(node["right"] as Node)];
    return left !== null && right !== null ? left + right : null;
  }
  return null;
}

const WORD = /\p{L}{2,}/u;
/** A phrase, a sentence, or a word with a capital: not a token of a program. */
const PROSE = /^\P{L}*\p{Lu}?\p{Ll}+[,:;.!?…]?(?: |$)(?=.*\s\p{L}{2,})|^\s*\p{Lu}\p{Ll}+[.…!?]?\s*$|\p{L}{2,}[,.:;!?]? \p{L}{2,}|\s\p{L}{3,}|\p{L}{3,}\s/u;

function name(node: Node | undefined): string {
  if (!node) return "";
  if (node.type === "Identifier" || node.type === "JSXIdentifier") return String(node["name"]);
  if (node.type === "Literal") return String(node["value"]);
  if (node.type === "MemberExpression") return name(node["property"] as Node);
  if (node.type === "JSXNamespacedName") return `${name(node["namespace"] as Node)}:${name(node["name"] as Node)}`;
  return "";
}

/** Reads one file; `allowed` are texts that look like words and are none. */
export function wordsOf(file: string, code: string, allowed: ReadonlySet<string> = new Set()): Words {
  const { program, errors } = parseSync(file, code);
  if (errors.length) throw new Error(`${file}: ${errors[0]!.message}`);
  const found: Words = { messages: [], strays: [], unreadable: [] };
  const place = (node: Node) => `${file}:${code.slice(0, node.start).split("\n").length}`;
  const stray = (text: string, node: Node) => {
    const trimmed = text.replace(/\s+/g, " ").trim();
    if (!allowed.has(trimmed)) found.strays.push({ text: trimmed, place: place(node) });
  };

  /** `read`: true where a person reads it, false where nobody does, null where its looks must tell. */
  function walk(node: Node, read: boolean | null): void {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "TSTypeAnnotation":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeParameterInstantiation":
      case "TSLiteralType":
        return;
      case "CallExpression":
      case "NewExpression": {
        const callee = name(node["callee"] as Node);
        const args = node["arguments"] as Node[];
        if (node.type === "CallExpression" && (node["callee"] as Node).type === "Identifier" && SPEAKERS.has(callee)) {
          const counts = callee === "plural";
          const texts = (counts ? args.slice(1, 3) : args.slice(0, 1)).map(plain);
          if (texts.some((text) => text === null)) found.unreadable.push(`${place(node)} ${code.slice(node.start, node.end).slice(0, 80)}`);
          else if (counts) found.messages.push({ key: texts[1]!, one: texts[0]!, place: place(node) });
          else found.messages.push({ key: texts[0]!, place: place(node) });
          for (const rest of args.slice(counts ? 3 : 1)) walk(rest, null);
          if (counts && args[0]) walk(args[0], null);
          return;
        }
        walk(node["callee"] as Node, null);
        for (const arg of args) walk(arg, TECHNICAL.has(callee) ? false : null);
        return;
      }
      case "JSXText":
        if (WORD.test(String(node["value"]))) stray(String(node["value"]), node);
        return;
      case "JSXAttribute": {
        const called = name(node["name"] as Node);
        const value = node["value"] as Node | null;
        if (value) walk(value, READ.has(called) ? true : UNREAD.has(called) || /^(data-|on[A-Z]|stroke|fill)/.test(called) ? (called.startsWith("on") ? null : false) : null);
        return;
      }
      case "JSXElement": {
        const tag = name((node["openingElement"] as Node)["name"] as Node);
        const silent = tag === "code" || tag === "kbd" || tag === "samp";
        walk(node["openingElement"] as Node, null);
        for (const child of node["children"] as Node[]) if (!(silent && child.type === "JSXText")) walk(child, silent ? false : null);
        return;
      }
      case "Property":
      case "PropertyDefinition": {
        const called = name(node["key"] as Node);
        if (node["computed"]) walk(node["key"] as Node, null);
        const inner = READ.has(called) ? true : UNREAD.has(called) ? false : null;
        if (node["value"]) walk(node["value"] as Node, inner);
        return;
      }
      case "BinaryExpression":
        if (/^[!=]==?$|^in$/.test(String(node["operator"]))) {
          for (const [, child] of children(node)) walk(child, false);
          return;
        }
        break;
      case "SwitchCase":
        for (const child of node["consequent"] as Node[]) walk(child, null);
        return;
      case "MemberExpression":
        walk(node["object"] as Node, null);
        return;
      case "Literal": {
        const value = node["value"];
        if (typeof value !== "string" || read === false) return;
        if (read ? WORD.test(value) : PROSE.test(value)) stray(value, node);
        return;
      }
      case "TemplateLiteral": {
        const quasis = (node["quasis"] as Node[]).map((each) => (each["value"] as { cooked: string }).cooked);
        const text = quasis.join("{}");
        if (read !== false && (read ? WORD.test(quasis.join(" ")) : PROSE.test(text.replaceAll("{}", "x")) && quasis.some((each) => WORD.test(each)))) stray(text, node);
        for (const each of node["expressions"] as Node[]) walk(each, read === false ? false : null);
        return;
      }
      case "TaggedTemplateExpression":
        return;
    }
    const passes = node.type === "ConditionalExpression" || node.type === "LogicalExpression" || node.type === "JSXExpressionContainer" || node.type === "BinaryExpression" || node.type === "ParenthesizedExpression" || node.type === "TSAsExpression" || node.type === "ArrayExpression";
    for (const [field, child] of children(node)) walk(child, passes && !(node.type === "ConditionalExpression" && field === "test") ? read : null);
  }
  walk(program as unknown as Node, null);
  return found;
}

export function sourceFiles(root: string, under = ""): string[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return sourceFiles(root, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  }).sort();
}

export function readWords(root: string, allowed?: ReadonlySet<string>, within: (file: string) => boolean = () => true): Words {
  const all: Words = { messages: [], strays: [], unreadable: [] };
  for (const file of sourceFiles(root)) {
    const words = wordsOf(file, readFileSync(join(root, file), "utf-8"), allowed);
    all.messages.push(...words.messages);
    all.unreadable.push(...words.unreadable);
    if (within(file)) all.strays.push(...words.strays);
  }
  return all;
}
