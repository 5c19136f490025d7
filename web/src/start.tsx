import { render } from "preact";

import { App } from "./app";
import { becomeInstallable } from "./installed";
import { Door } from "./sign-in/door";
import "./styles";

render(<Door inside={App} />, document.getElementById("app")!);
becomeInstallable();
