import type { TimerBatchEntry, TimerChange } from "../../guide-wire/records.ts";
import { TIMER_STATES } from "../../guide-wire/records.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Decision, Transaction } from "../data/decision.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  put,
  type StoredTimer,
  type TimerReport,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { badField, isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";
import { deviceOf } from "./devices.ts";
import { episodeOfTimer, recordDoneEpisode, recordedEpisode } from "./done-episodes.ts";
import { endOf, isOwn, lostTimers, ownTimerOf, type TimerParty, timerOf } from "./timer-lists.ts";
import { movedTimers, type TimerEdit, withdrawTimer } from "./timer-move.ts";

export const NO_TIMER = notFound("The account has no such timer: see GET shows/timers.");

/**
 * Applies a client's change to a timer: state, message, device, padding, and fields outside the API. All other
 * fields belong to the server and are ignored, since clients echo whole timers. A device changes only its own
 * timers. A timer moved to another device gets a new id there while the first device may have it, and the first
 * device gets a forget (timer-move.ts).
 */
export function changeTimer(
  tables: GuideTables,
  party: TimerParty,
  { id, change, now }: { readonly id: string; readonly change: TimerChange; readonly now: EpochMs },
): Decision<StoredTimer> {
  const timer = ownTimerOf(tables, party, { id, now });
  if (timer === undefined) return NO_TIMER;
  const next = changedTimer(tables, { account: party.account, timer, change, now });
  if (isRefusal(next)) return next;
  const { changes, value } = writeTimers(tables, { pairs: [{ timer, next }], now });
  return { changes, value: value[0] ?? next };
}

/** Changes all of them or none; timers of other parties are left out of the result. */
export function changeTimers(
  tables: GuideTables,
  party: TimerParty,
  { entries, now }: { readonly entries: readonly TimerBatchEntry[]; readonly now: EpochMs },
): Decision<readonly StoredTimer[]> {
  const pairs = new Map<string, TimerEdit>();
  for (const entry of entries) {
    const timer = ownTimerOf(tables, party, { id: entry.id, now });
    if (timer === undefined) continue;
    const before = pairs.get(entry.id)?.next ?? timer;
    const next = changedTimer(tables, { account: party.account, timer: before, change: entry, now });
    if (isRefusal(next)) return { ...next, message: `Timer ${entry.id}: ${next.message}` };
    pairs.set(entry.id, { timer, next });
  }
  return writeTimers(tables, { pairs: [...pairs.values()], now });
}

/** Writes the changed timers and those found lost by the change. */
function writeTimers(
  tables: GuideTables,
  { pairs, now }: { readonly pairs: readonly TimerEdit[]; readonly now: EpochMs },
): Transaction<readonly StoredTimer[]> {
  const moved = movedTimers(tables, pairs, now);
  const real = pairs.flatMap(({ timer, next }) => {
    if (moved.moves.has(next)) return [];
    return sameRecord(next, timer) ? [] : [next];
  });
  const reported = pairs.map(({ next }) => next).filter((next) => !moved.moves.has(next));
  return {
    changes: [
      ...moved.changes,
      ...[...real, ...lostTimers(tables, reported)].map((timer) => put("timers", timer)),
      ...pairs.flatMap(({ timer, next }) =>
        isNewlyRecorded(timer, next) ? recordedEpisode(tables, next, now) : [],
      ),
    ],
    value: pairs.map(({ next }) => moved.moves.get(next) ?? next),
  };
}

function isNewlyRecorded(before: StoredTimer, { action, state }: StoredTimer): boolean {
  return action === "record" && state === "completed" && before.state !== "completed";
}

interface ChangeOrder {
  readonly account: Account;
  readonly timer: StoredTimer;
  readonly change: TimerChange;
  readonly now: EpochMs;
}

/** The timer with a client's change applied. */
export function changedTimer(
  tables: GuideTables,
  { account, timer, change, now }: ChangeOrder,
): StoredTimer | Refusal {
  const fields = clientFields(tables, account, change);
  if (isRefusal(fields)) return fields;
  const { extra, ...said } = withoutEcho(timer, fields);
  const own = repeatsPending(timer, said.state, now) ? { ...said, state: timer.state } : said;
  // A forget stays with the device that must forget.
  const place = timer.action === "forget" ? { deviceId: timer.deviceId } : {};
  const next: StoredTimer = { ...timer, ...own, ...place, extra: { ...timer.extra, ...extra } };
  if (JSON.stringify(next.extra).length > SERVER_LIMITS.extraBytes) return TOO_MUCH_EXTRA;
  const isForgotten = next.action === "forget" && own.state === "completed";
  return {
    ...next,
    told: appendReport(timer, own, now),
    ...(own.state === undefined || SERVICE_STATES.has(own.state) ? {} : { acknowledged: true }),
    ...(isForgotten ? { removedAt: now } : {}),
  };
}

/** Clients echo whole timers: a rule's padding does not become the timer's own. */
function withoutEcho(timer: StoredTimer, fields: ClientFields): ClientFields {
  const { prePadding, postPadding, ...rest } = fields;
  return {
    ...rest,
    ...(prePadding === effectivePadding(timer).before ? {} : withoutUndefined({ prePadding })),
    ...(postPadding === effectivePadding(timer).after ? {} : withoutUndefined({ postPadding })),
  };
}

/** The timer's own padding, else that of its rule; absent: the recorder's. */
export function effectivePadding(timer: StoredTimer): {
  readonly before: number | undefined;
  readonly after: number | undefined;
} {
  return {
    before: timer.prePadding ?? timer.ruleBeforeMinutes,
    after: timer.postPadding ?? timer.ruleAfterMinutes,
  };
}

/**
 * Boxes in the field report `pending` for every timer at each poll, meaning "already up to date". This does not undo
 * an earlier `running` or final report. For a timer that has since moved far ahead it is a new state.
 */
function repeatsPending(timer: StoredTimer, state: StoredTimer["state"] | undefined, now: EpochMs): boolean {
  if (state !== "pending") return false;
  if (timer.start - SERVER_LIMITS.paddingMinutesMax * MINUTE > now) return false;
  const isOver = endOf(timer) <= now && (timer.state === "completed" || timer.state === "failed");
  return timer.state === "running" || isOver;
}

/** States that only the service sets: a client that sends one merely echoes it. */
const SERVICE_STATES = new Set<StoredTimer["state"]>(["new", "sent", "missing"]);

const TOO_MUCH_EXTRA = notAcceptable(
  undefined,
  `The fields outside the protocol have more than ${SERVER_LIMITS.extraBytes} bytes.`,
);

/** Fields that a client may set, with the server's names. */
export type ClientFields = Partial<
  Pick<StoredTimer, "deviceId" | "state" | "message" | "prePadding" | "postPadding" | "paddingType" | "extra">
>;

const INTERFACE_FIELDS = new Set([
  "id",
  "name",
  "device_id",
  "channel_id",
  "show_id",
  "start_time",
  "duration_minutes",
  "action",
  "state",
  "message",
  "series_recording_id",
  "keyword_id",
  "eit_id",
  "pre-padding",
  "post-padding",
  "padding-type",
  "rule_id",
  "priority",
  "keep_newest",
  "folder",
]);

/** Reads and checks the fields that a client may set on a new or existing timer. */
export function clientFields(
  tables: GuideTables,
  account: Account,
  change: TimerChange,
): ClientFields | Refusal {
  const { device_id, message } = change;
  const pre = change["pre-padding"];
  const post = change["post-padding"];
  const type = change["padding-type"];
  if (device_id !== undefined && deviceOf(tables, account, String(device_id)) === undefined) {
    return notFound("The account has no such device: see GET devices.", "device_id");
  }
  const state = change.state === "" ? undefined : stateOf(change.state);
  if (state === null) {
    return notAcceptable("state", `The state is none of ${TIMER_STATES.join(", ")}.`);
  }
  if (!isPadding(pre)) return paddingRefusal("pre-padding");
  if (!isPadding(post)) return paddingRefusal("post-padding");
  if (type !== undefined && type.length > SERVER_LIMITS.nameLength) {
    return badField("padding-type", `has more than ${SERVER_LIMITS.nameLength} characters`);
  }
  return {
    ...withoutUndefined({ deviceId: device_id, state }),
    ...(message === undefined ? {} : { message: shortMessage(message) }),
    ...withoutUndefined({
      prePadding: wholeMinutes(pre),
      postPadding: wholeMinutes(post),
      paddingType: type,
    }),
    extra: Object.fromEntries(Object.entries(change).filter(([key]) => !INTERFACE_FIELDS.has(key))),
  };
}

/** `null`: not one of the nine states. */
function stateOf(text: string | undefined): StoredTimer["state"] | undefined | null {
  return text === undefined ? undefined : (TIMER_STATES.find((state) => state === text) ?? null);
}

function isPadding(minutes: number | undefined): boolean {
  return minutes === undefined || (minutes >= 0 && minutes <= SERVER_LIMITS.paddingMinutesMax);
}

/** A set-top box may calculate padding in seconds. */
function wholeMinutes(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : Math.ceil(minutes);
}

function paddingRefusal(field: string): Refusal {
  return notAcceptable(field, `Padding must be 0 to ${SERVER_LIMITS.paddingMinutesMax} minutes.`);
}

/** Cuts at a character boundary. */
function shortMessage(message: string): string {
  const { messageLength } = SERVER_LIMITS;
  return message.length <= messageLength ? message : [...message].slice(0, messageLength).join("");
}

/** The earlier reports plus this one, unless it repeats the last. */
export function appendReport(
  timer: Pick<StoredTimer, "told" | "state" | "message">,
  { state, message }: Pick<ClientFields, "state" | "message">,
  now: EpochMs,
): readonly TimerReport[] {
  const last = timer.told.at(-1);
  const silent = state === undefined && message === undefined;
  const repeats =
    last !== undefined &&
    (state ?? timer.state) === timer.state &&
    (message ?? timer.message) === timer.message;
  if (silent || repeats) return timer.told;
  const report: TimerReport = {
    at: now,
    ...withoutUndefined({ state, message }),
  };
  return [...timer.told, report].slice(-SERVER_LIMITS.reportsPerTimer);
}

function sameRecord(a: StoredTimer, b: StoredTimer): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Serves two purposes: a user cancels a timer, or a recorder acknowledges a forget. A timer that a recorder may have
 * and that is not over becomes a `forget`; any other is removed. A missing timer is no error.
 */
export function deleteTimer(
  tables: GuideTables,
  party: TimerParty,
  { id, now }: { readonly id: string; readonly now: EpochMs },
): Decision<undefined> {
  const timer = timerOf(tables, party.account, { id, now });
  // Deleting a forget acknowledges it, and only the device that must forget may do so.
  if (timer === undefined || (timer.action === "forget" && !isOwn(party, timer))) {
    return { changes: [], value: undefined };
  }
  const declined = timer.action === "record" && endOf(timer) > now ? declinedEpisode(tables, timer, now) : [];
  return {
    changes: [put("timers", withdrawTimer(timer, "Deleted: the recorder must forget it.", now)), ...declined],
    value: undefined,
  };
}

/** Marks the episode of a deleted timer as declined, so that no rule orders it again. */
function declinedEpisode(tables: GuideTables, timer: StoredTimer, now: EpochMs): readonly Change[] {
  const episode = episodeOfTimer(tables, timer);
  const hasRules = [...tables.rules.values()].some(({ deviceId }) => deviceId === timer.deviceId);
  return episode === undefined || !hasRules
    ? []
    : recordDoneEpisode(tables, { deviceId: timer.deviceId, episode, at: now, became: "declined" });
}
