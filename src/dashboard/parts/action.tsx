import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { showNotice } from "../state/notice.ts";
import { focusPage } from "./focus.ts";

/**
 * A button that sends a request and shows the outcome as a notice. Meanwhile it keeps the keyboard focus, which a
 * disabled button would lose.
 */
export function ActionButton<Answer = unknown>({
  act,
  done,
  kind = "",
  name,
  isDone = false,
  isSkipped = false,
  children,
}: {
  readonly act: () => Promise<Answer>;
  /** The notice on success, fixed or derived from the answer. */
  readonly done: string | ((answer: Answer) => readonly [text: string, tone: "good" | "bad"]);
  readonly kind?: "" | "danger" | "primary" | "quick-order";
  /** For a button without words. */
  readonly name?: string;
  /** There is nothing to do any more. The button stays, with the focus. */
  readonly isDone?: boolean;
  /** The Tab key passes it: another way leads to the same. */
  readonly isSkipped?: boolean;
  readonly children: ComponentChildren;
}) {
  const isBusy = useSignal(false);
  const element = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = element.current;
    return () => {
      // The action may have removed the button.
      if (button !== null && document.activeElement === button) focusPage();
    };
  }, []);
  async function run(): Promise<void> {
    if (isBusy.value || isDone) return;
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
    <button
      ref={element}
      type="button"
      class={kind}
      tabIndex={isSkipped ? -1 : 0}
      aria-label={name}
      title={name}
      aria-pressed={isDone ? true : undefined}
      aria-disabled={isBusy.value || isDone}
      onClick={() => void run()}
    >
      {children}
    </button>
  );
}
