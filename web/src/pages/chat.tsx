export { default } from "./conversation/page";
