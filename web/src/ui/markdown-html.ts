import DOMPurify from "dompurify";
import { marked } from "marked";

/** Links lead out in a window of their own; pictures from elsewhere would leave the origin. */
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") {
    node.setAttribute("rel", "noopener noreferrer");
    if (!node.getAttribute("href")?.startsWith("#")) node.setAttribute("target", "_blank");
  }
  // What is wider than the page is scrolled, also by keyboard.
  if (node.tagName === "PRE") node.setAttribute("tabindex", "0");
  if (node.tagName === "IMG" && !/^(\/(?!\/)|data:image\/)/.test(node.getAttribute("src") ?? "")) node.remove();
});

const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;
/** A star between two letters or digits is a star: nobody writes 2*pi to lean what follows. */
const starred = (text: string): string =>
  text.split(CODE).map((part, index) => (index % 2 ? part : part.replace(/(?<=[\p{L}\p{N}])\*(?=[\p{L}\p{N}])/gu, "\\*"))).join("");

export function toHtml(text: string): string {
  const html = marked.parse(starred(text), { async: false, gfm: true });
  return DOMPurify.sanitize(html, {
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "iframe", "video", "audio"],
    FORBID_ATTR: ["style", "srcset"],
    RETURN_TRUSTED_TYPE: true,
  }) as unknown as string; // which a browser without trusted types gets
}
