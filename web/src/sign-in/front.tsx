/** In place of the app, until it is known for whom that is. */
import { effect } from "@preact/signals";
import { render } from "preact";

import { account } from "../stores/account";
import { Door } from "./door";

// A build has all styles in one file.
if (import.meta.env.DEV) void import("../styles");
render(<Door inside={null} />, document.getElementById("app")!);
effect(() => {
  if (account.value) void import("../start");
});
