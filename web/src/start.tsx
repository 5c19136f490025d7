import { render } from "preact";

import { App } from "./app";
import { becomeInstallable } from "./installed";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/kit.css";
import "./styles/overlays.css";
import "./styles/pages.css";

render(<App />, document.getElementById("app")!);
becomeInstallable();
