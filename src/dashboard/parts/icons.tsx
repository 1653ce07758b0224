const PATHS = {
  tonight: "M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10z",
  guide: "M3 6h18M3 12h11M3 18h15",
  recordings: "M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM10 9.5v5l4.5-2.5z",
  rules: "M17 2l4 4-4 4M21 6H8a5 5 0 0 0-5 5M7 22l-4-4 4-4M3 18h13a5 5 0 0 0 5-5",
  channels: "M4 7h16v12H4zM8 2l4 5 4-5",
  devices: "M3 8h18v8H3zM7 12h.01M11 12h6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
} as const;
export type IconName = keyof typeof PATHS;

/** The icon of a place. Its name stands beside it, so it is not read out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" class={name === "more" ? "icon dots" : "icon"} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
