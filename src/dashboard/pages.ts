import type { ComponentType } from "preact";

type PageFile = () => Promise<ComponentType>;

/** Pages with a file of their own, by path: it is loaded when the page is first shown, or before. */
export const PAGE_FILES = {
  "/guide": () => import("./pages/guide.tsx").then(({ GuidePage }) => GuidePage),
  "/series": () => import("./pages/series.tsx").then(({ SeriesPage }) => SeriesPage),
  "/timeline": () => import("./pages/timeline.tsx").then(({ TimelinePage }) => TimelinePage),
  "/tuners": () => import("./pages/tuners.tsx").then(({ TunersPage }) => TunersPage),
} as const satisfies Readonly<Record<string, PageFile>>;

/** The file of the page at an address, where it has one. */
export function pageFile(path: string): PageFile | undefined {
  return Object.hasOwn(PAGE_FILES, path) ? PAGE_FILES[path as keyof typeof PAGE_FILES] : undefined;
}
