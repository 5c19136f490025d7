/** That the sound of the open conversation is recorded, wherever the person is. */
import { plural, t } from "../../i18n";
import { Badge } from "../../ui/kit";
import { setup } from "../conversation";

export function Recorded() {
  const days = setup.value?.recordedDays;
  if (!days) return null;
  return (
    <span role="status" title={plural(days, "The sound of this conversation is recorded and kept for {count} day.", "The sound of this conversation is recorded and kept for {count} days.")}>
      <Badge kind="bad">{t("Recording")}</Badge>
    </span>
  );
}
