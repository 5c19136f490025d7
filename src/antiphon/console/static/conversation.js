export { f as muted, g as sendText, _ as setMuted, y as start } from "./start.js";
