import { d, l as T, m as $, o as A, p as w, s as F, t as a, u as b } from "./vendor-preact.js";
import { r as useLoad } from "./load.js";
import { l as t, s as plural } from "./app.js";
import { a as Empty, d as Shown, f as Spinner, m as Tabs, n as Button, o as Field, p as Switch, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { r as toast } from "./toasts.js";
import { n as on } from "./bus.js";
import { C as findFree, E as loadEvents, S as exportAddress, T as loadEvent, _ as place, a as monthInWords, b as createEvent, c as timeInWords, d as weekdayShort, f as whenInWords, g as move, i as lengthInWords, l as timesInWords, m as VIEWS, n as dayShort, o as rangeInWords, p as PHONE, r as hourInWords, s as timeBrief, t as dayLong, u as weekdayLong, v as CALENDARS, w as importFile, x as deleteEvent, y as changeEvent } from "./words2.js";
import { n as Icon } from "./icons.js";
import { _ as weekday, a as daysBetween, c as isDay, d as minutesOf, f as momentIn, g as today, h as timeOf, i as clockAt, l as later, m as startOfWeek, n as addDays, o as daysFrom, p as monthWeeks, r as addMonths, s as firstWeekday, t as MINUTES, u as midnight, v as zones } from "./dates.js";
import { c as said, t as ApiError } from "./http.js";
import { U as Dialog } from "./start.js";
import { t as Markdown } from "./markdown.js";
import { t as zoneHere } from "./zone.js";
// src/pages/calendar/placing.ts
/** One time of one event. */
var keyOf = (event) => `${event.id} ${event.occurrence ?? event.start}`;
/** From when to when, in milliseconds of the epoch. */
function span(event) {
	if (event.all_day) return [midnight(event.start).getTime(), midnight(addDays(event.end, 1)).getTime()];
	return [Date.parse(event.start), Date.parse(event.end)];
}
function pieces(event) {
	const whole = {
		event,
		lane: 0,
		lanes: 1
	};
	if (event.all_day) {
		const days = [];
		for (let day = event.start; day <= event.end; day = addDays(day, 1)) days.push({
			...whole,
			day,
			from: 0,
			to: MINUTES,
			before: day > event.start,
			after: day < event.end
		});
		return days;
	}
	const start = clockAt(new Date(event.start));
	const end = clockAt(new Date(event.end));
	const found = [];
	for (let day = start.day; day <= end.day; day = addDays(day, 1)) {
		const from = day === start.day ? start.minutes : 0;
		const to = day === end.day ? end.minutes : MINUTES;
		if (to === 0 && day !== start.day) continue;
		found.push({
			...whole,
			day,
			from,
			to: Math.max(to, from),
			before: day > start.day,
			after: day < end.day && !(end.minutes === 0 && addDays(day, 1) === end.day)
		});
	}
	return found;
}
/** The pieces of every day, those of whole days first, then in the order of their times. */
function byDay(events) {
	const found = /* @__PURE__ */ new Map();
	for (const piece of events.flatMap(pieces)) found.set(piece.day, [...found.get(piece.day) ?? [], piece]);
	for (const list of found.values()) list.sort((one, two) => Number(two.event.all_day) - Number(one.event.all_day) || one.from - two.from || two.to - one.to);
	return found;
}
/** Pieces of one day side by side where they overlap. */
function inLanes(list) {
	const placed = [];
	let group = [];
	let until = 0;
	const close = () => {
		const lanes = Math.max(1, ...group.map((piece) => piece.lane + 1));
		for (const piece of group) placed.push({
			...piece,
			lanes
		});
		group = [];
	};
	const ends = [];
	for (const piece of [...list].sort((one, two) => one.from - two.from || two.to - one.to)) {
		if (group.length && piece.from >= until) {
			close();
			ends.length = 0;
		}
		const end = Math.max(piece.to, piece.from + 30);
		const free = ends.findIndex((taken) => taken <= piece.from);
		const lane = free < 0 ? ends.length : free;
		ends[lane] = end;
		until = Math.max(group.length ? until : 0, end);
		group.push({
			...piece,
			lane
		});
	}
	close();
	return placed;
}
/** What each event that takes up time shares time with. */
function overlaps(events) {
	const busy = events.filter((event) => event.status !== "free").map((event) => ({
		event,
		at: span(event)
	})).sort((one, two) => one.at[0] - two.at[0]);
	const found = /* @__PURE__ */ new Map();
	const add = (one, two) => found.set(keyOf(one), [...found.get(keyOf(one)) ?? [], two]);
	busy.forEach((one, place) => {
		for (let next = place + 1; next < busy.length && busy[next].at[0] < one.at[1]; next++) {
			const two = busy[next];
			if (two.at[1] <= one.at[0]) continue;
			add(one.event, two.event);
			add(two.event, one.event);
		}
	});
	return found;
}
// src/pages/calendar/chip.tsx
/** An event in a grid, and what is said of it to those who do not see the grid. */
var titleOf = (event) => event.title || t("Untitled");
function clashWords(event, clashes) {
	const others = clashes.get(keyOf(event)) ?? [];
	if (!others.length) return "";
	const named = others.slice(0, 2).map(titleOf).join(" and ");
	return others.length > 2 ? t("Overlaps with {named} and {count} more", {
		named,
		count: others.length - 2
	}) : t("Overlaps with {named}", { named });
}
function Chip({ piece, clashes, onOpen, style, class: more }) {
	const { event } = piece;
	const clash = clashWords(event, clashes);
	const timed = !event.all_day && !piece.before;
	const label = [
		titleOf(event),
		timesInWords(event),
		event.location,
		t("{calendar} calendar", { calendar: event.calendar }),
		clash
	].filter(Boolean).join(", ");
	return /* @__PURE__ */ a("button", {
		type: "button",
		tabIndex: -1,
		style,
		title: label,
		"aria-label": label,
		"data-event": keyOf(event),
		class: `cal-chip is-${event.calendar} is-${event.status} ${piece.before ? "is-going-on" : ""} ${more ?? ""}`,
		onClick: (click) => {
			click.stopPropagation();
			onOpen(event);
		},
		children: [
			clash ? /* @__PURE__ */ a(Icon, {
				name: "warn",
				size: 12
			}) : null,
			timed ? /* @__PURE__ */ a("span", {
				class: "cal-time",
				children: timeBrief(event.start)
			}) : null,
			/* @__PURE__ */ a("span", {
				class: "cal-name",
				children: titleOf(event)
			})
		]
	});
}
// src/pages/calendar/agenda.tsx
/** Events as a list, day by day. */
function Agenda({ days, found, onMore, ...handlers }) {
	const full = days.filter((day) => found.has(day));
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			full.map((day) => /* @__PURE__ */ a(AgendaDay, {
				day,
				list: found.get(day),
				...handlers
			}, day)),
			full.length ? null : /* @__PURE__ */ a(Empty, {
				icon: "calendar",
				title: t("No events in this period"),
				children: /* @__PURE__ */ a("p", { children: t("Create an event, ask the agent to find a time, or import a calendar file.") })
			}),
			onMore ? /* @__PURE__ */ a(Button, {
				class: "cal-further",
				icon: "chevron",
				onClick: onMore,
				children: t("Show two more weeks")
			}) : null
		]
	});
}
function AgendaDay({ day, list, clashes, onOpen, onNew }) {
	return /* @__PURE__ */ a("section", {
		class: "cal-day",
		"aria-label": dayLong(day),
		children: [/* @__PURE__ */ a("h3", { children: [
			dayLong(day),
			day === today() ? /* @__PURE__ */ a(Badge, {
				kind: "accent",
				children: t("today")
			}) : null,
			/* @__PURE__ */ a("button", {
				type: "button",
				class: "icon-button cal-day-add",
				"aria-label": t("New event on {day}", { day: dayLong(day) }),
				onClick: () => onNew(day),
				children: /* @__PURE__ */ a(Icon, {
					name: "plus",
					size: 16
				})
			})
		] }), /* @__PURE__ */ a("ul", {
			class: "list",
			children: [list.map((piece) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
				piece,
				clashes,
				onOpen
			}) }, piece.event.id + piece.event.start)), list.length ? null : /* @__PURE__ */ a("li", {
				class: "hint",
				children: t("No events.")
			})]
		})]
	});
}
function Row({ piece, clashes, onOpen }) {
	const { event } = piece;
	const clash = clashWords(event, clashes);
	return /* @__PURE__ */ a("button", {
		type: "button",
		class: `list-item cal-row is-${event.calendar} is-${event.status}`,
		onClick: () => onOpen(event),
		children: [/* @__PURE__ */ a("span", {
			class: "cal-row-time",
			children: timesInWords(event)
		}), /* @__PURE__ */ a("span", {
			class: "cal-row-what",
			children: [/* @__PURE__ */ a("strong", { children: titleOf(event) }), /* @__PURE__ */ a("small", {
				class: "row",
				children: [
					event.location ? /* @__PURE__ */ a("span", { children: event.location }) : null,
					/* @__PURE__ */ a(Badge, { children: event.calendar }),
					event.recurring ? /* @__PURE__ */ a(Badge, { children: t("repeats") }) : null,
					event.status === "busy" ? null : /* @__PURE__ */ a(Badge, { children: event.status }),
					piece.before || piece.after ? /* @__PURE__ */ a(Badge, { children: t("several days") }) : null,
					clash ? /* @__PURE__ */ a(Badge, {
						kind: "warn",
						children: [/* @__PURE__ */ a(Icon, {
							name: "warn",
							size: 12
						}), clash]
					}) : null
				]
			})]
		})]
	});
}
// src/pages/calendar/rules.ts
/** How an event repeats: a few choices, and the rules of RFC 5545 that they stand for. */
var DAYS = [
	"SU",
	"MO",
	"TU",
	"WE",
	"TH",
	"FR",
	"SA"
];
var WEEKDAYS = "MO,TU,WE,TH,FR";
function core(repeat, start) {
	const own = DAYS[weekday(start)];
	switch (repeat) {
		case "daily": return "FREQ=DAILY";
		case "weekdays": return `FREQ=WEEKLY;BYDAY=${WEEKDAYS}`;
		case "weekly": return `FREQ=WEEKLY;BYDAY=${own}`;
		case "biweekly": return `FREQ=WEEKLY;INTERVAL=2;BYDAY=${own}`;
		case "monthly": return `FREQ=MONTHLY;BYMONTHDAY=${Number(start.slice(8))}`;
		case "yearly": return "FREQ=YEARLY";
		default: return "";
	}
}
/** The rule of an event that starts on a day; empty: it does not repeat. */
function ruleOf({ repeat, ends, custom }, start, allDay, zone) {
	if (repeat === "none") return "";
	if (repeat === "custom") return custom.trim().replace(/^RRULE:/i, "");
	const rule = core(repeat, start);
	if (ends.kind === "count") return `${rule};COUNT=${ends.count}`;
	if (ends.kind === "until") return `${rule};UNTIL=${until(ends.day, allDay, zone)}`;
	return rule;
}
/** The last moment of a day in the zone of the event: a time on that day still counts. */
function until(day, allDay, zone) {
	const plain = day.replaceAll("-", "");
	if (allDay) return plain;
	const over = momentIn(addDays(day, 1), "00:00", zone);
	if (!over) return `${plain}T235959Z`;
	return (/* @__PURE__ */ new Date(over.getTime() - 1e3)).toISOString().replace(/[-:]|\.\d+/g, "");
}
/** What a rule is among the choices. */
function recurrenceOf(rule, start, zone) {
	const none = {
		repeat: "none",
		ends: { kind: "never" },
		custom: ""
	};
	if (!rule) return none;
	const custom = {
		...none,
		repeat: "custom",
		custom: rule
	};
	const parts = new Map(rule.split(";").map((part) => part.split("=", 2)));
	const count = parts.get("COUNT");
	const end = parts.get("UNTIL");
	const ends = count ? {
		kind: "count",
		count: Number(count)
	} : end ? {
		kind: "until",
		day: lastDay(end, zone)
	} : { kind: "never" };
	if (ends.kind === "until" && !isDay(ends.day)) return custom;
	const rest = rule.split(";").filter((part) => !/^(COUNT|UNTIL|WKST)=/.test(part));
	for (const repeat of [
		"daily",
		"weekdays",
		"weekly",
		"biweekly",
		"monthly",
		"yearly"
	]) {
		const own = core(repeat, start).split(";");
		const short = own.filter((part) => !/^BY/.test(part));
		if (same(rest, own) || repeat !== "weekdays" && same(rest, short)) return {
			repeat,
			ends,
			custom: rule
		};
	}
	return custom;
}
var same = (one, two) => [...one].sort().join(";") === [...two].sort().join(";");
function lastDay(text, zone) {
	const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
	if (!found) return "";
	const [, year, month, date, hour, minute, second, z] = found;
	const day = `${year}-${month}-${date}`;
	if (!hour || !z) return day;
	try {
		return new Intl.DateTimeFormat("en-CA", {
			timeZone: zone,
			year: "numeric",
			month: "2-digit",
			day: "2-digit"
		}).format(Date.parse(`${day}T${hour}:${minute}:${second}Z`));
	} catch {
		return day;
	}
}
var REPEATS = {
	none: () => t("Does not repeat"),
	daily: () => t("Every day"),
	weekdays: () => t("Every weekday, Monday to Friday"),
	weekly: (name) => t("Every week on {name}", { name }),
	biweekly: (name) => t("Every two weeks on {name}", { name }),
	monthly: (_, date) => t("Every month on day {date}", { date }),
	yearly: () => t("Every year"),
	custom: () => t("Custom rule")
};
function ruleInWords(rule, start, zone, weekdayName) {
	const { repeat, ends, custom } = recurrenceOf(rule, start, zone);
	if (repeat === "custom") return t("Repeats by the rule {custom}", { custom });
	const words = REPEATS[repeat](weekdayName, Number(start.slice(8)));
	if (ends.kind === "count") return plural(ends.count, "{words}, once", "{words}, {count} times", { words });
	return ends.kind === "until" ? t("{words}, until {day}", {
		words,
		day: dayShort(ends.day)
	}) : words;
}
// src/pages/calendar/form-state.ts
/** What the form of an event holds, and how it becomes what the server is told. */
/** A new event at `2030-01-14` or `2030-01-14T10:00`; else at the next full hour. */
function newForm(wanted, fallback, minutes, now = /* @__PURE__ */ new Date()) {
	const [day = "", time = ""] = wanted.split("T");
	const next = clockAt(new Date(now.getTime() + 36e5));
	const soon = `${next.time.slice(0, 2)}:00`;
	const onDay = isDay(day) ? day : fallback < clockAt(now).day ? next.day : fallback;
	const startTime = /^\d\d:\d\d$/.test(time) ? time : onDay <= next.day ? soon : "09:00";
	const startDay = onDay < next.day && !time && !isDay(day) ? next.day : onDay;
	const end = later(startDay, startTime, minutes);
	return {
		title: "",
		allDay: false,
		startDay,
		startTime,
		endDay: end.day,
		endTime: end.time,
		zone: zoneHere(),
		offset: "",
		calendar: "primary",
		location: "",
		description: "",
		people: "",
		status: "busy",
		recurrence: {
			repeat: "none",
			ends: { kind: "never" },
			custom: ""
		}
	};
}
function formOf(event) {
	const zone = event.time_zone ?? (event.all_day ? zoneHere() : "");
	const start = {
		day: event.start.slice(0, 10),
		time: event.all_day ? "09:00" : event.start.slice(11, 16)
	};
	const end = {
		day: event.end.slice(0, 10),
		time: event.all_day ? "10:00" : event.end.slice(11, 16)
	};
	return {
		title: event.title,
		allDay: event.all_day,
		startDay: start.day,
		startTime: start.time,
		endDay: end.day,
		endTime: end.time,
		zone,
		offset: event.all_day ? "" : event.start.slice(19),
		calendar: event.calendar,
		location: event.location,
		description: event.description,
		people: event.attendees.join(", "),
		status: event.status,
		recurrence: recurrenceOf(event.recurrence, start.day, zone || "UTC")
	};
}
/** The end goes with the start, so that the event keeps its length. */
function moved(form, change) {
	const next = {
		...form,
		...change
	};
	if (!isDay(next.startDay) || !/^\d\d:\d\d$/.test(next.startTime)) return next;
	if (form.allDay) return {
		...next,
		endDay: addDays(next.startDay, Math.max(0, daysBetween(form.startDay, form.endDay)))
	};
	const length = daysBetween(form.startDay, form.endDay) * MINUTES + minutesOf(form.endTime) - minutesOf(form.startTime);
	const end = later(next.startDay, next.startTime, length > 0 ? length : 60);
	return {
		...next,
		endDay: end.day,
		endTime: end.time
	};
}
/** Whole days are mostly free: a birthday is no meeting. */
function asAllDay(form, allDay) {
	const endDay = allDay && form.endDay < form.startDay ? form.startDay : form.endDay;
	return {
		...form,
		allDay,
		endDay,
		status: allDay && form.status === "busy" ? "free" : !allDay && form.status === "free" ? "busy" : form.status
	};
}
var people = (text) => text.split(/[\s,;]+/).filter(Boolean);
/** What is wrong that can be seen here; the server says the rest. */
function wrongIn(form) {
	const wrong = {};
	if (!form.title.trim()) wrong["title"] = t("Enter a title.");
	if (!isDay(form.startDay)) wrong["start_time"] = t("Choose a date.");
	if (!isDay(form.endDay)) wrong["end_time"] = t("Choose a date.");
	const [start, end] = [`${form.startDay}T${form.startTime}`, `${form.endDay}T${form.endTime}`];
	if (!wrong["start_time"] && !wrong["end_time"]) {
		if (form.allDay ? form.endDay < form.startDay : end <= start) wrong["end_time"] = t("The event ends before it starts. Choose a later end.");
	}
	const bad = people(form.people).find((each) => !/^\S+@\S+\.\S+$/.test(each));
	if (bad) wrong["attendees"] = t("“{bad}” is not a valid email address.", { bad });
	return wrong;
}
/** `once`: one time of a series, which has no rule of its own. */
function bodyOf(form, once) {
	const at = (day, time) => form.allDay ? day : form.zone ? `${day}T${time}` : `${day}T${time}:00${form.offset || "Z"}`;
	const rule = once ? "" : ruleOf(form.recurrence, form.startDay, form.allDay, form.zone || "UTC");
	return {
		title: form.title.trim(),
		start_time: at(form.startDay, form.startTime),
		end_time: at(form.endDay, form.endTime),
		...form.zone ? { time_zone: form.zone } : {},
		all_day: form.allDay,
		calendar: form.calendar,
		description: form.description,
		location: form.location.trim(),
		attendees: people(form.people),
		status: form.status,
		...rule ? { recurrence: rule } : {}
	};
}
// src/pages/calendar/form.tsx
/** The form of an event: a new one, one that is there, or one time of a series. */
function EventForm({ event, once, wanted, day, minutes, onClose, onSaved }) {
	const [form, set] = d(() => event ? formOf(event) : newForm(wanted ?? "", day, minutes));
	const [wrong, tell] = d({});
	const [problem, fail] = d(null);
	const [clash, found] = d(null);
	const [busy, work] = d(false);
	const key = w(() => crypto.randomUUID(), []);
	const title = T(null);
	const box = T(null);
	F(() => title.current?.focus(), []);
	const change = (next) => {
		set((before) => ({
			...before,
			...next
		}));
		found(null);
	};
	const at = (next) => {
		set((before) => moved(before, next));
		found(null);
	};
	const submit = async (allowOverlap) => {
		const seen = wrongIn(form);
		tell(seen);
		fail(null);
		if (Object.keys(seen).length) return focusFirst();
		work(true);
		try {
			const body = {
				...bodyOf(form, !!once),
				allow_overlap: allowOverlap
			};
			const saved = event ? await changeEvent(event, once ? event.occurrence : null, body) : await createEvent(body, key);
			for (const words of saved.warnings) toast(words);
			onSaved(saved);
		} catch (error) {
			refused(error);
			work(false);
		}
	};
	const refused = (error) => {
		const body = error instanceof ApiError ? error.body : null;
		if (body?.overlaps) return found(body.overlaps);
		const fields = Object.fromEntries((body?.errors ?? []).filter((each) => each.pointer).map((each) => [each.pointer.replace(/^\//, ""), each.expected ? t("{message}. Try {expected}.", {
			message: capital(each.message),
			expected: each.expected
		}) : capital(each.message)]));
		if (Object.keys(fields).length) {
			tell(fields);
			focusFirst();
		} else fail(said(error));
	};
	const focusFirst = () => setTimeout(() => box.current?.querySelector("[aria-invalid=\"true\"]")?.focus());
	return /* @__PURE__ */ a(Dialog, {
		title: event ? once ? t("Edit this occurrence") : event.recurring ? t("Edit series") : t("Edit event") : t("New event"),
		onClose,
		class: "cal-dialog",
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			ref: box,
			noValidate: true,
			onSubmit: (submitted) => {
				submitted.preventDefault();
				submit(false);
			},
			children: [
				/* @__PURE__ */ a(Field, {
					label: t("Title"),
					error: wrong["title"],
					children: (attributes) => /* @__PURE__ */ a("input", {
						...attributes,
						ref: title,
						type: "text",
						maxLength: 200,
						value: form.title,
						autocomplete: "off",
						onInput: (input) => change({ title: input.currentTarget.value })
					})
				}),
				/* @__PURE__ */ a(Switch, {
					label: t("All day"),
					checked: form.allDay,
					onChange: (on) => set((before) => asAllDay(before, on))
				}),
				/* @__PURE__ */ a("div", {
					class: "cal-times",
					children: [/* @__PURE__ */ a(Field, {
						label: form.allDay ? t("First day") : t("Starts"),
						error: wrong["start_time"],
						children: (attributes) => /* @__PURE__ */ a("div", {
							class: "row cal-when",
							children: [/* @__PURE__ */ a("input", {
								...attributes,
								type: "date",
								value: form.startDay,
								onInput: (input) => at({ startDay: input.currentTarget.value })
							}), form.allDay ? null : /* @__PURE__ */ a("input", {
								type: "time",
								"aria-label": t("Start time"),
								value: form.startTime,
								onInput: (input) => at({ startTime: input.currentTarget.value })
							})]
						})
					}), /* @__PURE__ */ a(Field, {
						label: form.allDay ? t("Last day") : t("Ends"),
						error: wrong["end_time"],
						children: (attributes) => /* @__PURE__ */ a("div", {
							class: "row cal-when",
							children: [/* @__PURE__ */ a("input", {
								...attributes,
								type: "date",
								value: form.endDay,
								onInput: (input) => change({ endDay: input.currentTarget.value })
							}), form.allDay ? null : /* @__PURE__ */ a("input", {
								type: "time",
								"aria-label": t("End time"),
								value: form.endTime,
								onInput: (input) => change({ endTime: input.currentTarget.value })
							})]
						})
					})]
				}),
				form.allDay ? null : /* @__PURE__ */ a(Field, {
					label: t("Time zone"),
					error: wrong["time_zone"],
					hint: form.zone ? void 0 : t("This event has its own time zone, {offset}. Choose another, or leave it.", { offset: form.offset }),
					children: (attributes) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("input", {
						...attributes,
						type: "text",
						list: "cal-zones",
						value: form.zone,
						autocomplete: "off",
						onInput: (input) => change({ zone: input.currentTarget.value.trim() })
					}), /* @__PURE__ */ a("datalist", {
						id: "cal-zones",
						children: zones().map((name) => /* @__PURE__ */ a("option", { value: name }, name))
					})] })
				}),
				once ? null : /* @__PURE__ */ a(Repeating, {
					form,
					change,
					error: wrong["recurrence"]
				}),
				/* @__PURE__ */ a("div", {
					class: "cal-times",
					children: [
						/* @__PURE__ */ a(Field, {
							label: t("Location"),
							children: (attributes) => /* @__PURE__ */ a("input", {
								...attributes,
								type: "text",
								maxLength: 1e3,
								value: form.location,
								onInput: (input) => change({ location: input.currentTarget.value })
							})
						}),
						/* @__PURE__ */ a(Field, {
							label: t("Show as"),
							children: (attributes) => /* @__PURE__ */ a("select", {
								...attributes,
								value: form.status,
								onChange: (input) => change({ status: input.currentTarget.value }),
								children: [
									/* @__PURE__ */ a("option", {
										value: "busy",
										children: t("Busy")
									}),
									/* @__PURE__ */ a("option", {
										value: "tentative",
										children: t("Tentative")
									}),
									/* @__PURE__ */ a("option", {
										value: "free",
										children: t("Free")
									})
								]
							})
						}),
						event ? null : /* @__PURE__ */ a(Field, {
							label: t("Calendar"),
							hint: form.calendar === "team" ? t("Everyone can see this calendar.") : void 0,
							children: (attributes) => /* @__PURE__ */ a("select", {
								...attributes,
								value: form.calendar,
								onChange: (input) => change({ calendar: input.currentTarget.value }),
								children: CALENDARS.map((name) => /* @__PURE__ */ a("option", {
									value: name,
									children: name
								}, name))
							})
						})
					]
				}),
				/* @__PURE__ */ a("details", {
					open: !!form.people || !!form.description,
					children: [/* @__PURE__ */ a("summary", { children: t("Guests and notes") }), /* @__PURE__ */ a("div", {
						class: "stack",
						children: [/* @__PURE__ */ a(Field, {
							label: t("Guests"),
							hint: t("Email addresses, separated by commas."),
							error: wrong["attendees"],
							children: (attributes) => /* @__PURE__ */ a("input", {
								...attributes,
								type: "text",
								value: form.people,
								onInput: (input) => change({ people: input.currentTarget.value })
							})
						}), /* @__PURE__ */ a(Field, {
							label: t("Notes"),
							children: (attributes) => /* @__PURE__ */ a("textarea", {
								...attributes,
								rows: 3,
								maxLength: 2e4,
								value: form.description,
								onInput: (input) => change({ description: input.currentTarget.value })
							})
						})]
					})]
				}),
				/* @__PURE__ */ a("div", {
					class: "cal-foot",
					children: [
						problem ? /* @__PURE__ */ a(Problem, { error: new Error(problem) }) : null,
						clash ? /* @__PURE__ */ a(Clash, { overlaps: clash }) : null,
						/* @__PURE__ */ a("div", {
							class: "row",
							children: [
								/* @__PURE__ */ a("span", { class: "spring" }),
								/* @__PURE__ */ a(Button, {
									onClick: onClose,
									children: t("Cancel")
								}),
								clash ? /* @__PURE__ */ a(Button, {
									kind: "primary",
									busy,
									onClick: () => submit(true),
									children: t("Save anyway")
								}) : /* @__PURE__ */ a(Button, {
									type: "submit",
									kind: "primary",
									busy,
									children: event ? t("Save") : t("Create event")
								})
							]
						})
					]
				})
			]
		})
	});
}
var capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
function Clash({ overlaps }) {
	return /* @__PURE__ */ a("div", {
		class: "cal-clash",
		role: "alert",
		children: [/* @__PURE__ */ a("p", { children: [
			/* @__PURE__ */ a("strong", { children: t("That time is taken.") }),
			" ",
			t("Choose another, or save anyway.")
		] }), /* @__PURE__ */ a("ul", { children: overlaps.map((one) => /* @__PURE__ */ a("li", { children: [
			titleOf(one),
			", ",
			whenInWords({
				...one,
				all_day: false
			}),
			" (",
			one.calendar,
			")"
		] }, one.start + one.title)) })]
	});
}
function Repeating({ form, change, error }) {
	const { repeat, ends, custom } = form.recurrence;
	const put = (next) => change({ recurrence: {
		...form.recurrence,
		...next
	} });
	const end = (kind) => put({ ends: kind === "count" ? {
		kind,
		count: 10
	} : kind === "until" ? {
		kind,
		day: form.startDay
	} : { kind } });
	const name = form.startDay ? weekdayLong(form.startDay) : "";
	return /* @__PURE__ */ a("div", {
		class: "cal-times",
		children: [/* @__PURE__ */ a(Field, {
			label: t("Repeats"),
			error: repeat === "custom" ? null : error,
			children: (attributes) => /* @__PURE__ */ a("select", {
				...attributes,
				value: repeat,
				onChange: (input) => put({ repeat: input.currentTarget.value }),
				children: Object.entries(REPEATS).map(([id, words]) => /* @__PURE__ */ a("option", {
					value: id,
					children: words(name, Number(form.startDay.slice(8)))
				}, id))
			})
		}), repeat === "custom" ? /* @__PURE__ */ a(Field, {
			label: t("Rule"),
			hint: t("RFC 5545, such as FREQ=MONTHLY;BYDAY=2TU"),
			error,
			children: (attributes) => /* @__PURE__ */ a("input", {
				...attributes,
				type: "text",
				value: custom,
				onInput: (input) => put({ custom: input.currentTarget.value })
			})
		}) : repeat === "none" ? null : /* @__PURE__ */ a(Field, {
			label: t("Until"),
			children: (attributes) => /* @__PURE__ */ a("div", {
				class: "row cal-when",
				children: [
					/* @__PURE__ */ a("select", {
						...attributes,
						value: ends.kind,
						onChange: (input) => end(input.currentTarget.value),
						children: [
							/* @__PURE__ */ a("option", {
								value: "never",
								children: t("forever")
							}),
							/* @__PURE__ */ a("option", {
								value: "count",
								children: t("a number of times")
							}),
							/* @__PURE__ */ a("option", {
								value: "until",
								children: t("a date")
							})
						]
					}),
					ends.kind === "count" ? /* @__PURE__ */ a("input", {
						type: "number",
						"aria-label": t("Number of times"),
						min: 1,
						max: 999,
						value: ends.count,
						onInput: (input) => put({ ends: {
							kind: "count",
							count: Math.max(1, Number(input.currentTarget.value) || 1)
						} })
					}) : null,
					ends.kind === "until" ? /* @__PURE__ */ a("input", {
						type: "date",
						"aria-label": t("Last day"),
						min: form.startDay,
						value: ends.day,
						onInput: (input) => put({ ends: {
							kind: "until",
							day: input.currentTarget.value
						} })
					}) : null
				]
			})
		})]
	});
}
// src/pages/calendar/event.tsx
/** One event: what it is, and ways to change or delete it. */
function EventDialog(props) {
	const { id, occurrence, listed, changeable, onClose, onChanged } = props;
	const [editing, edit] = d(null);
	const whole = useLoad((signal) => changeable ? loadEvent(id, null, signal) : Promise.resolve(null), [id, changeable]);
	const once = useLoad((signal) => changeable && occurrence ? loadEvent(id, occurrence, signal) : Promise.resolve(null), [
		id,
		occurrence,
		changeable
	]);
	const event = editing === "all" ? whole.data : occurrence ? once.data : whole.data;
	if (editing && event) return /* @__PURE__ */ a(EventForm, {
		event,
		once: editing === "once",
		day: props.day,
		minutes: 60,
		onClose: () => edit(null),
		onSaved: () => {
			toast(t("Saved."), { kind: "good" });
			onChanged();
		}
	});
	if (!changeable) return /* @__PURE__ */ a(Dialog, {
		title: listed ? titleOf(listed) : t("Event"),
		onClose,
		children: [listed ? /* @__PURE__ */ a(Facts, {
			event: listed,
			clash: clashWords(listed, props.clashes),
			rule: "",
			people: listed.attendees ? plural(listed.attendees, "{count} person", "{count} people") : ""
		}) : null, /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Stored in {place}. Change it there.", { place: props.keptBy })
		})]
	});
	const loaded = occurrence ? once : whole;
	return /* @__PURE__ */ a(Dialog, {
		title: listed ? titleOf(listed) : event ? titleOf(event) : t("Event"),
		onClose,
		children: loaded.error && !loaded.data ? /* @__PURE__ */ a(Problem, { error: loaded.error }) : /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: (found) => found ? /* @__PURE__ */ a(Details, {
				event: found,
				whole: whole.data,
				clash: listed ? clashWords(listed, props.clashes) : "",
				onEdit: edit,
				onDeleted: onChanged
			}) : null
		})
	});
}
function Details({ event, whole, clash, onEdit, onDeleted }) {
	const [asking, ask] = d(false);
	const [busy, work] = d(false);
	const safe = b((group) => group?.querySelector("button")?.focus(), []);
	const series = event.recurring && event.occurrence !== null;
	const rule = whole?.recurring ? ruleInWords(whole.recurrence, whole.start.slice(0, 10), whole.time_zone ?? "UTC", weekdayLong(whole.start.slice(0, 10))) : "";
	const remove = async (occurrence) => {
		work(true);
		try {
			await deleteEvent(occurrence === null && whole ? whole : event, occurrence);
			toast(occurrence ? t("This occurrence was removed from the series.") : t("{event} deleted.", { event: titleOf(event) }), { kind: "good" });
			onDeleted();
		} catch (error) {
			toast(said(error), { kind: "bad" });
			work(false);
		}
	};
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Facts, {
		event,
		clash,
		rule,
		people: event.attendees.join(", "),
		zone: event.time_zone,
		url: event.url
	}), asking ? /* @__PURE__ */ a("div", {
		class: "row cal-acts",
		role: "group",
		"aria-label": t("Delete"),
		ref: safe,
		children: [
			/* @__PURE__ */ a("p", {
				class: "cal-ask",
				children: series ? t("Delete this occurrence or the whole series?") : t("Delete permanently?")
			}),
			/* @__PURE__ */ a("span", { class: "spring" }),
			/* @__PURE__ */ a(Button, {
				onClick: () => ask(false),
				children: t("Cancel")
			}),
			series ? /* @__PURE__ */ a(Button, {
				kind: "danger",
				busy,
				onClick: () => remove(event.occurrence),
				children: t("Delete occurrence")
			}) : null,
			/* @__PURE__ */ a(Button, {
				kind: "danger",
				busy,
				onClick: () => remove(null),
				children: series ? t("Delete series") : t("Delete")
			})
		]
	}) : /* @__PURE__ */ a("div", {
		class: "row cal-acts",
		children: [
			/* @__PURE__ */ a(Button, {
				kind: "danger",
				icon: "trash",
				onClick: () => ask(true),
				children: t("Delete")
			}),
			/* @__PURE__ */ a("span", { class: "spring" }),
			series ? /* @__PURE__ */ a(Button, {
				icon: "edit",
				onClick: () => onEdit("once"),
				children: t("Edit occurrence")
			}) : null,
			/* @__PURE__ */ a(Button, {
				icon: "edit",
				kind: series ? "plain" : "primary",
				disabled: !whole,
				onClick: () => onEdit("all"),
				children: series ? t("Edit series") : t("Edit")
			})
		]
	})] });
}
function Facts({ event, clash, rule, people, zone, url }) {
	const foreign = zone && !event.all_day && zone !== zoneHere();
	return /* @__PURE__ */ a("div", {
		class: "cal-facts",
		children: [
			/* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a(Icon, {
				name: "clock",
				size: 16
			}), /* @__PURE__ */ a("span", { children: [whenInWords(event), foreign ? /* @__PURE__ */ a("small", {
				class: "hint",
				children: [" ", t("(created in {zone})", { zone })]
			}) : null] })] }),
			rule ? /* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a(Icon, {
				name: "refresh",
				size: 16
			}), /* @__PURE__ */ a("span", { children: rule })] }) : null,
			event.location ? /* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a(Icon, {
				name: "place",
				size: 16
			}), /* @__PURE__ */ a("span", { children: event.location })] }) : null,
			people ? /* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a(Icon, {
				name: "people",
				size: 16
			}), /* @__PURE__ */ a("span", { children: people })] }) : null,
			url ? /* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a(Icon, {
				name: "external",
				size: 16
			}), /* @__PURE__ */ a("a", {
				href: url,
				target: "_blank",
				rel: "noopener noreferrer",
				children: url
			})] }) : null,
			/* @__PURE__ */ a("p", {
				class: "row",
				children: [
					/* @__PURE__ */ a(Badge, { children: event.calendar }),
					event.status === "busy" ? null : /* @__PURE__ */ a(Badge, { children: event.status }),
					clash ? /* @__PURE__ */ a(Badge, {
						kind: "warn",
						children: clash
					}) : null
				]
			}),
			event.description ? /* @__PURE__ */ a(Markdown, { text: event.description }) : null
		]
	});
}
// src/pages/calendar/files.tsx
/** Calendar files in and out. */
var MOST_SHOWN = 50;
var MOST_BYTES = 10485760;
function Files({ keptBy, onClose, onImported }) {
	const [calendar, choose] = d("primary");
	const [file, take] = d(null);
	const [busy, work] = d(false);
	const [problem, tell] = d(null);
	const [broken, found] = d([]);
	const [report, done] = d(null);
	const bring = async (skip) => {
		if (!file) return tell(t("Choose an .ics file first."));
		if (file.size > MOST_BYTES) return tell(t("The file is larger than 10 MiB. Split it, or use `antiphon calendar import`."));
		work(true);
		tell(null);
		found([]);
		done(null);
		try {
			done(await importFile(file, calendar, skip));
			onImported();
		} catch (error) {
			const events = error instanceof ApiError ? error.body?.events : void 0;
			if (events?.length) found(events);
			else tell(said(error));
		} finally {
			work(false);
		}
	};
	if (keptBy) return /* @__PURE__ */ a(Dialog, {
		title: t("Calendar files"),
		onClose,
		children: /* @__PURE__ */ a("p", { children: t("Your events are stored in {place}. Import and export files there; they appear here.", { place: keptBy }) })
	});
	return /* @__PURE__ */ a(Dialog, {
		title: t("Calendar files"),
		onClose,
		class: "cal-dialog",
		children: [
			/* @__PURE__ */ a(Field, {
				label: t("Calendar"),
				children: (attributes) => /* @__PURE__ */ a("select", {
					...attributes,
					value: calendar,
					onChange: (event) => choose(event.currentTarget.value),
					children: CALENDARS.map((name) => /* @__PURE__ */ a("option", {
						value: name,
						children: name
					}, name))
				})
			}),
			/* @__PURE__ */ a("form", {
				class: "stack",
				onSubmit: (event) => {
					event.preventDefault();
					bring(false);
				},
				children: [/* @__PURE__ */ a(Field, {
					label: t("Import a file"),
					hint: t("An .ics file from any calendar app. Importing the same file again changes nothing."),
					error: problem,
					children: (attributes) => /* @__PURE__ */ a("input", {
						...attributes,
						type: "file",
						accept: ".ics,text/calendar",
						onChange: (event) => {
							take(event.currentTarget.files?.[0] ?? null);
							found([]);
							done(null);
							tell(null);
						}
					})
				}), /* @__PURE__ */ a(Button, {
					type: "submit",
					kind: "primary",
					icon: "upload",
					busy,
					children: t("Import into {calendar}", { calendar })
				})]
			}),
			broken.length ? /* @__PURE__ */ a("div", {
				class: "stack",
				role: "alert",
				children: [
					/* @__PURE__ */ a(Problem, { error: new Error(plural(broken.length, "Nothing was imported: {count} event is not valid.", "Nothing was imported: {count} events are not valid.")) }),
					/* @__PURE__ */ a(Broken, { list: broken }),
					/* @__PURE__ */ a(Button, {
						busy,
						onClick: () => bring(true),
						children: t("Import the valid ones")
					})
				]
			}) : null,
			report ? /* @__PURE__ */ a(Report, { report }) : null,
			/* @__PURE__ */ a("hr", { class: "cal-line" }),
			/* @__PURE__ */ a("p", {
				class: "row",
				children: /* @__PURE__ */ a("a", {
					class: "button plain",
					href: exportAddress(calendar),
					download: `${calendar}.ics`,
					children: t("Export {calendar}", { calendar })
				})
			})
		]
	});
}
function Broken({ list }) {
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		tabIndex: 0,
		role: "region",
		"aria-label": t("Events that are not valid"),
		children: [/* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: t("Line")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("Event")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("Problem")
			})
		] }) }), /* @__PURE__ */ a("tbody", { children: list.slice(0, MOST_SHOWN).map((one) => /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("td", {
				class: "number",
				children: one.line
			}),
			/* @__PURE__ */ a("td", { children: one.title || one.uid || t("untitled") }),
			/* @__PURE__ */ a("td", { children: [
				/* @__PURE__ */ a("code", { children: one.property }),
				" ",
				one.problem
			] })
		] }, `${one.line}${one.property}`)) })] }), list.length > MOST_SHOWN ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("And {count} more.", { count: list.length - MOST_SHOWN })
		}) : null]
	});
}
function Report({ report }) {
	const others = Object.entries(report.others).map(([kind, count]) => `${count} of ${kind}`).join(", ");
	return /* @__PURE__ */ a("div", {
		class: "cal-report",
		role: "status",
		children: [
			/* @__PURE__ */ a("p", { children: t("{added} added, {updated} updated, {unchanged} unchanged.", {
				added: report.added,
				updated: report.updated,
				unchanged: report.unchanged
			}) }),
			others ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("Skipped, because they are not events: {others}.", { others })
			}) : null,
			report.skipped.length ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", { children: t("Skipped:") }), /* @__PURE__ */ a(Broken, { list: report.skipped })] }) : null
		]
	});
}
// src/pages/calendar/free.tsx
/** Finding free time: how long, between which hours, in which days. */
var LENGTHS = [
	15,
	30,
	45,
	60,
	90,
	120,
	180
];
var FIRST_DAYS = 3;
function FindFree({ calendars, onPick }) {
	const [start, setStart] = d(today());
	const [end, setEnd] = d(addDays(today(), 6));
	const [minutes, setMinutes] = d(60);
	const [hours, setHours] = d({
		from: "09:00",
		to: "17:00"
	});
	const [workdays, setWorkdays] = d(true);
	const [found, show] = d(null);
	const [problem, tell] = d(null);
	const [busy, work] = d(false);
	const asking = T(null);
	const look = async (event) => {
		event.preventDefault();
		asking.current?.abort();
		const own = asking.current = new AbortController();
		work(true);
		tell(null);
		try {
			const asked = {
				start,
				end,
				zone: zoneHere(),
				minutes,
				dayStart: hours.from,
				dayEnd: hours.to,
				workdays
			};
			show(await findFree(asked, calendars, own.signal));
		} catch (error) {
			if (own.signal.aborted) return;
			show(null);
			tell(said(error));
		} finally {
			if (asking.current === own) work(false);
		}
	};
	return /* @__PURE__ */ a(Card, {
		title: t("Find a free time"),
		tour: "calendar-availability",
		children: [
			/* @__PURE__ */ a("form", {
				class: "cal-find",
				onSubmit: look,
				children: [
					/* @__PURE__ */ a("div", {
						class: "is-wide",
						children: /* @__PURE__ */ a(Field, {
							label: t("Duration"),
							children: (attributes) => /* @__PURE__ */ a("select", {
								...attributes,
								value: minutes,
								onChange: (event) => setMinutes(Number(event.currentTarget.value)),
								children: LENGTHS.map((each) => /* @__PURE__ */ a("option", {
									value: each,
									children: lengthInWords(each)
								}, each))
							})
						})
					}),
					/* @__PURE__ */ a("div", {
						class: "is-wide",
						children: /* @__PURE__ */ a(Field, {
							label: t("From"),
							children: (attributes) => /* @__PURE__ */ a("input", {
								...attributes,
								type: "date",
								value: start,
								onInput: (event) => {
									const day = event.currentTarget.value;
									setStart(day);
									if (isDay(day) && end < day) setEnd(addDays(day, 6));
								}
							})
						})
					}),
					/* @__PURE__ */ a("div", {
						class: "is-wide",
						children: /* @__PURE__ */ a(Field, {
							label: t("To"),
							children: (attributes) => /* @__PURE__ */ a("input", {
								...attributes,
								type: "date",
								value: end,
								onInput: (event) => setEnd(event.currentTarget.value)
							})
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Earliest time"),
						children: (attributes) => /* @__PURE__ */ a("input", {
							...attributes,
							type: "time",
							value: hours.from,
							onInput: (event) => setHours({
								...hours,
								from: event.currentTarget.value
							})
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Latest time"),
						children: (attributes) => /* @__PURE__ */ a("input", {
							...attributes,
							type: "time",
							value: hours.to,
							onInput: (event) => setHours({
								...hours,
								to: event.currentTarget.value
							})
						})
					}),
					/* @__PURE__ */ a(Switch, {
						label: t("Monday to Friday only"),
						checked: workdays,
						onChange: setWorkdays
					}),
					/* @__PURE__ */ a(Button, {
						type: "submit",
						icon: "search",
						busy,
						children: t("Find times")
					})
				]
			}),
			problem ? /* @__PURE__ */ a(Problem, { error: new Error(problem) }) : null,
			found ? /* @__PURE__ */ a(Slots, {
				found,
				minutes,
				onPick
			}) : null
		]
	});
}
function Slots({ found, minutes, onPick }) {
	const slots = found.available_slots;
	const [all, unfold] = d(false);
	A(() => unfold(false), [found]);
	const days = /* @__PURE__ */ new Map();
	for (const slot of slots) {
		const { day } = clockAt(new Date(slot.start));
		days.set(day, [...days.get(day) ?? [], slot]);
	}
	return /* @__PURE__ */ a("div", {
		class: "cal-slots",
		children: [
			/* @__PURE__ */ a("p", {
				class: "hint",
				role: "status",
				children: slots.length ? plural(slots.length, "{count} free slot. Choose it to add an event.", "{count} free slots. Choose one to add an event.") : t("No free time of that length. Try a shorter duration or more days.")
			}),
			[...days].slice(0, all ? days.size : FIRST_DAYS).map(([day, list]) => /* @__PURE__ */ a("section", {
				"aria-label": dayShort(day),
				children: [/* @__PURE__ */ a("h3", { children: dayShort(day) }), /* @__PURE__ */ a("div", {
					class: "row",
					children: list.map((slot) => {
						const { time } = clockAt(new Date(slot.start));
						return /* @__PURE__ */ a("button", {
							type: "button",
							class: "cal-slot-button",
							onClick: () => onPick(`${day}T${time}`, minutes),
							children: [
								timeInWords(slot.start),
								" – ",
								timeInWords(slot.end),
								" ",
								/* @__PURE__ */ a("small", { children: lengthInWords(slot.duration_minutes) })
							]
						}, slot.start);
					})
				})]
			}, day)),
			!all && days.size > FIRST_DAYS ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "down",
				onClick: () => unfold(true),
				children: plural(days.size - FIRST_DAYS, "{count} more day", "{count} more days")
			}) : null
		]
	});
}
// src/pages/calendar/grid.ts
/**
* Keys in a grid of cells, as the ARIA pattern says: one cell is in the tab order, arrows move from
* cell to cell, Enter goes into a cell or acts on it, Escape comes back out.
*
* A key is about the cell that the keys before it led to, drawn or not: somebody who types quickly
* is ahead of the page.
*/
/** The handlers of a grid. `at` names the cell in the tab order; it has that `data-cell`. */
function useGrid(at, { moved, go, act }) {
	const grid = T(null);
	/** Where the keys led, while it is not drawn. */
	const ahead = T(null);
	const focus = (name) => {
		const cell = grid.current?.querySelector(`[data-cell="${name}"]`);
		cell?.focus();
		return Boolean(cell);
	};
	F(() => {
		if (ahead.current && focus(ahead.current)) ahead.current = null;
	}, [at]);
	const onKeyDown = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const target = event.target;
		const cell = target.closest("[data-cell]");
		if (!cell) return;
		const inside = [...cell.querySelectorAll("button")];
		const place = inside.indexOf(target);
		if (place >= 0) {
			const step = {
				ArrowDown: 1,
				ArrowRight: 1,
				ArrowUp: -1,
				ArrowLeft: -1
			}[event.key];
			if (step) inside[(place + step + inside.length) % inside.length].focus();
			else if (event.key === "Escape") cell.focus();
			else return;
			event.preventDefault();
			return;
		}
		const from = ahead.current ?? cell.dataset["cell"];
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			const first = ahead.current ? null : cell.querySelector("button.cal-chip");
			if (first) first.focus();
			else act(from);
			return;
		}
		const to = moved(event.key, event.shiftKey, from);
		if (!to || to === from) return;
		event.preventDefault();
		ahead.current = focus(to) ? null : to;
		go(to);
	};
	return {
		ref: grid,
		onKeyDown
	};
}
// src/pages/calendar/month.tsx
/** A month as a grid of days. On a phone days have dots, and the chosen day is listed below. */
var MOST = 3;
function Month({ day, first, found, clashes, onDay, onOpen, onNew, onList }) {
	const weeks = monthWeeks(day, first);
	const steps = {
		ArrowLeft: -1,
		ArrowRight: 1,
		ArrowUp: -7,
		ArrowDown: 7
	};
	const grid = useGrid(day, {
		go: onDay,
		act: onNew,
		moved: (key, shift, from) => key in steps ? addDays(from, steps[key]) : key === "PageUp" ? addMonths(from, shift ? -12 : -1) : key === "PageDown" ? addMonths(from, shift ? 12 : 1) : key === "Home" ? startOfWeek(from, first) : key === "End" ? addDays(startOfWeek(from, first), 6) : null
	});
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("table", {
		class: "cal-month",
		role: "grid",
		"aria-label": monthInWords(day),
		...grid,
		children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: daysFrom(weeks[0][0], 7).map((each) => /* @__PURE__ */ a("th", {
			scope: "col",
			children: /* @__PURE__ */ a("abbr", {
				title: weekdayLong(each),
				children: weekdayShort(each)
			})
		}, each)) }) }), /* @__PURE__ */ a("tbody", { children: weeks.map((week) => /* @__PURE__ */ a("tr", { children: week.map((each) => /* @__PURE__ */ a(Cell, {
			day: each,
			chosen: each === day,
			other: each.slice(0, 7) !== day.slice(0, 7),
			list: found.get(each) ?? [],
			clashes,
			onDay,
			onOpen,
			onNew,
			onList
		}, each)) }, week[0])) })]
	}), /* @__PURE__ */ a("div", {
		class: "cal-below",
		children: /* @__PURE__ */ a(AgendaDay, {
			day,
			list: found.get(day) ?? [],
			clashes,
			onOpen,
			onNew
		})
	})] });
}
function Cell({ day, chosen, other, list, clashes, onDay, onOpen, onNew, onList }) {
	const most = list.length > 4 ? MOST : 4;
	const left = list.length - most;
	const counted = list.length === 1 ? `, ${titleOf(list[0].event)}` : list.length ? `, ${plural(list.length, "{count} event", "{count} events")}` : "";
	return /* @__PURE__ */ a("td", {
		role: "gridcell",
		"data-cell": day,
		tabIndex: chosen ? 0 : -1,
		"aria-selected": chosen,
		"aria-label": `${dayLong(day)}${counted}`,
		"aria-current": day === today() ? "date" : void 0,
		class: `cal-cell ${other ? "is-other" : ""} ${chosen ? "is-chosen" : ""}`,
		onClick: () => onDay(day),
		onDblClick: () => onNew(day),
		children: [
			/* @__PURE__ */ a("div", {
				class: "cal-cell-head",
				children: [/* @__PURE__ */ a("span", {
					class: "cal-date",
					children: Number(day.slice(8))
				}), /* @__PURE__ */ a("button", {
					type: "button",
					tabIndex: -1,
					class: "cal-add",
					"aria-label": t("New event on {day}", { day: dayLong(day) }),
					onClick: (event) => {
						event.stopPropagation();
						onNew(day);
					},
					children: /* @__PURE__ */ a(Icon, {
						name: "plus",
						size: 14
					})
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "cal-chips",
				children: [list.slice(0, most).map((piece) => /* @__PURE__ */ a(Chip, {
					piece,
					clashes,
					onOpen
				}, piece.event.id + piece.event.start)), left > 0 ? /* @__PURE__ */ a("button", {
					type: "button",
					tabIndex: -1,
					class: "cal-more",
					onClick: (event) => {
						event.stopPropagation();
						onList(day);
					},
					children: t("{count} more", { count: left })
				}) : null]
			}),
			/* @__PURE__ */ a("div", {
				class: "cal-dots",
				"aria-hidden": "true",
				children: list.slice(0, 4).map((piece) => /* @__PURE__ */ a("i", { class: `is-${piece.event.calendar}` }, piece.event.id + piece.event.start))
			})
		]
	});
}
// src/pages/calendar/week.tsx
/** Days beside each other with their hours; three of them on a phone. */
var HOURS = Array.from({ length: 24 }, (_, hour) => hour);
var MORNING = 7;
/** The row above the hours. */
var ALL_DAY = -1;
var ROW_REM = 2.75;
/** Minutes: shorter ones have room for one line. */
var SHORT = 45;
function Week({ day, days, found, clashes, onDay, onOpen, onNew }) {
	const [hour, setHour] = d(9);
	const box = T(null);
	const now = useClock();
	A(() => {
		const row = box.current?.querySelector(`[data-hour="${MORNING}"]`);
		if (box.current && row) box.current.scrollTop = row.offsetTop - 60;
	}, []);
	const pick = (on, at) => {
		setHour(at);
		onDay(on);
	};
	const grid = useGrid(cellOf(day, hour), {
		go: (cell) => pick(...placeOf(cell)),
		act: (cell) => onNew(newAt(...placeOf(cell))),
		moved: (key, _shift, from) => {
			const [on, at] = placeOf(from);
			const step = {
				ArrowLeft: -1,
				ArrowRight: 1,
				PageUp: -days.length,
				PageDown: days.length
			}[key];
			if (step) return cellOf(addDays(on, step), at);
			const to = {
				ArrowUp: at - 1,
				ArrowDown: at + 1,
				Home: ALL_DAY,
				End: 23
			}[key];
			return to !== void 0 && to >= ALL_DAY && to <= 23 ? cellOf(on, to) : null;
		}
	});
	const lanes = new Map(days.map((each) => [each, inLanes((found.get(each) ?? []).filter((piece) => !piece.event.all_day))]));
	return /* @__PURE__ */ a("div", {
		class: "cal-week-box",
		ref: box,
		children: /* @__PURE__ */ a("table", {
			class: "cal-week",
			role: "grid",
			"aria-label": t("{start} to {end}", {
				start: dayLong(days[0]),
				end: dayLong(days.at(-1))
			}),
			...grid,
			children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
				scope: "col",
				children: /* @__PURE__ */ a("span", {
					class: "hidden-visually",
					children: t("Hour")
				})
			}), days.map((each) => /* @__PURE__ */ a("th", {
				scope: "col",
				class: each === today() ? "is-today" : "",
				"aria-current": each === today() ? "date" : void 0,
				children: [/* @__PURE__ */ a("span", {
					class: "hidden-visually",
					children: dayLong(each)
				}), /* @__PURE__ */ a("span", {
					"aria-hidden": "true",
					children: [
						weekdayShort(each),
						" ",
						/* @__PURE__ */ a("b", { children: Number(each.slice(8)) })
					]
				})]
			}, each))] }) }), /* @__PURE__ */ a("tbody", { children: [/* @__PURE__ */ a("tr", {
				class: "cal-all-day",
				"data-hour": ALL_DAY,
				children: [/* @__PURE__ */ a("th", {
					scope: "row",
					children: t("all day")
				}), days.map((each) => {
					const list = (found.get(each) ?? []).filter((piece) => piece.event.all_day);
					return /* @__PURE__ */ a(Slot, {
						day: each,
						hour: ALL_DAY,
						chosen: each === day && hour === ALL_DAY,
						count: list.length,
						onPick: () => pick(each, ALL_DAY),
						onNew: () => onNew(each),
						children: list.map((piece) => /* @__PURE__ */ a(Chip, {
							piece,
							clashes,
							onOpen
						}, piece.event.id))
					}, each);
				})]
			}), HOURS.map((each) => /* @__PURE__ */ a("tr", {
				"data-hour": each,
				children: [/* @__PURE__ */ a("th", {
					scope: "row",
					children: hourInWords(each)
				}), days.map((date) => {
					const list = (lanes.get(date) ?? []).filter((piece) => Math.floor(Math.min(piece.from, 1439) / 60) === each);
					return /* @__PURE__ */ a(Slot, {
						day: date,
						hour: each,
						chosen: date === day && hour === each,
						count: list.length,
						onPick: () => pick(date, each),
						onNew: () => onNew(newAt(date, each)),
						children: [list.map((piece) => /* @__PURE__ */ a(Chip, {
							class: `cal-block ${piece.to - piece.from < SHORT ? "is-short" : ""} ${piece.lanes > 1 ? "is-narrow" : ""}`,
							style: placed(piece),
							piece,
							clashes,
							onOpen
						}, piece.event.id + piece.from)), now.day === date && Math.floor(now.minutes / 60) === each ? /* @__PURE__ */ a("i", {
							class: "cal-now",
							"aria-hidden": "true",
							style: { top: `${now.minutes % 60 / 60 * 100}%` }
						}) : null]
					}, date);
				})]
			}, each))] })]
		})
	});
}
function Slot({ day, hour, chosen, count, onPick, onNew, children }) {
	const what = count ? `, ${plural(count, "{count} event", "{count} events")}` : "";
	return /* @__PURE__ */ a("td", {
		role: "gridcell",
		"data-cell": cellOf(day, hour),
		tabIndex: chosen ? 0 : -1,
		"aria-selected": chosen,
		class: "cal-slot",
		"aria-label": `${dayLong(day)}, ${hour < 0 ? t("all day") : hourInWords(hour)}${what}`,
		onClick: onPick,
		onDblClick: onNew,
		children
	});
}
/** Inside the cell of its first hour: as high as it is long, beside those that it overlaps. */
function placed({ from, to, lane, lanes }) {
	const minutes = Math.max(to - from, 30);
	return {
		top: `${from % 60 / 60 * ROW_REM}rem`,
		height: `calc(${minutes / 60 * ROW_REM}rem - 2px)`,
		left: `calc(${lane / lanes * 100}% + 1px)`,
		width: `calc(${100 / lanes}% - 3px)`
	};
}
var cellOf = (day, hour) => `${day} ${hour}`;
function placeOf(cell) {
	const [day, hour] = cell.split(" ");
	return [day, Number(hour)];
}
/** What a new event is made for. */
var newAt = (day, hour) => hour === ALL_DAY ? day : `${day}T${timeOf(hour * 60)}`;
/** The present, to the minute. */
function useClock() {
	const [now, set] = d(() => clockAt(/* @__PURE__ */ new Date()));
	A(() => {
		const timer = setInterval(() => set(clockAt(/* @__PURE__ */ new Date())), 3e4);
		return () => clearInterval(timer);
	}, []);
	return now;
}
var weekOf = (day, start, count) => daysFrom(count === 7 ? start : day, count);
// src/pages/calendar.tsx
/** The calendar: month, week and agenda, events and how to change them, free time, and files. */
var FIRST = firstWeekday();
function Calendar() {
	const here = place();
	const phone = usePhone();
	const [files, openFiles] = d(false);
	const days = shownDays(here, phone);
	const [from, to] = [days[0], days.at(-1)];
	const page = useLoad((signal) => loadEvents(from, to, zoneHere(), here.calendars, signal), [
		from,
		to,
		here.calendars.join()
	]);
	useReload(page.reload);
	const close = () => move({}, true);
	const changed = () => {
		close();
		page.reload();
	};
	return /* @__PURE__ */ a("div", {
		class: "cal",
		children: [
			/* @__PURE__ */ a("div", {
				class: "stack cal-main",
				children: [
					/* @__PURE__ */ a(Bar, {
						here,
						days,
						phone,
						loading: page.loading,
						onFiles: () => openFiles(true)
					}),
					page.error ? /* @__PURE__ */ a(Problem, {
						error: page.error,
						retry: page.reload
					}) : null,
					/* @__PURE__ */ a("section", {
						class: "cal-view",
						"aria-label": t("Events"),
						"data-tour": "calendar-view",
						children: page.data ? /* @__PURE__ */ a(View, {
							here,
							days,
							page: page.data
						}) : page.error ? null : /* @__PURE__ */ a("div", {
							class: "loading",
							children: /* @__PURE__ */ a(Spinner, { label: t("Loading calendar") })
						})
					}),
					page.data?.left_off ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: plural(page.data.left_off, "{count} more event in this period. Choose a shorter one to see it.", "{count} more events in this period. Choose a shorter one to see them.")
					}) : null
				]
			}),
			/* @__PURE__ */ a("aside", {
				class: "stack cal-side",
				"aria-label": t("Calendars and free time"),
				children: [/* @__PURE__ */ a(Card, {
					title: t("Calendars"),
					children: /* @__PURE__ */ a(Calendars, {
						here,
						page: page.data
					})
				}), /* @__PURE__ */ a(FindFree, {
					calendars: here.calendars,
					onPick: (making, minutes) => move({
						making,
						minutes
					})
				})]
			}),
			here.making ? /* @__PURE__ */ a(EventForm, {
				wanted: here.making,
				day: here.day,
				minutes: here.minutes,
				onClose: close,
				onSaved: ({ event }) => {
					toast(t("{title} was added to your calendar.", { title: event.title }), { kind: "good" });
					move({ day: event.all_day ? event.start : clockAt(new Date(event.start)).day }, true);
					page.reload();
				}
			}, here.making) : null,
			here.event && page.data ? /* @__PURE__ */ a(EventDialog, {
				id: here.event,
				occurrence: here.occurrence,
				listed: page.data.events.find((each) => each.id === here.event && each.occurrence === here.occurrence) ?? null,
				changeable: page.data.changeable,
				keptBy: page.data.kept_by,
				clashes: overlaps(page.data.events),
				day: here.day,
				onClose: close,
				onChanged: changed
			}, `${here.event} ${here.occurrence}`) : null,
			files ? /* @__PURE__ */ a(Files, {
				keptBy: page.data?.files === false ? page.data.kept_by : null,
				onClose: () => openFiles(false),
				onImported: page.reload
			}) : null
		]
	});
}
function shownDays({ view, day, span }, phone) {
	if (view === "month") return monthWeeks(day, FIRST).flat();
	if (view === "week") return weekOf(day, startOfWeek(day, FIRST), phone ? 3 : 7);
	return daysFrom(day, span);
}
function View({ here, days, page }) {
	const { view, day } = here;
	const common = {
		found: byDay(page.events),
		clashes: overlaps(page.events),
		onOpen: (event) => move({
			event: event.id,
			occurrence: event.occurrence
		}),
		onNew: (making) => move({
			making,
			...making.length === 10 ? { day: making } : {}
		})
	};
	const onDay = (next) => move({ day: next }, true);
	if (view === "month") return /* @__PURE__ */ a(Month, {
		...common,
		day,
		first: FIRST,
		onDay,
		onList: (next) => move({
			view: "agenda",
			day: next
		})
	});
	if (view === "week") return /* @__PURE__ */ a(Week, {
		...common,
		day,
		days,
		onDay
	});
	const more = here.span + 14;
	return /* @__PURE__ */ a(Agenda, {
		...common,
		days,
		onMore: more <= 98 ? () => move({ span: more }, true) : null
	});
}
function Bar({ here, days, phone, loading, onFiles }) {
	const { view, day } = here;
	const title = view === "month" ? monthInWords(day) : rangeInWords(days[0], days.at(-1));
	const step = (count) => view === "month" ? addMonths(day, count) : addDays(day, count * (view === "agenda" ? 14 : phone ? 3 : 7));
	const [back, ahead] = {
		month: [t("Previous month"), t("Next month")],
		week: phone ? [t("Previous three days"), t("Next three days")] : [t("Previous week"), t("Next week")],
		agenda: [t("Previous two weeks"), t("Next two weeks")]
	}[view];
	return /* @__PURE__ */ a("div", {
		class: "cal-bar",
		children: [
			/* @__PURE__ */ a("div", {
				class: "row cal-nav",
				children: [
					/* @__PURE__ */ a(Button, {
						onClick: () => move({ day: today() }),
						children: t("Today")
					}),
					/* @__PURE__ */ a(IconButton, {
						class: "cal-back",
						label: back,
						icon: "chevron",
						onClick: () => move({ day: step(-1) })
					}),
					/* @__PURE__ */ a(IconButton, {
						label: ahead,
						icon: "chevron",
						onClick: () => move({ day: step(1) })
					}),
					/* @__PURE__ */ a("h2", {
						"aria-live": "polite",
						children: title
					}),
					loading ? /* @__PURE__ */ a(Spinner, {}) : null
				]
			}),
			/* @__PURE__ */ a("div", {
				class: "row cal-actions",
				children: [/* @__PURE__ */ a(Button, {
					icon: "upload",
					onClick: onFiles,
					"data-tour": "calendar-import",
					children: t("Import and export")
				}), /* @__PURE__ */ a(Button, {
					kind: "primary",
					icon: "plus",
					"data-tour": "calendar-create",
					onClick: () => move({ making: "1" }),
					children: t("New event")
				})]
			}),
			/* @__PURE__ */ a(Tabs, {
				label: t("Calendar view"),
				tabs: VIEWS,
				chosen: view,
				onChoose: (next) => move({ view: next })
			})
		]
	});
}
function Calendars({ here, page }) {
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("ul", {
		class: "list cal-calendars",
		children: CALENDARS.map((name) => {
			const shown = here.calendars.includes(name);
			const next = shown ? here.calendars.filter((each) => each !== name) : CALENDARS.filter((each) => each === name || here.calendars.includes(each));
			return /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("label", {
				class: "row",
				children: [
					/* @__PURE__ */ a("input", {
						type: "checkbox",
						checked: shown,
						disabled: shown && here.calendars.length === 1,
						onChange: () => move({ calendars: next }, true)
					}),
					/* @__PURE__ */ a("i", {
						class: `cal-swatch is-${name}`,
						"aria-hidden": "true"
					}),
					name,
					/* @__PURE__ */ a("small", {
						class: "hint",
						children: name === "team" ? t("shared") : t("yours")
					})
				]
			}) }, name);
		})
	}), page ? /* @__PURE__ */ a("p", {
		class: "hint",
		children: t("Stored in {place}. Times are shown in {zone}.", {
			place: page.kept_by,
			zone: zoneHere()
		})
	}) : null] });
}
/** An agent that plans something plans it here too; and a page that was left alone is old. */
function useReload(reload) {
	A(() => {
		const known = [
			"calendar_create_event",
			"run_macro",
			"run_tool"
		];
		const stops = [on("function_result", ({ name }) => {
			if (known.includes(name)) reload();
		}), on("confirmation_resolved", ({ tool }) => {
			if (known.includes(tool)) reload();
		})];
		const back = () => {
			if (!document.hidden) reload();
		};
		document.addEventListener("visibilitychange", back);
		return () => {
			stops.forEach((stop) => stop());
			document.removeEventListener("visibilitychange", back);
		};
	}, []);
}
function usePhone() {
	const [phone, set] = d(() => matchMedia(PHONE).matches);
	A(() => {
		const query = matchMedia(PHONE);
		const changed = () => set(query.matches);
		query.addEventListener("change", changed);
		return () => query.removeEventListener("change", changed);
	}, []);
	return phone;
}
export { Calendar as default };
