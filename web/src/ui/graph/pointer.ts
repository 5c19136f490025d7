/** Mouse and fingers on the graph: pan, zoom, choose, drag. */
import type { Stage } from "./stage";
import { panned, type Point, toGraph, zoomed } from "./view";

/** A press that moves less than this is a click. */
const STILL = { mouse: 4, touch: 9 };

export interface Pointing {
  /** A node was clicked, or nothing (-1). */
  onClick: (node: number) => void;
  onOpen: (node: number) => void;
}

/** Listens on the canvas; the answer takes it back. */
export function pointing(canvas: HTMLCanvasElement, stage: Stage, { onClick, onOpen }: Pointing): () => void {
  const down = new Map<number, Point>();
  let start: Point = { x: 0, y: 0 };
  let grabbed = -1;
  let moved = false;
  const place = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const how = (event: PointerEvent) => (event.pointerType === "touch" ? "touch" : "mouse");

  const press = (event: PointerEvent) => {
    if (event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    down.set(event.pointerId, at);
    if (down.size > 1) {
      letGo();
      moved = true;
      return;
    }
    start = at;
    moved = false;
    grabbed = stage.at(at, how(event));
  };

  const move = (event: PointerEvent) => {
    const at = place(event);
    const before = down.get(event.pointerId);
    if (!before) {
      const over = event.pointerType === "mouse" ? stage.at(at, "mouse") : -1;
      if (over !== stage.hovered) {
        stage.hovered = over;
        canvas.style.cursor = over < 0 ? "" : "pointer";
        stage.draw();
      }
      return;
    }
    if (down.size > 1) {
      pinch(event.pointerId, before, at);
    } else if (moved || Math.hypot(at.x - start.x, at.y - start.y) > STILL[how(event)]) {
      moved = true;
      if (grabbed >= 0) {
        stage.following = false;
        stage.hold(grabbed, toGraph(stage.view, stage.size, at.x, at.y));
      } else {
        stage.look(panned(stage.view, at.x - before.x, at.y - before.y));
      }
    }
    down.set(event.pointerId, at);
  };

  const pinch = (id: number, before: Point, at: Point) => {
    const other = [...down].find(([each]) => each !== id)![1];
    const [was, now] = [distance(before, other), distance(at, other)];
    const centre = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    const slid = panned(stage.view, (at.x - before.x) / 2, (at.y - before.y) / 2);
    stage.look(zoomed(slid, stage.size, was > 0 ? now / was : 1, centre));
  };

  const lift = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    if (!moved && event.type === "pointerup") onClick(grabbed);
    letGo();
  };

  const letGo = () => {
    if (grabbed >= 0 && moved) stage.pin(grabbed);
    grabbed = -1;
  };

  const leave = () => {
    if (stage.hovered < 0) return;
    stage.hovered = -1;
    stage.draw();
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    stage.look(zoomed(stage.view, stage.size, Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0015)), place(event)));
  };

  const twice = (event: MouseEvent) => {
    const node = stage.at(place(event), "mouse");
    if (node >= 0) onOpen(node);
  };

  const listeners = [
    ["pointerdown", press], ["pointermove", move], ["pointerup", lift], ["pointercancel", lift],
    ["pointerleave", leave], ["wheel", wheel], ["dblclick", twice],
  ] as [string, (event: Event) => void][];
  for (const [type, listener] of listeners) canvas.addEventListener(type, listener, { passive: false });
  return () => {
    for (const [type, listener] of listeners) canvas.removeEventListener(type, listener);
  };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
