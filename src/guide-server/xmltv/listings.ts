import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Region } from "../../guide-wire/records.ts";
import { decompressed } from "../../kit/files/unpack.ts";
import type { Log } from "../../kit/log.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { EpochMs } from "../../model/time.ts";
import { isZone } from "../../model/zone.ts";
import { fillFromBroadcast } from "../broadcast/publish.ts";
import type { Mapping } from "../data/listing-records.ts";
import type { GuideStore } from "../data/store.ts";
import { put, remove } from "../data/tables.ts";
import { MANUFACTURERS, TYPES } from "../demo/broadcasters.ts";
import { publish } from "../domain/catalogue.ts";
import { followShows } from "../domain/timer-follow.ts";
import { SERVER_LIMITS } from "../limits.ts";
import type { ChannelTable } from "./channels.ts";
import { type ImportReport, importListing } from "./import.ts";
import { Facts, factsId } from "./listing-facts.ts";
import { type Fetching, fetchListing, type ListingSource } from "./source.ts";

export interface ListingsOrder {
  /** Best first. */
  readonly sources: readonly ListingSource[];
  readonly table: ChannelTable;
  readonly fetching: Fetching;
  /** The location of the home region of a guide made from listings, entered by a person. */
  readonly place?: ListingPlace;
  /** Reads only listings whose latest reading failed, and worse ones after them. */
  readonly isRetry?: boolean;
}

export type ListingPlace = Partial<Pick<Region, "city" | "state" | "country" | "country_code_3">>;

/** The result of reading one source. */
export type ListingOutcome =
  | { readonly kind: "read"; readonly source: ListingSource; readonly report: ImportReport }
  | { readonly kind: "unchanged"; readonly source: ListingSource }
  | { readonly kind: "failed"; readonly source: ListingSource; readonly error: RecorderdError };

/** Whether the next try may succeed. A listing that has lost most of its programmes is believed a day later. */
export function mayPass(outcome: ListingOutcome): boolean {
  return outcome.kind === "failed" && outcome.error.code !== "LISTING_SHRUNKEN";
}

/**
 * Reads all listings, best first, and moves timers with their shows. After a failure a listing's earlier data stays,
 * and the others are still read. After a changed listing all worse ones are read, even unchanged ones: they may now
 * fill other gaps.
 *
 * @throws the abort reason of the signal
 */
export async function readListings(
  store: GuideStore,
  { sources, table, fetching, place, isRetry = false }: ListingsOrder,
  log: Log,
): Promise<readonly ListingOutcome[]> {
  await removeLeftovers(fetching.folder);
  await publishHome(store, place);
  const outcomes: ListingOutcome[] = [];
  const mapped = [...store.catalogue.mappings.values()];
  const isRemapped = mapped.some(({ markApplied }) => markApplied === undefined);
  for (const [index, source] of sources.entries()) {
    const isForced = isRemapped || outcomes.some(({ kind }) => kind === "read");
    if (isRetry && !isForced && factsOf(store, source, index + 1)?.failure === undefined) {
      outcomes.push({ kind: "unchanged", source });
      continue;
    }
    const order = { source, rank: index + 1, table: withMappings(table, mapped), fetching, isForced };
    const outcome = await readOne(store, order);
    logOutcome(outcome, log);
    outcomes.push(outcome);
  }
  await forgetSources(store, sources.length);
  if (outcomes.every(({ kind }) => kind !== "failed")) await applied(store, mapped);
  const { clock } = fetching;
  if (outcomes.some(({ kind }) => kind === "read")) await fillFromBroadcast(store, clock.now());
  const moved = await followShows(store, clock.now());
  if (moved > 0) log.info("timers updated after their shows moved", { timers: moved });
  return outcomes;
}

function factsOf(store: GuideStore, source: ListingSource, rank: number): Facts | undefined {
  return Facts.safeParse(store.shows.source(factsId(source.id, rank))).data;
}

/** Choices on the page override the file, since they are newer. */
function withMappings(table: ChannelTable, mapped: readonly Mapping[]): ChannelTable {
  return new Map([
    ...table,
    ...mapped.flatMap(({ id, target }) => (target === undefined ? [] : [[id, target] as const])),
  ]);
}

async function applied(store: GuideStore, mapped: readonly Mapping[]): Promise<void> {
  await store.commitShared(({ mappings }) => ({
    // A mapping that was changed meanwhile is still to be applied.
    changes: mapped
      .filter((one) => one.markApplied === undefined && mappings.get(one.id) === one)
      .map((one) =>
        one.target === undefined
          ? remove("mappings", one.id)
          : put("mappings", { ...one, markApplied: true }),
      ),
    value: undefined,
  }));
}

async function forgetSources(store: GuideStore, ranks: number): Promise<void> {
  await store.commitShared(({ listed }) => ({
    changes: [...listed.values()].filter(({ rank }) => rank > ranks).map(({ id }) => remove("listed", id)),
    value: undefined,
  }));
}

