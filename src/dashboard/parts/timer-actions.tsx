import { useSignal } from "@preact/signals";
import type { Recording } from "../../model/recording.ts";
import { MINUTE } from "../../model/time.ts";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
import { ActionButton } from "./action.tsx";
import { useConfirmation } from "./confirm.tsx";

const DAY_MINUTES = 1440;

/** Changes of a timer: its priority here, the rest at the guide service, which returns it with the next sync. */
export function TimerActions({ recording }: { readonly recording: Recording }) {
  const { timerId, padding } = recording;
  const priority = useSignal(recording.priority);
  const before = useSignal(Math.round(padding.beforeMs / MINUTE));
  const after = useSignal(Math.round(padding.afterMs / MINUTE));
  const path = `/v1/timers/${encodeURIComponent(timerId)}`;
  const removal = useConfirmation({
    label: say("detail-cancel"),
    question: say("detail-cancel-ask"),
    act: () => ask("DELETE", path),
    done: say("detail-cancel-done"),
    verb: say("detail-cancel-verb"),
  });
  return (
    <section class="timer-actions" aria-label={say("detail-change")}>
      <div class="padding-fields">
        <Amount
          most={DAY_MINUTES}
          label={say("detail-before")}
          value={before.value}
          onValue={(value) => (before.value = value)}
        />
        <Amount
          most={DAY_MINUTES}
          label={say("detail-after")}
          value={after.value}
          onValue={(value) => (after.value = value)}
        />
        <ActionButton
          act={() => ask("PUT", path, { beforeMinutes: before.value, afterMinutes: after.value })}
          done={say("detail-padding-done")}
        >
          {say("detail-padding")}
        </ActionButton>
      </div>
      <div class="padding-fields">
        <Amount
          label={say("detail-priority")}
          most={100}
          value={priority.value}
          onValue={(value) => (priority.value = value)}
        />
        <ActionButton
          act={() => ask("POST", `${path}/override`, { priority: priority.value })}
          done={say("detail-priority-done")}
        >
          {say("detail-priority-change")}
        </ActionButton>
      </div>
      {removal.dialog}
      {removal.button}
    </section>
  );
}

function Amount({
  label,
  most,
  value,
  onValue,
}: {
  readonly label: string;
  readonly most: number;
  readonly value: number;
  readonly onValue: (value: number) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={most}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.valueAsNumber || 0)}
      />
    </label>
  );
}
