import { describe, expect, it } from "vitest";

import { languageOf, plural, rich, t } from "../src/i18n";

describe("language", () => {
  it("is the one chosen, else the first of the browser's that there is, else English", () => {
    expect(languageOf("de", ["en-GB"])).toBe("de");
    expect(languageOf("", ["fr-FR", "de-AT", "en"])).toBe("de");
    expect(languageOf("", ["fr-FR", "en-US", "de"])).toBe("en");
    expect(languageOf("tlh", ["fr"])).toBe("en");
    expect(languageOf("constructor", [])).toBe("en");
  });
});

describe("messages", () => {
  it("are filled in, numbers in the language's way", () => {
    expect(t("Save")).toBe("Save");
    expect(t("{name} has {count} records.", { name: "{count}", count: 12345 })).toBe("{count} has 12,345 records.");
    expect(t("{unknown} stays")).toBe("{unknown} stays");
  });

  it("count", () => {
    expect(plural(1, "{count} result", "{count} results")).toBe("1 result");
    expect(plural(0, "{count} result", "{count} results")).toBe("0 results");
    expect(plural(2000, "{count} result in {place}", "{count} results in {place}", { place: "Lisbon" })).toBe("2,000 results in Lisbon");
  });

  it("hold elements where they stand in the sentence", () => {
    const key = { type: "kbd" };
    expect(rich("Press {key} {times} times.", { key: key as never, times: 3 })).toEqual(["Press ", key, " ", "3", " times."]);
  });
});
