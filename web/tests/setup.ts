/** Tests of parts of the console begin as on a server that asks nobody to sign in. */
import { beforeEach } from "vitest";

import { account } from "../src/stores/account";

beforeEach(() => {
  account.value = { user: "local", display_name: "", email: "", organisation: "", roles: [], permissions: [], way: "open", session: null, has_password: false };
});
