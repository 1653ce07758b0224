import type { ComponentChildren } from "preact";

/** An empty page: what is not there, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

/** Names in texts of empty pages. */
export const GUIDE_LINKS = {
  link: (text: string) => <a href="/guide">{text}</a>,
  rules: (text: string) => <a href="/series">{text}</a>,
} as const;
