export { $ as run } from "./start.js";
