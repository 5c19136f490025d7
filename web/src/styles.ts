/** What everything is drawn with. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/kit.css";
import "./styles/overlays.css";
import "./styles/pages.css";
