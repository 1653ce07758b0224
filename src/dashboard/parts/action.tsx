import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { say } from "../state/notice.ts";

/** A button that asks something of the recorder; what comes of it is said. Meanwhile it keeps the keyboard, which one that is disabled loses. */
export function ActionButton({
  act,
  done,
  kind = "",
  children,
}: {
  readonly act: () => Promise<unknown>;
  /** What is said when it is done. */
  readonly done: string;
  readonly kind?: "" | "danger" | "primary";
  readonly children: ComponentChildren;
}) {
  const isBusy = useSignal(false);
  async function run(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      await act();
      say(done);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), "bad");
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <button type="button" class={kind} aria-disabled={isBusy.value} onClick={() => void run()}>
      {children}
    </button>
  );
}
