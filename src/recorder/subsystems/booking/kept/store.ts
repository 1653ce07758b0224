import { z } from "zod";
import type { Log } from "../../../../kit/log.ts";
import { Turns } from "../../../../kit/time/turns.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import type { Rule } from "../../../../model/rule.ts";
import type { EpochMs } from "../../../../model/time.ts";
import type { TimerId } from "../../../../model/timer.ts";
import type { StateStore, StoredText } from "../../../store/state-store.ts";
import { verifyChecksum, withChecksum } from "../../../store/summed-text.ts";

/** A show that a rule has ordered, or orders. */
export interface RuleOrderedShow {
  readonly ruleId: number;
  readonly episode: string;
  readonly showId: number;
  readonly channelId: number;
  readonly name: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
}

export interface KeptTimer extends RuleOrderedShow {
  /** The service has listed it: if it is missing later, somebody cancelled it. */
  readonly isListed?: true;
  /** We cancel it: its absence is no news. */
  readonly isLeaving?: true;
}

export interface DoneEpisode {
  readonly episode: string;
  readonly at: EpochMs;
  readonly became: "recorded" | "declined";
}

/** The rules that the recorder keeps, and what it must remember to order each episode once. */
export interface KeptRules {
  readonly nextId: number;
  readonly rules: readonly Rule[];
  readonly timers: Readonly<Record<TimerId, KeptTimer>>;
  /** On disk before the service is asked; the timer's id is not known yet. */
  readonly ordering: readonly RuleOrderedShow[];
  /** The latest last. */
  readonly done: readonly DoneEpisode[];
}

/**
 * Ids of our own rules begin here. A service that has rules one day counts from 1: what retention keeps of its rules
 * must not mix with ours.
 */
const FIRST_ID = 1_000_000_000;

export const NO_RULES: KeptRules = { nextId: FIRST_ID, rules: [], timers: {}, ordering: [], done: [] };

const VERSION = 1;
const Ordered = z.object({
  ruleId: z.number(),
  episode: z.string(),
  showId: z.number(),
  channelId: z.number(),
  name: z.string(),
  start: z.number(),
  stop: z.number(),
});
const Stored = z.looseObject({
  schemaVersion: z.literal(VERSION),
  nextId: z.number(),
  // This program wrote them, and the checksum says that they are unchanged.
  rules: z.array(z.looseObject({ id: z.number(), name: z.string() })),
  timers: z.record(
    z.string(),
    Ordered.extend({
      isListed: z.literal(true).exactOptional(),
      isLeaving: z.literal(true).exactOptional(),
    }),
  ),
  ordering: z.array(Ordered),
  done: z.array(z.object({ episode: z.string(), at: z.number(), became: z.enum(["recorded", "declined"]) })),
});

export interface RuleStore {
  readonly current: KeptRules;
  /** Durable when it resolves; changes run in order. @throws RecorderdError DISK_FULL or WRITE_FAILED */
  change(next: (held: KeptRules) => KeptRules): Promise<void>;
}

/** The recorder runs without rules that cannot be read, and says so. */
export async function openRuleStore(state: Pick<StateStore, "text">, log: Log): Promise<RuleStore> {
  const file = state.text("rules");
  let current = await read(file, log);
  const changes = new Turns();
  async function changeNow(next: (held: KeptRules) => KeptRules): Promise<void> {
    const value = next(current);
    if (value === current) return;
    await file.replace(withChecksum([JSON.stringify({ schemaVersion: VERSION, ...value })]));
    current = value;
  }
  return {
    get current() {
      return current;
    },
    change: (next) => changes.run(() => changeNow(next)),
  };
}

async function read(file: StoredText, log: Log): Promise<KeptRules> {
  try {
    const found = await file.read(parsed);
    if (found?.damage !== undefined)
      log.error("the newest version of the rules is damaged; the previous version applies", {
        text: found.damage,
      });
    return found?.value ?? NO_RULES;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    log.error("the rules cannot be read: the recorder runs without them", { text: error.message });
    return NO_RULES;
  }
}

/** @throws Error if the text is damaged */
function parsed(text: string): KeptRules {
  if (!verifyChecksum(text)) throw new Error("it has no checksum");
  const { nextId, rules, timers, ordering, done } = Stored.parse(JSON.parse(text));
  return { nextId, rules: rules as unknown as readonly Rule[], timers, ordering, done };
}
