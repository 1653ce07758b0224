import { signal } from "@preact/signals";
import { type EpochMs, SECOND } from "../../model/time.ts";
import { after, present } from "../clock.ts";
import { lookForSession, session } from "./api.ts";
import { applyChange, type Change, type SnapshotEvent, type View, viewOf } from "./view.ts";

/** The displayed state; absent until the recorder's first event. */
export const view = signal<View | undefined>(undefined);
/** Whether changes arrive as they happen. */
export const isLive = signal(false);
/** The recorder's last sign of life, while it is silent: what is displayed is from then. */
export const silentSince = signal<EpochMs | undefined>(undefined);

/** How often the recorder has come back after a silence: what a page asked for meanwhile is asked for again. */
export const returnCount = signal(0);

/** The recorder gives a sign of life each second. A viewer knows of its silence within three seconds. */
const SILENT_MS = 2.5 * SECOND;
/** A timer that fires later than this belongs to a page that slept or was busy, and did not listen either. */
const LATE_MS = SECOND / 2;
const REOPEN_MS = 5 * SECOND;
/** A large state may take long to arrive once the recorder has answered. */
const ARRIVAL_MS = 60 * SECOND;
const AGAIN_MS = 2 * SECOND;

/** Listens to the recorder's events. @returns a function that stops it */
export function listen(): () => void {
  let source: EventSource | undefined;
  let callOffAgain = () => {};
  let callOffWatch = () => {};
  let heardAt: EpochMs | undefined;

  function begin(): void {
    callOffAgain();
    source?.close();
    source = new EventSource("/v1/events");
    source.addEventListener("open", () => {
      if (!isLive.value) watch(ARRIVAL_MS, reopen);
    });
    source.addEventListener("snapshot", ({ data }) => {
      view.value = viewOf(JSON.parse(data) as SnapshotEvent);
      heard();
    });
    source.addEventListener("change", ({ data }) => {
      const before = view.value;
      const next = before && applyChange(before, JSON.parse(data) as Change);
      if (next === undefined) {
        // The whole state comes again, which may take longer than the silence that is reported.
        isLive.value = false;
        return reopen();
      }
      view.value = next;
      heard();
    });
    source.addEventListener("alive", heard);
    source.addEventListener("error", () => {
      // The browser reconnects a broken connection, but not a refused one.
      if (source?.readyState === EventSource.CLOSED) callOffAgain = after(AGAIN_MS, () => void again());
    });
  }

  function watch(ms: number, act: () => void): void {
    callOffWatch();
    callOffWatch = after(ms, act);
  }

  function heard(): void {
    if (silentSince.value !== undefined) returnCount.value += 1;
    heardAt = present();
    isLive.value = true;
    silentSince.value = undefined;
    listenFor(heardAt + SILENT_MS);
  }

  function listenFor(dueAt: EpochMs): void {
    watch(SILENT_MS, () => {
      const at = present();
      if (at - dueAt > LATE_MS) return listenFor(at + SILENT_MS);
      isLive.value = false;
      silentSince.value = heardAt;
      watch(REOPEN_MS, reopen);
    });
  }

  /** A connection may end without a word of it, as when a phone changes its network. */
  function reopen(): void {
    begin();
    watch(REOPEN_MS, reopen);
  }

  async function again(): Promise<void> {
    await lookForSession().catch(() => {});
    // A visitor without a session listens after signing in.
    if (session.value?.signedIn === true) begin();
  }

  reopen();
  return () => {
    callOffAgain();
    callOffWatch();
    source?.close();
    isLive.value = false;
    silentSince.value = undefined;
  };
}
