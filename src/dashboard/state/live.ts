import { signal } from "@preact/signals";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";
import { lookForSession, session } from "./api.ts";
import { applyChange, type Change, type SnapshotEvent, type View, viewOf } from "./view.ts";

/** The displayed state; absent until the recorder's first event. */
export const view = signal<View | undefined>(undefined);
/** Whether changes arrive as they happen. */
export const isLive = signal(false);

const AGAIN_MS = 2 * SECOND;

/** Listens to the recorder's events. @returns a function that stops it */
export function listen(): () => void {
  let source: EventSource | undefined;
  let callOff = () => {};

  function begin(): void {
    source?.close();
    source = new EventSource("/v1/events");
    source.addEventListener("open", () => {
      isLive.value = true;
    });
    source.addEventListener("snapshot", ({ data }) => {
      view.value = viewOf(JSON.parse(data) as SnapshotEvent);
    });
    source.addEventListener("change", ({ data }) => {
      const before = view.value;
      const next = before && applyChange(before, JSON.parse(data) as Change);
      if (next === undefined) begin();
      else view.value = next;
    });
    source.addEventListener("error", () => {
      isLive.value = false;
      // The browser reconnects a broken connection, but not a refused one.
      if (source?.readyState === EventSource.CLOSED) callOff = after(AGAIN_MS, () => void again());
    });
  }

  async function again(): Promise<void> {
    await lookForSession().catch(() => {});
    // A visitor without a session listens after signing in.
    if (session.value?.signedIn === true) begin();
  }

  begin();
  return () => {
    callOff();
    source?.close();
    isLive.value = false;
  };
}
