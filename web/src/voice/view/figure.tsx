/** A picture with its caption, at most as large as the column; a click opens it in full. */
import { address } from "../../api/address";
import { t } from "../../i18n";
import type { Picture } from "../transcript";

export function Figure({ url, caption, alt, width, height }: Picture) {
  return (
    <figure class="figure">
      <a href={address(url)} target="_blank" rel="noopener" title={t("Open full size")}>
        <img src={address(url)} alt={alt || caption || t("Image")} loading="lazy" {...(width && height ? { width, height } : {})} />
      </a>
      {caption ? <figcaption>{caption}</figcaption> : null}
    </figure>
  );
}

/** The picture that a call has made, as its result tells of it. */
export function pictureIn(result: unknown): Picture | null {
  if (result === null || typeof result !== "object") return null;
  const { url, mediaType, prompt, width, height } = result as Record<string, unknown>;
  if (typeof url !== "string" || !url.startsWith("/api/images/") || !String(mediaType ?? "image/").startsWith("image/")) return null;
  const size = (value: unknown) => (typeof value === "number" ? value : null);
  return { url, caption: "", alt: typeof prompt === "string" ? prompt : "", width: size(width), height: size(height) };
}
