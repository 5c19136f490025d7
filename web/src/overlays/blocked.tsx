import { rich, t } from "../i18n";
import { blocked } from "../stores/blocked";
import { Icon } from "../ui/icons";
import { countdown, inWords, useNow } from "./now";

/** Who is kept out sees for how long. The pages stay; talking and writing come back by themselves. */
export function BlockedBanner() {
  return blocked.value ? <Banner until={blocked.value.until} message={blocked.value.message} /> : null;
}

function Banner({ until, message }: { until: number; message: string }) {
  const left = until - useNow(500);
  return (
    <aside class="blocked" aria-label={t("Paused")}>
      <Icon name="clock" size={22} />
      <div>
        <p role="alert"><strong>{message}</strong></p>
        <p>{rich("You can talk and write again in {left}. The other pages stay available.", { left: <span role="timer" class="number" aria-label={inWords(left)}>{countdown(left)}</span> })}</p>
      </div>
    </aside>
  );
}
