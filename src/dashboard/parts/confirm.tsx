import { ActionButton } from "./action.tsx";

/** Asks for confirmation before an irreversible action. */
export function Confirm({
  question,
  act,
  done,
  verb,
  onKeep,
}: {
  readonly question: string;
  readonly act: () => Promise<unknown>;
  readonly done: string;
  readonly verb: string;
  readonly onKeep: () => void;
}) {
  return (
    <div class="ask" role="alert">
      <p>{question}</p>
      <div class="buttons">
        <ActionButton kind="danger" act={act} done={done}>
          {verb}
        </ActionButton>
        <button type="button" onClick={onKeep}>
          Keep it
        </button>
      </div>
    </div>
  );
}
