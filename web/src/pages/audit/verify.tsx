import { useState } from "preact/hooks";

import { get, said } from "../../api/http";
import { t } from "../../i18n";
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
      <Button kind="quiet" icon="shield" busy={busy} onClick={verify} data-tour="audit-verify">{t("Verify")}</Button>
      {found ? (
        <Dialog title={found instanceof Error ? t("The chain could not be verified") : found.ok ? t("The chain is intact") : t("The chain is broken")} onClose={() => tell(null)}>
          {found instanceof Error ? <p>{found.message}</p> : (
            <>
              <p class={`audit-verdict ${found.ok ? "good" : "bad"}`} role="status">
                <Icon name={found.ok ? "check" : "warn"} size={22} /> {chainInWords(found)}
              </p>
              <p class="hint">
                {found.ok
                  ? t("Each line carries a hash over itself and the line before it, so no line can be changed without changing all that follow.")
                  : t("The store was changed. Compare it with audit.jsonl in the data folder, or with a backup.")}
              </p>
              {found.first_bad_seq ? (
                <p><a href={at("audit", [], { line: String(found.first_bad_seq) })} onClick={() => tell(null)}>{t("Show line {number}", { number: String(found.first_bad_seq) })}</a></p>
              ) : null}
            </>
          )}
          <div class="row"><span class="spring" /><Button kind="primary" onClick={() => tell(null)}>{t("Close")}</Button></div>
        </Dialog>
      ) : null}
    </>
  );
}
