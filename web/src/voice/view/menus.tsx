/** Small menus of the composer: which model answers, and how one talks with it. */
import { useEffect } from "preact/hooks";

import { t } from "../../i18n";
import { Flyout } from "../../ui/flyout";
import { Icon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { backend, backendStatus, loadStatus, status, usable } from "../backends";
import { live, setup } from "../conversation";

const ModelPanel = lazy(() => import("./menu-panels").then((panels) => panels.ModelPanel));
const VoicePanel = lazy(() => import("./menu-panels").then((panels) => panels.VoicePanel));

export function ModelMenu() {
  useEffect(() => void loadStatus(), []);
  const one = backendStatus.value;
  const inForce = live.value ? setup.value : null;
  const label = status.value?.backends.find((each) => each.name === (inForce?.mode ?? backend.value))?.label ?? t("Model");
  const bad = one !== null && !usable(one);
  return (
    <Flyout label={t("Model: {name}", { name: label })} class="model-menu" tour="chat-model"
      button={<><span data-tour="vox-backend" class={bad ? "bad" : ""}>{label}</span><Icon name="down" size={12} /></>}>
      <ModelPanel />
    </Flyout>
  );
}

export function VoiceMenu() {
  return (
    <Flyout label={t("Voice settings")} class="voice-menu" tour="vox-voice" button={<Icon name="volume" size={16} />}>
      <VoicePanel />
    </Flyout>
  );
}
