import { c as P, d, f as j, g as U, l as T, m as $, o as A, p as w, s as F, t as a } from "./vendor-preact.js";
import { c as rich, l as t, o as number, s as plural } from "./app.js";
import { n as Button, s as IconButton } from "./kit.js";
// src/ui/schema-form/schema.ts
/** How a JSON Schema is drawn: which control, under which rules. Nothing here touches the page. */
/** Longer texts get a box of several lines. */
var LINE = 500;
var LONG_NAMES = /code|text|content|body|document|message|prompt|markdown|html|csv|json|yaml|sql|diff|source|template|log|notes?$/i;
var HOPS = 20;
/** What to draw for a schema; `name` is what the value is called. */
function shapeOf(given, root, name = "") {
	const whole = flat(given, root);
	if (whole.prefixItems || whole.patternProperties) return {
		kind: "json",
		schema: whole,
		nullable: false
	};
	if ("const" in whole) return {
		kind: "const",
		schema: whole,
		nullable: false,
		value: whole.const
	};
	if (whole.enum) return {
		kind: "choice",
		schema: whole,
		nullable: false,
		options: whole.enum
	};
	return branched(whole, root, name) ?? typed(whole, root, name);
}
/** anyOf and oneOf; null where there is none. */
function branched(whole, root, name) {
	const branches = whole.anyOf ?? whole.oneOf;
	if (!branches) return null;
	const { anyOf: _any, oneOf: _one, ...base } = whole;
	const all = branches.map((branch) => merged(base, flat(branch, root)));
	const rest = all.filter((branch) => !isNull(branch));
	const nullable = rest.length < all.length;
	if (rest.length === 1) {
		const only = shapeOf(rest[0], root, name);
		return {
			...only,
			nullable: nullable || only.nullable
		};
	}
	const shapes = rest.map((branch) => shapeOf(branch, root, name));
	if (shapes.length && shapes.every((each) => each.kind === "text")) return {
		kind: "text",
		schema: base,
		nullable,
		format: shapes.map((each) => each.format).find(Boolean) ?? "",
		long: shapes.some((each) => each.long)
	};
	return {
		kind: "variants",
		schema: base,
		nullable,
		variants: rest.map((schema, index) => ({
			title: titleOf(schema, root, index),
			schema
		}))
	};
}
function typed(whole, root, name) {
	const types = typesOf(whole);
	const nullable = types.includes("null");
	const others = types.filter((type) => type !== "null");
	const base = {
		schema: whole,
		nullable
	};
	if (others.length > 1) {
		const variants = others.map((type, index) => {
			const schema = {
				...whole,
				type
			};
			return {
				title: titleOf({ type }, root, index),
				schema
			};
		});
		return {
			...base,
			kind: "variants",
			variants
		};
	}
	switch (others[0]) {
		case "string": {
			const { format = "", maxLength } = whole;
			const long = maxLength === void 0 ? LONG_NAMES.test(name) && !format : maxLength > LINE;
			return {
				...base,
				kind: "text",
				format,
				long
			};
		}
		case "number":
		case "integer": return {
			...base,
			kind: "number",
			whole: others[0] === "integer"
		};
		case "boolean": return {
			...base,
			kind: "choice",
			options: [true, false]
		};
		case "array": return {
			...base,
			kind: "array",
			items: whole.items ?? true
		};
		case "object": {
			const required = new Set(whole.required);
			const named = Object.entries(whole.properties ?? {});
			const order = (member) => whole.required?.indexOf(member.name) ?? -1;
			const members = named.map(([member, schema]) => ({
				name: member,
				schema,
				required: required.has(member)
			})).sort((one, two) => Number(two.required) - Number(one.required) || order(one) - order(two));
			const more = whole.additionalProperties ?? true;
			if (!members.length && more === true) return {
				...base,
				kind: "json"
			};
			return {
				...base,
				kind: "object",
				members,
				more
			};
		}
	}
	if (types.length && !others.length) return {
		kind: "const",
		schema: whole,
		nullable: false,
		value: null
	};
	return {
		...base,
		kind: "json"
	};
}
function typesOf({ type, properties, items, format, pattern, minLength, maxLength, minimum, maximum }) {
	if (type !== void 0) return Array.isArray(type) ? type : [type];
	if (properties) return ["object"];
	if (items) return ["array"];
	if (format ?? pattern ?? minLength ?? maxLength) return ["string"];
	if (minimum !== void 0 || maximum !== void 0) return ["number"];
	return [];
}
/** With references and allOf written out. */
function flat(given, root) {
	let schema = given === true ? {} : given === false ? { enum: [] } : given;
	for (let hop = 0; schema.$ref !== void 0 && hop < HOPS; hop++) {
		const { $ref, ...beside } = schema;
		const target = pointed($ref, root);
		schema = merged(target === void 0 || typeof target === "boolean" ? {} : target, beside);
	}
	delete (schema = { ...schema }).$ref;
	if (schema.allOf) {
		const { allOf, ...beside } = schema;
		schema = allOf.map((part) => flat(part, root)).reduce(merged, beside);
	}
	return schema;
}
function pointed(reference, root) {
	if (!reference.startsWith("#")) return void 0;
	let found = root;
	for (const part of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
		const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
		found = found && typeof found === "object" ? found[name] : void 0;
	}
	return found;
}
/** Both hold. Where they name the same keyword the second says it. */
function merged(one, two) {
	const both = {
		...one,
		...two
	};
	if (one.properties && two.properties) both.properties = {
		...one.properties,
		...two.properties
	};
	if (one.required && two.required) both.required = [.../* @__PURE__ */ new Set([...one.required, ...two.required])];
	return both;
}
var isNull = (schema) => schema.type === "null" || schema.const === null;
function titleOf(schema, root, index) {
	if (schema.title) return schema.title;
	if ("const" in schema) return JSON.stringify(schema.const);
	const tags = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, flat(member, root)]).filter(([, member]) => "const" in member);
	if (tags[0]) return `${tags[0][0]}: ${JSON.stringify(tags[0][1].const)}`;
	const names = Object.keys(schema.properties ?? {});
	const words = {
		string: t("text"),
		number: t("number"),
		integer: t("whole number"),
		boolean: t("yes or no"),
		array: t("list"),
		object: names.length ? t("object with {names}", { names: names.slice(0, 3).join(", ") }) : t("object")
	};
	const type = typesOf(schema)[0];
	return type && words[type] || t("variant {index}", { index: index + 1 });
}
/** Something was written that is no value yet: it stands in its place until it is. */
var Unread = class {
	text;
	problem;
	constructor(text, problem) {
		this.text = text;
		this.problem = problem;
	}
};
/** The places where something was written that cannot be sent. */
function unread(value, at = "") {
	if (value instanceof Unread) return [{
		pointer: at,
		message: value.problem
	}];
	if (!value || typeof value !== "object") return [];
	return Object.entries(value).flatMap(([name, each]) => unread(each, `${at}/${escaped(name)}`));
}
var escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
/** What a part starts with when it is there; undefined: nothing until the person writes it. */
function initial(given, root, depth = 0) {
	const shape = shapeOf(given, root);
	switch (shape.kind) {
		case "const": return shape.value;
		case "object": {
			const made = {};
			for (const member of shape.members) {
				if (!member.required || depth > 8) continue;
				const value = initial(member.schema, root, depth + 1);
				if (value !== void 0) made[member.name] = value;
			}
			return made;
		}
		case "array": return shape.schema.minItems && depth <= 8 ? [blank(shape.items, root, depth + 1)] : [];
		case "variants": return shape.variants[0] && initial(shape.variants[0].schema, root, depth + 1);
		default: return;
	}
}
/** What an item of a list starts with: it has to be something. */
function blank(given, root, depth = 0) {
	const value = initial(given, root, depth);
	if (value !== void 0) return value;
	const shape = shapeOf(given, root);
	if (shape.kind === "text") return "";
	if (shape.kind === "choice") return shape.options.length === 2 && shape.options[0] === true ? false : shape.options[0];
	if (shape.kind === "variants" && shape.variants[0]) return blank(shape.variants[0].schema, root, depth + 1);
	return new Unread("", t("is empty"));
}
/** Whether the control for that shape can show the value. Rules about it are the server's. */
function fits(shape, value) {
	if (value === void 0 || shape.kind === "json" || shape.kind === "variants") return true;
	if (value === null) return shape.nullable || shape.kind === "const" && shape.value === null || shape.kind === "choice" && shape.options.includes(null);
	switch (shape.kind) {
		case "text": return typeof value === "string";
		case "number": return typeof value === "number" || value instanceof Unread;
		case "object": return typeof value === "object" && !Array.isArray(value);
		case "array": return Array.isArray(value) || value instanceof Unread;
		default: return !(value instanceof Unread);
	}
}
/** How well a value is one of a variant's: its type, its constants and what it has to have. */
function likeness(given, root, value) {
	const shape = shapeOf(given, root);
	if (value === void 0 || !fits(shape, value)) return 0;
	if (shape.kind === "const") return same(shape.value, value) ? 2 : 0;
	if (shape.kind === "choice") return shape.options.some((option) => same(option, value)) ? 2 : 0;
	if (shape.kind === "variants") return Math.max(0, ...shape.variants.map((each) => likeness(each.schema, root, value)));
	if (shape.kind !== "object") return shape.kind === "json" ? .5 : 1;
	const has = value;
	if (shape.members.some((member) => member.required && !(member.name in has))) return .25;
	if (shape.members.filter((member) => "const" in flat(member.schema, root)).some((member) => member.name in has && likeness(member.schema, root, has[member.name]) === 0)) return 0;
	const known = new Set(shape.members.map((member) => member.name));
	return 1 + Object.keys(has).filter((name) => known.has(name)).length / 100;
}
var same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
/** What a person should know about a field besides its description. */
function limits({ schema, ...shape }) {
	const said = [];
	if (shape.kind === "text") {
		said.push(between(schema.minLength, schema.maxLength, (count) => plural(count, "character", "characters")));
		if (schema.pattern && !schema.anyOf) said.push(t("matches {pattern}", { pattern: schema.pattern }));
	} else if (shape.kind === "number") {
		said.push(between(schema.minimum, schema.maximum));
		if (schema.exclusiveMinimum !== void 0) said.push(t("more than {exclusiveMinimum}", { exclusiveMinimum: schema.exclusiveMinimum }));
		if (schema.exclusiveMaximum !== void 0) said.push(t("less than {exclusiveMaximum}", { exclusiveMaximum: schema.exclusiveMaximum }));
		if (schema.multipleOf) said.push(t("a multiple of {multipleOf}", { multipleOf: schema.multipleOf }));
	} else if (shape.kind === "array") {
		said.push(between(schema.minItems, schema.maxItems, (count) => plural(count, "item", "items")));
		if (schema.uniqueItems) said.push(t("unique"));
	} else if (shape.kind === "object") said.push(between(schema.minProperties, schema.maxProperties, (count) => plural(count, "entry", "entries")));
	return said.filter(Boolean).join(", ");
}
function between(least, most, what) {
	const count = (value) => Math.abs(value) >= 1e6 ? value.toExponential().replace("+", "") : number(value);
	const amount = (value) => what ? `${count(value)} ${what(value)}` : count(value);
	if (least && most !== void 0) return least === most ? t("exactly {amount}", { amount: amount(most) }) : t("{least} to {most}", {
		least: count(least),
		most: amount(most)
	});
	if (most !== void 0) return !what && least === 0 ? t("{least} to {most}", {
		least,
		most: amount(most)
	}) : t("up to {amount}", { amount: amount(most) });
	if (least) return t("at least {amount}", { amount: amount(least) });
	return least === 0 && !what ? t("0 or more") : "";
}
/** A value in one short line. */
function brief(value, most = 40) {
	const text = typeof value === "string" ? value || "\"\"" : JSON.stringify(value) ?? "";
	return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
// src/ui/schema-form/parts.tsx
/** What the controls of a form share: where they are, what is said about them, how they look. */
var Around = U({
	root: {},
	wrong: [],
	notes: {}
});
/** What is wrong here; with `inside` also what is wrong with the parts that have no control. */
function useWrong(at, inside) {
	const { wrong } = j(Around);
	return wrong.filter((each) => each.pointer === at || inside && each.pointer.startsWith(`${at}/`)).map((each) => `${each.pointer === at ? "" : `${each.pointer.slice(at.length + 1)} `}${each.message}${expected(each)}`).join("; ");
}
function expected({ message, expected: wanted }) {
	return !wanted || message.includes(wanted) || wanted === "a value" ? "" : ` (expected: ${wanted})`;
}
/** A control with its name, what it means, and what is wrong with it. */
function Line({ place, shape, actions, children }) {
	const id = P();
	const wrong = useWrong(place.at, true);
	const about = [`${id}-hint`, wrong ? `${id}-wrong` : ""].filter(Boolean).join(" ");
	return /* @__PURE__ */ a("div", {
		class: `sf-field ${wrong ? "is-wrong" : ""}`,
		"data-at": place.at,
		children: [
			/* @__PURE__ */ a("div", {
				class: "sf-head",
				children: [
					/* @__PURE__ */ a("label", {
						for: id,
						children: place.name
					}),
					/* @__PURE__ */ a(Tag, { place }),
					/* @__PURE__ */ a("span", { class: "spring" }),
					actions
				]
			}),
			children({
				id,
				"aria-describedby": about,
				...wrong ? { "aria-invalid": true } : {},
				...place.need === "required" ? { "aria-required": true } : {}
			}),
			/* @__PURE__ */ a(Hint, {
				id: `${id}-hint`,
				shape,
				place
			}),
			wrong ? /* @__PURE__ */ a("p", {
				class: "wrong",
				id: `${id}-wrong`,
				children: [
					place.name,
					" ",
					wrong
				]
			}) : null
		]
	});
}
function Tag({ place }) {
	const note = j(Around).notes[place.at];
	if (note) return /* @__PURE__ */ a("span", {
		class: "sf-tag is-note",
		children: note
	});
	if (place.need === "item") return null;
	if (place.need === "required") return /* @__PURE__ */ a("span", {
		class: "sf-tag is-required",
		children: t("required")
	});
	return /* @__PURE__ */ a("span", {
		class: "sf-tag",
		children: place.value === void 0 ? t("not set") : t("set")
	});
}
function Hint({ id, shape, place }) {
	const { description, default: usual } = shape.schema;
	const named = usual !== void 0 && place.need !== "item" && shape.kind !== "choice";
	const more = [limits(shape), named ? t("default {usual}", { usual: brief(usual) }) : ""].filter(Boolean).join(" · ");
	if (!description && !more) return id ? /* @__PURE__ */ a("span", {
		id,
		hidden: true
	}) : null;
	return /* @__PURE__ */ a("p", {
		class: "hint",
		id,
		children: [
			description,
			description && more ? " · " : "",
			more ? /* @__PURE__ */ a("span", {
				class: "sf-limits",
				children: more
			}) : null
		]
	});
}
/** What may be done with a value besides writing it. */
function Extras({ place, shape, empty }) {
	const { value, need, onChange } = place;
	return /* @__PURE__ */ a($, { children: [
		value === void 0 && empty ? /* @__PURE__ */ a(Act, {
			place,
			label: t("Send empty text"),
			onClick: () => onChange("")
		}) : null,
		value === void 0 && shape.nullable ? /* @__PURE__ */ a(Act, {
			place,
			label: t("Send null"),
			onClick: () => onChange(null)
		}) : null,
		value !== void 0 && need === "optional" ? /* @__PURE__ */ a(Act, {
			place,
			label: t("Clear"),
			onClick: () => onChange(void 0)
		}) : null,
		value === "" && need === "required" && empty ? /* @__PURE__ */ a(Act, {
			place,
			label: t("Do not send empty text"),
			onClick: () => onChange(void 0)
		}) : null
	] });
}
function Act({ place, label, onClick, icon, disabled }) {
	return /* @__PURE__ */ a(Button, {
		kind: "quiet",
		class: "sf-act",
		onClick,
		disabled,
		...icon ? { icon } : {},
		"aria-label": `${label}: ${place.name}`,
		children: label
	});
}
// src/ui/schema-form/leaves.tsx
/** Controls for single values. An empty box is a value that is left out. */
function TextLeaf(place) {
	const { shape, need, onChange } = place;
	const value = place.value;
	const { minLength, default: usual } = shape.schema;
	const note = j(Around).notes[place.at];
	const written = (text) => onChange(text === "" && need !== "item" ? void 0 : text);
	if (value === null) return /* @__PURE__ */ a(NullLeaf, { ...place });
	return /* @__PURE__ */ a(Line, {
		place,
		shape,
		actions: /* @__PURE__ */ a(Extras, {
			place,
			shape,
			empty: !minLength && !shape.format
		}),
		children: (attributes) => {
			const common = {
				...attributes,
				value: value ?? "",
				placeholder: note ? t("comes {note}", { note }) : value === "" && need !== "item" ? t("empty text") : usual === void 0 || usual === "" ? EXAMPLES[shape.format] ?? "" : brief(usual),
				spellcheck: false,
				autocomplete: "off"
			};
			if (shape.long) {
				const rows = Math.min(14, Math.max(4, (value ?? "").split("\n").length + 1));
				return /* @__PURE__ */ a("textarea", {
					...common,
					rows,
					onInput: (event) => written(event.currentTarget.value)
				});
			}
			if (shape.format === "date" && (!value || DATE.test(value))) return /* @__PURE__ */ a("input", {
				...common,
				type: "date",
				onInput: (event) => written(event.currentTarget.value)
			});
			const box = /* @__PURE__ */ a("input", {
				...common,
				type: "text",
				inputmode: MODES[shape.format] ?? "text",
				onInput: (event) => written(event.currentTarget.value)
			});
			if (shape.format !== "date-time") return box;
			return /* @__PURE__ */ a("div", {
				class: "sf-moment",
				children: [box, /* @__PURE__ */ a("input", {
					type: "datetime-local",
					"aria-label": t("Pick {name} from a calendar", { name: place.name }),
					value: localOf(value),
					onChange: (event) => event.currentTarget.value && written(withOffset(event.currentTarget.value))
				})]
			});
		}
	});
}
var DATE = /^\d{4}-\d\d-\d\d$/;
var EXAMPLES = {
	"date-time": "2026-03-01T09:30:00Z",
	email: "ada@example.org",
	uri: "https://example.org"
};
var MODES = {
	email: "email",
	uri: "url"
};
/** The moment as the browser's calendar wants it: local time without an offset. */
function localOf(value) {
	const moment = new Date(value ?? "");
	if (Number.isNaN(moment.getTime())) return "";
	return (/* @__PURE__ */ new Date(moment.getTime() - moment.getTimezoneOffset() * 6e4)).toISOString().slice(0, 16);
}
/** A local time with the offset that this place has then. */
function withOffset(local) {
	const minutes = -new Date(local).getTimezoneOffset();
	const two = (value) => String(Math.abs(value)).padStart(2, "0");
	const offset = minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
	return `${local.length === 16 ? `${local}:00` : local}${offset}`;
}
function NumberLeaf(place) {
	const { shape, need, onChange, value } = place;
	const typed = T(null);
	const read = (text) => {
		if (text.trim() === "") return need === "item" ? new Unread(text, t("is empty")) : void 0;
		return numberOf(text.trim(), shape.whole);
	};
	if (value === null) return /* @__PURE__ */ a(NullLeaf, { ...place });
	const shown = (typed.current !== null && same(read(typed.current), value) ? typed.current : null) ?? (value instanceof Unread ? value.text : value === void 0 ? "" : String(value));
	return /* @__PURE__ */ a(Line, {
		place,
		shape,
		actions: /* @__PURE__ */ a(Extras, {
			place,
			shape
		}),
		children: (attributes) => /* @__PURE__ */ a("input", {
			...attributes,
			type: "text",
			inputmode: shape.whole ? "numeric" : "decimal",
			autocomplete: "off",
			class: "number",
			value: shown,
			placeholder: shape.schema.default === void 0 ? "" : brief(shape.schema.default),
			onInput: (event) => {
				typed.current = event.currentTarget.value;
				onChange(read(event.currentTarget.value));
			}
		})
	});
}
/** The number that a text means, or why it means none. */
function numberOf(text, whole) {
	if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return new Unread(text, t("is not a number"));
	const number = Number(text);
	if (!Number.isFinite(number)) return new Unread(text, t("is too large"));
	if (!whole) return number;
	if (!Number.isInteger(number)) return new Unread(text, t("is not a whole number"));
	return Number.isSafeInteger(number) ? number : new Unread(text, t("has too many digits to be sent exactly"));
}
function ChoiceLeaf(place) {
	const { shape, need, value, onChange } = place;
	const { options } = shape;
	const chosen = options.findIndex((option) => same(option, value));
	const usual = shape.schema.default;
	const none = need === "required" ? t("Choose…") : usual === void 0 ? t("Not set") : t("Not set (default {usual})", { usual: wordOf(usual) });
	return /* @__PURE__ */ a(Line, {
		place,
		shape,
		actions: shape.nullable ? /* @__PURE__ */ a(Extras, {
			place,
			shape
		}) : null,
		children: (attributes) => /* @__PURE__ */ a("select", {
			...attributes,
			value: value === void 0 ? "" : chosen < 0 ? "other" : String(chosen),
			onChange: (event) => {
				const at = event.currentTarget.value;
				if (at !== "other") onChange(at === "" ? void 0 : options[Number(at)]);
			},
			children: [
				need === "item" ? null : /* @__PURE__ */ a("option", {
					value: "",
					children: none
				}),
				options.map((option, index) => /* @__PURE__ */ a("option", {
					value: String(index),
					children: wordOf(option)
				}, index)),
				value !== void 0 && chosen < 0 ? /* @__PURE__ */ a("option", {
					value: "other",
					children: rich("{value} (not allowed)", { value: brief(value) })
				}) : null
			]
		})
	});
}
var wordOf = (option) => option === true ? t("yes (true)") : option === false ? t("no (false)") : typeof option === "string" ? option : JSON.stringify(option);
function ConstLeaf(place) {
	const { shape, need, value, onChange } = place;
	return /* @__PURE__ */ a(Line, {
		place,
		shape,
		children: (attributes) => /* @__PURE__ */ a("span", {
			class: "row",
			children: [/* @__PURE__ */ a("input", {
				...attributes,
				type: "checkbox",
				checked: value !== void 0,
				disabled: need !== "optional" && value !== void 0,
				onChange: (event) => onChange(event.currentTarget.checked ? shape.value : void 0)
			}), /* @__PURE__ */ a("code", { children: JSON.stringify(shape.value) })]
		})
	});
}
/** A value that is null, said so; there is a way back. */
function NullLeaf(place) {
	const { root } = j(Around);
	return /* @__PURE__ */ a(Line, {
		place,
		shape: place.shape,
		actions: place.need === "optional" ? /* @__PURE__ */ a(Extras, {
			place,
			shape: place.shape
		}) : null,
		children: (attributes) => /* @__PURE__ */ a("span", {
			class: "row",
			children: [/* @__PURE__ */ a("input", {
				...attributes,
				type: "checkbox",
				checked: true,
				onChange: () => place.onChange(place.need === "item" ? blank(place.schema, root) : void 0)
			}), /* @__PURE__ */ a("code", { children: "null" })]
		})
	});
}
/** Anything, as JSON. Used where nothing better can be drawn, and wherever a person wants it. */
function JsonLeaf(place) {
	const { need, onChange, value, shape } = place;
	const typed = T(null);
	const read = (text) => text.trim() === "" ? need === "item" ? new Unread(text, t("is empty")) : void 0 : jsonOf(text);
	const shown = (typed.current !== null && same(read(typed.current), value) ? typed.current : null) ?? (value instanceof Unread ? value.text : value === void 0 ? "" : pretty(value));
	return /* @__PURE__ */ a(Line, {
		place,
		shape,
		actions: /* @__PURE__ */ a(Extras, {
			place,
			shape
		}),
		children: (attributes) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("textarea", {
			...attributes,
			class: "sf-json",
			spellcheck: false,
			rows: Math.min(16, Math.max(3, shown.split("\n").length)),
			placeholder: shape.schema.default === void 0 ? "JSON" : pretty(shape.schema.default),
			value: shown,
			onInput: (event) => {
				typed.current = event.currentTarget.value;
				onChange(read(event.currentTarget.value));
			}
		}), place.note ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: place.note
		}) : null] })
	});
}
function jsonOf(text) {
	try {
		return JSON.parse(text);
	} catch (error) {
		return new Unread(text, t("is not valid JSON: {message}", { message: error instanceof Error ? error.message : String(error) }));
	}
}
/** As JSON; what could not be read stands there as it was written. */
function pretty(value) {
	return JSON.stringify(value, (_, each) => each instanceof Unread ? each.text : each, 2) ?? "";
}
// src/ui/schema-form/part.tsx
/** The control that a schema asks for. */
function Part({ nullable, ...place }) {
	const { root } = j(Around);
	const found = shapeOf(place.schema, root, place.name.replace(/ \d+$/, ""));
	const shape = nullable ? {
		...found,
		nullable
	} : found;
	if (!fits(shape, place.value)) return /* @__PURE__ */ a(JsonLeaf, {
		...place,
		shape,
		note: t("This value does not fit the form, so it is shown as JSON.")
	});
	if (place.value === null && shape.nullable) return /* @__PURE__ */ a(NullLeaf, {
		...place,
		shape
	});
	switch (shape.kind) {
		case "text": return /* @__PURE__ */ a(TextLeaf, {
			...place,
			shape
		});
		case "number": return /* @__PURE__ */ a(NumberLeaf, {
			...place,
			shape
		});
		case "choice": return /* @__PURE__ */ a(ChoiceLeaf, {
			...place,
			shape
		});
		case "const": return /* @__PURE__ */ a(ConstLeaf, {
			...place,
			shape
		});
		case "object": return /* @__PURE__ */ a(ObjectGroup, {
			...place,
			shape
		});
		case "array": return /* @__PURE__ */ a(ArrayGroup, {
			...place,
			shape
		});
		case "variants": return /* @__PURE__ */ a(VariantGroup, {
			...place,
			shape
		});
		default: return /* @__PURE__ */ a(JsonLeaf, {
			...place,
			shape
		});
	}
}
// src/ui/schema-form/groups.tsx
/** The frame around parts, or one line that offers to add them. Any of it can be written as JSON. */
function Group({ place, children }) {
	const { root } = j(Around);
	const [asJson, write] = d(false);
	const box = T(null);
	const added = T(false);
	const absent = place.value === void 0;
	const wrong = useWrong(place.at, absent);
	const id = P();
	F(() => {
		if (absent || !added.current) return;
		added.current = false;
		box.current?.querySelector("input, select, textarea")?.focus();
	}, [absent]);
	if (asJson || place.value instanceof Unread) {
		const readable = !(place.value instanceof Unread);
		return /* @__PURE__ */ a("div", {
			class: "sf-as-json",
			children: [/* @__PURE__ */ a(JsonLeaf, { ...place }), /* @__PURE__ */ a(Act, {
				place,
				icon: "edit",
				label: t("Back to the form"),
				disabled: !readable,
				onClick: () => write(false)
			})]
		});
	}
	return /* @__PURE__ */ a("fieldset", {
		class: `sf-group ${absent ? "is-absent" : ""} ${wrong ? "is-wrong" : ""}`,
		"data-at": place.at,
		ref: box,
		"aria-describedby": `${id}-hint${wrong ? ` ${id}-wrong` : ""}`,
		children: [
			/* @__PURE__ */ a("legend", {
				class: "hidden-visually",
				children: place.name
			}),
			/* @__PURE__ */ a("div", {
				class: "sf-head",
				children: [
					/* @__PURE__ */ a("span", {
						class: "field-label",
						"aria-hidden": "true",
						children: place.name
					}),
					/* @__PURE__ */ a(Tag, { place }),
					/* @__PURE__ */ a("span", { class: "spring" }),
					absent ? /* @__PURE__ */ a(Act, {
						place,
						icon: "plus",
						label: t("Add"),
						onClick: () => {
							added.current = true;
							const made = place.shape.kind === "array" ? [blank(place.shape.items, root)] : initial(place.schema, root);
							place.onChange(made ?? {});
						}
					}) : place.need === "optional" ? /* @__PURE__ */ a(Act, {
						place,
						label: t("Clear"),
						onClick: () => place.onChange(void 0)
					}) : null,
					absent && place.shape.nullable ? /* @__PURE__ */ a(Act, {
						place,
						label: t("Send null"),
						onClick: () => place.onChange(null)
					}) : null,
					/* @__PURE__ */ a(Act, {
						place,
						label: "JSON",
						onClick: () => write(true)
					})
				]
			}),
			/* @__PURE__ */ a(Hint, {
				id: `${id}-hint`,
				shape: place.shape,
				place
			}),
			wrong ? /* @__PURE__ */ a("p", {
				class: "wrong",
				id: `${id}-wrong`,
				children: [
					place.name,
					" ",
					wrong
				]
			}) : null,
			absent ? null : /* @__PURE__ */ a("div", {
				class: "sf-parts",
				children: children()
			})
		]
	});
}
function ObjectGroup(place) {
	return /* @__PURE__ */ a(Group, {
		place,
		children: () => /* @__PURE__ */ a(Members, { ...place })
	});
}
/** The members of an object, without a frame: the form itself is one of these. */
function Members(place) {
	const { shape, at, onChange } = place;
	const value = place.value ?? {};
	const known = new Set(shape.members.map((member) => member.name));
	const put = (name, part) => onChange(withMember(value, shape.members, name, part));
	const others = Object.entries(value).filter(([name]) => !known.has(name));
	return /* @__PURE__ */ a($, { children: [shape.members.map((member) => /* @__PURE__ */ a(Part, {
		at: `${at}/${escaped(member.name)}`,
		name: member.name,
		schema: member.schema,
		value: value[member.name],
		need: member.required ? "required" : "optional",
		onChange: (part) => put(member.name, part)
	}, member.name)), shape.more === false ? others.map(([name, part]) => /* @__PURE__ */ a("div", {
		class: "sf-stranger",
		children: /* @__PURE__ */ a(Part, {
			at: `${at}/${escaped(name)}`,
			name,
			schema: true,
			value: part,
			need: "optional",
			onChange: (changed) => put(name, changed)
		})
	}, name)) : /* @__PURE__ */ a(MapRows, {
		place,
		entries: others,
		schema: shape.more,
		onChange: (entries) => onChange({
			...Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name))),
			...entries
		})
	})] });
}
/** In the order of the schema, so that what is sent reads like it; `undefined` leaves it out. */
function withMember(value, members, name, part) {
	const changed = {
		...value,
		[name]: part
	};
	const names = [.../* @__PURE__ */ new Set([...members.map((member) => member.name), ...Object.keys(changed)])];
	return Object.fromEntries(names.filter((each) => changed[each] !== void 0).map((each) => [each, changed[each]]));
}
/** Entries under names of the person's own. */
function MapRows({ place, entries, schema, onChange }) {
	const { root } = j(Around);
	const [rows, set] = d(entries);
	const sent = T(entries);
	A(() => {
		if (!same(sent.current, entries)) set(entries);
		sent.current = entries;
	}, [JSON.stringify(entries)]);
	const names = rows.map(([name]) => name);
	const change = (next) => {
		set(next);
		const good = next.filter(([name], index) => name && next.findIndex(([other]) => other === name) === index);
		sent.current = good;
		onChange(Object.fromEntries(good));
	};
	return /* @__PURE__ */ a("div", {
		class: "sf-map",
		children: [rows.map(([name, part], index) => {
			const twice = names.indexOf(name) !== index;
			const problem = name === "" ? t("Enter a name, or it is not sent.") : twice ? t("This name exists already; only the first is sent.") : "";
			return /* @__PURE__ */ a("div", {
				class: "sf-entry",
				children: [
					/* @__PURE__ */ a("label", {
						class: "sf-key",
						children: [/* @__PURE__ */ a("span", {
							class: "hint",
							children: t("Name")
						}), /* @__PURE__ */ a("input", {
							type: "text",
							value: name,
							autocomplete: "off",
							"aria-invalid": problem ? true : void 0,
							onInput: (event) => change(rows.with(index, [event.currentTarget.value, part]))
						})]
					}),
					/* @__PURE__ */ a(Part, {
						at: `${place.at}/${escaped(name)}`,
						name: name || "value",
						schema,
						value: part,
						need: "item",
						onChange: (changed) => change(rows.with(index, [name, changed]))
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Remove {name}", { name: name || t("this entry") }),
						icon: "trash",
						onClick: () => change(rows.toSpliced(index, 1))
					}),
					problem ? /* @__PURE__ */ a("p", {
						class: "wrong",
						children: problem
					}) : null
				]
			}, index);
		}), /* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "plus",
			onClick: () => change([...rows, ["", blank(schema, root)]]),
			children: t("Add entry")
		})]
	});
}
function ArrayGroup(place) {
	return /* @__PURE__ */ a(Group, {
		place,
		children: () => /* @__PURE__ */ a(Items, { ...place })
	});
}
var made = 0;
function Items(place) {
	const { shape, at, onChange } = place;
	const { root } = j(Around);
	const items = place.value;
	const list = T(null);
	const focus = T(null);
	const keys = T([]);
	while (keys.current.length < items.length) keys.current.push(++made);
	keys.current.length = items.length;
	F(() => {
		if (focus.current === null) return;
		list.current?.querySelector(focus.current)?.focus();
		focus.current = null;
	});
	const full = shape.schema.maxItems !== void 0 && items.length >= shape.schema.maxItems;
	const put = (next, order, then) => {
		keys.current = order;
		focus.current = then;
		onChange(next);
	};
	const insert = (index, parts) => put(items.toSpliced(index, 0, ...parts), keys.current.toSpliced(index, 0, ...parts.map(() => ++made)), `:scope > li:nth-child(${index + parts.length}) :is(input, select, textarea)`);
	const move = (index, to) => {
		const next = items.toSpliced(index, 1).toSpliced(to, 0, items[index]);
		const key = keys.current[index];
		const way = to < index ? "up" : "down";
		const button = (way === "up" ? to === 0 : to === items.length - 1) ? way === "up" ? "down" : "up" : way;
		put(next, keys.current.toSpliced(index, 1).toSpliced(to, 0, key), `:scope > li:nth-child(${to + 1}) > .sf-item-acts > [data-act="${button}"]`);
	};
	const single = ["text", "number"].includes(shapeOf(shape.items, root).kind);
	return /* @__PURE__ */ a($, { children: [items.length ? /* @__PURE__ */ a("ol", {
		class: "sf-items",
		ref: list,
		children: items.map((item, index) => /* @__PURE__ */ a("li", {
			class: single ? "is-single" : "",
			onKeyDown: (event) => {
				if (event.key !== "Enter" || !single || full || !(event.target instanceof HTMLInputElement)) return;
				event.preventDefault();
				insert(index + 1, [blank(shape.items, root)]);
			},
			onPaste: (event) => {
				const lines = event.clipboardData?.getData("text/plain").split(/\r?\n/).filter((line) => line.trim()) ?? [];
				if (!single || lines.length < 2 || !(event.target instanceof HTMLInputElement)) return;
				event.preventDefault();
				const kind = shapeOf(shape.items, root);
				const parts = lines.map((line) => kind.kind === "number" ? pasted(line.trim()) : line);
				put(items.toSpliced(index, 1, ...parts), keys.current.toSpliced(index, 1, ...parts.map(() => ++made)), `:scope > li:nth-child(${index + parts.length}) input`);
			},
			children: [/* @__PURE__ */ a(Part, {
				at: `${at}/${index}`,
				name: `${place.name} ${index + 1}`,
				schema: shape.items,
				value: item,
				need: "item",
				onChange: (part) => onChange(items.with(index, part))
			}), /* @__PURE__ */ a("div", {
				class: "sf-item-acts",
				children: [
					/* @__PURE__ */ a(IconButton, {
						"data-act": "up",
						label: t("Move {name} {index} up", {
							name: place.name,
							index: index + 1
						}),
						icon: "up",
						disabled: index === 0,
						onClick: () => move(index, index - 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						"data-act": "down",
						label: t("Move {name} {index} down", {
							name: place.name,
							index: index + 1
						}),
						icon: "down",
						disabled: index === items.length - 1,
						onClick: () => move(index, index + 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Remove {name} {index}", {
							name: place.name,
							index: index + 1
						}),
						icon: "trash",
						onClick: () => put(items.toSpliced(index, 1), keys.current.toSpliced(index, 1), `:scope > li:nth-child(${Math.max(1, index)}) :is(input, select, textarea)`)
					})
				]
			})]
		}, keys.current[index]))
	}) : /* @__PURE__ */ a("p", {
		class: "hint",
		children: t("An empty list is sent.")
	}), /* @__PURE__ */ a(Button, {
		kind: "quiet",
		icon: "plus",
		disabled: full,
		onClick: () => insert(items.length, [blank(shape.items, root)]),
		"aria-label": t("Add to {name}", { name: place.name }),
		children: full ? t("At most {maxItems}", { maxItems: shape.schema.maxItems ?? 0 }) : t("Add item")
	})] });
}
var pasted = (text) => {
	const number = Number(text.replace(/,$/, ""));
	return Number.isFinite(number) && text ? number : new Unread(text, t("is not a number"));
};
function VariantGroup(place) {
	const { root } = j(Around);
	const { shape, value, need } = place;
	const scores = shape.variants.map((each) => likeness(each.schema, root, value));
	const best = Math.max(0, scores.indexOf(Math.max(...scores)));
	const [picked, pick] = d(best);
	const chosen = value === void 0 || value instanceof Unread || scores[picked] > 0 ? picked : best;
	const id = P();
	const variant = shape.variants[chosen];
	if (!variant) return /* @__PURE__ */ a(JsonLeaf, { ...place });
	return /* @__PURE__ */ a("div", {
		class: "sf-variants",
		children: [/* @__PURE__ */ a("div", {
			class: "sf-pick",
			children: [/* @__PURE__ */ a("label", {
				for: id,
				class: "hint",
				children: t("Type of {name}", { name: place.name })
			}), /* @__PURE__ */ a("select", {
				id,
				value: String(chosen),
				onChange: (event) => {
					const next = Number(event.currentTarget.value);
					pick(next);
					const schema = shape.variants[next].schema;
					place.onChange(need === "item" ? blank(schema, root) : value === void 0 ? void 0 : initial(schema, root));
				},
				children: shape.variants.map((each, index) => /* @__PURE__ */ a("option", {
					value: String(index),
					children: each.title
				}, index))
			})]
		}), /* @__PURE__ */ a(Part, {
			...place,
			schema: {
				...variant.schema,
				description: variant.schema.description ?? shape.schema.description
			},
			nullable: shape.nullable
		}, chosen)]
	});
}
// src/ui/schema-form/form.tsx
/**
* A form made from a JSON Schema. It holds nothing itself: `value` is what would be sent, with
* members that are left out missing and `Unread` where something was written that is no value.
*/
function SchemaForm({ schema, value, onChange, errors = [], notes = {}, label }) {
	const [asJson, write] = d(false);
	const around = w(() => ({
		root: schema,
		wrong: [...unread(value), ...errors],
		notes
	}), [
		schema,
		value,
		errors,
		notes
	]);
	const shape = shapeOf(schema, schema);
	const readable = !(value instanceof Unread) && typeof value === "object" && value !== null && !Array.isArray(value);
	const place = {
		at: "",
		name: label,
		schema,
		value,
		onChange,
		need: "required"
	};
	const shown = asJson || !readable || shape.kind !== "object";
	const known = new Set(shape.kind === "object" ? shape.members.map((member) => `/${member.name}`) : []);
	const whole = around.wrong.filter((each) => each.pointer === "");
	return /* @__PURE__ */ a(Around.Provider, {
		value: around,
		children: /* @__PURE__ */ a("div", {
			class: "schema-form",
			role: "group",
			"aria-label": label,
			children: [shown ? /* @__PURE__ */ a(JsonLeaf, {
				...place,
				shape
			}) : /* @__PURE__ */ a($, { children: [
				whole.length ? /* @__PURE__ */ a("p", {
					class: "wrong",
					role: "alert",
					children: whole.map((each) => each.message).join("; ")
				}) : null,
				known.size ? null : /* @__PURE__ */ a("p", {
					class: "hint",
					children: t("This tool takes no arguments.")
				}),
				/* @__PURE__ */ a(Members, {
					...place,
					shape
				})
			] }), shape.kind === "object" && (known.size || shape.more !== false) ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "edit",
				class: "sf-whole",
				disabled: !readable,
				onClick: () => write(!asJson),
				children: shown ? t("Back to the form") : t("Edit as JSON")
			}) : null]
		})
	});
}
/** What a new form starts with. */
function startValue(schema) {
	return initial(schema, schema) ?? {};
}
/** To the first field that is wrong, if the form has one. */
function focusWrong(form) {
	(form?.querySelector(".is-wrong [aria-invalid=\"true\"], .is-wrong button"))?.focus();
}
export { brief as a, Unread as i, focusWrong as n, flat as o, startValue as r, unread as s, SchemaForm as t };
