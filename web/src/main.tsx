import { loadLanguage } from "./i18n";
import { account, arrive } from "./stores/account";
import { takeEntrance } from "./stores/entrance";

takeEntrance();
// The app is imported only then, and only for whom it is: its modules may say something, and read what is kept for
// somebody, as soon as they are read.
void Promise.all([loadLanguage(), arrive()]).then(() => (account.value ? import("./start") : import("./sign-in/front")));
