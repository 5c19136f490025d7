// src/api/address.ts
/** Addresses of the server, which may be mounted under a prefix of another application. */
/** The path that the server is mounted under, without a slash at its end; empty at the root. */
var prefix = location.pathname.replace(/\/[^/]*$/, "");
/** A path of the server (`/api/…`) as this page has to ask for it. */
var address = (path) => prefix + path;
export { address as t };
