import { beforeEach, describe, expect, it } from "vitest";

import { here, recordAt, searchAt, tabAt } from "../src/pages/kg-studio/address";
import { idOf, since } from "../src/pages/kg-studio/databases";
import { readDraft } from "../src/pages/kg-studio/editor";
import { shares } from "../src/pages/kg-studio/explain";
import { choicesOf, howOf, mistaken, textOf } from "../src/pages/kg-studio/files";
import { parts } from "../src/pages/kg-studio/highlight";
import { splitCsv, splitJsonLines, splitText, TooLong } from "../src/pages/kg-studio/splitting";
import { go } from "../src/router";

describe("the address", () => {
  beforeEach(() => go("#/kg-studio"));

  it("holds what is searched, with its filters", () => {
    go(searchAt("studio", { q: "who & where?", types: ["person", "doc"], tags: ["a b"], since: "2026-01-01" }));
    expect(here()).toMatchObject({
      database: "studio", record: null, tab: "search",
      asked: { q: "who & where?", types: ["person", "doc"], tags: ["a b"], since: "2026-01-01", until: "" },
    });
  });

  it("holds a record, whatever its id has in it", () => {
    for (const id of ["person:ada_lovelace", "doc:a/b c", "x?y=1#z", "100%"]) {
      go(recordAt("studio", id, { q: "ada" }, true));
      expect(here()).toMatchObject({ record: id, editing: true, asked: { q: "ada" } });
    }
    go("#/kg-studio/studio/record/doc:a/b");
    expect(here().record).toBe("doc:a/b");
  });

  it("holds the tab; a notice of a task leads to where it is shown", () => {
    go(tabAt("studio", "graph", { around: "project:atlas" }));
    expect(here().tab).toBe("graph");
    go("#/kg-studio?task=abc");
    expect(here().tab).toBe("ingest");
    go("#/kg-studio/studio?tab=nonsense");
    expect(here().tab).toBe("search");
  });
});

