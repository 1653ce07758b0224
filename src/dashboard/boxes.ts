import { signal } from "@preact/signals";
import { ask, session } from "./state/api.ts";

/** An entry of a guide server's `/v1/devices`. */
interface Box {
  readonly id: number;
  readonly label: string;
}

/** The devices that can record; empty at a recorder, which records itself. */
export const boxes = signal<readonly Box[]>([]);
/** The device chosen last. */
export const chosenBox = signal<number | undefined>(undefined);

export async function loadBoxes(): Promise<void> {
  if (session.value?.guideServer === undefined) return;
  const { devices } = await ask<{ readonly devices: readonly Box[] }>("GET", "/v1/devices");
  boxes.value = devices;
  if (!devices.some(({ id }) => id === chosenBox.value)) chosenBox.value = devices[0]?.id;
}

/** The device field of an order. */
export function orderedBox(): { readonly deviceId?: number } {
  const { value } = chosenBox;
  return value === undefined ? {} : { deviceId: value };
}
