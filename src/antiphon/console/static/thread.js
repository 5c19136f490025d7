export { j as putDraft } from "./start.js";
