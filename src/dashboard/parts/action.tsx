import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { showNotice } from "../state/notice.ts";

/**
 * A button that sends a request and shows the outcome as a notice. Meanwhile it keeps the keyboard focus, which a
 * disabled button would lose.
 */
export function ActionButton<Answer = unknown>({
  act,
  done,
  kind = "",
  children,
}: {
  readonly act: () => Promise<Answer>;
  /** The notice on success, fixed or derived from the answer. */
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
