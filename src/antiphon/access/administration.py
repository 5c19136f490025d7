"""Administration: users, groups, roles, tokens and organisations, as somebody may manage them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antiphon.access.book import SERVER_WIDE
from antiphon.access.delegation import Delegation
from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import shown
from antiphon.access.roles import Role, resolved
from antiphon.access.rows import Organisation, ServiceToken, SingleUse, User, UserGroup
from antiphon.access.service_tokens import ID_PREFIX as TOKEN_PREFIX
from antiphon.contracts.principal import Principal

# No user can have this name.
OPERATOR = "(operator)"


@dataclass(frozen=True)
class Roster:
    """The users, groups and roles of an organisation at one time."""

    organisation: str
    users: Sequence[User]
    groups: Sequence[UserGroup]
    roles: Mapping[str, Role]

    def groups_of(self, user: str) -> list[str]:
        """The names of the groups that a user is in."""
        return [group.name for group in self.groups if user in group.members]

    def resolved(self, roles: Iterable[str], groups: Iterable[str] = ()) -> list[Role]:
        """All roles behind these names and groups. Raises RightsError, AccessError."""
        by_name = {group.name: group for group in self.groups}
        names = list(roles)
        for name in groups:
            if name not in by_name:
                raise AccessError(f"There is no group {shown(name)}.", "missing", field="groups")
            names += by_name[name].roles
        return resolved(names, self.roles)

    def roles_of(self, user: User) -> list[Role]:
        """All roles of a user, those of their groups included."""
        return self.resolved(user.roles, self.groups_of(user.name))

    def use_of(self, role: str) -> int:
        """How many users and groups have a role by themselves."""
        lists = [user.roles for user in self.users] + [group.roles for group in self.groups]
        return sum(role in each for each in lists)


class Administration:
    """The directory as a principal manages it: within one organisation, and never giving more than
    the principal has. None is the operator of the server, who is bound by nothing.

    Whether the principal may come to it at all is the table of routes' to say. Everything raises
    AccessError, RightsError and AccessRefused.
    """

    def __init__(
        self, directory: AccessDirectory, actor: Principal | None, *, by: str = OPERATOR
    ) -> None:
        """`by` is who it was in the audit where there is no principal."""
        self._directory = directory
        self._actor = actor
        self.by = by if actor is None else actor.user
        self.is_server_wide = actor is None or (actor.organisation == "" and actor.may(SERVER_WIDE))

    # -- bounds

    def organisation(self, asked: str | None) -> str:
        """The organisation that is meant: the one asked for, or the actor's own."""
        own = "" if self._actor is None else self._actor.organisation
        if asked is None or asked == own or self.is_server_wide:
            return own if asked is None else asked
        raise AccessRefused(
            "You can manage your own organisation alone. Leave `organisation` out.", "forbidden"
        )

    async def roster(self, asked: str | None = None) -> Roster:
        """Everybody and everything in an organisation."""
        organisation = self.organisation(asked)
        directory = self._directory
        roles = await directory.roles(organisation)
        return Roster(
            organisation,
            await directory.users(organisation),
            await directory.groups(organisation),
            {role.name: role for role in roles},
        )

    async def delegation(self) -> Delegation:
        """What the actor may give."""
        if self._actor is None:
            return Delegation(None)
        return Delegation(self._actor, await self._directory.roles(self._actor.organisation))

    def is_self(self, name: str) -> bool:
        return self._actor is not None and self._actor.user == name

    async def user(self, name: str) -> tuple[User, Roster]:
        """A user whom the actor may see, and their organisation. One of another organisation is
        not there."""
        found = await self._directory.user(name)
        if found is None or not (
            self.is_server_wide or found.organisation == self.organisation(None)
        ):
            raise AccessError(f"There is no user {shown(name)}.", "missing")
        return found, await self.roster(found.organisation)

    async def _manageable(self, name: str) -> tuple[User, Roster]:
        """The same, where the actor has all that the user has."""
        user, roster = await self.user(name)
        (await self.delegation()).check(roster.roles_of(user), roster.organisation)
        return user, roster

    # -- users

    async def create_user(
        self,
        name: str,
        *,
        organisation: str | None = None,
        roles: Iterable[str] = ("member",),
        groups: Iterable[str] = (),
        **fields: Any,
    ) -> User:
        """Make a user; `fields` are those of the directory."""
        roster = await self.roster(organisation)
        given, joined = list(roles), list(groups)
        (await self.delegation()).check(roster.resolved(given, joined), roster.organisation)
        return await self._directory.create_user(
            name,
            organisation=roster.organisation,
            roles=given,
            groups=joined,
            by=self.by,
            **fields,
        )

    async def change_user(self, name: str, **fields: Any) -> User:
        """Change a user; `fields` are those of the directory, None for what stays."""
        user, roster = await self._manageable(name)
        roles, groups = fields.get("roles"), fields.get("groups")
        guarded = any(fields.get(each) is not None for each in ("roles", "groups", "disabled"))
        if guarded and self.is_self(user.name):
            raise AccessRefused(
                "Nobody changes their own roles or groups, or disables themselves. Ask another "
                "administrator.",
                "forbidden",
                field="roles",
            )
        if roles is not None or groups is not None:
            after = roster.resolved(
                user.roles if roles is None else roles,
                roster.groups_of(user.name) if groups is None else groups,
            )
            (await self.delegation()).check(
                after, roster.organisation, before=roster.roles_of(user)
            )
        return await self._directory.change_user(user.name, by=self.by, **fields)

    async def remove_user(self, name: str) -> User:
        """Remove a user; return who that was."""
        user, _ = await self._manageable(name)
        if self.is_self(user.name):
            raise AccessRefused(
                "Nobody removes themselves. Ask another administrator.", "forbidden"
            )
        await self._directory.remove_user(user.name, by=self.by)
        return user

    async def make_link(self, name: str) -> tuple[str, SingleUse]:
        """Make a link by which a user sets a password; return its secret, and what it is."""
        user, _ = await self._manageable(name)
        secret = await self._directory.make_link(user.name, by=self.by)
        return secret, await self._directory.peek("link", secret)

    async def links(self, organisation: str | None = None) -> list[SingleUse]:
        """The links of an organisation's users that were not used yet."""
        return await self._directory.links(self.organisation(organisation))

    async def withdraw_link(self, name: str) -> User:
        """End the link of a user."""
        user, _ = await self._manageable(name)
        await self._directory.withdraw_link(user.name, self.by)
        return user

    # -- groups and roles

    async def set_group(
        self,
        name: str,
        *,
        organisation: str | None = None,
        roles: Iterable[str] = (),
        members: Iterable[str] = (),
    ) -> UserGroup:
        """Make or replace a group."""
        roster = await self.roster(organisation)
        given, people = list(roles), list(members)
        before = [group for group in roster.groups if group.name == name]
        old = roster.resolved([], [group.name for group in before])
        new = roster.resolved(given)
        (await self.delegation()).check(new, roster.organisation, before=old)
        if self._actor is not None:
            self._check_membership(self._actor.user, bool(old or new), before, people)
        return await self._directory.set_group(
            roster.organisation, name, roles=given, members=people, by=self.by
        )

    def _check_membership(
        self, own: str, has_roles: bool, before: list[UserGroup], after: list[str]
    ) -> None:
        was = any(own in group.members for group in before)
        if has_roles and was != (own in after):
            raise AccessRefused(
                "Nobody joins or leaves a group with roles by themselves. Ask another "
                "administrator.",
                "forbidden",
                field="members",
            )

    async def remove_group(self, name: str, organisation: str | None = None) -> None:
        """Remove a group."""
        roster = await self.roster(organisation)
        before = roster.resolved([], [name])
        (await self.delegation()).check([], roster.organisation, before=before)
        await self._directory.remove_group(roster.organisation, name, self.by)

    async def set_role(self, role: Role, organisation: str | None = None) -> tuple[Role, Roster]:
        """Make or replace a role; return it with the organisation as it is now."""
        roster = await self.roster(organisation)
        old = roster.resolved([role.name]) if role.name in roster.roles else []
        new = resolved([role.name], {**roster.roles, role.name: role})
        (await self.delegation()).check(new, roster.organisation, before=old)
        made = await self._directory.set_role(roster.organisation, role, self.by)
        return made, await self.roster(roster.organisation)

    async def remove_role(self, name: str, organisation: str | None = None) -> None:
        """Remove a role that nobody has."""
        roster = await self.roster(organisation)
        await self._directory.remove_role(roster.organisation, name, self.by)

    # -- tokens

    async def tokens(
        self, user: str | None = None, *, everybody: bool = False, organisation: str | None = None
    ) -> list[ServiceToken]:
        """One's own tokens, those of a user, or those of an organisation."""
        if everybody:
            self._check_may_manage()
            return await self._directory.tokens(organisation=self.organisation(organisation))
        return await self._directory.tokens(await self._owner(user, manage=False))

    async def create_token(
        self, name: str, *, user: str | None = None, **bounds: Any
    ) -> tuple[ServiceToken, str]:
        """Make a token of one's own, or of a user whom one may manage; return it with its secret.
        `bounds` are those of the directory."""
        if self._actor is not None and self._actor.credential.startswith(TOKEN_PREFIX):
            raise AccessRefused(
                "A token cannot make another one. Sign in as a person for that.", "forbidden"
            )
        owner = await self._owner(user, manage=True)
        await self._check_permissions(owner, bounds.get("permissions") or ())
        return await self._directory.create_token(owner, name, by=self.by, **bounds)

    async def _check_permissions(self, owner: str, names: Iterable[str]) -> None:
        """Raise AccessRefused for a permission that the user of a token has not."""
        wanted = Role("token", frozenset(names)).permissions
        if not wanted:
            return
        user, roster = await self.user(owner)
        have = {each for role in roster.roles_of(user) for each in role.permissions}
        if user.organisation:
            have.discard(SERVER_WIDE)
        if lacking := sorted(wanted - have):
            raise AccessRefused(
                f"A token cannot have more than its user: {shown(user.name)} has no permission "
                f"`{lacking[0]}`.",
                "forbidden",
                field="permissions",
            )

    async def revoke_token(self, id: str) -> ServiceToken:
        """Revoke a token of one's own, or of a user in the organisation."""
        token = await self._directory.token(id)
        if token is None or not await self._may_revoke(token.user):
            raise AccessError(f"There is no token {shown(id)}.", "missing")
        return await self._directory.revoke_token(id, self.by)

    async def _may_revoke(self, user: str) -> bool:
        if self._actor is None or (self.is_self(user) and self._actor.rights is not None):
            return True
        if not self._actor.may("users.manage"):
            return False
        if self.is_server_wide:
            return True
        found = await self._directory.user(user)
        return found is not None and found.organisation == self.organisation(None)

    async def _owner(self, user: str | None, *, manage: bool) -> str:
        """Whose tokens are meant."""
        if self._actor is None:
            if user is None:
                raise AccessError("Say whose token it is: `user`.")
        elif self._actor.rights is None:
            raise AccessRefused(
                "You are not in the directory of this server, but in that of the application "
                "around it.",
                "forbidden",
            )
        elif user is None or self.is_self(user):
            return self._actor.user
        else:
            self._check_may_manage()
        found, _ = await (self._manageable(user) if manage else self.user(user))
        return found.name

    def _check_may_manage(self) -> None:
        if self._actor is not None and not self._actor.may("users.manage"):
            raise AccessRefused(
                "The tokens of others need the permission `users.manage`.", "forbidden"
            )

    # -- organisations

    async def organisations(self) -> list[tuple[Organisation, int]]:
        """All organisations, the first one first, with the number of their users."""
        self._check_server_wide()
        everybody = await self._directory.users()
        found = [Organisation("", "", 0.0), *await self._directory.organisations()]
        return [(each, sum(user.organisation == each.id for user in everybody)) for each in found]

    async def create_organisation(self, id: str, name: str) -> Organisation:
        self._check_server_wide()
        return await self._directory.create_organisation(id, name, self.by)

    async def rename_organisation(self, id: str, name: str) -> Organisation:
        self._check_server_wide()
        return await self._directory.rename_organisation(id, name, self.by)

    async def remove_organisation(self, id: str) -> None:
        self._check_server_wide()
        await self._directory.remove_organisation(id, self.by)

    def _check_server_wide(self) -> None:
        if not self.is_server_wide:
            raise AccessRefused(
                f"Organisations need the permission `{SERVER_WIDE}` in the first one.", "forbidden"
            )
