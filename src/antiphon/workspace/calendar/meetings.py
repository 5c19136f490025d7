"""Meeting links: a port, and the adapters that need no service of their own."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Protocol

from antiphon.workspace.calendar.port import NewEvent


@dataclass(frozen=True, slots=True)
class Meeting:
    """An online meeting.

    `id` is what the service deletes it by; empty where nothing was created.
    """

    url: str
    id: str = ""


class MeetingLinks(Protocol):
    """Makes the link that an event carries. Every method raises ToolError and nothing else.

    `promise` says before an event is made what link it will have. `by_calendar` is true where the
    calendar service makes the link together with the event; `create` is not called then.
    """

    promise: str
    by_calendar: bool

    async def create(self, event: NewEvent) -> Meeting:
        """Create the meeting of an approved event, before the event itself."""
        ...

    async def delete(self, meeting: Meeting) -> None:
        """Delete a meeting whose event could not be created after all."""
        ...

    async def close(self) -> None: ...


class FixedLink:
    """Meeting links to one standing room for every event."""

    by_calendar = False

    def __init__(self, url: str) -> None:
        self._url = url
        self.promise = f"the link of the meeting room will be added ({url})"

    async def create(self, event: NewEvent) -> Meeting:
        del event
        return Meeting(self._url)

    async def delete(self, meeting: Meeting) -> None:
        del meeting

    async def close(self) -> None:
        pass


class JitsiLinks:
    """A room of its own for each event at a Jitsi server, under a name that cannot be guessed.

    The server is not asked: a room is there when somebody enters it.
    """

    by_calendar = False
    promise = "a Jitsi link will be made"

    def __init__(self, base_url: str = "https://meet.jit.si") -> None:
        self._base_url = base_url.rstrip("/")

    async def create(self, event: NewEvent) -> Meeting:
        del event
        return Meeting(f"{self._base_url}/{secrets.token_hex(16)}")

    async def delete(self, meeting: Meeting) -> None:
        del meeting

    async def close(self) -> None:
        pass


class GoogleMeetLinks:
    """Google Meet, which Google Calendar adds to an event that it makes."""

    by_calendar = True
    promise = "a Google Meet link will be made"

    async def create(self, event: NewEvent) -> Meeting:
        raise NotImplementedError("Google Calendar makes the link together with the event")

    async def delete(self, meeting: Meeting) -> None:
        del meeting

    async def close(self) -> None:
        pass
