import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { showNotice } from "../state/notice.ts";

/** A button that asks something of the recorder; what comes of it is said. Meanwhile it keeps the keyboard, which one that is disabled loses. */
export function ActionButton<Answer = unknown>({
  act,
  done,
  kind = "",
  children,
}: {
  readonly act: () => Promise<Answer>;
  /** What is said when it is done, or how the answer is said. */
  readonly done: string | ((answer: Answer) => readonly [text: string, tone: "good" | "bad"]);
  readonly kind?: "" | "danger" | "primary";
  readonly children: ComponentChildren;
}) {
  const isBusy = useSignal(false);
  async function run(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const answer = await act();
      if (typeof done === "string") showNotice(done);
      else showNotice(...done(answer));
    } catch (error) {
      showNotice(error instanceof Error ? error.message : String(error), "bad");
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
