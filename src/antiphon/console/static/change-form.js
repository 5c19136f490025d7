import { d, l as T, o as A, t as a } from "./vendor-preact.js";
import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { l as t } from "./app.js";
import { d as Shown } from "./kit.js";
import { n as focusWrong, s as unread, t as SchemaForm } from "./form.js";
// src/overlays/change-form.tsx
/** The values of a call that is asked about, in the tool's own form. */
function ChangeForm({ tool, value, wrong, onChange }) {
	const [written, write] = d(value);
	const form = T(null);
	const loaded = useLoad((signal) => get(`/api/tools/${encodeURIComponent(tool)}`, { signal }), [tool]);
	const errors = written === value ? wrong : [];
	A(() => {
		if (!loaded.data) return;
		if (wrong.length) focusWrong(form.current);
		else form.current?.querySelector("input, textarea, select")?.focus();
	}, [loaded.data !== null]);
	const change = (next) => {
		write(next);
		onChange(typeof next === "object" && next !== null && !Array.isArray(next) && !unread(next).length ? next : null);
	};
	return /* @__PURE__ */ a("div", {
		class: "confirm-form",
		ref: form,
		children: /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: ({ jsonSchema }) => /* @__PURE__ */ a(SchemaForm, {
				label: t("Values of {tool}", { tool }),
				schema: jsonSchema,
				value: written,
				onChange: change,
				errors
			})
		})
	});
}
export { ChangeForm };
