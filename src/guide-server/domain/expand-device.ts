import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { type ExpansionInput, expandInSteps } from "../../rules/expansion.ts";
import { LoopShare } from "../../rules/loop-share.ts";
import type { Order } from "../../rules/orders.ts";
import type { GuideStore } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  put,
  type Rule,
  type StoredTimer,
} from "../data/tables.ts";
import { accepted } from "../refusal.ts";
import { doneOf, episodeOfTimer, recordedEpisode } from "./done-episodes.ts";
import { takeIds } from "./ids.ts";
import { airingsOfDevice } from "./kept-search.ts";
import type { KeptShow } from "./rule-airings.ts";
import { newTimer, withoutRules } from "./timer-add.ts";
import { roomFor, timersToDrop } from "./timer-lists.ts";
import { withdrawTimer } from "./timer-move.ts";

const NOT_WANTED = "Withdrawn: no rule needs it any longer. The recorder must forget it.";

interface Expanded {
  readonly account: Account;
  readonly deviceId: number;
  readonly now: EpochMs;
}

/** Timers per commit; other work waits for one commit. */
const TIMERS_AT_ONCE = 100;

/**
 * Makes a device's timers match its rules, in portions with pauses for other work.
 *
 * @returns false if they may still differ, because rules or timers have changed meanwhile
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function expandDevice(store: GuideStore, order: Expanded): Promise<boolean> {
  const tables = await store.of(order.account.id);
  const { deviceId, now } = order;
  const rules = rulesOfDevice(tables, deviceId);
  const timers = timersOfDevice(tables, deviceId);
  const airings = await airingsOfDevice(tables, store.news, { ...order, rules, timers });
  const isCurrent = () => isSameList(rules, rulesOfDevice(tables, deviceId));
  if (!isCurrent()) return false;
  const input = expansionInput(tables, { deviceId, airings, now });
  const steps = await stepsOf(tables, { ...order, input });
  const known = new Set(input.timers.map(({ id }) => id));
  let isWhole = true;
  for (let from = 0; from < steps.length && isCurrent(); from += TIMERS_AT_ONCE) {
    if (from > 0) await yieldToLoop();
    const portion = steps.slice(from, from + TIMERS_AT_ONCE);
    accepted(
      await store.commit(order.account.id, (current) => ({
        changes: [
          ...portion.flatMap((step) => {
            const changes = step.kind === "change" ? step.changes(current) : [];
            isWhole &&= changes !== undefined;
            return changes ?? [];
          }),
          ...addedTimers(
            current,
            order,
            stillMissing(
              portion.flatMap((step) => (step.kind === "add" ? [step.order] : [])),
              timersOfDevice(current, deviceId).filter(({ id }) => !known.has(id)),
            ),
          ),
        ],
        value: undefined,
        settles: true,
      })),
    );
  }
  return isWhole && isCurrent();
}

export function rulesOfDevice({ rules }: Pick<GuideTables, "rules">, deviceId: number): readonly Rule[] {
  return [...rules.values()].filter((rule) => rule.deviceId === deviceId);
}

export function timersOfDevice(tables: GuideTables, deviceId: number): readonly StoredTimer[] {
  return [...tables.timers.values()].filter((timer) => timer.deviceId === deviceId);
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

type Input = ExpansionInput<StoredTimer, KeptShow>;

export function expansionInput(
  tables: GuideTables,
  { deviceId, airings, now }: { readonly deviceId: number } & Pick<Input, "airings" | "now">,
): Input {
  return {
    airings,
    timers: timersOfDevice(tables, deviceId),
    doneOf: (episode) => doneOf(tables, deviceId, episode),
    episodeOfTimer: (timer) => episodeOfTimer(tables, timer),
    now,
  };
}

/** Absent: the record has changed meanwhile. */
type Changes = (tables: GuideTables) => readonly Change[] | undefined;

/** A part of the work, small enough for a commit with others. */
type Step =
  | { readonly kind: "change"; readonly changes: Changes }
  | { readonly kind: "add"; readonly order: Order<KeptShow> };

async function stepsOf(
  tables: GuideTables,
  { account, now, input }: Expanded & { readonly input: Input },
): Promise<readonly Step[]> {
  const share = new LoopShare();
  const { orders, continued, withdrawn } = await share.run(expandInSteps(input));
  const changed: Step[] = [];
  for (const { timer, order } of continued) {
    if (!isSame(timer, order)) changed.push(replaced(timer, withOrder(timer, order)));
    if (share.isTurnOver) await share.pause();
  }
  const gone = withdrawn.map((timer) => replaced(timer, withdrawTimer(timer, NOT_WANTED, now)));
  const recorded = input.timers
    .filter(({ action, state }) => action === "record" && state === "completed")
    .map((timer) => changeStep((current) => recordedEpisode(current, timer, now)));
  // The first ones; the rest follows when there is room.
  const added = orders.slice(0, roomFor(tables, account, now)).map((order): Step => ({ kind: "add", order }));
  return [...recorded, ...gone, ...changed, ...added];
}

function changeStep(changes: Changes): Step {
  return { kind: "change", changes };
}

/** A timer that has changed since then stays as it is. */
function replaced(timer: StoredTimer, next: StoredTimer): Step {
  return changeStep(({ timers }) => (timers.get(timer.id) === timer ? [put("timers", next)] : undefined));
}

function timerFieldsOf({ episode, show, seriesRecordingId, keywordId, rule }: Order<KeptShow>) {
  const { id: showId, eitId, channelId, title: name, start, durationMinutes } = show;
  return {
    ...{ showId, eitId, channelId, name, start, durationMinutes, episode },
    ...withoutUndefined({
      seriesRecordingId,
      keywordId,
      ruleId: rule?.id,
      priority: rule?.priority,
      keepNewest: rule?.keep,
      folder: rule?.folder,
      ruleBeforeMinutes: rule?.beforeMinutes,
      ruleAfterMinutes: rule?.afterMinutes,
    }),
  };
}

function isSame(timer: StoredTimer, order: Order<KeptShow>): boolean {
  const next = withOrder(timer, order);
  const keys = new Set([...Object.keys(timer), ...Object.keys(next)]) as Set<keyof StoredTimer>;
  return [...keys].every((key) => timer[key] === next[key]);
}

/** The timer with the fields of the order; those of rules that no longer want it are dropped. */
function withOrder(timer: StoredTimer, order: Order<KeptShow>): StoredTimer {
  return { ...withoutRules(timer), ...timerFieldsOf(order) };
}

/** Without the shows of timers that others have added meanwhile. */
function stillMissing(
  orders: readonly Order<KeptShow>[],
  others: readonly StoredTimer[],
): readonly Order<KeptShow>[] {
  // There are few orders at once, and many timers.
  const wanted = new Set(orders.map(({ show }) => show.id));
  const taken = new Set(others.map(({ showId }) => showId).filter((id) => wanted.has(id)));
  return orders.filter(({ show }) => !taken.has(show.id));
}

function addedTimers(
  tables: GuideTables,
  { account, deviceId, now }: Expanded,
  orders: readonly Order<KeptShow>[],
): readonly Change[] {
  if (orders.length === 0) return [];
  const room = timersToDrop(tables, account, { count: orders.length, now });
  if (room === undefined) return [];
  const { ids, change } = takeIds(tables, "timer", orders.length);
  const timers = orders.map((order, index) =>
    newTimer(timerFieldsOf(order), { id: ids[index] ?? 0, accountId: account.id, deviceId, now }),
  );
  return [...room, change, ...timers.map((timer) => put("timers", timer))];
}
