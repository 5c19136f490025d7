/** How many of something wait, beside the name of where they are. Nothing where none does. */
import "./count.css";

export function Count({ of, label }: { of: number; label: string }) {
  if (of <= 0) return null;
  return <span class="count number"><span aria-hidden="true">{of > 99 ? "99+" : of}</span><span class="hidden-visually">, {label}</span></span>;
}
