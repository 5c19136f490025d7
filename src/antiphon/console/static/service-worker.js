// The console without its server: opens from the files of one build, and says that the server is away. Everything
// is asked of the server first; what the API answers is never kept, and no file of another build.
const MARK = "e34c28f74903f092014eb1f4655212499f381d5f8a876eaf1926a344cc06af26";
const FILES = ["agents.js","api.js","api2.js","app.js","artefacts.js","audit.js","backends.js","blocked.js","bus.js","calendar.js","call-menu.js","calls.js","capture-worklet.js","catalogue.js","change-form.js","chat.js","confirm.js","confirmations.js","connection.js","conversation.js","dates.js","de.js","door.js","drawer.js","ear.js","experts.js","figure.js","filter-chips.js","flow.js","form.js","frame.js","front.js","functions.js","gallery.js","gates.js","geist.woff2","graph-worker.js","groups.js","icon-192.png","icon-512.png","icon-apple-180.png","icon-maskable-512.png","icon.svg","icons.js","inbox.js","index.html","kept-input.js","kg-studio.js","left-out.js","legend.js","limits.js","link.js","macros.js","manifest.webmanifest","markdown-html.js","markdown.js","mcp.js","menu-panels.js","metrics.js","microphone.js","notifications.js","nowhere.js","older.js","open-questions.js","organisations.js","page.js","palette.js","passkeys.js","past.js","pipeline-page.js","playback-worklet.js","playbooks2.js","poll.js","popover.js","projects.js","readable.js","roles.js","router.js","rules.js","secret.js","server-voice.js","sessions.js","settings.js","shapes.js","shared.js","sign-in.js","some.js","source.js","sparkline.js","start.js","style.css","submit.js","talk.js","theme.js","thread.js","time.js","toasts.js","tokens.js","tokens2.js","tool-card.js","tools.js","tour.js","traces.js","transcript.js","tries.js","typed.js","usage.js","users.js","vendor-markdown.js","vendor-preact.js","vendor-uplot.js","vox.js","waveform.js","words.js","words2.js","words3.js","words4.js","workflows.js","zone.js"];
const CACHE = `antiphon-${MARK}`;
/** What other applications shared, until the page has taken it. */
const SHARED = "antiphon-shared";

const ROOT = new URL("../", self.location.href).href;
const addressOf = (name) => (name === "index.html" ? ROOT : `${ROOT}console/${name}`);
const KEPT = new Set(FILES.map(addressOf));

async function marked() {
  const answer = await fetch(addressOf("build.json"), { cache: "no-store" });
  return answer.ok && (await answer.json()).sources === MARK;
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll([...KEPT].map((address) => new Request(address, { cache: "no-cache" })));
      // The server may have got another build while these came.
      if (!(await marked())) {
        await caches.delete(CACHE);
        throw new Error("The server has another build by now.");
      }
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith("antiphon-") && ![CACHE, SHARED].includes(name));
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/, 1)[0];
  if (request.method === "POST" && address === `${ROOT}share`) event.respondWith(take(request));
  else if (request.method === "GET" && KEPT.has(address)) event.respondWith(fromServer(request, address));
});

async function fromServer(request, address) {
  // A proxy answers for a server that is away.
  const answer = await fetch(request).catch(() => null);
  if (answer && answer.status < 500) return answer;
  const kept = await (await caches.open(CACHE)).match(address, { ignoreVary: true });
  return kept ?? answer ?? Response.error();
}

/** What was shared: texts go into the message box, files to where knowledge is added. */
async function take(request) {
  const form = await request.formData();
  const files = form.getAll("files").filter((each) => each instanceof File && each.size > 0);
  const text = ["title", "text", "url"].map((name) => form.get(name)).filter((each) => typeof each === "string" && each.trim());
  if (!files.length) return Response.redirect(`${ROOT}#/chat?draft=${encodeURIComponent([...new Set(text)].join("\n"))}`, 303);
  await caches.delete(SHARED);
  const shared = await caches.open(SHARED);
  for (const [index, file] of files.entries()) {
    const headers = { "content-type": file.type || "application/octet-stream", "x-name": encodeURIComponent(file.name) };
    await shared.put(`${ROOT}shared/${index}`, new Response(file, { headers }));
  }
  return Response.redirect(`${ROOT}#/kg-studio?tab=ingest&shared=${files.length}`, 303);
}
