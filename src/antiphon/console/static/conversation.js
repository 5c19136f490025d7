export { d as muted, h as sendText, g as setMuted, v as start } from "./start.js";
