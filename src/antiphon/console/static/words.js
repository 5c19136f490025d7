import { a as locale, l as t } from "./app.js";
import { d as words, f as address, l as send, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { a as at, d as route, o as go } from "./router.js";
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
// src/pages/calendar/dates.ts
var MINUTES = 1440;
var DAY_MS = 864e5;
var utc = (day) => Date.parse(`${day}T00:00:00Z`);
var written = (ms) => new Date(ms).toISOString().slice(0, 10);
function isDay(text) {
	return !!text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(utc(text)) && written(utc(text)) === text;
}
var addDays = (day, count) => written(utc(day) + count * DAY_MS);
var daysBetween = (from, to) => Math.round((utc(to) - utc(from)) / DAY_MS);
/** The same day of another month, or its last one. */
function addMonths(day, count) {
	const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
	const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
	return written(Date.UTC(year, month - 1 + count, Math.min(date, last)));
}
/** 0 is Sunday. */
var weekday = (day) => new Date(utc(day)).getUTCDay();
var startOfWeek = (day, first) => addDays(day, -((weekday(day) - first + 7) % 7));
var daysFrom = (day, count) => Array.from({ length: count }, (_, place) => addDays(day, place));
/** Whole weeks that the month of a day lies in. */
function monthWeeks(day, first) {
	const start = startOfWeek(`${day.slice(0, 7)}-01`, first);
	const next = addMonths(`${day.slice(0, 7)}-01`, 1);
	const weeks = [];
	for (let week = start; week < next; week = addDays(week, 7)) weeks.push(daysFrom(week, 7));
	return weeks;
}
/** The day that the week begins with where the person lives: 0 is Sunday. */
function firstWeekday(locale = navigator.language) {
	try {
		const known = new Intl.Locale(locale);
		return (known.getWeekInfo?.() ?? known.weekInfo).firstDay % 7;
	} catch {
		return 1;
	}
}
var two = (value) => String(value).padStart(2, "0");
/** The day and the time that the person's clock shows at a moment. */
function clockAt(moment) {
	return {
		day: `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
		minutes: moment.getHours() * 60 + moment.getMinutes(),
		time: `${two(moment.getHours())}:${two(moment.getMinutes())}`
	};
}
var today = () => clockAt(/* @__PURE__ */ new Date()).day;
/** The midnight at which a day begins, by the person's clock. */
var midnight = (day) => /* @__PURE__ */ new Date(`${day}T00:00:00`);
var timeOf = (minutes) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
var minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
/** A day and a time so many minutes later, by the clock on the wall. */
function later(day, time, minutes) {
	const total = minutesOf(time) + minutes;
	return {
		day: addDays(day, Math.floor(total / MINUTES)),
		time: timeOf((total % MINUTES + MINUTES) % MINUTES)
	};
}
function zones() {
	try {
		return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
	} catch {
		return ["UTC"];
	}
}
/** The moment at which clocks of a zone show a day and a time. Null for no zone. */
function momentIn(day, time, zone) {
	let format;
	try {
		format = new Intl.DateTimeFormat("en-GB", {
			timeZone: zone,
			dateStyle: "short",
			timeStyle: "medium",
			hourCycle: "h23"
		});
	} catch {
		return null;
	}
	const wanted = Date.parse(`${day}T${time}:00Z`);
	let guess = wanted;
	for (let round = 0; round < 2; round++) {
		const parts = Object.fromEntries(format.formatToParts(guess).map((part) => [part.type, part.value]));
		const shown = Date.parse(`${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}Z`);
		guess += wanted - shown;
	}
	return new Date(guess);
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
export { startOfWeek as A, findFree as B, firstWeekday as C, minutesOf as D, midnight as E, CALENDARS as F, loadEvent as H, changeEvent as I, createEvent as L, today as M, weekday as N, momentIn as O, zones as P, deleteEvent as R, daysFrom as S, later as T, loadEvents as U, importFile as V, MINUTES as _, monthInWords as a, clockAt as b, timesInWords as c, whenInWords as d, PHONE as f, place as g, move as h, lengthInWords as i, timeOf as j, monthWeeks as k, weekdayLong as l, eventAddress as m, dayShort as n, rangeInWords as o, VIEWS as p, hourInWords as r, timeInWords as s, dayLong as t, weekdayShort as u, addDays as v, isDay as w, daysBetween as x, addMonths as y, exportAddress as z };
