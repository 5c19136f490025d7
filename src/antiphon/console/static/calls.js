import { l as t } from "./app.js";
import { n as askById } from "./confirmations.js";
import { o as post, t as ApiError } from "./http.js";
// src/api/calls.ts
/** Calling a tool: through all gates, as every call. A question to the person is asked on the way. */
/** Requests that name no session share this one. */
var SHARED = "rest-text";
/** The data of a call that succeeded; else an ApiError with the words of the refusal. */
async function callTool(tool, args, key) {
	const headers = key ? { "Idempotency-Key": key } : {};
	let envelope = await post(`/api/tools/${encodeURIComponent(tool)}/call`, { args }, { headers });
	const question = envelope.error?.confirmation_request;
	if (question) {
		const { outcome, result } = await askById(question.id, SHARED);
		if (outcome !== "approved" || !result) throw new ApiError(409, t("Nothing was done because it was not approved."), envelope);
		envelope = result;
	}
	if (!envelope.ok) throw new ApiError(409, envelope.error?.message ?? t("The call failed."), envelope);
	return envelope.data;
}
export { callTool as t };
