import { signal } from "@preact/signals";
import { type Triplet, tripletInAddress } from "../../model/service.ts";

/** The current page: the path of the address. */
export const place = signal(location.pathname);
/** The recording whose details are shown in a dialog. */
export const detail = signal(detailOf(location.hash));

export const GUIDE_SERVICE_LINK = "#guide-service";
/** Whether the dialog of the guide service is open. */
export const isAtGuideService = signal(isGuideService(location.hash));

export function detailLink(recordingId: string): string {
  return `#recording/${encodeURIComponent(recordingId)}`;
}

/** The live service that is watched in a dialog: ONID-TSID-SID. */
export const liveService = signal(liveServiceOf(location.hash));

export function liveLink(service: Triplet): string {
  return `#live/${tripletInAddress(service)}`;
}

function liveServiceOf(hash: string): string | undefined {
  return /^#live\/(\d{1,5}-\d{1,5}-\d{1,5})$/.exec(hash)?.[1];
}

function detailOf(hash: string): string | undefined {
  const [, id] = /^#recording\/(.+)$/.exec(hash) ?? [];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    // A truncated or mistyped address names no recording.
    return undefined;
  }
}

function isGuideService(hash: string): boolean {
  return hash === GUIDE_SERVICE_LINK;
}

/** The history state of a dialog that was opened from its page: a link from elsewhere opens both at once. */
const PAGE_IS_BEHIND = { isPageBehind: true } as const;

/** Closes the dialog; the page stays, however the viewer reached it. */
export function closeDialog(): void {
  if (history.state?.isPageBehind) history.back();
  else {
    history.replaceState(null, "", location.pathname + location.search);
    readAddress();
  }
}

function isDialog(address: string): boolean {
  return detailOf(address) !== undefined || liveServiceOf(address) !== undefined || isGuideService(address);
}

function readAddress(): void {
  place.value = location.pathname;
  detail.value = detailOf(location.hash);
  liveService.value = liveServiceOf(location.hash);
  isAtGuideService.value = isGuideService(location.hash);
}

/** Opens a page or a dialog of the dashboard. */
export function goTo(address: string): void {
  history.pushState(isDialog(address) ? PAGE_IS_BEHIND : null, "", address);
  readAddress();
}

/** Handles links to the dashboard's own pages without a reload. */
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
