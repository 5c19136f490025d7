/** Roles and permissions, as people read them. */
import { t } from "../../i18n";
import type { Choice } from "../../ui/checklist";
import type { Permission } from "../../stores/account";
import type { Role } from "./api";

export const PERMISSIONS: Record<Permission, string> = {
  "tools.call": t("Talk to the assistant and call tools."),
  "workspace.write": t("Change one's own macros, projects, schedules, events and conversations."),
  "knowledge.read": t("Search and read the knowledge databases of the organisation."),
  "knowledge.write": t("Add, change and delete records and knowledge databases."),
  "approvals.answer": t("Approve or deny calls that others in the organisation have asked for."),
  "others.read": t("See the sessions, runs and tasks of everybody in the organisation."),
  "others.manage": t("End sessions, lift blocks and withdraw grants of others."),
  "audit.read": t("Read, export and replay the audit of the organisation."),
  "metrics.read": t("See the metrics of the server."),
  "usage.read": t("See what everybody in the organisation has used and spent."),
  "limits.manage": t("Set limits and spending caps."),
  "keys.manage": t("Set and remove the keys of model providers."),
  "mcp.manage": t("Add and remove MCP servers, which may run programs, and accept their tools."),
  "users.manage": t("Make, change and remove users, groups, tokens and invitations."),
  "roles.manage": t("Make, change and remove roles."),
  "organisations.manage": t("Make and remove organisations, and act in all of them."),
};

export const permissionWords = (name: string): string => PERMISSIONS[name as Permission] ?? "";

const BUILT_IN: Record<string, string> = {
  viewer: t("Asks, searches and reads; changes nothing."),
  member: t("Uses all tools and changes what is theirs."),
  approver: t("A member who also approves the calls of others."),
  operator: t("A member who also sees everybody's sessions, the audit, metrics and usage."),
  admin: t("May do everything, users and roles included."),
};

export const roleWords = (role: Pick<Role, "name" | "built_in">): string => (role.built_in ? (BUILT_IN[role.name] ?? "") : "");

/** Roles to choose from. One that cannot be given can neither be given nor taken. */
export const roleChoices = (roles: readonly Role[], had: readonly string[]): Choice[] =>
  roles.map((role) => ({
    id: role.name,
    label: role.name,
    hint: [roleWords(role), role.grantable ? "" : t("You cannot give this role: it has more than you have.")].filter(Boolean).join(" ") || undefined,
    fixed: !role.grantable && !had.includes(role.name),
  }));
