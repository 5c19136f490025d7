/** Users, groups, roles, tokens and organisations, as the server has them. */
import { get } from "../../api/http";
import { type Loaded, useLoad } from "../../api/load";
import { route } from "../../router";
import { mayForServer } from "../../stores/account";

export interface User {
  name: string;
  organisation: string;
  display_name: string;
  email: string;
  roles: string[];
  groups: string[];
  has_password: boolean;
  identity: string | null;
  disabled: boolean;
  created_at: number;
  signed_in_at: number | null;
  you: boolean;
  /** Whoever asks has all that this user has. */
  manageable: boolean;
}

export interface Group {
  name: string;
  roles: string[];
  members: string[];
  manageable: boolean;
}

export interface Rule {
  tools: string[];
  effect: "allow" | "ask" | "refuse";
  modes: string[];
  writes: boolean | null;
  when: string;
}

export interface Role {
  name: string;
  built_in: boolean;
  permissions: string[];
  rules: Rule[];
  includes: string[];
  approves: string[];
  all_permissions: string[];
  grantable: boolean;
  used_by: number;
}

export interface Invitation { user: string; created_at: number; expires_at: number }
export interface Link { user: string; url: string; expires_at: number }
export interface Organisation { id: string; name: string; created_at: number | null; users: number }

export interface Token {
  id: string;
  user: string;
  name: string;
  permissions: string[] | null;
  tools: string[] | null;
  networks: string[] | null;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  revoked_at: number | null;
  used_at: number | null;
  state: "active" | "expired" | "revoked";
}

/** The organisation that the address asks for; undefined: one's own. */
export const chosenOrganisation = (): string | undefined => route.value.query.get("organisation") ?? undefined;

/** For the addresses of these pages. */
export const kept = (more: Record<string, string> = {}): Record<string, string> => ({ ...inOrganisation().query, ...more });

/** For requests: in the organisation that is looked at. */
export function inOrganisation(): { query: { organisation?: string } } {
  const organisation = chosenOrganisation();
  return { query: organisation === undefined ? {} : { organisation } };
}

export function useList<T>(path: string): Loaded<T> {
  const organisation = chosenOrganisation();
  return useLoad((signal) => get<T>(path, { signal, ...inOrganisation() }), [path, organisation]);
}

export interface Directory { users: User[]; groups: Group[]; roles: Role[]; invitations: Invitation[] }

/** All that users are made of. */
export function useDirectory(): Loaded<Directory> {
  const organisation = chosenOrganisation();
  return useLoad(async (signal) => {
    const how = { signal, ...inOrganisation() };
    const [{ users }, { groups }, { roles }, { invitations }] = await Promise.all([
      get<{ users: User[] }>("/api/users", how), get<{ groups: Group[] }>("/api/groups", how),
      get<{ roles: Role[] }>("/api/roles", how), get<{ invitations: Invitation[] }>("/api/invitations", how),
    ]);
    return { users, groups, roles, invitations };
  }, [organisation]);
}

export const managesOrganisations = (): boolean => mayForServer("organisations.manage");
