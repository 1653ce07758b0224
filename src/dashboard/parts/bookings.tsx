import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { boxes, orderedBox } from "../boxes.ts";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
import { showNotice } from "../state/notice.ts";
import { ActionButton } from "./action.tsx";

/** An entry of a guide server's `/v1/timers`. */
interface Booking {
  readonly timerId: string;
  readonly deviceId: number;
  readonly state: string;
}

/** The household's timers for a show, each with a cancel button, and a button to order it on the chosen box. */
export function Bookings({ showId, isOver }: { readonly showId: number; readonly isOver: boolean }) {
  const timers = useSignal<readonly Booking[]>([]);
  async function look(): Promise<void> {
    timers.value = await ask<readonly Booking[]>("GET", `/v1/timers?show=${showId}`);
  }
  useEffect(() => {
    look().catch((error: unknown) =>
      showNotice(error instanceof Error ? error.message : String(error), "bad"),
    );
  }, [showId]);
  const labelOf = (wanted: number) => boxes.value.find(({ id }) => id === wanted)?.label ?? "";
  return (
    <>
      {timers.value.map(({ timerId, deviceId, state }) => (
        <p key={timerId}>
          {say("show-booked-on", { device: labelOf(deviceId), state })}{" "}
          {isOver ? null : (
            <ActionButton
              kind="danger"
              act={async () => {
                await ask("DELETE", `/v1/timers/${encodeURIComponent(timerId)}`);
                await look();
              }}
              done={say("show-cancelled")}
            >
              {say("show-cancel-on", { device: labelOf(deviceId) })}
            </ActionButton>
          )}
        </p>
      ))}
      {isOver ? null : (
        <ActionButton
          kind="primary"
          act={async () => {
            await ask("POST", "/v1/timers", { showId, ...orderedBox() });
            await look();
          }}
          done={say("show-booked")}
        >
          {say("show-record")}
        </ActionButton>
      )}
    </>
  );
}
