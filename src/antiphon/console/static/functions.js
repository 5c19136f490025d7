export { it as run } from "./start.js";
