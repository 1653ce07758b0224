import { othersTurn } from "../kit/clock.ts";
import type { EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import { SERVER_LIMITS } from "./limits.ts";

/** Forgotten at once: others wait so long. */
const SHOWS_AT_ONCE = 500;

/** Forgets shows that ended long ago. What was recorded stays known by its episode. @throws RecorderdError STORE_WRITE_FAILED */
export async function forgetOldShows({ shows }: Pick<GuideStore, "shows">, now: EpochMs): Promise<void> {
  while (shows.removeEndedBefore(now - SERVER_LIMITS.showKeptMs, SHOWS_AT_ONCE) > 0) await othersTurn();
}
