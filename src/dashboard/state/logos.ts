import { computed, signal } from "@preact/signals";
import { ask } from "./api.ts";

/** An entry of `/v1/channels/logos`. */
interface WithLogo {
  readonly id: string;
  readonly name: string;
}

/** The channels that have a logo; absent until it is known which. */
const withLogo = signal<readonly WithLogo[] | undefined>(undefined);
export const areLogosKnown = computed(() => withLogo.value !== undefined);
const ids = computed(() => new Set(withLogo.value?.map(({ id }) => id)));
const byName = computed(() => new Map(withLogo.value?.map(({ id, name }) => [name, id])));

/** Without an answer, names stand alone. */
export async function loadLogos(): Promise<void> {
  const known = await ask<readonly WithLogo[]>("GET", "/v1/channels/logos").catch(() => undefined);
  withLogo.value = known ?? withLogo.peek() ?? [];
}

/** The path of a channel's logo, or `undefined`. @param channelId absent: only the name is known, as in the library */
export function logoOf({
  channelId,
  name,
}: {
  readonly channelId?: string | undefined;
  readonly name: string;
}): string | undefined {
  const id = channelId ?? byName.value.get(name);
  return id !== undefined && ids.value.has(id) ? `/v1/channels/${encodeURIComponent(id)}/logo` : undefined;
}
