import { r as get } from "./http.js";
// src/pages/tools/api.ts
/** The registry, its numbers and its answers, as the server tells them. */
var loadCatalogue = (signal) => get("/api/tools", { ...signal ? { signal } : {} });
var loadTool = (id, signal) => get(`/api/tools/${encodeURIComponent(id)}`, { ...signal ? { signal } : {} });
var loadMetrics = (signal) => get("/metrics", { ...signal ? { signal } : {} });
var recentCalls = (tool, limit, signal) => get("/api/audit", {
	query: {
		tool,
		newest_first: true,
		limit
	},
	...signal ? { signal } : {}
});
export { recentCalls as i, loadMetrics as n, loadTool as r, loadCatalogue as t };
