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
export { weekday as _, daysBetween as a, isDay as c, minutesOf as d, momentIn as f, today as g, timeOf as h, clockAt as i, later as l, startOfWeek as m, addDays as n, daysFrom as o, monthWeeks as p, addMonths as r, firstWeekday as s, MINUTES as t, midnight as u, zones as v };
