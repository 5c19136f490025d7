import { describe, expect, it } from "vitest";

import { headings, plain } from "../src/pages/playbooks/api";

describe("the outline of a playbook", () => {
  it("has its headings, not those inside of code", () => {
    const text = "## When\n\n```sh\n# a comment\n```\n\n### If `it` **fails** ##\n~~~\n## no\n~~~\n##none\n";
    expect(headings(text)).toEqual([{ depth: 2, title: "When" }, { depth: 3, title: "If it fails" }]);
  });

  it("is written without the marks of Markdown", () => {
    expect(plain("Run `antiphon build` and [read](https://x.example) **all** of it")).toBe("Run antiphon build and read all of it");
  });
});
