/** A record that an answer rests on, beside the conversation. */
import { ApiError, get } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { Drawer } from "../../ui/drawer";
import { Icon } from "../../ui/icons";
import { Badge, Shown } from "../../ui/kit";
import { Markdown } from "../../ui/markdown";
import { transcript } from "../../voice/conversation";
import { placeOf } from "../../voice/view/words";
import { titleOf } from "../../voice/words";

interface Found {
  type: string;
  title: string;
  text: string;
  tags: string[];
  url: string;
}

export function SourceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const known = transcript.sources.value.get(id);
  const found = useLoad(async (signal) => {
    if (!known?.database) throw new ApiError(404, t("The database of this record is unknown."));
    return get<Found>(`/api/knowledge/${encodeURIComponent(known.database)}/records/${encodeURIComponent(id)}`, { signal });
  }, [id]);
  return (
    <Drawer title={titleOf(id, known)} class="source" onClose={onClose}>
      <Shown of={found}>{(record) => (
        <>
          <p class="row"><Badge kind="accent">{record.type}</Badge>{known?.database ? <span class="muted">{known.database}</span> : null}</p>
          {record.text ? <Markdown text={record.text} /> : <p class="hint">{t("No text.")}</p>}
          {record.tags.length ? <p class="hint">{record.tags.join(", ")}</p> : null}
          {/^https?:/.test(record.url ?? "") ? <p><a href={record.url} target="_blank" rel="noopener noreferrer">{record.url}</a></p> : null}
          <p><a class="button plain" href={placeOf(id, known)}><Icon name="graph" size={16} />{t("Open in Knowledge")}</a></p>
        </>
      )}</Shown>
    </Drawer>
  );
}
