/** Above every page: what concerns all of them. Each goes away by itself when it is over. */
import type { ComponentChildren } from "preact";

import { t } from "../i18n";
import { check, outdated, standing } from "../stores/connection";
import { reload } from "../stores/kept-input";
import { Icon } from "../ui/icons";
import { Button } from "../ui/kit";
import { BlockedBanner } from "./blocked";
import { useNow } from "./now";
import "./banners.css";

export function Banners() {
  return (
    <div class="banners">
      <BlockedBanner />
      <Connection />
    </div>
  );
}

function Connection() {
  const now = standing.value;
  if (now.kind === "away") return <Away next={now.next} />;
  if (now.kind === "signed-out") {
    return (
      <Banner label={t("Signed out")} icon="key" text={t("You are signed out. Sign in again in another tab; what you typed stays here.")} hint={now.words}>
        <Button onClick={() => window.open("/", "_blank", "noopener")}>{t("Sign in")}</Button>
        <Button onClick={() => void check()}>{t("Try now")}</Button>
      </Banner>
    );
  }
  if (outdated.value) {
    return (
      <Banner label={t("New version")} icon="refresh" calm text={t("A new version is available. What you typed is kept.")}>
        <Button onClick={reload}>{t("Reload")}</Button>
      </Banner>
    );
  }
  return null;
}

function Away({ next }: { next: number }) {
  const left = Math.max(0, Math.ceil((next - useNow(250)) / 1000));
  return (
    <Banner label={t("Server unavailable")} icon="warn" text={t("The server cannot be reached. What you typed stays here.")}
      hint={<span aria-hidden="true" class="number">{left ? t("Next attempt in {seconds} s", { seconds: left }) : t("Connecting…")}</span>}>
      <Button onClick={() => void check()}>{t("Try now")}</Button>
    </Banner>
  );
}

function Banner({ label, icon, text, hint, calm, children }: {
  label: string; icon: string; text: string; hint?: ComponentChildren; calm?: boolean; children: ComponentChildren;
}) {
  return (
    <aside class={`banner ${calm ? "calm" : ""}`} aria-label={label}>
      <Icon name={icon} />
      <p role={calm ? "status" : "alert"}>{text}</p>
      {hint ? <span class="hint">{hint}</span> : null}
      <span class="spring" />
      {children}
    </aside>
  );
}
