import type { JSX } from "preact";

/** Strokes on a 24 by 24 grid. */
const PATHS: Record<string, string> = {
  mic: "M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11v1a7 7 0 0 0 14 0v-1M12 19v3",
  "mic-off": "M3 3l18 18M9 9v3a3 3 0 0 0 5 2.2M15 11V6a3 3 0 0 0-5.8-1M5 11v1a7 7 0 0 0 11.3 5.5M19 11v1a7 7 0 0 1-.6 2.8M12 19v3",
  chat: "M4 5h16v11H9l-5 4z",
  tool: "M14.5 6.5a4 4 0 0 1 5-3.9l-2.6 2.6 1.9 1.9 2.6-2.6a4 4 0 0 1-5.3 4.7L7 18.3a2 2 0 1 1-2.8-2.8l9.1-9.1",
  graph: "M6 6.5a2 2 0 1 0 0-.01M18 8.5a2 2 0 1 0 0-.01M9 18.5a2 2 0 1 0 0-.01M8 7l8 1M6.8 8.5l1.7 8M16.5 10l-6 7",
  expert: "M12 4 2 9l10 5 10-5zM6 11.5V16c3 3 9 3 12 0v-4.5M22 9v6",
  book: "M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM5 16a4 4 0 0 1 4-4h9",
  folder: "M3 6h6l2 2h10v11H3z",
  flow: "M4 4h6v5H4zM14 15h6v5h-6zM7 9v4a4 4 0 0 0 4 4h3",
  agent: "M5 9h14v10H5zM12 9V5M12 5a1.2 1.2 0 1 0 0-.01M9 13v2M15 13v2M2 13v3M22 13v3",
  macro: "M5 4v16l7-8zM13 4v16l7-8z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  sessions: "M4 6h10M4 12h16M4 18h7M18 6h2M15 18h5",
  audit: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
  metrics: "M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-3M20 16V6",
  settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 2v4M12 18v4M2 12h4M18 12h4M4.9 4.9l2.8 2.8M16.3 16.3l2.8 2.8M4.9 19.1l2.8-2.8M16.3 7.7l2.8-2.8",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  close: "M5 5l14 14M19 5 5 19",
  check: "M4 12l5 6L20 6",
  warn: "M12 3 2 20h20zM12 10v5M12 17.5v.5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v6M12 7.5v.5",
  play: "M7 4v16l13-8z",
  stop: "M6 6h12v12H6z",
  pause: "M7 5v14M17 5v14",
  plus: "M12 4v16M4 12h16",
  minus: "M4 12h16",
  left: "M20 12H4M10 6l-6 6 6 6",
  right: "M4 12h16M14 6l6 6-6 6",
  list: "M8 6h12M8 12h12M8 18h12M4 6v.5M4 12v.5M4 18v.5",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  edit: "M4 20h4L20 8l-4-4L4 16z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  upload: "M12 20V9M7 13l5-5 5 5M4 4h16",
  send: "M4 12 20 4l-5 16-3-7z",
  menu: "M4 6h16M4 12h16M4 18h16",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  chevron: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  refresh: "M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 0 0-13-3M5 14a7.5 7.5 0 0 0 13 3",
  volume: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3",
  compass: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M15.5 8.5l-2 5-5 2 2-5z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
  shield: "M12 3 4 6v6c0 5 3.5 8 8 9 4.5-1 8-4 8-9V6z",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 3.5-6 8-6s8 2 8 6",
  people: "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2 20c0-3.5 3-5 7-5s7 1.5 7 5M16 5.5a3.2 3.2 0 0 1 0 6M18.5 15.5c2.2.6 3.5 2 3.5 4.5",
  place: "M12 21c-4-4.5-6.5-7.8-6.5-11a6.5 6.5 0 0 1 13 0c0 3.2-2.5 6.5-6.5 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  inbox: "M4 13 6.5 5h11L20 13v6H4zM4 13h5l1 3h4l1-3h5",
  share: "M18 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M6 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M18 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8.2 10.8l7.6-3.6M8.2 13.2l7.6 3.6",
  "thumb-up": "M7 11v9H4v-9zM7 11l4-8a2.5 2.5 0 0 1 2.5 2.5V9H19a1.8 1.8 0 0 1 1.8 2.2l-1.5 7A2.2 2.2 0 0 1 17.2 20H7",
  "thumb-down": "M7 13V4H4v9zM7 13l4 8a2.5 2.5 0 0 0 2.5-2.5V15H19a1.8 1.8 0 0 0 1.8-2.2l-1.5-7A2.2 2.2 0 0 0 17.2 4H7",
  branch: "M7 4.5a2 2 0 1 0 0 .01M7 19.5a2 2 0 1 0 0 .01M17 7.5a2 2 0 1 0 0 .01M7 6.5v11M17 9.5c0 4-4 4-10 5",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3 3 3.5 6 3.5 9S15 18 12 21c-3-3-3.5-6-3.5-9S9 6 12 3",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  filter: "M3 5h18l-7 8v6l-4-2v-4z",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  bolt: "M13 2 4 14h7l-1 8 9-12h-7z",
  star: "M12 3l2.8 5.8 6.2.9-4.5 4.4 1.1 6.3L12 17.4l-5.6 3 1.1-6.3L3 9.7l6.2-.9z",
  pin: "M9 3h6l-1 7 4 4H6l4-4zM12 14v7",
  eye: "M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  "eye-off": "M3 3l18 18M10 5.3A9.6 9.6 0 0 1 12 5c3.5 0 7 2 10 7-.9 1.5-1.9 2.7-2.9 3.7M6.3 7A17 17 0 0 0 2 12c3 5 6.5 7 10 7 1.6 0 3.2-.4 4.7-1.3M9.9 9.9a3 3 0 0 0 4.2 4.2",
  key: "M8 11a4 4 0 1 0 0 .01M12 11h9M18 11v4M21 11v3",
};

export const ICONS: readonly string[] = Object.keys(PATHS);

/** Decoration only: whatever it stands for is said in words beside it or in `aria-label`. */
export function Icon({ name, size = 18 }: { name: string; size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" fill="none"
      stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">
      <path d={PATHS[name] ?? PATHS["info"]!} />
    </svg>
  );
}
