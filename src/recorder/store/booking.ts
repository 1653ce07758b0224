import type { GuideClient } from "../../guide-wire/client.ts";
import type { Timer, TimerOrder } from "../../guide-wire/records.ts";
import type { GuideAnswer } from "../../guide-wire/requests.ts";
import { lockFolder } from "../../kit/files/lock.ts";
import { makeFolder } from "../../kit/files/make-folder.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import { parseWireInstant } from "../../model/time.ts";
import { openLedger, readLedger } from "./ledger.ts";

interface Booking {
  readonly client: Pick<GuideClient, "addTimer" | "timers">;
  readonly order: TimerOrder;
  /** Searches the service's list first, whatever is known of earlier orders: two orders of one show become one. */
  readonly looksFirst?: boolean;
  /** The folder of the order notes. */
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A timer of the service, and whether it existed before this request. */
interface Booked {
  readonly answer: GuideAnswer<"timers">;
  readonly wasThere: boolean;
}

/**
 * Orders a recording once, even if the answer is lost or the process ends before it comes. The intent is on
 * disk before the service is asked. An order without a known result is searched in the service's list first: by
 * device, channel, start and duration, or by device and show.
 *
 * @throws RecorderdError GUIDE_… of the client; if the order may have been accepted, the message says so
 * @throws RecorderdError STORE_WRITE_FAILED if the intent cannot be stored, and STORE_LOCKED if other orders take too
 * long: then nothing is ordered
 */
export async function bookOnce(booking: Booking): Promise<Booked> {
  const { client, order, folder, clock, signal, looksFirst = false } = booking;
  const key = keyOf(order);
  await prepare(folder);
  await using _alone = await lockFolder(folder, { isBrief: true, signal });
  const isOpen = looksFirst || (await isUnderWay(folder, key));
  await using ledger = await openLedger({ folder });
  const note = (fact: string, about: Pick<LedgerFact, "timerId"> = {}) =>
    ledger.append([{ at: clock.now(), fact, ...about, facts: { key } }]);
  const found = async (): Promise<Booked | undefined> => {
    const { value, ...answer } = await client.timers(signal);
    const timer = value.timers.find((each) => each.action === "record" && isOrdered(each, order));
    if (timer === undefined) return undefined;
    await note("booked", { timerId: timer.id });
    return { answer: { ...answer, value: { ...value, timers: [timer] } }, wasThere: true };
  };
  if (isOpen) {
    const earlier = await found();
    if (earlier !== undefined) return earlier;
  }
  await note("booking");
  try {
    const answer = await client.addTimer(order, signal);
    const [timer] = answer.value.timers;
    await note("booked", timer === undefined ? {} : { timerId: timer.id });
    return { answer, wasThere: false };
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    if (!mayHaveBeenTaken(error)) {
      await note("booking-refused");
      throw error;
    }
    const taken = await found().catch(() => undefined);
    if (taken !== undefined) return { ...taken, wasThere: false };
    const hint =
      "It is unknown whether the service has this order: run the same command again to find or to repeat it.";
    throw new RecorderdError(error.code, `${error.message} ${hint}`, error.facts, { cause: error });
  }
}

/** Cancels a timer; a missing one counts as cancelled. @throws RecorderdError GUIDE_… of the client */
export async function cancelOnce(
  client: Pick<GuideClient, "deleteTimer">,
  timerId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.deleteTimer(timerId, signal);
  } catch (error) {
    const isGone = error instanceof RecorderdError && error.code === "GUIDE_NOT_FOUND";
    if (!isGone || error.facts["html"] === true) throw error;
  }
}

/** Identifies an order: two orders with the same key are one. */
function keyOf({ device_id, show_id, channel_id, start_time = "", duration_minutes }: TimerOrder): string {
  if (show_id !== undefined) return `device ${device_id}, show ${show_id}`;
  return `device ${device_id}, channel ${channel_id}, ${parseWireInstant(start_time)}, ${duration_minutes} min`;
}

function isOrdered(timer: Timer, order: TimerOrder): boolean {
  if (order.show_id !== undefined && timer.show_id === undefined) return false;
  return keyOf(order.show_id === undefined ? withoutShow(timer) : timer) === keyOf(order);
}

function withoutShow({ show_id: _any, ...timer }: Timer): TimerOrder {
  return timer;
}

async function prepare(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
  } catch (error) {
    const message = `${folder} cannot be created (${systemCode(error)}). It is needed to find an order whose answer was lost: check the permissions.`;
    throw new RecorderdError("STORE_WRITE_FAILED", message, { folder }, { cause: error });
  }
}

async function isUnderWay(folder: string, key: string): Promise<boolean> {
  let latest = "";
  for await (const { fact, facts } of readLedger(folder)) if (facts?.["key"] === key) latest = fact;
  return latest === "booking";
}

/** Failures after which the service may still have accepted the order. */
const AFTER_HEARING: readonly ErrorCode[] = [
  "GUIDE_UNREACHABLE",
  "GUIDE_TIMEOUT",
  "GUIDE_UNAVAILABLE",
  "GUIDE_DOCUMENT_TORN",
  "GUIDE_DOCUMENT_INVALID",
  "GUIDE_BODY_TOO_LARGE",
  "GUIDE_ANSWER_UNEXPECTED",
];

function mayHaveBeenTaken({ code, facts }: RecorderdError): boolean {
  return AFTER_HEARING.includes(code) || facts["html"] === true;
}
