/** Spending caps that are nearly used up: told when the server says so. */
import { at } from "../router";
import { on } from "../voice/bus";
import { toast } from "./toasts";

on("spending_warning", ({ message }) => {
  toast(message, { href: at("usage"), stays: true });
});
