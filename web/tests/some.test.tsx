import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";

import { useSome } from "../src/ui/some";

function Long({ count, chosen }: { count: number; chosen?: number }) {
  const { some, more } = useSome(Array.from({ length: count }, (_, at) => at), (item) => item === chosen);
  return <><ul>{some.map((item) => <li key={item}>{item}</li>)}</ul>{more}</>;
}

test("ten thousand rows are drawn some at a time, and the chosen one always", async () => {
  const box = document.createElement("div");
  const rows = () => box.querySelectorAll("li").length;
  await act(() => render(<Long count={10_000} />, box));
  expect([rows(), box.querySelector("button")?.textContent]).toEqual([200, "Show 200 more"]);
  await act(() => box.querySelector("button")!.click());
  expect(rows()).toBe(400);
  await act(() => render(<Long count={10_000} chosen={1234} />, box));
  expect(rows()).toBe(1235);
  await act(() => render(<Long count={450} />, box));
  expect([rows(), box.querySelector("button")?.textContent]).toEqual([400, "Show 50 more"]);
  render(null, box);
});
