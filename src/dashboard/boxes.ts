import { signal } from "@preact/signals";
import { ask, session } from "./state/api.ts";

/** As `/v1/devices` of a guide server tells. */
interface Box {
  readonly id: number;
  readonly label: string;
}

/** Of which devices one is to record; none at a recorder, which records itself. */
export const boxes = signal<readonly Box[]>([]);
/** Which of them was chosen last. */
export const chosenBox = signal<number | undefined>(undefined);

export async function loadBoxes(): Promise<void> {
  if (session.value?.guideServer === undefined) return;
  const { devices } = await ask<{ readonly devices: readonly Box[] }>("GET", "/v1/devices");
  boxes.value = devices;
  if (!devices.some(({ id }) => id === chosenBox.value)) chosenBox.value = devices[0]?.id;
}

/** What an order says of the device that is to record. */
export function orderedBox(): { readonly deviceId?: number } {
  const { value } = chosenBox;
  return value === undefined ? {} : { deviceId: value };
}
