/** What a person sees of the open page: where it is and what is written on it. */
import { at, go, NOWHERE, PAGES, pageTitle, parseRoute, route } from "../router";

const LOADS_MS = 3000;
const LOOK_EVERY_MS = 50;
/** About as much as a model can use of one page. */
export const MOST = 8000;

export interface Place {
  page: string;
  title: string;
  path: string;
}

export function currentPage(): Place {
  const { page, wanted, rest, query } = route.value;
  const path = page ? at(page, rest, Object.fromEntries(query)).slice(1) : `/${[wanted, ...rest].join("/")}`;
  return { page: page ?? "", title: pageTitle.value, path };
}

/** Goes to a page or a place on one, and answers when it is there to be seen. */
export async function navigate(path: string): Promise<{ navigated_to: string; title: string }> {
  const to = parseRoute(`#/${path.trim().replace(/^#?\/+/, "")}`);
  if (!to.page) {
    throw new Error(`There is no page "${to.wanted}". There are ${PAGES.map((page) => page.id).join(", ")}.`);
  }
  go(at(to.page, to.rest, Object.fromEntries(to.query)));
  await shown();
  return { navigated_to: [to.page, ...to.rest].join("/"), title: pageTitle.value };
}

/** The text that can be seen, cut to a size that a model can use. */
export async function readPage(): Promise<Omit<Place, "path"> & { content: string }> {
  await shown();
  const { page, title } = currentPage();
  return { page, title, content: visibleText(document.getElementById("main")) };
}

export function visibleText(element: HTMLElement | null): string {
  const text = (element?.innerText ?? "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  if (text.length <= MOST) return text;
  const left = text.length - MOST;
  return `${text.slice(0, MOST).trimEnd()}\n… (${left} more characters are on the page)`;
}

/** Waits until the page has loaded what it shows, but not for ever. */
async function shown(): Promise<void> {
  const until = Date.now() + LOADS_MS;
  const ready = () => document.querySelector(`main .page-${route.value.page ?? NOWHERE}`) && !document.querySelector("main .loading");
  while (!ready() && Date.now() < until) await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
}
