import { useSignal } from "@preact/signals";
import type { Recording } from "../../model/recording.ts";
import { MINUTE } from "../../model/time.ts";
import { ask } from "../state/api.ts";
import { ActionButton } from "./action.tsx";

/** What can be changed of a timer at the guide service, from where it comes back with the next sync. */
export function TimerActions({ recording }: { readonly recording: Recording }) {
  const { timerId, padding } = recording;
  const before = useSignal(Math.round(padding.beforeMs / MINUTE));
  const after = useSignal(Math.round(padding.afterMs / MINUTE));
  const isAsking = useSignal(false);
  const path = `/v1/timers/${encodeURIComponent(timerId)}`;
  return (
    <section aria-label="Change the timer">
      <div class="padding-fields">
        <Minutes label="Minutes before" value={before.value} onValue={(value) => (before.value = value)} />
        <Minutes label="Minutes after" value={after.value} onValue={(value) => (after.value = value)} />
        <ActionButton
          act={() => ask("PUT", path, { beforeMinutes: before.value, afterMinutes: after.value })}
          done="The padding is changed at the guide service."
        >
          Change padding
        </ActionButton>
      </div>
      {isAsking.value ? (
        <div class="ask" role="alert">
          <p>Cancel it at the guide service? What was recorded until now stays.</p>
          <div class="buttons">
            <ActionButton kind="danger" act={() => ask("DELETE", path)} done="Cancelled.">
              Cancel the timer
            </ActionButton>
            <button type="button" onClick={() => (isAsking.value = false)}>
              Keep it
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
          Cancel…
        </button>
      )}
    </section>
  );
}

function Minutes({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        max={1440}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.valueAsNumber || 0)}
      />
    </label>
  );
}
