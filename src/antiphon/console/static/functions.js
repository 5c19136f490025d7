export { f as run } from "./start.js";
