import type { HttpClient } from "../kit/http/http.ts";
import type { Log } from "../kit/log.ts";
import { type Clock, waitUntil } from "../kit/time/clock.ts";
import { parseSchedule } from "../kit/time/cron.ts";
import { TIME_LIMITS } from "../kit/time/limits.ts";
import type { SiteStatus } from "../model/announcement.ts";
import { RecorderdError } from "../model/errors.ts";
import { latestAnnouncements } from "./announcements.ts";
import { createSiteClient, type SiteClient } from "./client.ts";
import { SITE_LIMITS } from "./limits.ts";

export interface AnnouncementsOptions {
  /** Address of the content site. */
  readonly url: string;
  /** The schedule of checks after the first one: cron, in UTC. */
  readonly check: string;
  /** The number of stored announcements, 1 to 100. */
  readonly count: number;
}

interface AnnouncementsParts {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** The latest announcements of a content site. They are only displayed: failures affect nothing else. */
export interface AnnouncementsWatch {
  readonly name: "announcements";
  readonly status: SiteStatus;
  /** Checks at once and then on schedule, until the signal is aborted. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * A failure keeps the earlier announcements and is retried within the hour. The log reports each change of state,
 * not each failure.
 *
 * @throws RecorderdError SITE_PARAMETER_INVALID or CONFIG_INVALID if address or schedule is invalid
 */
export function watchAnnouncements(
  { url, check, count }: AnnouncementsOptions,
  { http, clock, log }: AnnouncementsParts,
): AnnouncementsWatch {
  const client = createSiteClient({ siteUrl: url, http, clock });
  const schedule = parseSchedule(check);
  let status: SiteStatus = { announcements: [] };

  async function askByAndBy(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = await poll(client, { count, status, clock, signal });
      if (signal.aborted) return;
      if (next.failure?.code !== status.failure?.code) logChange(log, next);
      status = next;
      const now = clock.now();
      const scheduled = schedule.next(now);
      const at = status.failure === undefined ? scheduled : Math.min(scheduled, now + SITE_LIMITS.retryMs);
      await waitUntil(clock, at, { sliceMs: TIME_LIMITS.waitSliceMs, signal }).catch(() => {});
    }
  }

  return {
    name: "announcements",
    get status() {
      return status;
    },
    run: (signal) =>
      askByAndBy(signal).catch((error: unknown) =>
        log.error("announcements are not fetched again until the next start", { text: String(error) }),
      ),
  };
}

interface PollContext {
  readonly count: number;
  readonly status: SiteStatus;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function poll(
  client: Pick<SiteClient, "list">,
  { count, status, clock, signal }: PollContext,
): Promise<SiteStatus> {
  try {
    const announcements = await latestAnnouncements(client, count, signal);
    return { announcements, lastGoodAt: clock.now() };
  } catch (error) {
    if (signal.aborted) return status;
    if (!(error instanceof RecorderdError)) throw error;
    const { failure: earlier, ...kept } = status;
    const since = earlier?.code === error.code ? earlier.since : clock.now();
    return { ...kept, failure: { since, code: error.code, text: error.message } };
  }
}

function logChange(log: Log, { failure }: SiteStatus): void {
  if (failure === undefined) log.info("the content site answers again");
  else log.warn("the content site cannot be used; retrying", { code: failure.code, text: failure.text });
}
