import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { after } from "../clock.ts";
import { askPreview } from "./requests.ts";
import type { Preview, PreviewOrder } from "./shapes.ts";

/** The delay after a change before the preview is asked for. */
const TYPING_MS = 300;

export interface Previewed {
  /** While an answer is awaited, this is the preview of the order before. */
  readonly preview?: Preview;
  readonly failure?: unknown;
  readonly isAwaited: boolean;
}

/** The preview of an order; `undefined`: of none. A newer order cancels the request of the one before. */
export function usePreview(wanted: PreviewOrder | undefined): Previewed {
  const previewed = useSignal<Previewed>({ isAwaited: false });
  const key = wanted === undefined ? "" : JSON.stringify(wanted);
  useEffect(() => {
    if (wanted === undefined) {
      previewed.value = { isAwaited: false };
      return;
    }
    const request = new AbortController();
    const { signal } = request;
    async function load(order: PreviewOrder): Promise<void> {
      try {
        const preview = await askPreview(order, signal);
        if (!signal.aborted) previewed.value = { preview, isAwaited: false };
      } catch (failure) {
        if (!signal.aborted) previewed.value = { failure, isAwaited: false };
      }
    }
    previewed.value = { ...previewed.peek(), isAwaited: true };
    const callOff = after(TYPING_MS, () => void load(wanted));
    return () => {
      callOff();
      request.abort();
    };
  }, [key]);
  return previewed.value;
}
