import { useEffect, useState } from "preact/hooks";

/** Markdown from the server or a model, made safe. The libraries come when they are first needed. */
export function Markdown({ text }: { text: string }) {
  const [html, set] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    void import("./markdown-html").then(({ toHtml }) => here && set(toHtml(text)));
    return () => { here = false; };
  }, [text]);
  if (html === null) return <div class="markdown"><p class="as-text">{text}</p></div>;
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
