import { signal } from "@preact/signals";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";

/** The outcome of the viewer's last action, shown for a while. */
export const notice = signal<{ readonly text: string; readonly tone: "good" | "bad" } | undefined>(undefined);

export const openDialogs = signal(0);

const SHOWN_MS = 8 * SECOND;
let callOff = () => {};

export function showNotice(text: string, tone: "good" | "bad" = "good"): void {
  callOff();
  notice.value = { text, tone };
  callOff = after(SHOWN_MS, () => {
    notice.value = undefined;
  });
}
