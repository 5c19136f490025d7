/** Arranges a graph apart from the page: takes `Ask`, answers `Moved`. */
import { type Ask, Layout } from "./layout";

const layout = new Layout();
// One answer for each frame that the page can show.
const FRAME_MS = 16;
let running = false;

function run(): void {
  const began = performance.now();
  const moved = layout.step();
  if (moved) postMessage(moved, { transfer: [moved.positions.buffer as ArrayBuffer] });
  running = !layout.resting;
  if (running) setTimeout(run, moved ? Math.max(0, FRAME_MS - (performance.now() - began)) : 0);
}

addEventListener("message", (event: MessageEvent<Ask>) => {
  layout.take(event.data);
  if (!running) {
    running = true;
    run();
  }
});
