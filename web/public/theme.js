// Before the first paint, so that a dark page never flashes white.
(() => {
  let theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("antiphon.prefs") || "{}").theme || "system";
  } catch {
    // Storage is off or holds something else: the system's theme it is.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "system" ? (dark ? "dark" : "light") : theme;
})();
