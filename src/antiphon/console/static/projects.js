import { d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { c as said, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { l as t } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { r as toast } from "./toasts.js";
import { U as Dialog } from "./start.js";
import { n as Icon } from "./icons.js";
import { a as Empty, d as Shown, f as Spinner, n as Button, o as Field, r as Card, t as Badge, u as Problem } from "./kit.js";
import { t as useSome } from "./some.js";
import { t as Markdown } from "./markdown.js";
import { a as fullTime, t as ago } from "./time.js";
import { n as on } from "./bus.js";
import { f as whenInWords, h as eventAddress } from "./words2.js";
// src/pages/projects/api.ts
var place = (id) => `/api/projects/${encodeURIComponent(id)}`;
async function loadProjects(signal) {
	return (await get("/api/projects", { signal })).projects;
}
var loadRelated = (id, signal) => get(`${place(id)}/related`, { signal });
var createProject = (body) => post("/api/projects", body);
var changeProject = (id, body) => put(place(id), body);
var deleteProject = (id) => del(place(id));
var MAX_DESCRIPTION = 2e3;
function ProjectEditor({ project, onClose, onSaved }) {
	const [name, setName] = d(project?.name ?? "");
	const [description, setDescription] = d(project?.description ?? "");
	const [busy, set] = d(false);
	const [problem, tell] = d(null);
	const first = T(null);
	F(() => first.current?.focus(), []);
	const submit = async (event) => {
		event.preventDefault();
		if (!name.trim()) {
			tell({ words: t("Enter a name. You and the agents use it to refer to the project.") });
			first.current?.focus();
			return;
		}
		set(true);
		try {
			const body = {
				name,
				description
			};
			onSaved(project ? await changeProject(project.id, body) : await createProject(body));
		} catch (error) {
			const there = error instanceof ApiError ? error.body?.project_id : void 0;
			tell({
				words: said(error),
				...there ? { there } : {}
			});
			set(false);
		}
	};
	return /* @__PURE__ */ a(Dialog, {
		title: project ? t("Edit project") : t("New project"),
		onClose,
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: submit,
			noValidate: true,
			children: [
				/* @__PURE__ */ a(Field, {
					label: t("Name"),
					error: problem?.words,
					children: (attributes) => /* @__PURE__ */ a("input", {
						...attributes,
						ref: first,
						type: "text",
						value: name,
						maxLength: 100,
						autocomplete: "off",
						onInput: (event) => {
							setName(event.currentTarget.value);
							tell(null);
						}
					})
				}),
				problem?.there ? /* @__PURE__ */ a("a", {
					href: at("projects", [problem.there]),
					onClick: onClose,
					children: t("Open the existing project")
				}) : null,
				/* @__PURE__ */ a(Field, {
					label: t("Description"),
					hint: t("Markdown is supported. Agents can read it."),
					children: (attributes) => /* @__PURE__ */ a("textarea", {
						...attributes,
						rows: 5,
						value: description,
						maxLength: MAX_DESCRIPTION,
						onInput: (event) => setDescription(event.currentTarget.value)
					})
				}),
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: onClose,
							children: t("Cancel")
						}),
						/* @__PURE__ */ a(Button, {
							type: "submit",
							kind: "primary",
							busy,
							children: project ? t("Save") : t("Create project")
						})
					]
				})
			]
		})
	});
}
// src/pages/projects/related.tsx
function Belongings({ project }) {
	const related = useLoad((signal) => loadRelated(project.id, signal), [project.id, project.name]);
	return /* @__PURE__ */ a(Shown, {
		of: related,
		children: (found) => /* @__PURE__ */ a(Found$1, {
			project,
			found
		})
	});
}
function Found$1({ project, found }) {
	const nothing = !found.records.length && !found.playbooks.length && !found.events.length && !found.runs.length;
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			found.problems.map((words) => /* @__PURE__ */ a("p", {
				class: "wrong",
				children: words
			}, words)),
			nothing && !found.problems.length ? /* @__PURE__ */ a(Empty, {
				icon: "search",
				title: t("Nothing mentions {name} yet", { name: project.name }),
				children: /* @__PURE__ */ a("p", { children: [
					t("Records, playbooks, upcoming events and runs that mention the project appear here."),
					" ",
					/* @__PURE__ */ a("a", {
						href: at("kg-studio"),
						children: t("Add text about it")
					}),
					" · ",
					/* @__PURE__ */ a("a", {
						href: at("calendar", [], { new: "1" }),
						children: t("Add an event")
					})
				] })
			}) : null,
			/* @__PURE__ */ a(Part, {
				icon: "graph",
				title: t("Knowledge"),
				items: found.records.map((one) => ({
					key: `${one.database_id}/${one.id}`,
					href: at("kg-studio", [
						one.database_id,
						"record",
						one.id
					]),
					title: one.title,
					more: /* @__PURE__ */ a($, { children: one.snippet }),
					badge: /* @__PURE__ */ a(Badge, { children: t("{type} in {database}", {
						type: one.type,
						database: one.database_id
					}) })
				}))
			}),
			/* @__PURE__ */ a(Part, {
				icon: "calendar",
				title: t("Upcoming"),
				items: found.events.map((one) => ({
					key: `${one.id}/${one.start}`,
					href: eventAddress(one),
					title: one.title || t("Untitled"),
					more: /* @__PURE__ */ a($, { children: whenInWords(one) })
				}))
			}),
			/* @__PURE__ */ a(Part, {
				icon: "flow",
				title: t("Runs"),
				items: found.runs.map((one) => ({
					key: one.task_id,
					href: at(one.kind === "workflow" ? "workflows" : "agents", [], { task: one.task_id }),
					title: one.name,
					more: /* @__PURE__ */ a($, { children: one.input }),
					badge: /* @__PURE__ */ a(Badge, { children: [
						one.status,
						", ",
						ago(one.created_at)
					] })
				}))
			}),
			/* @__PURE__ */ a(Part, {
				icon: "book",
				title: t("Playbooks"),
				items: found.playbooks.map((one) => ({
					key: one.id,
					href: at("playbooks", [one.id]),
					title: one.title,
					more: /* @__PURE__ */ a($, { children: one.summary })
				}))
			})
		]
	});
}
function Part({ icon, title, items }) {
	if (!items.length) return null;
	return /* @__PURE__ */ a("section", {
		class: "projects-part",
		"aria-label": title,
		children: [/* @__PURE__ */ a("h3", {
			class: "row",
			children: [/* @__PURE__ */ a(Icon, {
				name: icon,
				size: 16
			}), title]
		}), /* @__PURE__ */ a("ul", {
			class: "list",
			children: items.map((item) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "list-item",
				href: item.href,
				children: [/* @__PURE__ */ a("span", {
					class: "row",
					children: [item.title, item.badge]
				}), /* @__PURE__ */ a("small", {
					class: "projects-more",
					children: item.more
				})]
			}) }, item.key))
		})]
	});
}
// src/pages/projects.tsx
/** Projects: what one works on, and everything that names it. */
var STATUS = {
	active: {
		said: "active",
		kind: "good"
	},
	paused: {
		said: "paused",
		kind: "warn"
	},
	done: {
		said: "done",
		kind: "plain"
	}
};
/** Fewer are found at a glance. */
var SEARCH_FROM = 8;
function Projects() {
	const projects = useLoad(loadProjects, []);
	A(() => on("function_result", (message) => {
		if (message.name === "create_project") projects.reload();
	}), []);
	return /* @__PURE__ */ a(Shown, {
		of: projects,
		children: (found) => /* @__PURE__ */ a(Found, {
			projects: found,
			loading: projects.loading,
			reload: projects.reload
		})
	});
}
function Found({ projects, loading, reload }) {
	const { rest, query } = route.value;
	const [wanted = ""] = rest;
	const chosen = wanted ? projects.find((each) => each.id === wanted || each.name.toLowerCase() === wanted.toLowerCase()) : projects.find((each) => each.current) ?? projects[0];
	const making = query.has("new");
	const close = () => go(at("projects", rest), true);
	return /* @__PURE__ */ a("div", {
		class: `split projects ${wanted ? "has-chosen" : ""}`,
		children: [
			/* @__PURE__ */ a(Choices, {
				projects,
				chosen: chosen?.id ?? ""
			}),
			/* @__PURE__ */ a("div", {
				class: "stack projects-main",
				children: [wanted ? /* @__PURE__ */ a("a", {
					class: "projects-back",
					href: at("projects"),
					children: [/* @__PURE__ */ a(Icon, {
						name: "chevron",
						size: 16
					}), t("All projects")]
				}) : null, chosen ? /* @__PURE__ */ a(One, {
					project: chosen,
					reload
				}, chosen.id) : wanted && loading ? /* @__PURE__ */ a("div", {
					class: "loading",
					children: /* @__PURE__ */ a(Spinner, { label: t("Loading project") })
				}) : wanted ? /* @__PURE__ */ a(Problem, { error: new Error(t("This project no longer exists. Choose another one.")) }) : /* @__PURE__ */ a(First, {})]
			}),
			making ? /* @__PURE__ */ a(ProjectEditor, {
				onClose: close,
				onSaved: (made) => {
					reload();
					go(at("projects", [made.id]));
					toast(t("Project {name} created.", { name: made.name }), { kind: "good" });
				}
			}) : null
		]
	});
}
function Choices({ projects, chosen }) {
	const { rest, query } = route.value;
	const said = query.get("q") ?? "";
	const shown = projects.filter((each) => `${each.name} ${each.description}`.toLowerCase().includes(said.trim().toLowerCase()));
	const { some, more } = useSome(shown, (each) => each.id === chosen);
	return /* @__PURE__ */ a("section", {
		class: "stack projects-side",
		"aria-label": t("Your projects"),
		children: [
			/* @__PURE__ */ a(Button, {
				kind: "primary",
				icon: "plus",
				"data-tour": "projects-create",
				onClick: () => go(at("projects", rest, {
					q: said,
					new: "1"
				})),
				children: t("New project")
			}),
			projects.length >= SEARCH_FROM || said ? /* @__PURE__ */ a("input", {
				type: "search",
				"aria-label": t("Find a project"),
				placeholder: t("Find a project"),
				value: said,
				onInput: (event) => go(at("projects", rest, { q: event.currentTarget.value }), true)
			}) : null,
			/* @__PURE__ */ a("ul", {
				class: "list",
				"data-tour": "projects-list",
				children: [some.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
					class: "list-item",
					href: at("projects", [each.id], { q: said }),
					"aria-current": each.id === chosen ? "true" : void 0,
					children: [/* @__PURE__ */ a("span", {
						class: "row",
						children: [/* @__PURE__ */ a("strong", { children: each.name }), each.current ? /* @__PURE__ */ a(Badge, {
							kind: "accent",
							children: t("my project")
						}) : null]
					}), /* @__PURE__ */ a("small", {
						class: "row",
						children: [/* @__PURE__ */ a(Badge, {
							kind: STATUS[each.status].kind,
							children: STATUS[each.status].said
						}), t("updated {when}", { when: ago(each.updated_at) })]
					})]
				}) }, each.id)), shown.length ? null : /* @__PURE__ */ a("li", {
					class: "hint",
					children: said ? t("No project matches “{said}”.", { said }) : t("No projects yet.")
				})]
			}),
			more
		]
	});
}
function First() {
	return /* @__PURE__ */ a(Card, {
		tour: "projects-detail",
		children: /* @__PURE__ */ a(Empty, {
			icon: "folder",
			title: t("Your first project"),
			action: /* @__PURE__ */ a("a", {
				class: "button primary",
				href: at("projects", [], { new: "1" }),
				children: [/* @__PURE__ */ a(Icon, {
					name: "plus",
					size: 16
				}), t("New project")]
			}),
			children: [/* @__PURE__ */ a("p", { children: t("A project names what you work on. Everything that mentions it in your databases, calendar and runs is collected here.") }), /* @__PURE__ */ a("p", {
				"data-tour": "projects-active",
				children: t("You can also say “create a project called Aurora”. Mark one as yours, and agents know what “my project” means.")
			})]
		})
	});
}
function One({ project, reload }) {
	const [editing, edit] = d(false);
	const [deleting, ask] = d(false);
	const [busy, set] = d(false);
	const act = async (work, words) => {
		set(true);
		try {
			await work();
			toast(words, { kind: "good" });
		} catch (error) {
			toast(said(error), { kind: "bad" });
		} finally {
			set(false);
			reload();
		}
	};
	const current = () => act(() => changeProject(project.id, { current: !project.current }), project.current ? t("You have no current project now.") : t("“My project” is now {name}.", { name: project.name }));
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Card, {
			tour: "projects-detail",
			title: project.name,
			actions: /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Button, {
				icon: "edit",
				onClick: () => edit(true),
				children: t("Edit")
			}), /* @__PURE__ */ a(Button, {
				kind: "danger",
				icon: "trash",
				onClick: () => ask(true),
				children: t("Delete")
			})] }),
			children: [
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("label", {
							class: "projects-status",
							children: [t("Status"), /* @__PURE__ */ a("select", {
								value: project.status,
								disabled: busy,
								onChange: (event) => {
									const status = event.currentTarget.value;
									act(() => changeProject(project.id, { status }), `${project.name} is ${STATUS[status].said}.`);
								},
								children: Object.entries(STATUS).map(([status, words]) => /* @__PURE__ */ a("option", {
									value: status,
									children: words.said
								}, status))
							})]
						}),
						/* @__PURE__ */ a("span", {
							class: "hint",
							title: fullTime(project.updated_at),
							children: t("updated {when}", { when: ago(project.updated_at) })
						}),
						/* @__PURE__ */ a("span", {
							class: "hint",
							title: fullTime(project.created_at),
							children: t("created {when}", { when: ago(project.created_at) })
						})
					]
				}),
				project.description ? /* @__PURE__ */ a(Markdown, { text: project.description }) : /* @__PURE__ */ a("p", {
					class: "hint",
					children: [
						t("No description."),
						" ",
						/* @__PURE__ */ a("button", {
							type: "button",
							class: "projects-link",
							onClick: () => edit(true),
							children: t("Add a description")
						})
					]
				}),
				/* @__PURE__ */ a("div", {
					class: `projects-current ${project.current ? "is-current" : ""}`,
					"data-tour": "projects-active",
					children: [/* @__PURE__ */ a("p", { children: project.current ? t("For the next day, agents take “my project” to mean this one.") : t("Mark it as yours, and agents know what “my project” means.") }), /* @__PURE__ */ a(Button, {
						kind: project.current ? "plain" : "primary",
						icon: project.current ? "close" : "check",
						busy,
						onClick: current,
						children: project.current ? t("No longer my project") : t("Make it my project")
					})]
				})
			]
		}),
		/* @__PURE__ */ a(Card, {
			title: t("Related"),
			children: /* @__PURE__ */ a(Belongings, { project })
		}),
		editing ? /* @__PURE__ */ a(ProjectEditor, {
			project,
			onClose: () => edit(false),
			onSaved: () => {
				edit(false);
				reload();
				toast(t("Saved."), { kind: "good" });
			}
		}) : null,
		deleting ? /* @__PURE__ */ a(Dialog, {
			title: t("Delete {name}?", { name: project.name }),
			onClose: () => ask(false),
			children: [/* @__PURE__ */ a("p", { children: t("This deletes its name, description and status. Records, events and runs that mention it stay.") }), /* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						onClick: () => ask(false),
						children: t("Cancel")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "danger",
						icon: "trash",
						busy,
						onClick: () => {
							ask(false);
							act(async () => {
								await deleteProject(project.id);
								go(at("projects"));
							}, t("{name} deleted.", { name: project.name }));
						},
						children: t("Delete")
					})
				]
			})]
		}) : null
	] });
}
export { Projects as default };
