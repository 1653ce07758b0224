import { signal } from "@preact/signals";

/** The system's theme unless the viewer chose another. */
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "recorderd-theme";
export const theme = signal<Theme>(storedTheme());

function storedTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((one) => one === kept) ?? "system";
}

export function applyTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEY, next);
  if (next === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", next);
}

export function nextTheme(): Theme {
  return THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
}
