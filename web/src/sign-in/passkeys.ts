/** Passkeys: the browser's part of signing in with one, and of adding one. */
import { post } from "../api/http";
import { t } from "../i18n";
import type { Account } from "../stores/account";

interface Ceremony<O> {
  ceremony: string;
  options: O;
}

/** Whether this browser has passkeys, over a line where it lets pages use them. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential !== "undefined" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Whether it offers them in the field for the name, too. */
export const offersPasskeys = async (): Promise<boolean> => hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());

let waiting: AbortController | null = null;

/** Null: the person has chosen none. With `signal` the browser offers them in the field for the name. Throws ApiError. */
export async function signInWithPasskey(signal?: AbortSignal): Promise<Account | null> {
  waiting?.abort(); // a browser asks one question at a time
  const mine = (waiting = new AbortController());
  signal?.addEventListener("abort", () => mine.abort());
  const { ceremony, options } = await post<Ceremony<PublicKeyCredentialRequestOptionsJSON>>("/api/sign-in/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await chosen(() => navigator.credentials.get({ publicKey, signal: mine.signal, ...(signal ? { mediation: "conditional" } : {}) }));
  return credential && post<Account>("/api/sign-in/passkey", { ceremony, credential: credential.toJSON() });
}

/** False: the person has made none. Throws ApiError. */
export async function addPasskey(name: string): Promise<boolean> {
  const { ceremony, options } = await post<Ceremony<PublicKeyCredentialCreationOptionsJSON>>("/api/account/passkeys/options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await chosen(() => navigator.credentials.create({ publicKey }));
  if (!credential) return false;
  await post("/api/account/passkeys", { ceremony, name, credential: credential.toJSON() });
  return true;
}

async function chosen(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await ask()) as PublicKeyCredential | null;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "InvalidStateError") throw new Error(t("This device already has a passkey for your account."));
    if (error.name === "NotAllowedError" || error.name === "AbortError") return null;
    throw error;
  }
}
