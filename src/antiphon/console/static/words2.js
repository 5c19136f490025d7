import { a as locale, l as t } from "./app.js";
import { t as address } from "./address.js";
import { d as words, l as send, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { a as at, d as route, o as go } from "./router.js";
import { c as isDay, g as today, i as clockAt, u as midnight } from "./dates.js";
// src/pages/calendar/api.ts
var CALENDARS = [
	"primary",
	"team",
	"personal"
];
var place$1 = (id) => `/api/calendar/events/${encodeURIComponent(id)}`;
var once = (occurrence) => ({ query: { occurrence: occurrence ?? void 0 } });
/** A list of names is the same parameter several times. */
var named = (path, calendars) => `${path}?${new URLSearchParams(calendars.map((name) => ["calendar", name])).toString()}`;
async function loadEvents(start, end, zone, calendars, signal) {
	const more = new URLSearchParams({
		start,
		end,
		time_zone: zone
	});
	return get(`${named("/api/calendar/events", calendars)}&${more.toString()}`, { signal });
}
var loadEvent = (id, occurrence, signal) => get(place$1(id), {
	...once(occurrence),
	signal
});
var createEvent = (body, key) => post("/api/calendar/events", body, { headers: { "Idempotency-Key": key } });
/** What somebody changed elsewhere since it was read is not written over, nor deleted. */
var asRead = (event, occurrence) => ({
	...once(occurrence),
	headers: { "If-Match": event.version }
});
var changeEvent = (event, occurrence, body) => put(place$1(event.id), body, asRead(event, occurrence));
var deleteEvent = (event, occurrence) => del(place$1(event.id), asRead(event, occurrence));
async function importFile(file, calendar, skipBroken) {
	const answer = await send("POST", "/api/calendar/import", file, {
		query: {
			calendar,
			skip_broken: skipBroken
		},
		headers: { "Content-Type": "text/calendar" }
	});
	const body = await answer.json();
	if (!answer.ok) throw new ApiError(answer.status, words(answer.status, body), body);
	return body;
}
var exportAddress = (calendar) => address(`/api/calendar/export?calendar=${calendar}`);
function findFree(asked, calendars, signal) {
	const more = new URLSearchParams({
		start: asked.start,
		end: asked.end,
		time_zone: asked.zone,
		min_minutes: String(asked.minutes),
		day_start: asked.dayStart,
		day_end: asked.dayEnd,
		workdays: String(asked.workdays)
	});
	return get(`${named("/api/calendar/availability", calendars)}&${more.toString()}`, { signal });
}
// src/pages/calendar/address.ts
/** What the calendar shows is in the address: `#/calendar/<view>/<day>?event=…`. */
var VIEWS = [
	{
		id: "month",
		title: t("Month")
	},
	{
		id: "week",
		title: t("Week")
	},
	{
		id: "agenda",
		title: t("Agenda")
	}
];
var PHONE = "(max-width: 700px)";
function place() {
	const { rest, query } = route.value;
	const [view, day] = rest;
	const known = VIEWS.find((each) => each.id === view)?.id;
	const wanted = (query.get("calendars") ?? "").split(",");
	const calendars = CALENDARS.filter((name) => wanted.includes(name));
	const span = Number(query.get("days"));
	const minutes = Number(query.get("minutes"));
	return {
		view: known ?? (matchMedia("(max-width: 700px)").matches ? "agenda" : "month"),
		day: isDay(day) ? day : today(),
		calendars: calendars.length ? calendars : CALENDARS,
		span: span > 0 && span <= 98 ? Math.round(span) : 14,
		event: query.get("event"),
		occurrence: query.get("at"),
		making: query.get("new"),
		minutes: minutes > 0 && minutes <= 1440 ? Math.round(minutes) : 60
	};
}
/** The same place with something else in it. What is open closes unless it is named. */
function addressOf(change = {}) {
	const now = {
		...place(),
		event: null,
		occurrence: null,
		making: null,
		minutes: 60,
		...change
	};
	return at("calendar", [now.view, now.day], {
		calendars: now.calendars.length === CALENDARS.length ? "" : now.calendars.join(","),
		days: now.span === 14 ? "" : String(now.span),
		event: now.event ?? "",
		at: now.occurrence ?? "",
		new: now.making ?? "",
		minutes: now.making && now.minutes !== 60 ? String(now.minutes) : ""
	});
}
var move = (change, replace = false) => go(addressOf(change), replace);
/** Where an event is seen, from another page. */
function eventAddress(event) {
	const day = event.all_day ? event.start : clockAt(new Date(event.start)).day;
	return at("calendar", ["agenda", day], {
		event: event.id,
		at: event.occurrence ?? ""
	});
}
// src/pages/calendar/words.ts
/** Days and times in the person's own way of writing them. */
var make = (options) => new Intl.DateTimeFormat(locale, options);
var long = make({
	weekday: "long",
	day: "numeric",
	month: "long",
	year: "numeric"
});
var short = make({
	weekday: "short",
	day: "numeric",
	month: "short"
});
var plain = make({
	day: "numeric",
	month: "short",
	year: "numeric"
});
var month = make({
	month: "long",
	year: "numeric"
});
var name = make({ weekday: "short" });
var fullName = make({ weekday: "long" });
var clock = make({
	hour: "numeric",
	minute: "2-digit"
});
var both = make({
	weekday: "short",
	day: "numeric",
	month: "short",
	hour: "numeric",
	minute: "2-digit"
});
var dayLong = (day) => long.format(midnight(day));
var dayShort = (day) => short.format(midnight(day));
var monthInWords = (day) => month.format(midnight(day));
var weekdayShort = (day) => name.format(midnight(day));
var weekdayLong = (day) => fullName.format(midnight(day));
var daysInWords = (from, to) => short.formatRange(midnight(from), midnight(to));
/** Without weekdays, for headings. */
var rangeInWords = (from, to) => plain.formatRange(midnight(from), midnight(to));
var timeInWords = (moment) => clock.format(new Date(moment));
/** For little room: 11am, 11:30am, 23:00. */
var timeBrief = (moment) => timeInWords(moment).replace(/(:00)?\s?([AP])M$/i, (_, _zero, half) => `${half.toLowerCase()}m`);
var hourInWords = (hour) => make({ hour: "numeric" }).format(new Date(2030, 0, 1, hour));
function whenInWords(event) {
	if (event.all_day) return event.start === event.end ? t("{start}, all day", { start: dayShort(event.start) }) : daysInWords(event.start, event.end);
	const [start, end] = [new Date(event.start), new Date(event.end)];
	return both.formatRange(start, end);
}
function timesInWords(event) {
	if (event.all_day) return t("All day");
	return clock.formatRange(new Date(event.start), new Date(event.end));
}
function lengthInWords(minutes) {
	const hours = Math.floor(minutes / 60);
	const rest = minutes % 60;
	return [hours ? `${hours} h` : "", rest ? `${rest} min` : ""].filter(Boolean).join(" ") || "0 min";
}
export { findFree as C, loadEvents as E, exportAddress as S, loadEvent as T, place as _, monthInWords as a, createEvent as b, timeInWords as c, weekdayShort as d, whenInWords as f, move as g, eventAddress as h, lengthInWords as i, timesInWords as l, VIEWS as m, dayShort as n, rangeInWords as o, PHONE as p, hourInWords as r, timeBrief as s, dayLong as t, weekdayLong as u, CALENDARS as v, importFile as w, deleteEvent as x, changeEvent as y };
