export { t as default } from "./page.js";
