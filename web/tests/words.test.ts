/** Everything that the console says goes through the catalogue, and the catalogue of each language is whole. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { readWords, wordsOf } from "../scripts/messages";
import type { Catalogue } from "../src/i18n";
import german from "../src/i18n/de.json";

const ROOT = join(import.meta.dirname, "..");
const TOURS = join(ROOT, "..", "src", "antiphon", "workspace", "tours");

/** Names, units, keys and selectors: the same in every language. */
const TECHNICAL = new Set([
  ..."Edge Opera Firefox Chrome Safari Android Windows Linux".split(" "),
  ..."Antiphon English Deutsch Esc Space Enter Ctrl Shift CSV JSON HTTP MCP OpenAI Gemini Claude Anthropic PageRank Accept ok none curl Prometheus".split(" "),
  ...["OpenAI strict", "Gemini JSON", "https://", "https://example.com/mcp", "npx -y @modelcontextprotocol/server-filesystem /srv/papers", "HTTP {}", "Bearer {}", "{} · Antiphon", "{} min", "0 min", "{} min {} s", "calc({}rem - 2px)"],
  ...["color-mix(in srgb, {} 10%, transparent)", "{} copy{}", "start over", "The console cannot be opened offline:"],
  "a an and at by for from in into is it me my of on or the this to what which with",
]);
/** A selector for the document. */
const SELECTOR = /^:scope|^#?main |\[(role|contenteditable|tabindex)/;

/** What is said to the agent, to a program, or to those who build the console, stays English. */
const toPeople = (file: string) => !/^functions\/|^ui\/copy-call|^voice\/resample|^pages\/gallery|^pages\/conversation\/examples/.test(file);

const words = readWords(join(ROOT, "src"), TECHNICAL, toPeople);
const tours = readdirSync(TOURS)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(TOURS, name), "utf-8")) as { name: string; steps: { speech: string }[] })
  .flatMap(({ name, steps }) => [name, ...steps.map((step) => step.speech)]);

const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

describe("what the console says", () => {
  it("is read by a parser", () => {
    const code = `
      const label = "Not for t"; // "A comment"
      export const X = () => <p title="Hello there" class="two words">{t("Yes")} Some text <code>x y z</code>{plural(2, "{count} cat", "{count} cats")}{\`\${a} is gone\`}{t(label)}</p>;`;
    const found = wordsOf("x.tsx", code);
    expect(found.messages.map(({ key, one }) => [key, one])).toEqual([["Yes", undefined], ["{count} cats", "{count} cat"]]);
    expect(found.strays.map(({ text }) => text)).toEqual(["Not for t", "Hello there", "Some text", "{} is gone"]);
    expect(found.unreadable).toHaveLength(1);
  });

  it("is a plain text where it is said", () => {
    expect(words.unreadable).toEqual([]);
  });

  it("goes through the catalogue", () => {
    const strays = words.strays.filter(({ text }) => !SELECTOR.test(text));
    expect(strays.map(({ text, place }) => `${place} ${text}`), "wrap these in t(), plural() or rich(), or name them as technical").toEqual([]);
  });
});

describe.each(Object.entries({ de: german as Catalogue }))("the catalogue %s", (_language, catalogue) => {
  const wanted = new Set([...words.messages.filter(({ place }) => toPeople(place)).map(({ key }) => key), ...tours]);

  it("has every message and no other", () => {
    expect([...wanted].filter((key) => !Object.hasOwn(catalogue, key)), "these are not translated").toEqual([]);
    expect(Object.keys(catalogue).filter((key) => !wanted.has(key)), "nobody says these").toEqual([]);
  });

  it("fills in the same values, and counts where English does", () => {
    const wrong: string[] = [];
    for (const { key, one, place } of words.messages) {
      const said = catalogue[key];
      if (said === undefined) continue;
      if (typeof said === "object" ? one === undefined || !said.other || !said.one : one !== undefined) wrong.push(`${place} ${key}: counts in one language only`);
      const forms = typeof said === "object" ? Object.values(said) : [said];
      for (const form of forms) {
        const optional = typeof said === "object" ? ["count", ...places(key).filter((name) => !places(one ?? "").includes(name))] : [];
        const needed = (text: string) => places(text).filter((name) => !optional.includes(name));
        if (JSON.stringify(needed(form)) !== JSON.stringify(needed(key))) wrong.push(`${place} ${key}: ${form}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
