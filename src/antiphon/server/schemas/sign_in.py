"""Schemas of sign-in and of one's own account as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

# The directory says in words what is wrong with longer ones.
_Given = Annotated[str, Field(max_length=2000)]
_Secret = Annotated[str, Field(min_length=1, max_length=200)]


class AccountDocument(BaseModel):
    """Who makes the request, and what they may do."""

    user: str = Field(examples=["ada"])
    display_name: str
    email: str
    organisation: str = Field(description="Empty for the first one.")
    roles: list[str] = Field(examples=[["member"]])
    permissions: list[str] = Field(examples=[["tools.call", "workspace.write"]])
    way: Literal["password", "link", "oidc", "passkey", "token", "open", "host"] = Field(
        description="How they came in; `open`: nobody is asked to sign in here, `host`: the "
        "application that the server is part of says who they are."
    )
    session: str | None = Field(description="The id of this browser's session, if it is one.")
    has_password: bool


class SignInProvider(BaseModel):
    """An identity provider that people can sign in with."""

    id: str
    title: str


class SignInState(BaseModel):
    """Whether and how people sign in here."""

    required: bool
    signed_in: bool = Field(description="Whether this request is somebody's.")
    password: bool
    passkey: bool
    providers: list[SignInProvider]


class PasswordSignIn(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"user": "ada", "password": "correct horse battery"}}
    )

    user: _Given
    password: _Given


class PasskeyCeremony(BaseModel):
    """A ceremony with a passkey that has begun."""

    ceremony: str = Field(description="Good once, for five minutes.")
    options: dict[str, Any] = Field(
        description="For `PublicKeyCredential.parseRequestOptionsFromJSON`, or "
        "`parseCreationOptionsFromJSON` where a passkey is added."
    )


class PasskeySignIn(Body):
    ceremony: _Secret
    credential: dict[str, Any] = Field(description="What `credential.toJSON()` gives.")


class NewPasskey(PasskeySignIn):
    name: _Given = Field(description="What it is called in one's account.", examples=["Laptop"])


class PasskeyDocument(BaseModel):
    """A passkey of one's own. Times are seconds of the epoch."""

    id: str
    name: str
    created_at: float
    used_at: float | None


class PasskeyList(BaseModel):
    passkeys: list[PasskeyDocument] = Field(description="Oldest first.")
    count: int


class LinkSecret(Body):
    secret: _Secret = Field(description="What stands behind `#/link/` in the link.")


class LinkLook(BaseModel):
    """What a link is for."""

    purpose: Literal["password", "first_admin"]
    user: str | None = Field(description="Whose password it sets; null: a new administrator's.")
    expires_at: float = Field(description="Seconds of the epoch.")


class LinkUse(Body):
    secret: _Secret
    password: _Given
    user: _Given | None = Field(
        default=None, description="The name of the first administrator, for a link that makes one."
    )


class AccountChange(Body):
    """What is left out stays as it is."""

    display_name: _Given | None = None
    email: _Given | None = None


class PasswordChange(Body):
    old: _Given
    new: _Given


class BrowserSessionDocument(BaseModel):
    """A browser that is signed in. Times are seconds of the epoch."""

    id: str
    way: str = Field(description="How it began: `password`, `link`, `oidc` or `passkey`.")
    agent: str = Field(description="What the browser says it is.")
    created_at: float
    used_at: float
    expires_at: float
    current: bool = Field(description="Whether it is this one.")


class BrowserSessionList(BaseModel):
    sessions: list[BrowserSessionDocument] = Field(description="The newest first.")
    count: int


class SocketTicket(BaseModel):
    """A ticket that opens one socket."""

    ticket: str = Field(
        description="Given as a subprotocol: `new WebSocket(url, ['antiphon', 'ticket.' + it])`."
    )
    expires_in: int = Field(description="Seconds.", examples=[30])
