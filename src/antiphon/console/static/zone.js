// src/api/zone.ts
/** The time zone that the person is in, as the browser knows it. */
var zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
export { zoneHere as t };
