import { expect, test } from "vitest";

import { toHtml } from "../src/ui/markdown-html";

/** What is read, with what leans between slashes. */
function read(text: string): string {
  const box = document.createElement("div");
  box.innerHTML = toHtml(text);
  for (const each of box.querySelectorAll("em")) each.textContent = `/${each.textContent}/`;
  return box.textContent.trim();
}

test("a star between two letters or digits stays a star; emphasis and code are as ever", () => {
  expect(read("A factor needs its *: write 2*pi, not 2pi.")).toBe("A factor needs its *: write 2*pi, not 2pi.");
  expect(read("*leaning* words")).toBe("/leaning/ words");
  expect(read("Say `a*b` here")).toBe("Say a*b here");
});
