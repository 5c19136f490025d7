/** What stands in the way of signing in, in words. */
import { ApiError, said } from "../api/http";
import { plural, t } from "../i18n";

/** An identity provider led back without a sign-in; `code` is in the address. */
export function providerWords(code: string): string {
  return PROVIDER[code] ?? t("Signing in through the other service did not work ({code}). Try again, or sign in another way.", { code: code.slice(0, 60) });
}

const PROVIDER: Record<string, string> = {
  denied: t("The other service did not sign you in. Try again, or sign in another way."),
  provider_away: t("The other service does not answer right now. Try again later, or sign in another way."),
  provider_wrong: t("What the other service said of you cannot be trusted, so you were not signed in. Tell an administrator."),
  expired: t("Signing in took too long. Try again."),
  used: t("Signing in through the other service was begun again meanwhile. Try again."),
  unknown: t("The other service knows you, but there is no user for you here. Ask an administrator."),
  foreign: t("Signing in was begun in another browser. Begin it here."),
  conflict: t("Your user could not be made or changed as the other service asks for. Ask an administrator."),
  disabled: t("This account is disabled. Ask an administrator."),
  clock: t("The clocks of the two servers disagree. Tell an administrator."),
  unavailable: t("The server cannot sign anybody in right now. Try again later."),
};

const LINK: Record<string, string> = {
  expired: t("This link has expired. Ask whoever sent it for a new one."),
  used: t("This link has been used already. Sign in, or ask for a new one."),
  revoked: t("This link was withdrawn. Ask whoever sent it for a new one."),
  unknown: t("This link is not valid: it is incomplete, or a newer one has replaced it."),
  disabled: t("This account is disabled. Ask an administrator."),
};

/** Somebody tries too often; after so many seconds they may again. */
export const tooMany = (seconds: number | null): string => {
  const left = seconds ?? MINUTE_S;
  return `${t("Too many attempts.")} ${left < MINUTE_S ? plural(left, "Try again in {count} second.", "Try again in {count} seconds.") : plural(Math.ceil(left / MINUTE_S), "Try again in {count} minute.", "Try again in {count} minutes.")}`;
};
const MINUTE_S = 60;

/** Why a link does not work any more; null: it is something else. */
export function linkWords(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const code = (error.body as { code?: string } | null)?.code ?? "";
  return LINK[code] ?? (error.status === 401 || error.status === 404 || error.status === 410 ? said(error) : null);
}
