const PATHS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M12 5V1L6 6l6 5V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z",
  forward: "M12 5V1l6 5-6 5V7a6 6 0 1 0 6 6h2a8 8 0 1 1-8-8z",
  sound: "M3 9v6h4l6 5V4L7 9zM16 8a5 5 0 0 1 0 8M18 5a9 9 0 0 1 0 14",
  silent: "M3 9v6h4l6 5V4L7 9zM16 9l6 6M22 9l-6 6",
  full: "M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z",
  picture: "M2 4h20v16H2zM4 6v12h16V6zM12 12h7v5h-7z",
  keys: "M2 6h20v12H2zM4 8v8h16V8zM6 10h2v2H6zM10 10h2v2h-2zM14 10h2v2h-2zM8 13h8v2H8z",
} as const;
/** Drawn with lines; the others are areas. */
const LINES: readonly string[] = ["sound", "silent"];

/** A symbol of a button, which has a name of its own. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  const isLines = LINES.includes(name);
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="currentColor"
        fill-rule="evenodd"
        {...(isLines ? { stroke: "currentColor", "stroke-width": 2 } : {})}
      />
    </svg>
  );
}
