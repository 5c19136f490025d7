export { at as run } from "./start.js";
