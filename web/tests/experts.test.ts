import { describe, expect, it } from "vitest";

import { cited } from "../src/pages/experts/api";

const citation = (id: string) => ({ id, title: id, snippet: "", url: null });

describe("citations in an answer", () => {
  it("become numbered links to the record", () => {
    expect(cited("Tobias leads it. [person:tobias] [project:atlas]", [citation("person:tobias"), citation("project:atlas")], "studio")).toBe(
      "Tobias leads it. [\\[1\\]](<#/kg-studio/studio/record/person%3Atobias>) [\\[2\\]](<#/kg-studio/studio/record/project%3Aatlas>)",
    );
  });

  it("may share brackets, and link also what the list has no room for", () => {
    expect(cited("So. [a:1, b:2]", [citation("a:1")], "db")).toBe(
      "So. [\\[1\\]](<#/kg-studio/db/record/a%3A1>)[\\[b:2\\]](<#/kg-studio/db/record/b%3A2>)",
    );
  });

  it("are left alone where they are none", () => {
    const text = "See [the wiki](https://wiki.example), step [2] and [sic].";
    expect(cited(text, [], "db")).toBe(text);
  });
});
