import { signal } from "@preact/signals";
import type { Reach } from "../../model/reach.ts";
import { ask } from "./api.ts";

/** The channels of the guide and their services; absent until they are loaded. */
export const reach = signal<readonly Reach[] | undefined>(undefined);

/** @throws Refusal */
export async function loadReach(): Promise<void> {
  reach.value = await ask<readonly Reach[]>("GET", "/v1/tuners/channels");
}

/** Whether a tuner receives the channel, so that it can be watched. */
export function isReceived(one: Reach): one is Reach & Required<Pick<Reach, "service">> {
  return one.service !== undefined && one.tuners.length > 0;
}
