export { Q as run } from "./start.js";
