import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

import { t } from "../i18n";
import { at, route } from "../router";
import { hasSession } from "../stores/account";
import { Icon } from "../ui/icons";
import { loadStatus } from "../voice/backends";
import { Account } from "./settings/account";
import { Approvals } from "./settings/approvals";
import { Blocks } from "./settings/blocks";
import { Budgets } from "./settings/budgets";
import { Look } from "./settings/look";
import { Models } from "./settings/models";
import { Notifications } from "./settings/notifications";
import { OwnTokens } from "./settings/own-tokens";
import { Security } from "./settings/security";
import { Sound } from "./settings/sound";
import "./settings.css";

interface Part {
  /** The address: `#/settings/voice`. */
  id: string;
  title: string;
  icon: string;
  body: () => ComponentChildren;
  /** Other addresses that lead here. */
  also?: string;
}

/** For whoever has signed in. */
const OWN: Part[] = [
  { id: "account", title: t("Account"), icon: "user", body: () => <Account /> },
  { id: "security", also: "password", title: t("Sign-in"), icon: "key", body: () => <Security /> },
  { id: "tokens", title: t("Tokens"), icon: "code", body: () => <OwnTokens /> },
];

const PARTS: Part[] = [
  { id: "backend", also: "keys", title: t("Models"), icon: "bolt", body: () => <Models /> },
  { id: "voice", title: t("Voice and sound"), icon: "volume", body: () => <Sound /> },
  { id: "theme", title: t("Appearance"), icon: "sun", body: () => <Look /> },
  { id: "notifications", title: t("Notifications"), icon: "bell", body: () => <Notifications /> },
  { id: "budgets", title: t("Budgets"), icon: "metrics", body: () => <Budgets /> },
  { id: "approvals", title: t("Standing approvals"), icon: "shield", body: () => <Approvals /> },
  { id: "blocks", title: t("Blocked users"), icon: "user", body: () => <Blocks /> },
];

export default function Settings() {
  useEffect(() => void loadStatus(), []);
  const wanted = route.value.rest[0] ?? "";
  const parts = hasSession.value ? [...OWN, ...PARTS] : PARTS;
  const part = parts.find(({ id, also }) => id === wanted || also === wanted) ?? parts[0]!;
  // Whoever followed a link to a part reads on there.
  useLayoutEffect(() => {
    if (wanted) document.getElementById(`settings-${part.id}-title`)?.focus({ preventScroll: true });
  }, [wanted]);
  return (
    <div class="settings">
      <nav class="settings-tabs" aria-label={t("Settings")}>
        {parts.map(({ id, title, icon }) => (
          <a key={id} href={at("settings", [id])} aria-current={id === part.id ? "page" : undefined} data-tour={id === PARTS[0]!.id ? undefined : `settings-${id}`}>
            <Icon name={icon} size={16} /><span>{title}</span>
          </a>
        ))}
      </nav>
      <div class="stack">{part.body()}</div>
    </div>
  );
}
