import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../state/language.ts";
import { ActionButton } from "./action.tsx";

/**
 * A button for an irreversible action, and the question that it opens. Each is `null` while the other is shown.
 */
export function useConfirmation({
  label,
  question,
  act,
  done,
  verb,
}: {
  readonly label: string;
  readonly question: string;
  readonly act: () => Promise<unknown>;
  readonly done: string;
  readonly verb: string;
}) {
  const isAsking = useSignal(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The pressed button is gone with the question, and so would be the focus.
    if (wasAsked.current && !isAsking.value) opener.current?.focus();
    wasAsked.current = isAsking.value;
  }, [isAsking.value]);
  const button = isAsking.value ? null : (
    <button ref={opener} type="button" class="danger" onClick={() => (isAsking.value = true)}>
      {say("confirm-opens", { label })}
    </button>
  );
  const dialog = !isAsking.value ? null : (
    <Question>
      <p>{question}</p>
      <div class="buttons">
        <ActionButton kind="danger" act={act} done={done}>
          {verb}
        </ActionButton>
        <button type="button" onClick={() => (isAsking.value = false)}>
          {say("confirm-keep")}
        </button>
      </div>
    </Question>
  );
  return { button, dialog };
}

/** Takes the focus: the next key reaches its buttons. */
function Question({ children }: { readonly children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} class="ask" role="alert" tabIndex={-1}>
      {children}
    </div>
  );
}