/** Removes files of a killed server: only this one reads listings in the folder. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^listing-.+\.tmp/.test(name));
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}

/** Creates the first region and this program's device type in an empty guide. `place` describes the first region. */
async function publishHome(store: GuideStore, place: ListingPlace = {}): Promise<void> {
  const [first] = store.catalogue.regions.values();
  const timeZone = systemZone();
  const home = { ...(first ?? { id: 1, name: "Home", timezone: timeZone }), ...place };
  const isEmpty = first === undefined;
  await store.commitShared((tables) =>
    publish(
      tables,
      {
        regions: [home],
        channels: [],
        manufacturers: isEmpty ? MANUFACTURERS.slice(0, 1) : [],
        types: isEmpty ? TYPES.slice(0, 1) : [],
        series: [],
        shows: [],
      },
      0,
    ),
  );
}

interface ListingRead {
  readonly source: ListingSource;
  readonly rank: number;
  readonly table: ChannelTable;
  readonly fetching: Fetching;
  /** Whether to read it even if it is unchanged. */
  readonly isForced: boolean;
}

async function readOne(
  store: GuideStore,
  { source, rank, table, fetching, isForced }: ListingRead,
): Promise<ListingOutcome> {
  const { clock, folder, signal } = fetching;
  const id = factsId(source.id, rank);
  const known = factsOf(store, source, rank);
  try {
    const mustReread = isForced || known?.isPending === true;
    await using fetched = await fetchListing(source, mustReread ? undefined : known?.version, fetching);
    if (fetched === undefined) {
      if (known?.failure !== undefined) {
        const { failure: _over, ...rest } = known;
        await store.shows.keepSource(id, rest);
      }
      return { kind: "unchanged", source };
    }
    const believed =
      known?.shrunkenSince !== undefined &&
      clock.now() - known.shrunkenSince >= SERVER_LIMITS.listingShrunkenMs;
    const report = await importListing({
      store,
      bytes: decompressed(fetched.file, {
        bytesMax: SERVER_LIMITS.listingBytes,
        isBrotli: fetched.isBrotli,
      }),
      rank,
      table,
      isMoved: known?.isPending === true,
      times: { zone: known?.zone ?? homeZone(store), isForAll: known?.zone !== undefined },
      programmesBefore: believed ? 0 : (known?.programmes ?? 0),
      folder,
      now: () => clock.now(),
      signal,
    });
    // A zone that was chosen meanwhile is still to be applied.
    const { zone } = Facts.safeParse(store.shows.source(id)).data ?? {};
    await store.shows.keepSource(id, {
      programmes: report.programmes,
      name: source.name,
      readAt: clock.now(),
      flaws: report.flaws,
      version: fetched.version,
      ...(zone === undefined ? {} : { zone }),
      ...(zone === known?.zone ? {} : { isPending: true }),
    });
    return { kind: "read", source, report };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RecorderdError)) throw error;
    await recordFailure(store, { id, source, error, now: clock.now() });
    return { kind: "failed", source, error };
  }
}

interface Failed {
  readonly id: string;
  readonly source: ListingSource;
  readonly error: RecorderdError;
  readonly now: EpochMs;
}

async function recordFailure(store: GuideStore, { id, source, error, now }: Failed): Promise<void> {
  const { code, message: text } = error;
  const known = Facts.safeParse(store.shows.source(id)).data;
  const failed = {
    programmes: 0,
    version: {},
    ...known,
    name: source.name,
    failure: { at: now, code, text },
  };
  // Without its version it is fetched again next time, until it is accepted.
  const isShrunken = code === "LISTING_SHRUNKEN" && known !== undefined;
  const shrunken = { shrunkenSince: known?.shrunkenSince ?? now, version: {} };
  await store.shows.keepSource(id, isShrunken ? { ...failed, ...shrunken } : failed);
}

/** The zone for times without one: that of the guide's home region. */
function homeZone({ catalogue: tables }: GuideStore): string {
  const [home] = tables.regions.values();
  return home?.timezone !== undefined && isZone(home.timezone) ? home.timezone : systemZone();
}

const LOGGED_MAX = 50;

function logOutcome(outcome: ListingOutcome, log: Log): void {
  const source = outcome.source.name;
  switch (outcome.kind) {
    case "unchanged":
      log.info("listing unchanged", { source });
      return;
    case "failed":
      log.warn("listing could not be read", {
        source,
        code: outcome.error.code,
        text: outcome.error.message,
      });
      return;
    case "read": {
      const { channels, flaws, ...figures } = outcome.report;
      const complaints = flaws.reduce((sum, { count }) => sum + count, 0);
      log.info("listing read", { source, ...figures, complaints, channels: channels.length });
      for (const { kind, count, leftOut, first } of flaws) {
        for (const { line, reason } of first) {
          log.warn("listing has errors", { source, line, reason, kind, count, leftOut });
        }
      }
      for (const { listed, by, channelId, triplet, note } of channels
        .filter(needsAttention)
        .slice(0, LOGGED_MAX)) {
        const facts = { source, listed: listed.id, name: listed.names[0] ?? "", by };
        log.warn("a channel of a listing has no certain match", {
          ...facts,
          ...(channelId === undefined ? {} : { channelId, hasTriplet: triplet !== undefined }),
          ...(note === undefined ? {} : { note }),
        });
      }
    }
  }
}

/** A new channel of the guide needs none: recorders find the service of one without a triplet by its name or number. */
function needsAttention({ by, note }: ImportReport["channels"][number]): boolean {
  return note !== undefined || by === "taken";
}
