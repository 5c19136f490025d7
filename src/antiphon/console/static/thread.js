export { M as putDraft } from "./start.js";
