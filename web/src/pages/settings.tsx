import { useEffect } from "preact/hooks";

import type { Loaded } from "../api/load";
import { route } from "../router";
import { loadStatus, status as known, statusError, type VoxStatus } from "../voice/backends";
import { Approvals } from "./settings/approvals";
import { Backends } from "./settings/backends";
import { Budgets } from "./settings/budgets";
import { Keys } from "./settings/keys";
import { Look } from "./settings/look";
import { Sound } from "./settings/sound";
import "./settings.css";

/** The parts by the name that a link may lead to: `#/settings/keys`. */
const PARTS = ["backend", "keys", "voice", "theme", "budgets", "approvals"];

export default function Settings() {
  useEffect(() => void loadStatus(), []);
  const status: Loaded<VoxStatus> = {
    ...{ data: known.value, error: statusError.value },
    ...{ loading: !known.value, reload: () => void loadStatus() },
  };
  const wanted = route.value.rest[0] ?? "";
  useEffect(() => {
    if (!PARTS.includes(wanted)) return;
    const part = document.getElementById(`settings-${wanted}`);
    part?.scrollIntoView({ block: "start" });
    part?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [wanted, status.data !== null]);
  return (
    <>
      <Backends status={status} />
      <Keys status={status} />
      <Sound />
      <Look />
      <Budgets />
      <Approvals />
    </>
  );
}
