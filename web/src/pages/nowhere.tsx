/** An address that leads nowhere: says so, and offers what was probably meant. */
import { t } from "../i18n";
import { at, isOpen, labelOf, LISTED, NOWHERE, route } from "../router";
import { paletteOpen } from "../stores/palette";
import { Icon } from "../ui/icons";
import { Button, Card, Empty } from "../ui/kit";
import { near } from "./nowhere/near";
import "./nowhere.css";

export default function Nowhere() {
  const { wanted } = route.value;
  const likely = near(wanted);
  return (
    <Card>
      <Empty icon="compass" title={t("There is no page “{wanted}”", { wanted: brief(wanted) })}>
        {likely.length ? t("Did you mean one of these?") : t("It may have been renamed. These pages exist:")}
      </Empty>
      <ul class={`${NOWHERE}-pages`} aria-label={likely.length ? t("Pages with a similar name") : t("All pages")}>
        {(likely.length ? likely : LISTED.filter(isOpen)).map((page) => (
          <li key={page.id}><a class="list-item" href={at(page.id)}><Icon name={page.icon} /><span>{labelOf(page)}</span></a></li>
        ))}
      </ul>
      <div class={`row ${NOWHERE}-ways`}>
        <Button icon="search" onClick={() => (paletteOpen.value = true)}>{t("Find a page, tool or action")}</Button>
        {history.length > 1 ? <Button kind="quiet" onClick={() => history.back()}>{t("Go back")}</Button> : null}
      </div>
    </Card>
  );
}

const MOST = 60;
const brief = (text: string) => (text.length > MOST ? `${text.slice(0, MOST)}…` : text);
