"""A calendar service in which every noon is taken."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from antiphon import ErrorType, ToolError
from antiphon.workspace.calendar import CalendarSource, CreatedEvent, NewEvent, Occurrence
from antiphon.workspace.calendar.factories import CalendarOptions


class OfficeCalendar:
    label = "Office"

    def __init__(self, zone: str) -> None:
        self._zone = ZoneInfo(zone)

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        found = []
        noon = start.astimezone(self._zone).replace(hour=12, minute=0, second=0, microsecond=0)
        while noon < end:
            found.append(
                Occurrence(
                    "primary", f"noon-{noon:%F}", noon, noon + timedelta(hours=1), title="Lunch"
                )
            )
            noon += timedelta(days=1)
        return found

    busy = occurrences

    async def find(self, user: str, calendar: str, key: str) -> CreatedEvent | None:
        return None

    async def create(self, user: str, event: NewEvent, key: str) -> CreatedEvent:
        raise ToolError(ErrorType.PERMANENT, "The office calendar is kept by the office.")

    async def close(self) -> None:
        return


def office_calendar(options: CalendarOptions) -> CalendarSource:
    return OfficeCalendar(options.zone)
