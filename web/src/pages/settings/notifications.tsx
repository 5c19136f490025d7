import { t } from "../../i18n";
import { allowNotifications, permission } from "../../stores/notifications";
import { prefer, prefs } from "../../stores/prefs";
import { Button, Switch } from "../../ui/kit";
import { Section } from "./section";

export function Notifications() {
  const allowed = permission.value;
  return (
    <Section part="notifications" title={t("Notifications")}>
      {allowed === "granted" ? (
        <Switch label={t("Notify me about new approvals while this page is hidden")} checked={prefs.value.notifications}
          onChange={(notifications) => prefer({ notifications })} />
      ) : allowed === "default" ? (
        <>
          <p class="hint">{t("When the agent needs your approval and this page is hidden, your browser can notify you. It asks for your permission first.")}</p>
          <div class="row"><Button icon="bell" onClick={() => void allowNotifications()}>{t("Turn on notifications")}</Button></div>
        </>
      ) : allowed === "denied" ? (
        <p class="hint">{t("This browser blocks notifications from this page. Allow them in the browser’s site settings, then reload.")}</p>
      ) : (
        <p class="hint">{t("This browser does not support notifications.")}</p>
      )}
    </Section>
  );
}
