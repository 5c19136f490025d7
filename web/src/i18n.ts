/**
 * What the console says, in the person's language. The English text is the key of a message; the other languages
 * are catalogues in `i18n/`. `main.tsx` loads the catalogue before the app, so `t` works at the top of a module too.
 */
import type { ComponentChildren } from "preact";

import { prefs } from "./stores/prefs";

/** The languages that the console is written in, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** A message by its English text; one that counts by its English plural, with a form for each of the language's rules. */
export type Catalogue = Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>;
const CATALOGUES: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  de: () => import("./i18n/de.json"),
};

const base = (tag: string): string => tag.toLowerCase().split("-", 1)[0]!;
const written = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** The language that was chosen; else the first of the browser's that the console is written in; else English. */
export function languageOf(chosen: string, tags: readonly string[]): Language {
  if (written(chosen)) return chosen;
  return tags.map(base).find(written) ?? "en";
}

export const language: Language = languageOf(prefs.value.language, navigator.languages);
/** For dates and numbers: as the browser writes that language, Austrian or British for instance. */
export const locale: string = navigator.languages.find((tag) => base(tag) === language) ?? language;

const rules = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);
let catalogue: Catalogue = {};

/** Before anything is said. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language;
  if (language !== "en") catalogue = (await CATALOGUES[language]()).default;
}

export type Values = Record<string, string | number>;
const PLACE = /\{(\w+)\}/g;

/** A number as it is written in this language. */
export const number = (value: number, options?: Intl.NumberFormatOptions): string =>
  (options ? new Intl.NumberFormat(locale, options) : numbers).format(value);

const shown = (value: string | number | undefined): string | undefined => (typeof value === "number" ? number(value) : value);

function filled(text: string, values: Values): string {
  return text.replace(PLACE, (place, name: string) => shown(values[name]) ?? place);
}

function message(text: string): string {
  const found = catalogue[text];
  return typeof found === "string" ? found : text;
}

/** A text: `t("Save")`, `t("{name} is saved.", { name })`. Numbers are written in the language's way. */
export function t(text: string, values: Values = {}): string {
  return filled(message(text), values);
}

/** A text that the server sends, such as a step of a tour: in the person's language if the catalogue has it. */
export const translated = (text: string): string => message(text);

/** A text that counts: `plural(count, "{count} result", "{count} results")`. */
export function plural(count: number, one: string, other: string, values: Values = {}): string {
  const found = catalogue[other];
  const rule = rules.select(count);
  const text = typeof found === "object" ? (found[rule] ?? found.other ?? other) : rule === "one" ? one : other;
  return filled(text, { count, ...values });
}

/** Several as one phrase: `a, b and c`. */
export const listed = (items: readonly string[]): string => new Intl.ListFormat(locale, { type: "conjunction" }).format(items);

/** A text with elements in it: `rich("Press {key} to stop.", { key: <kbd>Esc</kbd> })`. */
export function rich(text: string, values: Record<string, ComponentChildren>): ComponentChildren[] {
  return message(text)
    .split(PLACE)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const value = values[part];
      return value === undefined ? `{${part}}` : typeof value === "number" ? number(value) : value;
    });
}
