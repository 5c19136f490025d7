import { describe, expect, it } from "vitest";

import { ApiError } from "../src/api/http";
import { browserName } from "../src/pages/settings/security";
import { listOf } from "../src/pages/access/frame";
import { wrongIn } from "../src/ui/submit";

describe("what is wrong with a form", () => {
  it("stands at its field, a part of one at the part or the whole", () => {
    const error = new ApiError(422, "No.", { detail: "No.", errors: [{ in: "body", name: "rules.1", message: "names its tools" }] });
    expect(wrongIn(error, ["name", "rules.1"])).toEqual({ "rules.1": "names its tools" });
    expect(wrongIn(error, ["rules"])).toEqual({ rules: "names its tools" });
    expect(wrongIn(error, ["name"])).toEqual({ "": "names its tools" });
  });

  it("is about the whole where it names none", () => {
    expect(wrongIn(new ApiError(403, "You may not."), ["name"])).toEqual({ "": "You may not." });
  });
});

describe("texts in a list", () => {
  it("are told apart by commas, spaces and lines, each once", () => {
    expect(listOf(" kb_*, pay\nkb_* ;x ")).toEqual(["kb_*", "pay", "x"]);
    expect(listOf("  ")).toEqual([]);
  });
});

describe("a browser", () => {
  it("is named as people know it", () => {
    expect(browserName("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0")).toBe("Edge on Windows");
    expect(browserName("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1")).toBe("Safari on iOS");
    expect(browserName("curl/8.5")).toBe("curl/8.5");
  });
});
