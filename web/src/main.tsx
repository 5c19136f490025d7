import { loadLanguage } from "./i18n";

// The app is imported only then: its modules may say something as soon as they are read.
void loadLanguage().then(() => import("./start"));
