/** Files that another application shared with this one; the service worker has put them aside. */
const SHARED = "antiphon-shared";

/** Takes them, once. */
export async function takeShared(): Promise<File[]> {
  if (!("caches" in globalThis)) return [];
  const aside = await caches.open(SHARED);
  const answers = await Promise.all((await aside.keys()).map((key) => aside.match(key)));
  await caches.delete(SHARED);
  return Promise.all(answers.filter((each) => each !== undefined).map(async (answer) => {
    const name = decodeURIComponent(answer.headers.get("x-name") ?? "shared");
    return new File([await answer.blob()], name, { type: answer.headers.get("content-type") ?? "" });
  }));
}
