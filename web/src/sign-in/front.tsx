/** In place of the app, until it is known for whom that is. */
import { effect } from "@preact/signals";
import { render } from "preact";

import { account, arrive, watchTabs } from "../stores/account";
import { Door } from "./door";

// A build has all styles in one file.
if (import.meta.env.DEV) void import("../styles");
render(<Door inside={null} />, document.getElementById("app")!);
// Somebody may sign in in another tab.
watchTabs(() => { if (!account.peek()) void arrive(); });
effect(() => {
  if (account.value) void import("../start");
});
