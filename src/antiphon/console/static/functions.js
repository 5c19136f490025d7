export { _ as run } from "./start.js";
