/** One's own tokens. */
import { useState } from "preact/hooks";

import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { account } from "../../stores/account";
import { Button, Shown } from "../../ui/kit";
import type { Token } from "../access/api";
import { NewToken, TokenRows } from "../access/tokens";
import { Section } from "./section";

export function OwnTokens() {
  const loaded = useLoad((signal) => get<{ tokens: Token[] }>("/api/tokens", { signal }), []);
  const [making, make] = useState(false);
  return (
    <Section part="tokens" title={t("Tokens")} actions={<Button kind="primary" icon="plus" onClick={() => make(true)}>{t("New token")}</Button>}>
      <p class="hint">{t("A token lets a program act in your name. It never has more than you have.")}</p>
      <Shown of={loaded}>{({ tokens }) => <TokenRows owners={false} tokens={tokens.toReversed()} onDone={loaded.reload} />}</Shown>
      {making ? <NewToken permissions={account.value!.permissions} onClose={() => make(false)} onDone={loaded.reload} /> : null}
    </Section>
  );
}
