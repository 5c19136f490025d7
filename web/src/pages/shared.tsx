/** A conversation that somebody shares: to be read, by whoever has the link. `#/shared/<token>` */
import { useMemo } from "preact/hooks";

import { useLoad } from "../api/load";
import { t } from "../i18n";
import { route } from "../router";
import { Shown } from "../ui/kit";
import { fullTime } from "../ui/time";
import { entriesOf } from "../voice/stored";
import { Transcript } from "../voice/transcript";
import { Entries } from "../voice/view/entries";
import { readShared, type Shared } from "./conversation/api";
import "./shared.css";

export default function SharedConversation() {
  const token = route.value.rest[0] ?? "";
  const found = useLoad((signal) => readShared(token, signal), [token]);
  return <Shown of={found}>{(shared) => <Read shared={shared} />}</Shown>;
}

function Read({ shared }: { shared: Shared }) {
  const transcript = useMemo(() => {
    const made = new Transcript();
    made.restore(entriesOf(shared.entries));
    return made;
  }, [shared]);
  return (
    <article class="shared">
      <header><h2>{shared.title}</h2><p class="hint">{t("Shared, read-only. Last updated {when}.", { when: fullTime(shared.updated_at) })}</p></header>
      <Entries transcript={transcript} label={t("Transcript")} />
    </article>
  );
}
