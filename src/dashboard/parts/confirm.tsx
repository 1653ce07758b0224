import { useSignal } from "@preact/signals";
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
  const button = isAsking.value ? null : (
    <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
      {say("confirm-opens", { label })}
    </button>
  );
  const dialog = !isAsking.value ? null : (
    <div class="ask" role="alert">
      <p>{question}</p>
      <div class="buttons">
        <ActionButton kind="danger" act={act} done={done}>
          {verb}
        </ActionButton>
        <button type="button" onClick={() => (isAsking.value = false)}>
          {say("confirm-keep")}
        </button>
      </div>
    </div>
  );
  return { button, dialog };
}
