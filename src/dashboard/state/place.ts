import { signal } from "@preact/signals";

/** Where in the dashboard one is: the path of the address. */
export const place = signal(location.pathname);
/** Of which recording everything is shown, in front of the page. */
export const detail = signal(detailOf(location.hash));

export const GUIDE_SERVICE_LINK = "#guide-service";
/** Whether it is shown how the recorder stands with its guide service, in front of the page. */
export const isAtGuideService = signal(isGuideService(location.hash));

export function detailLink(recordingId: string): string {
  return `#recording/${encodeURIComponent(recordingId)}`;
}

function detailOf(hash: string): string | undefined {
  const [, id] = /^#recording\/(.+)$/.exec(hash) ?? [];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    // Cut off, or typed: there is no such recording.
    return undefined;
  }
}

function isGuideService(hash: string): boolean {
  return hash === GUIDE_SERVICE_LINK;
}

/** What the history keeps with a dialog that was opened from its page: a link from elsewhere opens both at once. */
const PAGE_IS_BEHIND = { isPageBehind: true } as const;

/** Away with what is shown in front of the page; the page itself stays, however one came to it. */
export function closeDialog(): void {
  if (history.state?.isPageBehind) history.back();
  else {
    history.replaceState(null, "", location.pathname + location.search);
    readAddress();
  }
}

function isDialog(address: string): boolean {
  return detailOf(address) !== undefined || isGuideService(address);
}

function readAddress(): void {
  place.value = location.pathname;
  detail.value = detailOf(location.hash);
  isAtGuideService.value = isGuideService(location.hash);
}

function goTo(address: string): void {
  history.pushState(isDialog(address) ? PAGE_IS_BEHIND : null, "", address);
  readAddress();
}

/** Links of our own pages load nothing anew. */
export function followLinks(): void {
  addEventListener("popstate", readAddress);
  addEventListener("hashchange", readAddress);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const to = link?.getAttribute("href");
    if (to == null || link?.hasAttribute("target")) return;
    const isPage = to.startsWith("/") && !to.startsWith("/v1/");
    if (!isPage && !isDialog(to)) return;
    event.preventDefault();
    goTo(to);
  });
}
