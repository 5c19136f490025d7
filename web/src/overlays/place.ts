/** Where a card goes beside what it speaks of, inside the window. */
export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  left: number;
  top: number;
}

type Side = "top" | "bottom" | "left" | "right";
const GAP = 12;

/** Without a box it is in the middle; where no side has room, at the edge that covers less of it. */
export function place(box: Box | null, card: Size, view: Size, wanted: Side | "center"): { left: number; top: number } {
  const middle = { left: (view.width - card.width) / 2, top: (view.height - card.height) / 2 };
  if (!box || wanted === "center") return inside(middle, card, view);
  const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;
  const order: Side[] = [wanted, opposite[wanted], "bottom", "top", "right", "left"];
  const side = order.find((each) => room(each, box, card, view));
  if (!side) {
    const low = box.top + box.height / 2 > view.height / 2;
    return inside({ left: middle.left, top: low && box.top > card.height ? 0 : view.height }, card, view);
  }
  const across = box.left + (box.width - card.width) / 2;
  const along = box.top + (box.height - card.height) / 2;
  const at = {
    top: { left: across, top: box.top - GAP - card.height },
    bottom: { left: across, top: box.top + box.height + GAP },
    left: { left: box.left - GAP - card.width, top: along },
    right: { left: box.left + box.width + GAP, top: along },
  }[side];
  return inside(at, card, view);
}

function room(side: Side, box: Box, card: Size, view: Size): boolean {
  const free = {
    top: box.top,
    bottom: view.height - box.top - box.height,
    left: box.left,
    right: view.width - box.left - box.width,
  }[side];
  return free >= 2 * GAP + (side === "top" || side === "bottom" ? card.height : card.width);
}

function inside(at: { left: number; top: number }, card: Size, view: Size): { left: number; top: number } {
  return {
    left: Math.max(GAP, Math.min(at.left, view.width - card.width - GAP)),
    top: Math.max(GAP, Math.min(at.top, view.height - card.height - GAP)),
  };
}
