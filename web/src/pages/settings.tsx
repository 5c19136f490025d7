import { useEffect } from "preact/hooks";

import type { Loaded } from "../api/load";
import { route } from "../router";
import { loadStatus, status as known, statusError, type VoxStatus } from "../voice/backends";
import { Approvals } from "./settings/approvals";
import { Backends } from "./settings/backends";
import { Blocks } from "./settings/blocks";
import { Budgets } from "./settings/budgets";
import { Keys } from "./settings/keys";
import { Look } from "./settings/look";
import { Sound } from "./settings/sound";
import "./settings.css";

/** The parts by the name that a link may lead to: `#/settings/keys`. */
const PARTS = ["backend", "keys", "voice", "theme", "budgets", "approvals", "blocks"];

export default function Settings() {
  useEffect(() => void loadStatus(), []);
  const status: Loaded<VoxStatus> = {
    ...{ data: known.value, error: statusError.value },
    ...{ loading: !known.value, reload: () => void loadStatus() },
  };
  const wanted = route.value.rest[0] ?? "";
  useEffect(() => (PARTS.includes(wanted) ? lead(wanted) : undefined), [wanted]);
  return (
    <>
      <Backends status={status} />
      <Keys status={status} />
      <Sound />
      <Look />
      <Budgets />
      <Approvals />
      <Blocks />
    </>
  );
}

/** Parts above it may still load. */
const SETTLES_MS = 3000;

/** Goes to a part and stays there while the page is loading, unless the person moves on. */
function lead(part: string): () => void {
  const element = document.getElementById(`settings-${part}`)!;
  const show = () => element.scrollIntoView({ block: "start" });
  const grown = new ResizeObserver(show);
  grown.observe(element.parentElement!);
  const done = () => {
    grown.disconnect();
    clearTimeout(timer);
    for (const type of MOVES) removeEventListener(type, done);
  };
  const timer = setTimeout(done, SETTLES_MS);
  for (const type of MOVES) addEventListener(type, done, { passive: true });
  show();
  element.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  return done;
}

const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];
