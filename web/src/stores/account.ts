/** Who is signed in, what they may do, and what this browser keeps for them. */
import { computed, effect, signal } from "@preact/signals";

import { address } from "../api/address";
import { ApiError, get, post, shutOut } from "../api/http";
import { resetPrefs } from "./prefs";

export type Permission =
  | "tools.call" | "workspace.write" | "knowledge.read" | "knowledge.write" | "approvals.answer" | "others.read" | "others.manage" | "audit.read"
  | "metrics.read" | "usage.read" | "limits.manage" | "keys.manage" | "mcp.manage" | "users.manage" | "roles.manage" | "organisations.manage";

export interface Account {
  user: string;
  display_name: string;
  email: string;
  organisation: string;
  roles: string[];
  permissions: string[];
  /** `open`: nobody signs in here. `host`: the application around this server knows them. */
  way: "password" | "link" | "oidc" | "passkey" | "token" | "open" | "host";
  /** The browser session; null where there is none. */
  session: string | null;
  has_password: boolean;
}

/** The ways in that the server offers. */
export interface Ways {
  required: boolean;
  signed_in: boolean;
  password: boolean;
  passkey: boolean;
  providers: { id: string; title: string }[];
}

const OPEN: Account = {
  user: "local", display_name: "", email: "", organisation: "", roles: [], permissions: [], way: "open", session: null, has_password: false,
};

/** Null: nobody is known yet. It stays while a sign-in has ended, and what was typed stays with it. */
export const account = signal<Account | null>(null);
export const ways = signal<Ways | null>(null);
/** Nobody is let in before they sign in. */
export const shut = signal(false);
effect(() => shutOut(shut.value));
/** Why nobody knows who this is: the server does not answer as it should. */
export const trouble = signal<Error | null>(null);

/** There is a browser session: it has an end, a password or passkeys, and tokens. */
export const hasSession = computed(() => account.value !== null && account.value.session !== null);
/** Calls of others are told apart from one's own. */
export const ownName = computed(() => account.value?.user ?? OPEN.user);

/** Whether this person has a permission; on a server without sign-in everybody has all of them. */
export function may(permission: Permission): boolean {
  const now = account.value;
  return now !== null && (now.way === "open" || now.permissions.includes(permission));
}

/** The same for what concerns the whole server: that belongs to its first organisation. */
export const mayForServer = (permission: Permission): boolean =>
  may(permission) && (account.value?.organisation === "" || may("organisations.manage"));

// -- coming in -------------------------------------------------------------------------------------

/** Before anything else of the console is loaded: asks who this is. */
export async function arrive(): Promise<void> {
  trouble.value = null;
  try {
    const found = await askWays();
    if (found.required && !found.signed_in) {
      if (!isKeptFor(null)) forget(places());
      shut.value = true;
      return;
    }
    const me = found.signed_in ? await get<Account>("/api/account") : OPEN;
    if (!isKeptFor(me)) forget(places());
    keepFor(me);
    account.value = me;
    shut.value = false;
  } catch (error) {
    // A server that never asked anybody to sign in may be away: the console opens all the same.
    if (error instanceof ApiError && error.status === 0 && owners().every((owner) => owner === null)) account.value = OPEN;
    else trouble.value = error as Error;
  }
}

const askWays = async (): Promise<Ways> => (ways.value = await get<Ways>("/api/sign-in"));

/** Looks whether this person is still signed in, and what they may do by now. Throws ApiError. */
export async function stillIn(): Promise<boolean> {
  const found = await askWays();
  if (found.required && !found.signed_in) {
    // Whoever signed out in another tab has left this one, too.
    if (hasSession.peek() && owners()[0] !== account.peek()!.user) startAnew();
    shut.value = true;
    return false;
  }
  const me = found.signed_in ? await get<Account>("/api/account") : OPEN;
  if (me.user !== account.peek()?.user || (me.way === "open") !== (account.peek()?.way === "open")) {
    startAnew();
    return false;
  }
  if (JSON.stringify(me) !== JSON.stringify(account.peek())) account.value = me;
  shut.value = false;
  return true;
}

/** Somebody has signed in. Who was here before goes on where they were; of anybody else nothing is left. */
export function enter(me: Account): void {
  const before = account.peek();
  if (before ? before.user !== me.user || before.way === "open" : !isKeptFor(me)) {
    startAnew();
    return;
  }
  keepFor(me);
  account.value = me;
  shut.value = false;
  tellTabs();
}

/** Ends the sign-in of this browser. Throws ApiError. */
export async function signOut(): Promise<void> {
  await post("/api/sign-out");
  forget(places());
  leave(places());
  tellTabs();
}

/** Another person: nothing of the one before stays in memory either. */
function startAnew(): void {
  // Another tab may have cleared what they share, for whoever is here now.
  const now = account.peek();
  const mine = now !== null && owners()[0] !== ownerOf(now) ? places().slice(1) : places();
  forget(mine);
  leave(mine);
  tellTabs();
}

/** This page is about to go, and keeps nothing any more. */
export let isLeaving = false;

function leave(from: Storage[]): void {
  isLeaving = true;
  for (const place of from) place.setItem(OWNER, NOBODY);
  // The address may name what was looked at; whoever has only just come goes on to it.
  if (account.peek()) location.replace(address("/"));
  else location.reload();
}

// -- other tabs ------------------------------------------------------------------------------------

const CHANNEL = "antiphon.account";

function tellTabs(): void {
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.postMessage(account.peek()?.user ?? "");
  tabs.close();
}

/** Calls `look` when somebody signs in or out in another tab. */
export function watchTabs(look: () => void): () => void {
  const tabs = new BroadcastChannel(CHANNEL);
  tabs.onmessage = look;
  return () => tabs.close();
}

// -- what this browser keeps -----------------------------------------------------------------------

const OWNER = "antiphon.owner";
/** Who owns what is kept after somebody has left. */
const NOBODY = "";
const PREFS = "antiphon.prefs";
const SHARED_FILES = "antiphon-shared";

function places(): Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return []; // storage is off: then nothing is kept for anybody
  }
}

const ownerOf = ({ user, way }: Account): string | null => (way === "open" ? null : user);
const owners = (): (string | null)[] => places().map((place) => place.getItem(OWNER));
const keysOf = (place: Storage): string[] => Object.keys(place).filter((key) => key.startsWith("antiphon."));

/** Whether all that is kept here is this person's; null: whether it is somebody's who may come back. */
function isKeptFor(me: Account | null): boolean {
  return places().every((place) => {
    const owner = place.getItem(OWNER);
    if (owner === null && keysOf(place).every((key) => key === PREFS)) return true;
    return me === null ? Boolean(owner) : owner === ownerOf(me);
  });
}

function keepFor(me: Account): void {
  const owner = ownerOf(me);
  if (owner === null) return;
  for (const place of places()) place.setItem(OWNER, owner);
}

/** What was kept goes; how the console looks stays. */
function forget(from: Storage[]): void {
  for (const place of from) {
    for (const key of keysOf(place)) place.removeItem(key);
  }
  resetPrefs();
  if ("caches" in globalThis) void caches.delete(SHARED_FILES);
}
