import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { isOpen, menuOf, pageOf, tabsOf } from "../src/router";
import { type Account, account, arrive, enter, hasSession, may, mayForServer, shut, signOut, stillIn, trouble, ways } from "../src/stores/account";
import { linkSecret, providerProblem, takeEntrance } from "../src/stores/entrance";
import { prefer, prefs } from "../src/stores/prefs";

const ADA: Account = {
  user: "ada", display_name: "Ada", email: "", organisation: "", roles: ["member"], permissions: ["tools.call", "knowledge.read"], way: "password", session: "b1", has_password: true,
};

let answers: Record<string, [status: number, body: unknown]>;
const reloads = { count: 0, to: "" };

function server(signIn: { required: boolean; signed_in: boolean }, me: Account | null = null): void {
  answers = {
    "GET /api/sign-in": [200, { password: true, passkey: false, providers: [], ...signIn }],
    "GET /api/account": me ? [200, me] : [401, { detail: "Sign in first." }],
    "POST /api/sign-out": [204, null],
  };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  account.value = null;
  shut.value = false;
  ways.value = null;
  Object.assign(reloads, { count: 0, to: "" });
  vi.stubGlobal("fetch", (url: string, { method }: { method: string }) => {
    const found = answers[`${method} ${url}`];
    if (!found) return Promise.reject(new TypeError("away"));
    return Promise.resolve(new Response(found[1] === null ? null : JSON.stringify(found[1]), { status: found[0] }));
  });
  vi.spyOn(location, "reload").mockImplementation(() => { reloads.count++; });
  vi.spyOn(location, "replace").mockImplementation((to) => { reloads.to = String(to); });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const kept = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key !== "antiphon.prefs").sort();

describe("whoever comes", () => {
  it("is let in everywhere where nobody signs in, and nothing is written down", async () => {
    localStorage.setItem("antiphon.drafts", '{"":"half a sentence"}');
    server({ required: false, signed_in: false });
    await arrive();
    expect(may("organisations.manage")).toBe(true);
    expect(hasSession.value).toBe(false);
    expect(kept()).toEqual(["antiphon.drafts"]);
    expect(menuOf().map((entry) => entry.id)).not.toContain("administration");
  });

  it("is known by their session, with what they may do", async () => {
    server({ required: true, signed_in: true }, ADA);
    await arrive();
    expect([may("tools.call"), may("audit.read"), shut.value]).toEqual([true, false, false]);
    expect(isOpen(pageOf("audit")!)).toBe(false);
    expect(tabsOf("activity").map((page) => page.id)).toEqual(["sessions", "inbox", "traces", "usage"]);
  });

  it("finds the door shut, and nothing of the open server that there was", async () => {
    localStorage.setItem("antiphon.drafts", '{"":"of nobody"}');
    server({ required: true, signed_in: false });
    await arrive();
    expect(shut.value).toBe(true);
    expect(account.value).toBeNull();
    expect(kept()).toEqual([]);
  });

  it("may open the console of an open server that is away, and no other one", async () => {
    answers = {};
    await arrive();
    expect(account.value?.way).toBe("open");
    account.value = null;
    localStorage.setItem("antiphon.owner", "ada");
    await arrive();
    expect(account.value).toBeNull();
    expect(trouble.value).not.toBeNull();
  });

  it("sees what concerns the whole server from its first organisation alone", () => {
    account.value = { ...ADA, permissions: ["metrics.read"] };
    expect(mayForServer("metrics.read")).toBe(true);
    account.value = { ...ADA, organisation: "north-wing", permissions: ["metrics.read"] };
    expect(mayForServer("metrics.read")).toBe(false);
    expect(may("metrics.read")).toBe(true);
  });
});

describe("a sign-in", () => {
  it("that has ended keeps what was typed for who comes back", async () => {
    server({ required: true, signed_in: true }, ADA);
    await arrive();
    localStorage.setItem("antiphon.drafts.ada", '{"":"half a sentence"}');
    server({ required: true, signed_in: false });
    expect(await stillIn()).toBe(false);
    expect([shut.value, account.value?.user]).toEqual([true, "ada"]);
    enter({ ...ADA, session: "b2" });
    expect(shut.value).toBe(false);
    expect(kept()).toContain("antiphon.drafts.ada");
    expect(reloads).toEqual({ count: 0, to: "" });
  });

  it("of somebody else leaves nothing of the one before", async () => {
    server({ required: true, signed_in: true }, ADA);
    await arrive();
    localStorage.setItem("antiphon.drafts.ada", "{}");
    sessionStorage.setItem("antiphon.conversation", "{}");
    prefer({ theme: "dark", voice: "kore" });
    enter({ ...ADA, user: "bob" });
    expect(kept()).toEqual(["antiphon.owner", "antiphon.owner"]);
    expect(localStorage.getItem("antiphon.owner")).toBe("");
    expect([prefs.value.theme, prefs.value.voice]).toEqual(["dark", ""]);
    expect(account.value?.user).toBe("ada"); // the page goes, and begins anew
    expect(reloads.to).toBe("/");
  });

  it("is noticed when another tab has somebody else", async () => {
    server({ required: true, signed_in: true }, ADA);
    await arrive();
    server({ required: true, signed_in: true }, { ...ADA, user: "bob" });
    expect(await stillIn()).toBe(false);
    expect(reloads.to).toBe("/");
  });

  it("ends with everything that was kept", async () => {
    server({ required: true, signed_in: true }, ADA);
    await arrive();
    localStorage.setItem("antiphon.requests", "[]");
    await signOut();
    expect(kept()).toEqual(["antiphon.owner", "antiphon.owner"]);
    expect(reloads.to).toBe("/");
  });
});

describe("an address that leads in", () => {
  it("gives its secret and leaves the address bar", () => {
    history.replaceState(null, "", "#/link/a%2Db_c");
    takeEntrance();
    expect(linkSecret.value).toBe("a-b_c");
    expect(location.hash).toBe("#/");
    linkSecret.value = null;
  });

  it("says what went wrong with a provider", () => {
    history.replaceState(null, "", "#/sign-in?problem=denied");
    takeEntrance();
    expect(providerProblem.value).toBe("denied");
    providerProblem.value = "";
  });

  it("is no other address", () => {
    history.replaceState(null, "", "#/tools/kb_search");
    takeEntrance();
    expect([linkSecret.value, location.hash]).toEqual([null, "#/tools/kb_search"]);
  });
});
