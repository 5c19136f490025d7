"""Schemas of administration: users, groups, roles, tokens and organisations as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

# Beyond the bounds of the directory, which says what is wrong in words.
_Text = Annotated[str, Field(max_length=2000)]
_Texts = Annotated[list[_Text], Field(max_length=500)]


class UserDocument(BaseModel):
    """A user. Times are seconds of the epoch."""

    name: str = Field(examples=["ada"])
    organisation: str = Field(description="Empty for the first one.")
    display_name: str
    email: str
    roles: list[str] = Field(examples=[["member"]])
    groups: list[str]
    has_password: bool
    identity: str | None = Field(description="The identity provider that knows them, if any.")
    disabled: bool
    created_at: float
    updated_at: float
    signed_in_at: float | None
    you: bool = Field(description="Whether it is who asks.")
    manageable: bool = Field(
        description="Whether who asks has all that this user has, and so may change them."
    )


class UserList(BaseModel):
    users: list[UserDocument] = Field(description="By name.")
    count: int


class LinkDocument(BaseModel):
    """A link by which a user sets a password, once. It cannot be shown again."""

    user: str
    secret: str
    url: str
    expires_at: float


class NewUser(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"name": "ada", "roles": ["member"]}})

    name: _Text
    organisation: _Text | None = Field(default=None, description="Left out: one's own.")
    display_name: _Text = ""
    email: _Text = ""
    roles: _Texts = Field(default=["member"])
    groups: _Texts = Field(default=[])
    password: str | None = Field(
        default=None, description="Left out: a link is made by which they set one."
    )


class UserCreated(BaseModel):
    user: UserDocument
    link: LinkDocument | None


class UserChange(Body):
    """What is left out stays as it is."""

    model_config = ConfigDict(json_schema_extra={"example": {"roles": ["operator"]}})

    display_name: _Text | None = None
    email: _Text | None = None
    roles: _Texts | None = None
    groups: _Texts | None = None
    disabled: bool | None = Field(
        default=None, description="True ends all their browser sessions, and no token works."
    )


class Removed(BaseModel):
    removed: str = Field(description="The name or id.")


class InvitationDocument(BaseModel):
    user: str
    created_at: float
    expires_at: float


class InvitationList(BaseModel):
    invitations: list[InvitationDocument] = Field(
        description="Links that were not used yet, oldest first."
    )
    count: int


class GroupDocument(BaseModel):
    organisation: str
    name: str = Field(examples=["sales"])
    roles: list[str] = Field(description="What its members have beside roles of their own.")
    members: list[str]
    updated_at: float
    manageable: bool


class GroupList(BaseModel):
    groups: list[GroupDocument] = Field(description="By name.")
    count: int


class GroupBody(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"roles": ["operator"], "members": ["ada"]}}
    )

    roles: _Texts = Field(default=[])
    members: Annotated[list[_Text], Field(max_length=10_000)] = Field(default=[])


class RuleDocument(BaseModel):
    """Whom a role lets call which tools."""

    tools: list[str] = Field(description="Ids, or patterns with `*`.")
    effect: Literal["allow", "ask", "refuse"]
    modes: list[str] = Field(description="`text`, `voice`; empty for both.")
    writes: bool | None = Field(description="Only tools that write, or only those that do not.")
    when: str = Field(description="A condition on arguments (`args`) and session; empty: always.")


class RoleDocument(BaseModel):
    name: str = Field(examples=["support"])
    built_in: bool
    permissions: list[str]
    rules: list[RuleDocument]
    includes: list[str]
    approves: list[str] = Field(
        description="Users, `group:NAME` or `*`, whose calls it may approve."
    )
    all_permissions: list[str] = Field(description="Those of the roles that it includes as well.")
    grantable: bool = Field(description="Whether who asks may give it to others.")
    used_by: int = Field(description="Users and groups that have it by themselves.")


class PermissionDocument(BaseModel):
    name: str = Field(examples=["audit.read"])
    description: str


class RoleList(BaseModel):
    roles: list[RoleDocument] = Field(description="The built-in ones, then others by name.")
    permissions: list[PermissionDocument] = Field(description="Every permission there is.")


class RoleBody(Body):
    """What is left out is empty."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "includes": ["member"],
                "rules": [{"tools": ["pay_*"], "effect": "ask", "when": "args.amount > 100"}],
            }
        }
    )

    permissions: list[Any] = Field(default=[])
    rules: list[Any] = Field(default=[])
    includes: list[Any] = Field(default=[])
    approves: list[Any] = Field(default=[])


class TokenDocument(BaseModel):
    """A service token, without its secret. Null: as its user; any network; no end."""

    id: str
    user: str = Field(description="In whose name it acts.")
    name: str
    permissions: list[str] | None
    tools: list[str] | None
    networks: list[str] | None
    created_at: float
    created_by: str
    expires_at: float | None
    revoked_at: float | None
    used_at: float | None
    state: Literal["active", "expired", "revoked"]


class TokenList(BaseModel):
    tokens: list[TokenDocument] = Field(description="Oldest first.")
    count: int


class NewToken(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"name": "nightly import", "tools": ["kb_*"]}}
    )

    name: _Text
    user: _Text | None = Field(default=None, description="Left out: oneself.")
    permissions: _Texts | None = Field(default=None, description="Left out: those of its user.")
    tools: _Texts | None = Field(default=None, description="Ids, or patterns with `*`.")
    networks: _Texts | None = Field(default=None, examples=[["10.1.0.0/16"]])
    expires_at: float | None = Field(
        default=None, gt=0, le=253_402_300_799, description="Seconds of the epoch."
    )


class TokenCreated(BaseModel):
    token: TokenDocument
    secret: str = Field(description="Shown now, and never again.")


class OrganisationDocument(BaseModel):
    id: str = Field(description="Empty for the first one.", examples=["north-wing"])
    name: str
    created_at: float | None = Field(description="Null for the first one, which always was.")
    users: int


class OrganisationList(BaseModel):
    organisations: list[OrganisationDocument] = Field(description="The first one first.")
    count: int


class NewOrganisation(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"id": "north-wing", "name": "North wing"}}
    )

    id: _Text
    name: _Text


class OrganisationChange(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"name": "North wing"}})

    name: _Text
