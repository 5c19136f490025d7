import { expect, test } from "vitest";

import { countdown, inWords } from "../src/overlays/now";
import { place } from "../src/overlays/place";

const view = { width: 1280, height: 800 };
const card = { width: 350, height: 160 };

test("a card stands where it is wanted, or where there is room", () => {
  const box = { left: 600, top: 300, width: 100, height: 50 };
  expect(place(box, card, view, "bottom")).toEqual({ left: 475, top: 362 });
  expect(place(box, card, view, "left")).toEqual({ left: 238, top: 245 });
  const low = { ...box, top: 740 };
  expect(place(low, card, view, "bottom").top).toBe(740 - 12 - 160);
});

test("a card is always inside the window", () => {
  const boxes = [
    { left: 0, top: 0, width: 1280, height: 800 },
    { left: -50, top: 780, width: 20, height: 100 },
    { left: 1270, top: 10, width: 30, height: 30 },
    null,
  ];
  for (const size of [view, { width: 390, height: 844 }]) {
    for (const box of boxes) {
      for (const side of ["top", "bottom", "left", "right", "center"] as const) {
        const { left, top } = place(box, card, size, side);
        expect(left).toBeGreaterThanOrEqual(12);
        expect(top).toBeGreaterThanOrEqual(12);
        expect(left + card.width).toBeLessThanOrEqual(size.width - 12);
        expect(top + card.height).toBeLessThanOrEqual(size.height - 12);
      }
    }
  }
});

test("time is not over before it says so", () => {
  expect(countdown(1)).toBe("0:01");
  expect(countdown(0)).toBe("0:00");
  expect(countdown(-5)).toBe("0:00");
  expect(countdown(245_000)).toBe("4:05");
  expect(countdown(3_725_000)).toBe("1:02:05");
  expect(inWords(300_000)).toBe("5 minutes");
  expect(inWords(1000)).toBe("1 second");
});
