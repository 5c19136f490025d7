/** What stands in the way of signing in, in words. */
import { ApiError, said } from "../api/http";
import { t } from "../i18n";

/** An identity provider led back without a sign-in; `code` is in the address. */
export function providerWords(code: string): string {
  return PROVIDER[code] ?? t("Signing in through the other service did not work ({code}). Try again, or sign in another way.", { code: code.slice(0, 60) });
}

const PROVIDER: Record<string, string> = {};

const LINK: Record<string, string> = {
  expired: t("This link has expired. Ask whoever sent it for a new one."),
  used: t("This link has been used already. Sign in, or ask for a new one."),
  revoked: t("This link was withdrawn. Ask whoever sent it for a new one."),
  unknown: t("This link is not valid: it is incomplete, or a newer one has replaced it."),
  disabled: t("This account is disabled. Ask an administrator."),
};

/** Why a link does not work any more; null: it is something else. */
export function linkWords(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const code = (error.body as { code?: string } | null)?.code ?? "";
  return LINK[code] ?? (error.status === 401 || error.status === 404 || error.status === 410 ? said(error) : null);
}
