import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Show } from "../../src/guide-server/data/show.ts";
import { type GuideStore, openGuideStore } from "../../src/guide-server/data/store.ts";
import { type Account, put } from "../../src/guide-server/data/tables.ts";
import { addDevices } from "../../src/guide-server/domain/devices.ts";
import { addKeyword, addSeriesRecording } from "../../src/guide-server/domain/rules.ts";
import { listedTimers, markServed } from "../../src/guide-server/domain/timer-lists.ts";
import { changeTimer, deleteTimer } from "../../src/guide-server/domain/timers.ts";
import { wireShow, wireTimer } from "../../src/guide-server/http/wire.ts";
import { isRefusal } from "../../src/guide-server/refusal.ts";
import { settleAccount } from "../../src/guide-server/settle.ts";
import { guideAccount } from "../../src/guide-wire/account.ts";
import type { GuideClient } from "../../src/guide-wire/client.ts";
import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Recording } from "../../src/model/recording.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { CHANNELS } from "../../src/simulator/weeks/setting.ts";
import { START } from "../../src/simulator/weeks/weeks.ts";
import { type Airing, type Month, monthOf, type Wish } from "./month-of.ts";
import { Requests, startRecorder } from "./month-recorder.ts";

/** The result of one of the server's orders at the recorder. */
export interface Outcome {
  readonly airing: Airing | undefined;
  readonly recording: Recording;
}

export interface MonthResult {
  readonly month: Month;
  /** The last of each timer. */
  readonly outcomes: readonly Outcome[];
  readonly bugs: readonly unknown[];
}

export interface MonthLife {
  readonly seed: number;
  readonly tuners: number;
  /** A full month has 28. */
  readonly days: number;
}

