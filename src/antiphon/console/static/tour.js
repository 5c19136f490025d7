import { c as P, d, l as T, o as A, s as F, t as a } from "./vendor-preact.js";
import { c as rich, f as prefer, l as t, p as prefs } from "./app.js";
import { G as endTour, J as sayStep, K as guided, W as back, Y as voiceTrouble, q as next } from "./start.js";
import { n as Button, s as IconButton } from "./kit.js";
// src/overlays/place.ts
var GAP = 12;
/** Without a box it is in the middle; where no side has room, at the edge that covers less of it. */
function place(box, card, view, wanted) {
	const middle = {
		left: (view.width - card.width) / 2,
		top: (view.height - card.height) / 2
	};
	if (!box || wanted === "center") return inside(middle, card, view);
	const side = [
		wanted,
		{
			top: "bottom",
			bottom: "top",
			left: "right",
			right: "left"
		}[wanted],
		"bottom",
		"top",
		"right",
		"left"
	].find((each) => room(each, box, card, view));
	if (!side) {
		const low = box.top + box.height / 2 > view.height / 2;
		return inside({
			left: middle.left,
			top: low && box.top > card.height ? 0 : view.height
		}, card, view);
	}
	const across = box.left + (box.width - card.width) / 2;
	const along = box.top + (box.height - card.height) / 2;
	const at = {
		top: {
			left: across,
			top: box.top - GAP - card.height
		},
		bottom: {
			left: across,
			top: box.top + box.height + GAP
		},
		left: {
			left: box.left - GAP - card.width,
			top: along
		},
		right: {
			left: box.left + box.width + GAP,
			top: along
		}
	}[side];
	return inside(at, card, view);
}
function room(side, box, card, view) {
	return {
		top: box.top,
		bottom: view.height - box.top - box.height,
		left: box.left,
		right: view.width - box.left - box.width
	}[side] >= 24 + (side === "top" || side === "bottom" ? card.height : card.width);
}
function inside(at, card, view) {
	return {
		left: Math.max(GAP, Math.min(at.left, view.width - card.width - GAP)),
		top: Math.max(GAP, Math.min(at.top, view.height - card.height - GAP))
	};
}
// src/overlays/tour.tsx
/** The tour over the page: a light on one thing, and a card that says what it is for. */
function TourOverlay() {
	return guided.value ? /* @__PURE__ */ a(Running, { now: guided.value }) : null;
}
function Running({ now }) {
	const { tour, index, target } = now;
	const step = tour.steps[index];
	const last = index === tour.steps.length - 1;
	const card = T(null);
	const heading = P();
	const caption = P();
	const box = useBox(target instanceof Element ? target : null);
	const [spot, settle] = d({
		left: 0,
		top: 0
	});
	F(() => {
		const before = document.activeElement;
		return () => {
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	F(() => {
		card.current?.querySelector(".tour-next")?.focus({ preventScroll: true });
	}, [index, tour]);
	F(() => {
		const { offsetWidth: width, offsetHeight: height } = card.current;
		settle(place(box, {
			width,
			height
		}, {
			width: innerWidth,
			height: innerHeight
		}, step.position));
	}, [box, step]);
	const onKeyDown = (event) => {
		event.stopPropagation();
		if (event.key === "Escape") endTour();
		else if (event.key === "ArrowRight") next();
		else if (event.key === "ArrowLeft") back();
		else if (event.key === "Tab") keepInside(event, card.current);
		else return;
		if (event.key !== "Tab") event.preventDefault();
	};
	return /* @__PURE__ */ a("div", {
		class: "tour",
		onKeyDown,
		children: [
			/* @__PURE__ */ a("div", {
				class: "tour-shade",
				onClick: () => card.current?.querySelector(".tour-next")?.focus()
			}),
			box && step.highlight ? /* @__PURE__ */ a("div", {
				class: "tour-light",
				style: px(box)
			}) : /* @__PURE__ */ a("div", { class: "tour-dim" }),
			/* @__PURE__ */ a("div", {
				class: "tour-card",
				ref: card,
				role: "dialog",
				"aria-modal": "true",
				"aria-labelledby": heading,
				"aria-describedby": caption,
				style: {
					left: `${spot.left}px`,
					top: `${spot.top}px`
				},
				children: [
					/* @__PURE__ */ a("header", { children: [
						/* @__PURE__ */ a("h2", {
							id: heading,
							children: tour.name
						}),
						/* @__PURE__ */ a("span", {
							class: "hint number",
							children: rich("{index} of {count}", {
								index: index + 1,
								count: tour.steps.length
							})
						}),
						/* @__PURE__ */ a(IconButton, {
							label: prefs.value.tourSpeech ? t("Do not read aloud") : t("Read aloud"),
							icon: "volume",
							class: prefs.value.tourSpeech ? "on" : "",
							"aria-pressed": prefs.value.tourSpeech,
							onClick: () => {
								prefer({ tourSpeech: !prefs.value.tourSpeech });
								sayStep(prefs.value.tourSpeech);
							}
						}),
						/* @__PURE__ */ a(IconButton, {
							label: t("Close tour"),
							icon: "close",
							onClick: endTour
						})
					] }),
					/* @__PURE__ */ a("p", {
						id: caption,
						"aria-live": "polite",
						children: step.speech
					}),
					prefs.value.tourSpeech && voiceTrouble.value ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: rich("This cannot be read aloud. {voiceTrouble}", { voiceTrouble })
					}) : null,
					target === null ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: t("This part is not on the page right now.")
					}) : null,
					/* @__PURE__ */ a("footer", { children: [
						/* @__PURE__ */ a(Button, {
							kind: "quiet",
							onClick: back,
							disabled: index === 0,
							children: t("Back")
						}),
						/* @__PURE__ */ a("span", {
							class: "tour-dots",
							"aria-hidden": "true",
							children: tour.steps.map((_, at) => /* @__PURE__ */ a("i", { class: at === index ? "here" : "" }, at))
						}),
						/* @__PURE__ */ a(Button, {
							kind: "primary",
							class: "tour-next",
							onClick: next,
							children: last ? t("Done") : t("Next")
						})
					] })
				]
			})
		]
	});
}
var px = (box) => ({
	left: `${box.left}px`,
	top: `${box.top}px`,
	width: `${box.width}px`,
	height: `${box.height}px`
});
var AROUND = 6;
/** Where the element is in the window, followed as the page scrolls and changes. */
function useBox(element) {
	const [box, set] = d(null);
	A(() => {
		if (!element) {
			set(null);
			return;
		}
		const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
		const tall = element.getBoundingClientRect().height > innerHeight * .7;
		element.scrollIntoView({
			block: tall ? "start" : "center",
			behavior: calm ? "auto" : "smooth"
		});
		let frame = 0;
		const follow = () => {
			const now = seen(element);
			set((before) => before && same(before, now) ? before : now);
			frame = requestAnimationFrame(follow);
		};
		follow();
		return () => cancelAnimationFrame(frame);
	}, [element]);
	return box;
}
/** The element with some room around it; what is taller than the window, as far as it is seen. */
function seen(element) {
	const { left, top, right, bottom } = element.getBoundingClientRect();
	const from = {
		left: Math.max(AROUND, left - AROUND),
		top: Math.max(AROUND, top - AROUND)
	};
	return {
		...from,
		width: Math.max(0, Math.min(innerWidth - AROUND, right + AROUND) - from.left),
		height: Math.max(0, Math.min(innerHeight - AROUND, bottom + AROUND) - from.top)
	};
}
var same = (a, b) => a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
function keepInside(event, card) {
	const stops = [...card.querySelectorAll("button:not(:disabled)")];
	const at = stops.indexOf(document.activeElement);
	const to = event.shiftKey ? at - 1 : at + 1;
	event.preventDefault();
	stops.at(to % stops.length)?.focus();
}
export { TourOverlay };
