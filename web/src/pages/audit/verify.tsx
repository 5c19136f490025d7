import { useState } from "preact/hooks";

import { get, said } from "../../api/http";
import { at } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { chainInWords, type Chain } from "./shapes";

/** Checks the chain from the first line to the last, and says what was found. */
export function Verify() {
  const [busy, work] = useState(false);
  const [found, tell] = useState<Chain | Error | null>(null);
  const verify = async () => {
    work(true);
    tell(await get<Chain>("/api/audit/verify").catch((error: unknown) => new Error(said(error))));
    work(false);
  };
  return (
    <>
      <Button icon="shield" busy={busy} onClick={verify} data-tour="audit-verify">Verify the chain</Button>
      {found ? (
        <Dialog title={found instanceof Error ? "The chain could not be checked" : found.ok ? "The chain holds" : "The chain is broken"} onClose={() => tell(null)}>
          {found instanceof Error ? <p>{found.message}</p> : (
            <>
              <p class={`audit-verdict ${found.ok ? "good" : "bad"}`} role="status">
                <Icon name={found.ok ? "check" : "warn"} size={22} /> {chainInWords(found)}
              </p>
              <p class="hint">
                {found.ok
                  ? "Each line carries a hash over itself and the line before. Whoever changes one has to change all that follow."
                  : "Somebody or something has changed the store. Compare it with audit.jsonl of the data folder, or with a backup."}
              </p>
              {found.first_bad_seq ? (
                <p><a href={at("audit", [], { before: String(found.first_bad_seq + 1) })} onClick={() => tell(null)}>Look at the lines before line {found.first_bad_seq + 1}</a></p>
              ) : null}
            </>
          )}
          <div class="row"><span class="spring" /><Button kind="primary" onClick={() => tell(null)}>Close</Button></div>
        </Dialog>
      ) : null}
    </>
  );
}