/** A month of the real recorder, in virtual time, that asks the guide server's own data what to record. */
export async function liveThroughMonth(life: MonthLife): Promise<MonthResult> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-month-"));
  const store = await openGuideStore(folder, silentLog);
  try {
    return await lived(store, life);
  } finally {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

async function lived(store: GuideStore, { seed, tuners, days }: MonthLife): Promise<MonthResult> {
  const month = monthOf(seed, START, days);
  const { account, deviceId } = await furnish(store);
  const requests = new Requests();
  const clock = createVirtualClock(START, () => requests.settled());
  const over = new AbortController();
  publish(store, month.airings, { from: START, to: START + 7 * DAY });
  for (const wish of month.wishes) await book(store, account, { wish, deviceId });
  const { recordings, bugs } = startRecorder({
    clock,
    seed,
    tuners,
    account: guideAccount(
      clientOf({ store, account, requests }, () => clock.now()),
      { regionId: 1, deviceId },
    ),
    signal: over.signal,
  });
  for (const { at, change } of month.changes) {
    await clock.advanceTo(Math.max(at, clock.now()));
    if (change === undefined) {
      publish(store, month.airings, { from: at + 7 * DAY - 3 * HOUR, to: at + 8 * DAY - 3 * HOUR });
      continue;
    }
    const { airing, start, rekeyed } = change;
    // A show that is not yet published appears later with its new time.
    const known = store.shows.get(airing.showId);
    airing.start = start;
    if (known === undefined) continue;
    if (rekeyed) store.shows.put([{ ...known, gone: true }]);
    if (rekeyed) airing.showId += 1_000_000;
    store.shows.put([showOf(airing)]);
  }
  await clock.advanceTo(START + (days + 7) * DAY);
  over.abort();
  await clock.advance(0);
  const byShow = new Map(month.airings.map((airing) => [String(airing.showId), airing]));
  return {
    month,
    bugs,
    outcomes: [...recordings.values()].map((recording) => ({
      recording,
      airing: byShow.get(recording.showId ?? ""),
    })),
  };
}

async function furnish(store: GuideStore): Promise<{ readonly account: Account; readonly deviceId: number }> {
  const account: Account = { id: "1", email: "a@x", regionId: 1, createdAt: START };
  const channels = CHANNELS.map(({ id, name, triplets }) =>
    put("channels", {
      ...{ id: Number(id), name, region_id: 1, is_hd: Number(id) > 6 ? 1 : 0 },
      dvb: triplets.map(({ onid, tsid, sid }) => ({
        original_network_id: onid,
        transport_stream_id: tsid,
        service_id: sid,
      })),
    }),
  );
  await store.commitShared(() => ({
    changes: [
      put("regions", { id: 1, name: "Home", timezone: "UTC" }),
      put("types", { id: 1 }),
      put("accounts", account),
      ...channels,
    ],
    value: undefined,
  }));
  let deviceId = 0;
  await store.commit(account.id, (tables) => {
    const added = addDevices(tables, account, [{ label: "Lounge", type_id: 1 }]);
    if (!isRefusal(added)) deviceId = added.value[0]?.id ?? 0;
    return added;
  });
  return { account, deviceId };
}

async function book(
  store: GuideStore,
  account: Account,
  { wish, deviceId }: { readonly wish: Wish; readonly deviceId: number },
): Promise<void> {
  const order = { device_id: deviceId, recording_quality: wish.quality };
  await store.commit(account.id, (tables) =>
    wish.kind === "series"
      ? addSeriesRecording(tables, account, { order: { ...order, series_id: wish.seriesId }, now: START })
      : addKeyword(tables, account, { order: { ...order, keyword: wish.keyword }, now: START }),
  );
}

function publish(
  store: GuideStore,
  airings: readonly Airing[],
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
): void {
  store.shows.put(airings.filter(({ planned }) => planned >= from && planned < to).map(showOf));
}

function showOf({ showId, channelId, seriesId, episode, title, start, minutes }: Airing): Show {
  return {
    id: showId,
    channelId,
    seriesId,
    episodeId: `${seriesId} ${episode}`,
    start,
    durationMinutes: minutes,
    title,
    subtitle: "",
    desc: "",
    category: [],
    eitId: showId % 0x1_0000,
    rating: "",
    date: "",
    updatedAt: start,
  };
}

interface Served {
  readonly store: GuideStore;
  readonly account: Account;
  readonly requests: Requests;
}

/** The server as a client of it, without the wire between them: time goes on only when all requests are answered. */
function clientOf({ store, account, requests }: Served, now: () => EpochMs): GuideClient {
  const answer = async <K extends DocumentKind>(value: Document<K>) =>
    ({ value, malformed: [], format: "json" }) as const;
  const during = <T>(work: Promise<T>) => requests.during(work);
  const timers = async () => {
    const tables = await store.of(account.id);
    await settleAccount(store, { account, tables, now: now() });
    const listed = listedTimers(tables, account, now());
    await store.commit(account.id, () =>
      markServed(listed, { now: now(), reader: undefined, user: { rights: "member" } }),
    );
    return await answer<"timers">({ timers: listed.map(wireTimer) });
  };
  const client: Pick<GuideClient, "timers" | "regionChannels" | "shows" | "setTimer" | "deleteTimer"> = {
    timers: () => during(timers()),
    regionChannels: () =>
      answer<"channels">({ regions: [], channels: [...store.catalogue.channels.values()] }),
    shows: ({ channelIds }) => {
      const shows = store.shows.list({
        ...(channelIds === undefined ? {} : { channelIds }),
        endAfter: now(),
      });
      return answer<"shows">({ shows: shows.map(wireShow), timers: [], channels: [] });
    },
    setTimer: async (id, change) => {
      const told = store.commit(account.id, (tables) =>
        changeTimer(tables, { account, device: undefined }, { id, change, now: now() }),
      );
      await during(told);
      return await answer<"timers">({ timers: [] });
    },
    deleteTimer: async (id) => {
      const deleted = store.commit(account.id, (tables) =>
        deleteTimer(tables, { account, device: undefined }, { id, now: now() }),
      );
      await during(deleted);
    },
  };
  return client as GuideClient;
}

/** The padding of src/simulator/weeks/setting.ts, and what a report may need. */
export const TOLD_AFTER_MS = 30 * MINUTE;
