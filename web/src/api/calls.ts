/** Calling a tool: through all gates, as every call. A question to the person is asked on the way. */
import { t } from "../i18n";
import { askById } from "../stores/confirmations";
import { ApiError, post } from "./http";

interface Envelope<T> {
  ok: boolean;
  data?: T;
  error?: { type: string; message: string; confirmation_request?: { id: string } };
}

/** Requests that name no session share this one. */
const SHARED = "rest-text";

/** The data of a call that succeeded; else an ApiError with the words of the refusal. */
export async function callTool<T>(tool: string, args: object, key?: string): Promise<T> {
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  let envelope = await post<Envelope<T>>(`/api/tools/${encodeURIComponent(tool)}/call`, { args }, { headers });
  const question = envelope.error?.confirmation_request;
  if (question) {
    const { outcome, result } = await askById(question.id, SHARED);
    if (outcome !== "approved" || !result) throw new ApiError(409, t("Nothing was done because it was not approved."), envelope);
    envelope = result as Envelope<T>;
  }
  if (!envelope.ok) throw new ApiError(409, envelope.error?.message ?? t("The call failed."), envelope);
  return envelope.data as T;
}
