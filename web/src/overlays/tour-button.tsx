/** The button that begins the tour of the page. */
import { t } from "../i18n";
import { pageOf, route } from "../router";
import { startTour } from "../stores/tour";
import { Icon } from "../ui/icons";

export function TourButton() {
  const { page } = route.value;
  const known = pageOf(page);
  if (!page || !known?.menu || "plain" in known) return null;
  return (
    <button type="button" class="tour-button" aria-label={t("Tour of this page")} title={t("Tour of this page")}
      onClick={() => void startTour(page)}>
      <Icon name="compass" /><span>{t("Tour")}</span>
    </button>
  );
}
