import { z } from "zod";
import { DAY, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { FaultStep, Step } from "./script.ts";
import { CHANNELS } from "./setting.ts";

/** The simulation begins on a Monday. */
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const UNITS: Readonly<Record<string, number>> = { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY };

/** An instant of the simulation: `Tuesday 20:10` is the first one, `day 9 20:10:30` is on the ninth day. */
const Instant = z
  .string()
  .regex(
    /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|day [1-9]\d{0,2}) (?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/i,
    {
      error: "expected an instant such as “Tuesday 20:10” or “day 9 20:10:30”, in UTC",
    },
  )
  .transform((text) => {
    const [time = "", ...day] = text.toLowerCase().split(" ").reverse();
    const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
    const days = day.length > 1 ? Number(day[0]) - 1 : WEEKDAYS.indexOf(day[0] ?? "");
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  });

const Duration = z
  .string()
  .regex(/^[1-9]\d{0,4} (?:second|minute|hour|day)s?$/, {
    error: "expected a duration such as “30 minutes”: a whole number of seconds, minutes, hours or days",
  })
  .transform((text) => {
    const [count, unit = ""] = text.split(" ");
    return Number(count) * (UNITS[unit.replace(/s$/, "")] ?? 0);
  });

const at = Instant;
/** Below the ids of the seed's household, even if the service assigns new ids. */
const timer = z.int().min(1).max(99);
const tuner = z.string().regex(/^tuner-(?:[1-9]|1[0-6])$/, { error: "expected a tuner such as tuner-1" });
const minutes = z
  .int()
  .min(1)
  .max(24 * 60);
/** Index of a running capture, in order of start; wraps around if there are fewer. */
const capture = z.int().min(1).max(100).default(1);

const OUTAGES = [
  "GUIDE_NAME_UNRESOLVED",
  "GUIDE_UNREACHABLE",
  "GUIDE_TLS_FAILED",
  "GUIDE_TIMEOUT",
  "GUIDE_UNAVAILABLE",
  "GUIDE_DOCUMENT_TORN",
  "GUIDE_DOCUMENT_INVALID",
  "GUIDE_BODY_TOO_LARGE",
  "GUIDE_SIGN_IN_NEEDED",
  "GUIDE_FORBIDDEN",
] as const;
const TUNER_TROUBLES = ["TUNER_NO_LOCK", "TUNER_IN_USE", "TUNER_UNREACHABLE", "TUNER_FORBIDDEN"] as const;

/** One step of a written plan, discriminated by `is`. */
export const PlannedStep = z.discriminatedUnion("is", [
  z.strictObject({
    at,
    is: z.literal("booked"),
    timer,
    name: z.string().min(1).max(200).optional(),
    channel: z.int().min(1).max(CHANNELS.length),
    start: Instant,
    minutes,
    before: z.int().min(0).max(120).optional(),
    after: z.int().min(0).max(120).optional(),
  }),
  z.strictObject({ at, is: z.literal("moved"), timer, start: Instant, minutes }),
  z.strictObject({ at, is: z.literal("forgotten"), timer }),
  z.strictObject({ at, is: z.literal("gone"), timer }),
  z.strictObject({ at, is: z.literal("re-keyed"), timer }),
  z.strictObject({
    at,
    is: z.literal("outage"),
    for: Duration,
    code: z.enum(OUTAGES).default("GUIDE_UNREACHABLE"),
    /** The request takes effect, but the answer is lost. */
    lost: z.boolean().default(false),
    retryAfter: Duration.optional(),
  }),
  z.strictObject({ at, is: z.literal("slow service"), for: Duration, delay: Duration }),
  z.strictObject({ at, is: z.literal("empty list"), for: Duration }),
  z.strictObject({ at, is: z.literal("shrunken list"), for: Duration }),
  z.strictObject({ at, is: z.literal("duplicates"), for: Duration }),
  z.strictObject({ at, is: z.literal("malformed entries"), for: Duration }),
  z.strictObject({
    at,
    is: z.literal("tuner dead"),
    tuner,
    for: Duration,
    code: z.enum(TUNER_TROUBLES).default("TUNER_NO_LOCK"),
  }),
  z.strictObject({ at, is: z.literal("tuner without data"), tuner, for: Duration }),
  z.strictObject({ at, is: z.literal("capture stalls"), capture }),
  z.strictObject({ at, is: z.literal("capture dies"), capture }),
  z.strictObject({ at, is: z.literal("stream ends"), capture }),
  /** All running captures end at once; the recorder continues. */
  z.strictObject({ at, is: z.literal("capture host dies") }),
  z.strictObject({ at, is: z.literal("disk full"), for: Duration }),
  z.strictObject({ at, is: z.literal("storage offline"), for: Duration }),
  /** The daemon ends and restarts after that time; its captures continue. */
  z.strictObject({ at, is: z.literal("crash"), for: Duration }),
  /** The machine is off for that time: the captures end too. */
  z.strictObject({ at, is: z.literal("power cut"), for: Duration }),
]);
type PlannedAction = z.infer<typeof PlannedStep>;

/** The action and time of a plan's step, for a simulation that begins at `start`. */
export function stepOf(written: PlannedAction, start: EpochMs): Step {
  return { at: start + written.at, action: faultStepOf(written, start) };
}

function faultStepOf(written: PlannedAction, start: EpochMs): FaultStep {
  const until = "for" in written ? start + written.at + written.for : start;
  switch (written.is) {
    case "booked": {
      const { timer: id, channel, before, after, name = `Show ${id}` } = written;
      const padding = {
        ...withoutUndefined({ beforeMinutes: before, afterMinutes: after }),
      };
      const booking = { timerId: String(id), name, channel, event: eventOf(written, start), ...padding };
      return { kind: "book", booking };
    }
    case "moved":
      return { kind: "reschedule", timerId: String(written.timer), event: eventOf(written, start) };
    case "forgotten":
      return { kind: "forget", timerId: String(written.timer) };
    case "gone":
      return { kind: "gone", pick: { timerId: String(written.timer) } };
    case "re-keyed":
      return { kind: "rekey", pick: { timerId: String(written.timer) } };
    case "outage": {
      const { code, lost, retryAfter } = written;
      const asked = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
      return { kind: "outage", until, code, lost, html: false, ...asked };
    }
    case "slow service":
      return { kind: "slow", until, delayMs: written.delay };
    case "empty list":
      return { kind: "distort", how: "empty-list", until };
    case "shrunken list":
      return { kind: "distort", how: "shrunken-list", until };
    case "duplicates":
      return { kind: "distort", how: "duplicates", until };
    case "malformed entries":
      return { kind: "distort", how: "malformed", until };
    case "tuner dead":
      return { kind: "tuner-trouble", tuner: indexOf(written.tuner), code: written.code, until };
    case "tuner without data":
      return { kind: "no-data", tuner: indexOf(written.tuner), until };
    case "capture stalls":
      return { kind: "capture-trouble", what: "stall", pick: written.capture - 1 };
    case "capture dies":
      return { kind: "capture-trouble", what: "die", pick: written.capture - 1 };
    case "stream ends":
      return { kind: "capture-trouble", what: "end", pick: written.capture - 1 };
    case "capture host dies":
      return { kind: "host-death" };
    case "disk full":
      return { kind: "disk-full", until };
    case "storage offline":
      return { kind: "storage-offline", until };
    case "crash":
    case "power cut": {
      const power = written.is === "power cut";
      return { kind: "crash", calls: 0, when: "before", offMs: written.for, power };
    }
  }
}

function eventOf(
  { start, minutes: length }: { readonly start: number; readonly minutes: number },
  from: EpochMs,
) {
  return { start: from + start, stop: from + start + length * MINUTE };
}

/** `tuner-1` is the first. */
function indexOf(id: string): number {
  return Number(id.slice("tuner-".length)) - 1;
}
