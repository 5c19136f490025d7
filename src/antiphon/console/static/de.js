// src/i18n/de.json
var de_default = {};
export { de_default as default };
