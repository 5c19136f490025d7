/** The tokens of everybody in the organisation. */
import { get } from "../api/http";
import { useLoad } from "../api/load";
import { t } from "../i18n";
import { at, go, route } from "../router";
import { Shown } from "../ui/kit";
import { useTyped } from "../ui/typed";
import { chosenOrganisation, inOrganisation, kept, type Token } from "./access/api";
import { OrganisationPick } from "./access/frame";
import { TokenRows } from "./access/tokens";

export default function Tokens() {
  const organisation = chosenOrganisation();
  const [sought, seek] = useTyped(route.value.query.get("q") ?? "", (q) => go(at("tokens", [], kept({ q })), true));
  const loaded = useLoad((signal) => get<{ tokens: Token[] }>("/api/tokens", { signal, query: { everybody: true, ...inOrganisation().query } }), [organisation]);
  const like = sought.trim().toLowerCase();
  return (
    <section class="stack" aria-label={t("Tokens")}>
      <p class="hint">{t("Everybody makes their own tokens, under Settings. Here you see those of all, and can revoke them.")}</p>
      <div class="row access-bar">
        <input type="search" class="access-search" aria-label={t("Filter {list}", { list: t("Tokens") })} placeholder={t("Filter")} value={sought} onInput={(event) => seek(event.currentTarget.value)} />
        <OrganisationPick page="tokens" />
      </div>
      <Shown of={loaded}>
        {({ tokens }) => <TokenRows owners tokens={like ? tokens.filter((each) => `${each.name} ${each.user}`.toLowerCase().includes(like)) : tokens} onDone={loaded.reload} />}
      </Shown>
    </section>
  );
}