describe("texts that are too long for one request", () => {
  it("are cut between paragraphs, and nothing is lost", () => {
    const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}. ${"word ".repeat(30).trim()}.`);
    const made = splitText(paragraphs.join("\n\n"), 1000);
    expect(made.length).toBeGreaterThan(5);
    expect(made.every((each) => each.length <= 1000)).toBe(true);
    expect(made.join("\n\n")).toBe(paragraphs.join("\n\n"));
  });

  it("are cut by bytes too, and never inside a character", () => {
    const made = splitText("😀".repeat(2000), 100_000, 1024);
    expect(made.join("")).toBe("😀".repeat(2000));
    for (const each of made) expect(new TextEncoder().encode(JSON.stringify(each)).length).toBeLessThanOrEqual(1024);
  });

  it("that are short stay whole, blank ones are nothing", () => {
    expect(splitText(" One. ")).toEqual(["One."]);
    expect(splitText(" \n ")).toEqual([]);
  });
});

describe("files of rows", () => {
  const record = (at: number) => JSON.stringify({ kind: "record", id: `r${at}`, type: "t" });
  const edge = (at: number) => JSON.stringify({ kind: "edge", source: `r${at}`, target: "r0", relation: "x" });

  it("of JSON lines: records come first, and lines keep their numbers", () => {
    const text = [edge(1), record(0), "", record(1), edge(2), record(2)].join("\n");
    const made = splitJsonLines(text, 110);
    expect(made.flatMap((each) => each.text.trim().split("\n"))).toEqual([record(0), record(1), record(2), edge(1), edge(2)]);
    expect(made.flatMap((each) => each.lines)).toEqual([2, 4, 6, 1, 5]);
    expect(splitJsonLines(text)).toEqual([{ text, lines: [1, 2, 3, 4, 5, 6] }]);
  });

  it("of CSV: each part has the header, a row may have lines in it", () => {
    const rows = ['a,doc,"two\nlines ""quoted"""', "b,doc,plain", 'c,doc,"x"'];
    const made = splitCsv(["id,type,text", ...rows].join("\n"), 50);
    expect(made.map((each) => each.text)).toEqual([
      `id,type,text\n${rows[0]}\n`, `id,type,text\n${rows[1]}\n${rows[2]}\n`,
    ]);
    expect(made[1]!.lines).toEqual([1, 4, 5]);
  });

  it("with a row larger than a request are refused in words", () => {
    expect(() => splitJsonLines(`${record(1)}\n${"x".repeat(500)}`, 200)).toThrow(TooLong);
    expect(() => splitJsonLines(`${record(1)}\n${"x".repeat(500)}`, 200)).toThrow("Line 2");
  });
});

describe("files", () => {
  it("are taken by their ending, or refused with a way on", () => {
    expect(howOf("Notes.MD", 10)).toEqual({ how: "markdown" });
    expect(howOf("rows.jsonl", 10)).toEqual({ how: "jsonl" });
    expect(howOf("report.PDF", 10)).toEqual({ how: "pdf" });
    expect(howOf("minutes.docx", 10)).toEqual({ how: "docx" });
    expect(choicesOf("pdf")).toEqual(["pdf"]);
    expect(choicesOf("csv")).not.toContain("docx");
    expect(howOf("old.doc", 10)).toMatchObject({ why: expect.stringContaining("docx or PDF") });
    expect(howOf("a.txt", 0)).toMatchObject({ why: "The file is empty." });
    expect(howOf("a.txt", 1e9)).toMatchObject({ why: expect.stringContaining("command line") });
    expect(howOf("a.xyz", 5)).toMatchObject({ why: expect.stringContaining("not supported") });
  });

  it("that are not what their names say are told what they are", async () => {
    const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0])], "report.pdf");
    expect(await mistaken(png, "pdf")).toBe("This is a PNG image, not a PDF.");
    expect(await mistaken(png, "text")).toBe("This is a PNG image, not text.");
    expect(await mistaken(new File(["%PDF-1.7"], "a.docx"), "docx")).toBe("This is a PDF, not a Word document.");
    expect(await mistaken(new File(["Dear all"], "a.pdf"), "pdf")).toBe("This is not a PDF, whatever its name says.");
    expect([await mistaken(new File(["%PDF-1.7"], "a.pdf"), "pdf"), await mistaken(new File(["Dear all"], "a.txt"), "text")]).toEqual([null, null]);
  });

  it("that are no UTF-8 are refused", async () => {
    await expect(textOf(new Blob([new Uint8Array([0xff, 0xfe])]))).rejects.toThrow("UTF-8");
    expect(await textOf(new Blob(["grüß"]))).toBe("grüß");
  });
});

describe("a draft of a record", () => {
  const draft = { id: "a:b", type: "a", title: " B ", text: "t", tags: "x, y,,x", url: "", source_type: "", last_updated: "", metadata: "" };

  it("becomes a record, dated now", () => {
    expect(readDraft(draft, new Date("2026-03-01T09:30:00.5Z"))).toEqual({
      record: { id: "a:b", type: "a", title: "B", text: "t", tags: ["x", "y"], url: "", source_type: "", last_updated: "2026-03-01T09:30:00Z", metadata: {} },
    });
  });

  it("is refused field by field", () => {
    const read = readDraft({ ...draft, id: " ", type: "a\nb", metadata: "[1]", last_updated: "yesterday" });
    expect("wrong" in read && Object.keys(read.wrong).sort()).toEqual(["id", "last_updated", "metadata", "type"]);
    expect(readDraft({ ...draft, metadata: "{" })).toMatchObject({ wrong: { metadata: expect.stringContaining("not valid JSON") } });
  });
});

describe("small things", () => {
  it("words of the query are marked, also where they are cut at the end", () => {
    expect(parts("Hosting the host, ghost.", ["host"])).toEqual([
      { text: "Hosting", hit: true }, { text: " the ", hit: false }, { text: "host", hit: true }, { text: ", ghost.", hit: false },
    ]);
    expect(parts("Zsófia", ["zsofia"])).toEqual([{ text: "Zsófia", hit: true }]);
    expect(parts("as is", [])).toEqual([{ text: "as is", hit: false }]);
  });

  it("the parts of a score add up to the whole", () => {
    const why = { cosine: 0.4, bm25: 2, covered: 0.5, graph: 0.05, fused: 0.52, named: false, matched: {}, neighbours: [] };
    const { meaning, words, graph } = shares(why);
    expect(meaning + words + graph).toBeCloseTo(0.52);
    expect(shares({ ...why, cosine: null, fused: 0.3 })).toMatchObject({ meaning: 0, words: 0.25 });
  });

  it("an id is made of a title", () => {
    expect(idOf("  Été à Paris! ")).toBe("ete-a-paris");
    expect(idOf("—")).toBe("");
  });

  it("times are in words, old ones are dates, and what is none stays", () => {
    const now = Date.parse("2026-03-02T00:00:00Z") / 1000;
    expect(since("2026-03-01T00:00:00Z", now)).toBe("yesterday");
    expect(since("2024-03-01T12:00:00Z", now)).toContain("2024");
    expect(since("once", now)).toBe("once");
  });
});
